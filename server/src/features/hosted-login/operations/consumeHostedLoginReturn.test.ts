import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { beforeCommit } from '../../../../../test/support/before-commit.ts'
import type { Answer, Client } from '../../../../../test/support/client.ts'
import { type Accounts, accountsOf } from '../../../../../test/support/commerce/accounts.ts'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import {
  type BegunLogin,
  begun,
  type CarriedBack,
  CODE_VERIFIER,
  carriedBack,
  challengeOf,
  LOGIN,
  RETURN_URL,
  returning,
} from '../../../../../test/support/pages/hosted-login.ts'
import { refuses } from '../../../../../test/support/refuses.ts'
import { storedAnswers } from '../../../../../test/support/stored-answers.ts'
import { type InstallationClient, startWorld, type World } from '../../../../../test/support/world.ts'
import { hashPassword } from '../../../platform/auth/password-hash.ts'
import { statement } from '../../../platform/postgres/index.ts'

const EMAIL = 'ada@example.com'
let accounts: Accounts
let world: World
let client: InstallationClient
before(async () => {
  world = await startWorld()
  client = await world.client({ returnUrls: [RETURN_URL] })
  accounts = accountsOf(world)
  await accounts.customer(EMAIL)
})

const everything = statement<{ stored: string }>(
  'test.all_kept',
  `select (select jsonb_agg(hosted_logins) from hosted_logins)::text
     || (select jsonb_agg(customer_tokens) from customer_tokens)::text as stored`,
)

function consume(carried: CarriedBack, more: object = {}, as: Client = client, options = {}): Promise<Answer> {
  return as.post(LOGIN.consume, returning(carried, more), options)
}

async function signInAndReturn(login?: BegunLogin): Promise<CarriedBack> {
  return carriedBack(world, login ?? (await begun(client)), EMAIL)
}

/** A return made up without a sign-in. */
function forgedReturn({ loginSession }: BegunLogin): CarriedBack {
  return { loginSession, code: 'made-up', state: 'af0ifjsldkj' }
}

/** A mismatch in one field is refused, and the right request still works. */
async function assertMismatch(carried: CarriedBack, more: object, pointer: string): Promise<void> {
  const answer = await consume(carried, more)
  assertRefused(answer, 400, 'validation_failed')
  assert.deepEqual([answer.body.details[0].pointer, answer.body.details[0].code], [pointer, 'mismatch'])
  assert.equal((await consume(carried)).status, 200)
}

describe('consumeHostedLoginReturn', () => {
  test('200 returns the customer and a token for twelve hours', async () => {
    const { status, body, text } = await consume(await signInAndReturn())
    assert.equal(status, 200, text)
    const { customer, customerToken, customerTokenState, expiresAt } = body.data
    assert.match(customer.id, /^cus_/)
    assert.deepEqual({ ...customer, id: '' }, { id: '', email: EMAIL, firstName: 'Ada', locale: 'en' })
    assert.match(customerToken, /^cut_[0-9A-Za-z]{49}$/)
    assert.equal(customerTokenState, 'shown')
    assert.equal(Date.parse(expiresAt) - world.clock.now().getTime(), 12 * 3_600_000)
  })

  test('200 replays the response without the token, marked as shown', async () => {
    const carried = await signInAndReturn()
    const first = await consume(carried, {}, client, { key: 'again' })
    const second = await consume(carried, {}, client, { key: 'again' })
    const { customerToken: _, ...rest } = first.body.data
    assert.deepEqual(second.body.data, { ...rest, customerTokenState: 'already_shown' })
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal((await consume(carried, {}, client, { key: 'again' })).text, second.text)
  })

  test('stores neither code, verifier nor token in plain text', async () => {
    const carried = await signInAndReturn()
    const { body } = await consume(carried)
    const { stored: rows } = (await world.database.reader.row(everything))!
    const stored = rows + (await storedAnswers(world.database.reader)).join('')
    for (const secret of [carried.code, body.data.customerToken, CODE_VERIFIER]) {
      assert(!stored.includes(secret), 'a secret is stored')
    }
    assert(stored.includes(carried.loginSession))
  })

  test('404 not_found: a login of another installation', async () => {
    const carried = await signInAndReturn()
    const foreign = await world.client({ returnUrls: [RETURN_URL] })
    const seen = await consume(carried, {}, foreign)
    const missing = await consume(carried, { loginSession: world.ids.next('hls') }, foreign)
    assertRefused(seen, 404, 'not_found')
    assert.deepEqual({ ...seen.body, requestId: '' }, { ...missing.body, requestId: '' })
    assert.equal((await consume(carried)).status, 200, 'its installation still can')
  })

  test('409 login_return_consumed: a return works once, whatever the idempotency key', async () => {
    const carried = await signInAndReturn()
    await consume(carried)
    const answer = await consume(carried)
    assertRefused(answer, 409, 'login_return_consumed')
    assert.deepEqual(answer.body.conflict, { currentState: 'consumed', allowed: ['initiateHostedLogin'] })
  })

  test('409 login_return_consumed: of twelve concurrent requests with different keys, one succeeds', async () => {
    const carried = await signInAndReturn()
    await client.get('/api/v1/open/identity')
    const answers = await Promise.all(Array.from({ length: 12 }, () => consume(carried)))
    const codes = answers.map(({ status, body }) => body?.code ?? status).sort()
    assert.deepEqual(codes, [200, ...Array(11).fill('login_return_consumed')])
  })

  test('409 session_expired: a code is valid for one minute', async () => {
    const [late, lastly] = [await signInAndReturn(), await signInAndReturn()]
    world.clock.advance(59_999)
    assert.equal((await consume(lastly)).status, 200)
    world.clock.advance(1)
    const answer = await consume(late)
    assertRefused(answer, 409, 'session_expired')
    assert.deepEqual(answer.body.conflict, { currentState: 'expired', allowed: ['initiateHostedLogin'] })
  })

  test('409 session_expired: a login past its expiry', async () => {
    const login = await begun(client)
    world.clock.advance(600_000)
    await refuses('session_expired', () => signInAndReturn(login))
    assertRefused(await consume(forgedReturn(login)), 409, 'session_expired')
  })

  test('409 session_expired: the password was changed after the sign-in', async () => {
    const email = 'grace@example.com'
    await accounts.customer(email)
    const carried = await carriedBack(world, await begun(client), email)
    const change = statement('test.change', 'update customers set password_hash = $2 where email = $1')
    await world.database.transaction(async (tx) => tx.write(change, [email, await hashPassword('another password')]))
    assertRefused(await consume(carried), 409, 'session_expired')
  })

  test('409 session_expired: the password was being changed while the shopper signed in', async () => {
    const email = 'edith@example.com'
    await accounts.customer(email)
    const login = await begun(client)
    const values = [email, await hashPassword('another password'), world.clock.now()]
    world.clock.advance(500)
    const change = statement(
      'test.change_now',
      'update customers set password_hash = $2, password_changed_at = $3 where email = $1',
    )
    const carried = await beforeCommit(
      world.database,
      async (tx) => tx.write(change, values),
      () => carriedBack(world, login, email),
    )
    assertRefused(await consume(carried), 409, 'session_expired')
  })

  test('409 session_expired: the customer was blocked after the sign-in, also once the block is lifted', async () => {
    const email = 'mallory@example.com'
    await accounts.customer(email)
    const carried = await carriedBack(world, await begun(client), email)
    await accounts.block(email)
    assertRefused(await consume(carried), 409, 'session_expired')
    const unblock = statement('test.unblock', "update customers set status = 'active' where email = $1")
    await world.database.transaction(async (tx) => tx.write(unblock, [email]))
    assertRefused(await consume(carried), 409, 'session_expired')
  })

  test('400 validation_failed: another verifier, and the login is not used up', async () => {
    const verifier = 'another-verifier-that-is-long-enough-for-the-rule'
    await assertMismatch(await signInAndReturn(), { codeVerifier: verifier }, '/codeVerifier')
  })

  test('400 validation_failed: the challenge instead of the verifier', async () => {
    const carried = await signInAndReturn()
    await assertMismatch(carried, { codeVerifier: challengeOf(CODE_VERIFIER) }, '/codeVerifier')
  })

  test('400 validation_failed: another state', async () => {
    await assertMismatch(await signInAndReturn(), { state: 'af0ifjsldkJ' }, '/state')
  })

  test('400 validation_failed: a wrong code, and the code of another login', async () => {
    await assertMismatch(await signInAndReturn(), { code: 'SplxlOBeZQQYbYS6WxSbIA' }, '/code')
    await assertMismatch(await signInAndReturn(), { code: (await signInAndReturn()).code }, '/code')
  })

  test('400 validation_failed: the shopper has not returned yet', async () => {
    const login = await begun(client)
    const answer = await consume(forgedReturn(login))
    assertRefused(answer, 400, 'validation_failed')
    assert.equal(answer.body.details[0].pointer, '/code')
  })
})
