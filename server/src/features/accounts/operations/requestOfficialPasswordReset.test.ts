import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ACCOUNTS, assertRefused, startAccounts } from '../../../../../test/support/commerce/accounts.ts'

let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
before(async () => {
  accounts = await startAccounts({
    environment: { RATE_LIMITS: JSON.stringify({ 'public-read': { limit: 100_000, burst: 10_000 } }) },
  })
  ;({ world } = accounts)
})

const request = (email: string, more = {}) => world.anonymous.post(ACCOUNTS.requestReset, { email, ...more })
const mailsTo = async (recipient: string) =>
  (await world.mails()).filter((mail) => mail.recipient === recipient && mail.kind === 'accounts.reset')

describe('requestOfficialPasswordReset', () => {
  test('200 mails a link to a known address, in the preferred language', async () => {
    await accounts.customer('ada@example.com')
    const answer = await world.anonymous.post(
      ACCOUNTS.requestReset,
      { email: 'Ada@Example.com' },
      { headers: { 'accept-language': 'de' } },
    )
    assert.deepEqual([answer.status, answer.body.data], [200, { status: 'accepted' }])
    await world.work()
    const [mail] = await mailsTo('ada@example.com')
    assert.deepEqual([mail?.kind, mail?.subject], ['accounts.reset', 'Passwort zurücksetzen'])
    assert.match(mail!.link, /\/account\/reset\/confirm\?token=[\w-]{43}&locale=de$/)
  })

  test('200 answers the same for an unknown address, and sends no mail', async () => {
    await accounts.customer('known@example.com')
    const known = await request('known@example.com')
    const unknown = await request('unknown@example.com')
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
    assert.deepEqual([...known.headers.keys()], [...unknown.headers.keys()])
    await world.work()
    assert.deepEqual(
      [(await mailsTo('known@example.com')).length, (await mailsTo('unknown@example.com')).length],
      [1, 0],
    )
  })

  test('200 sends no mail to a blocked customer', async () => {
    await accounts.customer('blocked@example.com')
    await accounts.block('blocked@example.com')
    await request('blocked@example.com')
    await world.work()
    assert.deepEqual(await mailsTo('blocked@example.com'), [])
  })

  test('403 store_access_required if the operator requires a grant', async () => {
    await accounts.demandGrants(['password_reset'])
    assertRefused(await request('ada@example.com'), 403, 'store_access_required')
    await accounts.demandGrants([])
    world.clock.advance(3_600_000)
  })

  test('429 quota_exceeded after three an hour for one address, known or not, in any spelling', async () => {
    for (const name of ['ada', 'unknown']) {
      for (const email of [`${name}@example.com`, `${name.toUpperCase()}@example.com`, `${name}@EXAMPLE.com`]) {
        assert.equal((await request(email)).status, 200)
      }
      const answer = await request(`${name}@example.com`)
      assertRefused(answer, 429, 'quota_exceeded')
      assert.deepEqual(
        [answer.body.rateLimit.policy, answer.body.retry.advice, answer.body.retry.afterMs],
        ['reset-account', 'same_request_later', 1_200_000],
      )
    }
    world.clock.advance(3_600_000)
  })

  test('429 rate_limited after twenty an hour from one IP address', async () => {
    for (let count = 0; count < 20; count += 1) assert.equal((await request(`caller${count}@example.com`)).status, 200)
    const answer = await request('caller@example.com')
    assertRefused(answer, 429, 'rate_limited')
    assert.equal(answer.body.rateLimit.policy, 'reset-address')
  })
})
