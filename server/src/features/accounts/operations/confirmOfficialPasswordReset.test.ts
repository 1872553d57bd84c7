import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ACCOUNTS, assertRefused, startAccounts } from '../../../../../test/support/commerce/accounts.ts'

let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
})

const PASSWORD = 'a new and better password'
const MINUTE_MS = 60_000

const confirm = (token: string, newPassword = PASSWORD) =>
  world.anonymous.post(ACCOUNTS.confirmReset, { token, newPassword })

/** The token in the mail to an address. */
async function tokenFor(email: string): Promise<string> {
  await world.anonymous.post(ACCOUNTS.requestReset, { email })
  await world.work()
  const mail = (await world.mails()).find(({ recipient, kind }) => recipient === email && kind === 'accounts.reset')
  return new URL(mail!.link).searchParams.get('token')!
}

describe('confirmOfficialPasswordReset', () => {
  test('200 sets the password and notifies the customer', async () => {
    await accounts.customer('ada@example.com', 'the old password')
    const { status, body } = await confirm(await tokenFor('ada@example.com'))
    assert.deepEqual([status, body.data], [200, { status: 'changed' }])
    assert(await accounts.signIn('ada@example.com', PASSWORD))
    assert.equal(await accounts.signIn('ada@example.com', 'the old password'), null)
    await world.work()
    assert((await world.mails()).some(({ kind }) => kind === 'accounts.changed'))
  })

  test('200 ends every session of the customer and no others', async () => {
    await accounts.customer('signed-in@example.com')
    await accounts.customer('other@example.com')
    const sessions = await Promise.all([
      accounts.session('signed-in@example.com'),
      accounts.session('signed-in@example.com'),
      accounts.session('other@example.com'),
    ])
    await confirm(await tokenFor('signed-in@example.com'))
    const left = await Promise.all(sessions.map((token) => accounts.whoIs(token)))
    assert.deepEqual(left, [null, null, 'other@example.com'])
  })

  test('200 rejects a sign-in whose password was verified before the change', async () => {
    await accounts.customer('racing@example.com', 'the old password')
    const verified = await accounts.signIn('racing@example.com', 'the old password')
    world.clock.advance(1)
    await confirm(await tokenFor('racing@example.com'))
    assert.equal(await accounts.openSession(verified!), null)
  })

  test('400 reset_token_invalid: used', async () => {
    await accounts.customer('once@example.com')
    const token = await tokenFor('once@example.com')
    assert.equal((await confirm(token)).status, 200)
    assertRefused(await confirm(token), 400, 'reset_token_invalid')
  })

  test('400 reset_token_invalid for all but one of twelve concurrent requests', async () => {
    await accounts.customer('twelve@example.com')
    const token = await tokenFor('twelve@example.com')
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => confirm(token, `${PASSWORD} ${index}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(11).fill(400)])
  })

  test('400 reset_token_invalid: after 20 minutes', async () => {
    await accounts.customer('late@example.com')
    const token = await tokenFor('late@example.com')
    world.clock.advance(20 * MINUTE_MS)
    assertRefused(await confirm(token), 400, 'reset_token_invalid')
    world.clock.advance(-1)
    assert.equal((await confirm(token)).status, 200)
  })

  test('400 reset_token_invalid: voided by a newer token', async () => {
    await accounts.customer('newer@example.com')
    const older = await tokenFor('newer@example.com')
    world.clock.advance(1)
    const newer = await tokenFor('newer@example.com')
    assertRefused(await confirm(older), 400, 'reset_token_invalid')
    assert.equal((await confirm(newer)).status, 200)
  })

  test('400 reset_token_invalid: the account was blocked since', async () => {
    await accounts.customer('blocked@example.com')
    const token = await tokenFor('blocked@example.com')
    await accounts.block('blocked@example.com')
    assertRefused(await confirm(token), 400, 'reset_token_invalid')
  })

  test('400 reset_token_invalid: an unknown token, before the password is checked', async () => {
    assertRefused(await confirm('x'.repeat(43), 'password'), 400, 'reset_token_invalid')
  })

  test('400 password_too_weak, and the token still works', async () => {
    await accounts.customer('weak@example.com')
    const token = await tokenFor('weak@example.com')
    for (const weak of ['password1', 'weak@example.com', 'short']) {
      const answer = await confirm(token, weak)
      assertRefused(answer, 400, 'password_too_weak')
      assert.equal(answer.body.details[0].pointer, '/newPassword')
    }
    assert.equal((await confirm(token)).status, 200)
  })
})
