import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { limits } from '@vitrine/contract'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import { begun, initiate, RETURN_URL } from '../../../../../test/support/pages/hosted-login.ts'
import { type InstallationClient, startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { loadInitiationFacts } from '../store.ts'

let world: World
let client: InstallationClient
before(async () => {
  world = await startWorld()
  client = await world.client({ returnUrls: [RETURN_URL, 'https://shop.example/return?from=login'] })
})

const storedLogin = statement<Record<string, unknown>>('test.login', 'select * from hosted_logins where id = $1')
const fill = statement(
  'test.fill',
  `insert into hosted_logins (id, installation_id, environment, return_url, state, code_challenge, created_at, expires_at)
   select 'hls_' || $1 || n, $1, 'test', 'https://shop.example', 's', $2, $3, $3::timestamptz + interval '10 minutes'
   from generate_series(1, $4::int) as n`,
)

describe('initiateHostedLogin', () => {
  test('200 returns the login URL and an expiry of ten minutes', async () => {
    const { loginSession, loginUrl, expiresAt } = await begun(client)
    const pages = await world.openPages()
    assert.equal(loginUrl, `${pages}/login?session=${loginSession}`)
    assert.equal(Date.parse(expiresAt) - world.clock.now().getTime(), 600_000)
  })

  test('200 stores the request, bound to the installation and its environment', async () => {
    const { loginSession } = await begun(client)
    const row = await world.database.reader.row(storedLogin, [loginSession])
    assert.deepEqual(
      [row?.installation_id, row?.environment, row?.return_url, row?.status, row?.code_hash],
      [client.installationId, 'test', RETURN_URL, 'initiated', null],
    )
  })

  test('200 starts with registration, in the requested locale', async () => {
    const { loginUrl, loginSession } = await begun(client, { prompt: 'register', locale: 'de-AT' })
    assert(loginUrl.endsWith(`/account/register?session=${loginSession}&locale=de`), loginUrl)
  })

  test('200 accepts each of the return URLs, with its query', async () => {
    assert.equal((await initiate(client, { returnUrl: 'https://shop.example/return?from=login' })).status, 200)
  })

  test('200 replays the first response for a repeated key and starts no login', async () => {
    const body = { returnUrl: RETURN_URL, state: 's', codeChallenge: 'x'.repeat(43), codeChallengeMethod: 'S256' }
    const send = () => client.post('/api/v1/open/hosted/login/initiate', body, { key: 'once' })
    const [first, second] = [await send(), await send()]
    assert.equal(second.text, first.text)
  })

  for (const [what, returnUrl] of [
    ['one character more', `${RETURN_URL}/`],
    ['one character less', RETURN_URL.slice(0, -1)],
    ['another letter case', RETURN_URL.replace('return', 'Return')],
    ['another query', `${RETURN_URL}?next=1`],
    ['a fragment', `${RETURN_URL}#x`],
    ['another host with the same beginning', 'https://shop.example.evil.example/return'],
    ['userinfo before the host', 'https://shop.example@evil.example/return'],
    ['plain http', RETURN_URL.replace('https', 'http')],
    ['a path with ..', 'https://shop.example/x/../return'],
    ['an escaped letter', 'https://shop.example/%72eturn'],
    ['one of another installation', 'https://other.example/return'],
  ] as const) {
    test(`400 validation_failed: an unregistered return URL: ${what}`, async () => {
      await world.installation({ returnUrls: ['https://other.example/return'] })
      const answer = await initiate(client, { returnUrl })
      assertRefused(answer, 400, 'validation_failed')
      const [{ pointer, code }] = answer.body.details
      assert.deepEqual([pointer, code], ['/returnUrl', 'not_registered'])
    })
  }

  test('400 validation_failed: a return URL that is not http or https', async () => {
    for (const returnUrl of ['javascript:alert(1)', '//shop.example/return', '/return', 'data:text/html,x']) {
      const answer = await initiate(client, { returnUrl })
      assertRefused(answer, 400, 'validation_failed')
      assert.equal(answer.body.details[0].pointer, '/returnUrl')
    }
  })

  test('400 validation_failed: PKCE with plain instead of S256', async () => {
    const plain = await initiate(client, { codeChallengeMethod: 'plain' })
    assertRefused(plain, 400, 'validation_failed')
    assert.equal(plain.body.details[0].pointer, '/codeChallengeMethod')
    assertRefused(await initiate(client, { codeChallenge: 'short' }), 400, 'validation_failed')
  })

  test('400 unsupported_locale with the supported ones', async () => {
    const answer = await initiate(client, { locale: 'fr' })
    assertRefused(answer, 400, 'unsupported_locale')
    assert.equal(answer.body.details[0].message, 'Supported locales: en, de.')
  })

  test('429 quota_exceeded: at most 5,000 open logins, until the first expires', async () => {
    const { installationId, ...busy } = await world.client({ returnUrls: [RETURN_URL] })
    const values = [installationId, 'x'.repeat(43), world.clock.now(), limits.hostedLogin.openSessionsMax - 1]
    await world.database.transaction(async (tx) => tx.write(fill, values))
    await begun(busy)
    const answer = await initiate(busy)
    assertRefused(answer, 429, 'quota_exceeded')
    assert.deepEqual(answer.body.params, { openSessionsMax: 5000 })
    assert.equal(answer.body.retry.afterMs, 600_000)
    const narrowed = {
      installationId,
      environment: 'test',
      narrowedTo: { storeId: 'sto_a', grantId: 'gra_a' },
    } as const
    const asked = { returnUrl: RETURN_URL, now: world.clock.now() }
    const { isOverQuota } = await loadInitiationFacts(world.database.reader, narrowed, asked)
    assert.ok(isOverQuota, 'an access token for one store shares the quota of its installation')
    assert.equal((await initiate(client)).status, 200, 'another installation has its own quota')
    world.clock.advance(600_000)
    assert.equal((await initiate(busy)).status, 200)
  })
})
