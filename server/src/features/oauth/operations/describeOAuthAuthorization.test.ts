import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, AUTHORIZE, CALLBACK, CHALLENGE, registerApp } from '../../../../../test/support/pages/oauth.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/statement.ts'

type Query = Readonly<Record<string, string>>

let world: World
let app: App
/** A valid request. */
let good: Query
before(async () => {
  world = await startWorld()
  app = await registerApp(world)
  good = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: CALLBACK,
    scope: 'catalog:read',
    state: 'af0ifjsldkj',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }
})

function send(query: Query, more = '') {
  return world.anonymous.get(`${AUTHORIZE}?${new URLSearchParams(query)}${more}`)
}

function without(name: string): Query {
  return Object.fromEntries(Object.entries(good).filter(([each]) => each !== name))
}

describe('describeOAuthAuthorization', () => {
  test('200 without parameters returns the server metadata of RFC 8414', async () => {
    const { status, body, headers } = await world.anonymous.get(AUTHORIZE)
    assert.equal(status, 200)
    const { result } = body.data
    assert.deepEqual(Object.keys(result), ['server'])
    assert.equal(result.server.issuer, world.pagesUrl)
    assert.equal(result.server.tokenEndpoint, `${world.publicUrl}/api/v1/oauth/token`)
    assert.deepEqual(result.server.codeChallengeMethodsSupported, ['S256'])
    assert.equal(headers.get('cache-control'), 'private, no-store')
  })

  test('200 returns the request and the consent URL, valid for five minutes', async () => {
    const { status, body } = await send(good)
    assert.equal(status, 200)
    const { request, interaction } = body.data.result
    assert.deepEqual(request, {
      clientId: app.clientId,
      clientName: 'A test installation',
      redirectUri: CALLBACK,
      responseType: 'code',
      scopes: ['catalog:read'],
      state: 'af0ifjsldkj',
      codeChallenge: CHALLENGE,
      codeChallengeMethod: 'S256',
    })
    assert.equal(interaction.expiresAt, new Date(world.clock.now().getTime() + 300_000).toISOString())
    const sealed = new URL(interaction.url).searchParams.get('request') ?? ''
    assert.equal(sealed.split('.').length, 5)
    assert(!Buffer.from(interaction.url, 'base64url').toString('latin1').includes(app.clientId))
  })

  test('200 requests all scopes by default, and treats an empty parameter as absent', async () => {
    const { body } = await send({ ...without('scope'), dpop_jkt: '', prompt: '' })
    assert.equal(body.data.result.request.scopes.length, 4)
    assert.equal(body.data.result.request.dpopJkt, undefined)
  })

  test('200 writes nothing', async () => {
    const rows = () =>
      world.database.reader.row(
        statement<{ count: bigint }>(
          'test.oauth_rows',
          `select (select count(*) from oauth_grants) + (select count(*) from oauth_codes)
             + (select count(*) from dpop_proofs) as count`,
        ),
      )
    const before = await rows()
    await send(good)
    assert.deepEqual(await rows(), before)
  })

  const refused: readonly (readonly [code: string, what: string, query: () => Query])[] = [
    ['oauth_invalid_request', 'no response_type', () => without('response_type')],
    ['oauth_invalid_request', 'no client_id', () => without('client_id')],
    ['oauth_invalid_request', 'no redirect_uri', () => without('redirect_uri')],
    ['oauth_invalid_request', 'no code_challenge', () => without('code_challenge')],
    [
      'oauth_invalid_request',
      'no code_challenge_method, which would mean plain',
      () => without('code_challenge_method'),
    ],
    ['oauth_invalid_request', 'plain', () => ({ ...good, code_challenge_method: 'plain' })],
    ['oauth_invalid_request', 'a challenge of 42 characters', () => ({ ...good, code_challenge: CHALLENGE.slice(1) })],
    ['oauth_invalid_request', 'a malformed thumbprint', () => ({ ...good, dpop_jkt: 'x' })],
    ['oauth_invalid_request', 'prompt=none', () => ({ ...good, prompt: 'none' })],
    [
      'oauth_invalid_request',
      'a redirect URI with one different character',
      () => ({ ...good, redirect_uri: `${CALLBACK}/` }),
    ],
    [
      'oauth_invalid_request',
      'a redirect URI with an extra query',
      () => ({ ...good, redirect_uri: `${CALLBACK}?a=1` }),
    ],
    [
      'oauth_invalid_request',
      'a redirect URI in upper case',
      () => ({ ...good, redirect_uri: 'https://APP.example/callback' }),
    ],
    ['oauth_unauthorized_client', 'an unknown client', () => ({ ...good, client_id: 'cli_unknown' })],
    ['oauth_unsupported_response_type', 'token', () => ({ ...good, response_type: 'token' })],
    ['oauth_invalid_scope', 'an unknown scope', () => ({ ...good, scope: 'catalog:read admin' })],
    ['oauth_invalid_target', "another server's resource", () => ({ ...good, resource: 'https://evil.example' })],
  ]
  for (const [code, what, query] of refused) {
    test(`400 ${code}, without a redirect: ${what}`, async () => {
      const { status, body, headers } = await send(query())
      assert.deepEqual([status, body.code, body.error], [400, code, code.slice('oauth_'.length)])
      assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      assert.equal(headers.get('location'), null)
      for (const detail of body.details) assert.equal(detail.in, 'query', 'a GET has no body')
    })
  }

  test('200 ignores unknown parameters', async () => {
    const { status } = await send(good, '&response_mode=query&login_hint=ada&ui_locales=de&foo=1&foo=2')
    assert.equal(status, 200)
  })

  test('400 oauth_invalid_request: a repeated parameter', async () => {
    const { status, body } = await send(good, '&state=other')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'oauth_invalid_request', '/state'])
  })

  test('400 refuses in this order: oauth_invalid_request, oauth_unauthorized_client, oauth_unsupported_response_type, oauth_invalid_scope, oauth_invalid_target', async () => {
    const worst = {
      response_type: 'token',
      client_id: 'cli_unknown',
      redirect_uri: CALLBACK,
      scope: 'x',
      resource: 'a:b',
    }
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    const steps = [worst, { ...worst, ...pkce }, { ...worst, ...pkce, client_id: app.clientId }]
    const codes: string[] = []
    for (const step of steps) codes.push((await send(step)).body.code)
    const rest = { ...good, scope: 'x', resource: 'a:b' }
    codes.push((await send(rest)).body.code, (await send({ ...rest, scope: 'catalog:read' })).body.code)
    assert.deepEqual(codes, [
      'oauth_invalid_request',
      'oauth_unauthorized_client',
      'oauth_unsupported_response_type',
      'oauth_invalid_scope',
      'oauth_invalid_target',
    ])
  })

  test('400 oauth_unauthorized_client: the installation is suspended', async () => {
    const other = await registerApp(world)
    await world.database.transaction(async (tx) =>
      tx.write(statement('test.suspend_one', `update installations set status = 'suspended' where id = $1`), [
        other.installationId,
      ]),
    )
    assert.equal((await send({ ...good, client_id: other.clientId })).body.code, 'oauth_unauthorized_client')
  })
})
