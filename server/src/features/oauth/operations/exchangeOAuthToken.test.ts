import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Answer, proofKey } from '../../../../../test/support/client.ts'
import {
  type App,
  CALLBACK,
  CHALLENGE,
  codeFor,
  type Poster,
  type PostOptions,
  posterOf,
  registerApp,
  TOKEN,
  tokenProof,
  works,
} from '../../../../../test/support/pages/oauth.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/statement.ts'

let world: World
let exchange: Poster['exchange']
let refresh: Poster['refresh']
let post: Poster['post']
let currentNonce: Poster['currentNonce']
let keys: GenerateKeyPairResult
let jwks: { readonly keys: readonly JWK[] }
before(async () => {
  world = await startWorld()
  ;({ exchange, refresh, post, currentNonce } = posterOf(world))
  keys = await generateKeyPair('ES256', { extractable: true })
  jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one' }] }
})

const MINUTE = 60_000
const DAY = 86_400_000

/** An app with tokens. */
async function withTokens(): Promise<{ app: App; access: string; refreshToken: string; code: string }> {
  const app = await registerApp(world)
  const code = await codeFor(world, app)
  const { body } = await exchange(app, code)
  return { app, code, access: body.access_token, refreshToken: body.refresh_token }
}

function assertRefused({ status, body, text }: Answer, code: string, expected = 400): void {
  assert.deepEqual([status, body.code], [expected, code], text)
  assert.equal(body.error, code.replace(/^oauth_/, ''))
}

describe('exchangeOAuthToken', () => {
  for (const json of [false, true]) {
    test(`200 issues tokens for a code sent as ${json ? 'JSON' : 'a form'}, at the top level as well`, async () => {
      const app = await registerApp(world)
      const { status, body, headers } = await exchange(app, await codeFor(world, app), {}, { json })
      assert.equal(status, 200)
      const { data, ...mirrored } = body
      assert.deepEqual(mirrored, data)
      assert.deepEqual([data.token_type, data.expires_in], ['DPoP', 600])
      assert.match(String(headers.get('cache-control')), /no-store/)
      assert.equal(await works(world, app, data.access_token), true)
    })
  }

  test('200 narrows the access token to the requested scopes, but not the refresh token', async () => {
    const app = await registerApp(world)
    const code = await codeFor(world, app, { scopes: ['catalog:read', 'checkout:quote'] })
    const { body } = await exchange(app, code, { scope: 'catalog:read' })
    assert.equal(body.scope, 'catalog:read')
    assert.equal((await refresh(app, body.refresh_token)).body.scope, 'catalog:read checkout:quote')
  })

  test('400 oauth_invalid_request: a missing parameter of the grant type, before the proof is checked', async () => {
    const app = await registerApp(world)
    for (const [grantType, missing] of [
      ['authorization_code', 'code'],
      ['refresh_token', 'refresh_token'],
    ] as const) {
      const answer = await post(TOKEN, { grant_type: grantType, client_id: app.clientId }, { nonce: null })
      assertRefused(answer, 'oauth_invalid_request')
      assert.equal(answer.body.details[0].pointer, `/${missing}`)
    }
    const twice = new URLSearchParams('grant_type=refresh_token&refresh_token=a&refresh_token=b')
    const answer = await fetch(world.origin + TOKEN, { method: 'POST', body: twice })
    assert.equal(((await answer.json()) as { code: string }).code, 'oauth_invalid_request')
  })

  test('400 oauth_unsupported_grant_type', async () => {
    for (const type of ['client_credentials', 'password', 'toString']) {
      assertRefused(await post(TOKEN, { grant_type: type }, { nonce: null }), 'oauth_unsupported_grant_type')
    }
  })

  test('400 oauth_use_dpop_nonce: no nonce or an old one, with the one to use', async () => {
    const app = await registerApp(world)
    const code = await codeFor(world, app)
    const old = await currentNonce()
    world.clock.advance(3 * MINUTE)
    for (const nonce of [null, old]) {
      const answer = await exchange(app, code, {}, { nonce })
      assertRefused(answer, 'oauth_use_dpop_nonce')
      assert.equal(answer.headers.get('dpop-nonce'), await currentNonce())
      assert.equal(answer.body.retry.advice, 'same_key')
    }
  })

  describe('400 oauth_invalid_dpop_proof', () => {
    const claims: readonly (readonly [string, PostOptions['claims']])[] = [
      ['no jti', { jti: undefined }],
      ['jti that is not a string', { jti: 7 }],
      ['no htm', { htm: undefined }],
      ['htm of another method', { htm: 'GET' }],
      ['no htu', { htu: undefined }],
      ['htu of another endpoint', { htu: 'https://shop.example/api/v1/oauth/revoke' }],
      ['htu of another host', { htu: `https://evil.example${TOKEN}` }],
      ['no iat', { iat: undefined }],
      ['iat that is not a number', { iat: 'now' }],
    ]
    for (const [what, wrong] of claims) {
      test(what, async () => {
        const app = await registerApp(world)
        const answer = await exchange(
          app,
          await codeFor(world, app),
          {},
          { nonce: await currentNonce(), claims: wrong ?? {} },
        )
        assertRefused(answer, 'oauth_invalid_dpop_proof')
      })
    }

    for (const [what, header] of [
      ['no typ', { typ: undefined }],
      ['another typ', { typ: 'JWT' }],
      ['alg none', { alg: 'none' }],
      ['another alg', { alg: 'ES384' }],
      ['no jwk', { jwk: undefined }],
      ['a jwk with a private key', { jwk: 'private' }],
    ] as const) {
      test(what, async () => {
        const app = await registerApp(world)
        const made = await tokenProof(world, app.proof, TOKEN, { nonce: await currentNonce() })
        const [head = '', payload, signature] = made.split('.')
        const own = JSON.parse(Buffer.from(head, 'base64url').toString())
        const jwk = 'jwk' in header ? header.jwk && app.proof.privateKey.export({ format: 'jwk' }) : own.jwk
        const changed = Buffer.from(JSON.stringify({ ...own, ...header, jwk })).toString('base64url')
        const proofs = [`${changed}.${payload}.${header && 'alg' in header && header.alg === 'none' ? '' : signature}`]
        assertRefused(await exchange(app, await codeFor(world, app), {}, { proofs }), 'oauth_invalid_dpop_proof')
      })
    }

    test('no proof, or two', async () => {
      const app = await registerApp(world)
      const code = await codeFor(world, app)
      const proofs = [await tokenProof(world, app.proof, TOKEN, { nonce: await currentNonce() })]
      assertRefused(await exchange(app, code, {}, { proofs: [] }), 'oauth_invalid_dpop_proof')
      assertRefused(await exchange(app, code, {}, { proofs: [...proofs, ...proofs] }), 'oauth_invalid_dpop_proof')
    })

    test('a proof that was already used, even in a refused request', async () => {
      const app = await registerApp(world)
      const proofs = [await tokenProof(world, app.proof, TOKEN, { nonce: await currentNonce() })]
      assertRefused(await exchange(app, 'unknown', {}, { proofs }), 'oauth_invalid_grant')
      const again = await exchange(app, await codeFor(world, app), {}, { proofs })
      assertRefused(again, 'oauth_invalid_dpop_proof')
      assert.equal(again.body.details[0].code, 'replayed')
    })
  })

  test('200 for a proof with a query in htu, or an hour of clock skew: its nonce is fresh', async () => {
    const nowSeconds = Math.floor(world.clock.now().getTime() / 1000)
    for (const claims of [
      { htu: `${world.publicUrl}${TOKEN}?a=1#b` },
      { iat: nowSeconds - 3600 },
      { iat: nowSeconds + 3600 },
    ]) {
      const app = await registerApp(world)
      const answer = await exchange(app, await codeFor(world, app), {}, { nonce: await currentNonce(), claims })
      assert.equal(answer.status, 200, answer.text)
    }
  })

  describe('401 oauth_invalid_client', () => {
    test('an unknown client, and no client', async () => {
      const app = await registerApp(world)
      const code = await codeFor(world, app)
      for (const client_id of ['cli_unknown', '']) {
        const answer = await exchange(app, code, { client_id })
        assertRefused(answer, 'oauth_invalid_client', 401)
        assert.match(String(answer.headers.get('www-authenticate')), /error="invalid_client"/)
      }
    })

    const assertionOf = (app: App, more: JWTPayload = {}, key = keys.privateKey) =>
      new SignJWT({
        iss: app.clientId,
        sub: app.clientId,
        aud: world.pagesUrl,
        jti: randomUUID(),
        exp: Math.floor(world.clock.now().getTime() / 1000) + 60,
        ...more,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .sign(key)
    const ASSERTED = { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' }

    test('does not apply to a valid assertion, even without client_id', async () => {
      const app = await registerApp(world, { jwks })
      const fields = { ...ASSERTED, client_id: '', client_assertion: await assertionOf(app) }
      const answer = await exchange(app, await codeFor(world, app), fields)
      assert.equal(answer.status, 200, answer.text)
    })

    for (const [what, wrong] of [
      ['another issuer', { iss: 'other' }],
      ['another audience', { aud: 'https://evil.example' }],
      ['no jti', { jti: undefined }],
      ['no exp', { exp: undefined }],
      ['exp in the past', { exp: 1 }],
      ['exp in a year', { exp: 4_000_000_000 }],
      ['iat in an hour', { iat: Math.floor(Date.parse('2100-01-01') / 1000) }],
    ] as const) {
      test(`an assertion with ${what}`, async () => {
        const app = await registerApp(world, { jwks })
        const client_assertion = await assertionOf(app, wrong as unknown as JWTPayload)
        const answer = await exchange(app, await codeFor(world, app), { ...ASSERTED, client_assertion })
        assertRefused(answer, 'oauth_invalid_client', 401)
      })
    }

    test('an assertion by another key, no assertion, or one that was already used', async () => {
      const app = await registerApp(world, { jwks })
      const foreignAssertion = await assertionOf(app, {}, (await generateKeyPair('ES256')).privateKey)
      assertRefused(
        await exchange(app, 'x', { ...ASSERTED, client_assertion: foreignAssertion }),
        'oauth_invalid_client',
        401,
      )
      assertRefused(await exchange(app, 'x'), 'oauth_invalid_client', 401)
      const client_assertion = await assertionOf(app)
      const first = await exchange(app, await codeFor(world, app), { ...ASSERTED, client_assertion })
      assert.equal(first.status, 200, first.text)
      const again = await exchange(app, await codeFor(world, app), { ...ASSERTED, client_assertion })
      assertRefused(again, 'oauth_invalid_client', 401)
    })

    test('an assertion whose request was refused', async () => {
      const app = await registerApp(world, { jwks })
      const [code, client_assertion] = [await codeFor(world, app), await assertionOf(app)]
      const wrong = { ...ASSERTED, client_assertion, code_verifier: 'x'.repeat(43) }
      assertRefused(await exchange(app, code, wrong), 'oauth_invalid_grant')
      assertRefused(await exchange(app, code, { ...ASSERTED, client_assertion }), 'oauth_invalid_client', 401)
      const next = await exchange(app, code, { ...ASSERTED, client_assertion: await assertionOf(app) })
      assert.equal(next.status, 200, next.text)
    })

    test('a client secret: clients have none', async () => {
      const app = await registerApp(world)
      const headers = { authorization: `Basic ${btoa(`${app.clientId}:secret`)}` }
      const answer = await exchange(app, await codeFor(world, app), {}, { headers })
      assertRefused(answer, 'oauth_invalid_client', 401)
      assert.match(String(answer.headers.get('www-authenticate')), /^Basic /)
    })
  })

  test('200 ignores unknown parameters, in a form or as JSON', async () => {
    for (const json of [false, true]) {
      const app = await registerApp(world)
      const more = { audience: 'https://shop.example', client_secret: 'x', foo: 'bar' }
      assert.equal((await exchange(app, await codeFor(world, app), more, { json })).status, 200)
    }
  })

  test('200 returns the same refresh token when a code is retried within 60 seconds, as after a lost response', async () => {
    const { app, code, access, refreshToken } = await withTokens()
    world.clock.advance(MINUTE)
    const again = await exchange(app, code)
    assert.deepEqual([again.status, again.body.refresh_token], [200, refreshToken])
    for (const token of [access, again.body.access_token]) assert.equal(await works(world, app, token), true)
    assert.equal((await refresh(app, refreshToken)).status, 200)
  })

  test('400 oauth_unauthorized_client: the installation is suspended', async () => {
    const { app, refreshToken } = await withTokens()
    await suspend(app)
    assertRefused(await refresh(app, refreshToken), 'oauth_unauthorized_client')
  })

  describe('400 oauth_invalid_grant', () => {
    const wrong: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['the wrong verifier', { code_verifier: 'x'.repeat(43) }],
      ['the challenge as the verifier, as with plain', { code_verifier: CHALLENGE }],
      ['a redirect URI with one different character', { redirect_uri: `${CALLBACK}/` }],
      ['no redirect URI', { redirect_uri: '' }],
    ]
    for (const [what, fields] of wrong) {
      test(`${what}, leaving the code usable`, async () => {
        const app = await registerApp(world)
        const code = await codeFor(world, app)
        assertRefused(await exchange(app, code, fields), 'oauth_invalid_grant')
        assert.equal((await exchange(app, code)).status, 200)
      })
    }

    test("another client's code", async () => {
      const [app, other] = [await registerApp(world), await registerApp(world)]
      assertRefused(await exchange(other, await codeFor(world, app)), 'oauth_invalid_grant')
    })

    test('a code bound by dpop_jkt, with another key', async () => {
      const app = await registerApp(world)
      const code = await codeFor(world, app, { dpopJkt: app.proof.jkt })
      assertRefused(await exchange(app, code, {}, { proof: await proofKey() }), 'oauth_invalid_grant')
      assert.equal((await exchange(app, code)).status, 200)
    })

    test('a code after 60 seconds', async () => {
      const app = await registerApp(world)
      const [early, late] = [await codeFor(world, app), await codeFor(world, app)]
      world.clock.advance(MINUTE - 1)
      assert.equal((await exchange(app, early)).status, 200)
      world.clock.advance(1)
      assertRefused(await exchange(app, late), 'oauth_invalid_grant')
    })

    test('a used code without its verifier and redirect URI, which revokes nothing', async () => {
      const { app, code, access, refreshToken } = await withTokens()
      const proof = await proofKey()
      for (const wrong of [{ redirect_uri: 'https://attacker.example/' }, { code_verifier: 'a'.repeat(43) }]) {
        assertRefused(await exchange(app, code, wrong, { proof }), 'oauth_invalid_grant')
      }
      assert.equal(await works(world, app, access), true)
      assert.equal((await refresh(app, refreshToken)).status, 200)
    })

    test('a code used with two keys, which revokes every token of the grant', async () => {
      const { app, code, access } = await withTokens()
      assertRefused(await exchange(app, code, {}, { proof: await proofKey() }), 'oauth_invalid_grant')
      assert.equal(await works(world, app, access), false)
    })

    test('a code used again after its token was rotated, which revokes every token of the grant', async () => {
      const { app, code, access, refreshToken } = await withTokens()
      const rotated = await refresh(app, refreshToken)
      assert.equal(await works(world, app, access), true)
      assertRefused(await exchange(app, code), 'oauth_invalid_grant')
      assert.equal(await works(world, app, access), false)
      assert.equal(await works(world, app, rotated.body.access_token), false)
      assertRefused(await refresh(app, rotated.body.refresh_token), 'oauth_invalid_grant')
    })

    test('a refresh token with another key, leaving the family intact', async () => {
      const { app, refreshToken } = await withTokens()
      const answer = await refresh(app, refreshToken, {}, { proof: await proofKey() })
      assertRefused(answer, 'oauth_invalid_grant')
      assert.equal((await refresh(app, refreshToken)).status, 200)
    })

    test('a refresh token that was idle for 7 days or is 30 days old', async () => {
      const { app, refreshToken } = await withTokens()
      let current = refreshToken
      for (let days = 0; days < 28; days += 7) {
        world.clock.advance(7 * DAY - 1)
        const answer = await refresh(app, current)
        assert.equal(answer.status, 200, answer.text)
        current = answer.body.refresh_token
      }
      world.clock.advance(2 * DAY + 4)
      assertRefused(await refresh(app, current), 'oauth_invalid_grant')

      const idle = await withTokens()
      world.clock.advance(7 * DAY)
      assertRefused(await refresh(idle.app, idle.refreshToken), 'oauth_invalid_grant')
    })

    test('an old refresh token, which revokes the family', async () => {
      const { app, refreshToken } = await withTokens()
      const second = (await refresh(app, refreshToken)).body
      const third = (await refresh(app, second.refresh_token)).body
      assertRefused(await refresh(app, refreshToken), 'oauth_invalid_grant')
      assertRefused(await refresh(app, third.refresh_token), 'oauth_invalid_grant')
      assert.equal(await works(world, app, third.access_token), false)
    })

    test('a refresh token more than 60 seconds after its rotation, which revokes the family', async () => {
      const { app, refreshToken } = await withTokens()
      const successor = (await refresh(app, refreshToken)).body.refresh_token
      world.clock.advance(MINUTE)
      assert.equal((await refresh(app, refreshToken)).body.refresh_token, successor)
      world.clock.advance(1)
      assertRefused(await refresh(app, refreshToken), 'oauth_invalid_grant')
      assertRefused(await refresh(app, successor), 'oauth_invalid_grant')
    })
  })

  test('400 oauth_invalid_scope: more than was granted, and the code is not used up', async () => {
    const app = await registerApp(world)
    const code = await codeFor(world, app, { scopes: ['catalog:read'] })
    assertRefused(await exchange(app, code, { scope: 'catalog:read checkout:quote' }), 'oauth_invalid_scope')
    assert.equal((await exchange(app, code)).status, 200)
  })

  test("400 oauth_invalid_target: another server's resource", async () => {
    const app = await registerApp(world)
    const code = await codeFor(world, app)
    assertRefused(await exchange(app, code, { resource: 'https://evil.example' }), 'oauth_invalid_target')
    assert.equal((await exchange(app, code, { resource: world.publicUrl })).status, 200)
  })

  test('no usable secret is stored in the tables', async () => {
    const { code, access, refreshToken } = await withTokens()
    const rows = await world.database.reader.rows(
      statement<{ all: string }>(
        'test.oauth_kept',
        `select row_to_json(t)::text as all from oauth_codes t union all select row_to_json(t)::text from oauth_access_tokens t
         union all select row_to_json(t)::text from oauth_refresh_tokens t union all select row_to_json(t)::text from oauth_grants t`,
      ),
    )
    const kept = rows.map((row) => row.all).join('\n')
    for (const secret of [code, access, refreshToken]) assert(!kept.includes(secret.slice(5, 40)))
  })

  test('lets scripts of a known origin read refusals, including the nonce', async () => {
    const origin = 'https://spa.example'
    await world.installation({ origins: [origin] })
    const { headers } = await post(TOKEN, { grant_type: 'x' }, { nonce: null, headers: { origin } })
    assert.equal(headers.get('access-control-allow-origin'), origin)
    assert.match(String(headers.get('access-control-expose-headers')), /DPoP-Nonce/)
  })
})

async function suspend(app: App): Promise<void> {
  await world.database.transaction(async (tx) =>
    tx.write(statement('test.suspend', `update installations set status = 'suspended' where id = $1`), [
      app.installationId,
    ]),
  )
}
