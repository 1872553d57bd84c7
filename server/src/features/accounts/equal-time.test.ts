import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ACCOUNTS, registration, startAccounts } from '../../../../test/support/commerce/accounts.ts'
import { argon2Runs } from '../../platform/auth/password-hash.ts'

const KNOWN = 'known@example.com'
let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
  await accounts.customer(KNOWN)
  // Stop polling for changes of other nodes, which would be counted too.
  await world.app.stop()
})

type Send = (email: string) => Promise<unknown>

async function workOf(send: Send, email: string) {
  const [before, argon2Before] = [world.database.counters(), argon2Runs()]
  await send(email)
  const after = world.database.counters()
  return {
    queries: after.queries - before.queries,
    transactions: after.transactions - before.transactions,
    argon2: argon2Runs() - argon2Before,
  }
}

/** Compares counted work instead of time: it is the same on any machine, and one additional query is always found. */
async function assertAlike(send: Send, { argon2 }: { readonly argon2: number }): Promise<void> {
  // The first request of a process computes the dummy hash; the first with an address takes a lease of its rate limit.
  await send('unknown@example.com')
  await send(KNOWN)
  const unknown = await workOf(send, 'unknown@example.com')
  const known = await workOf(send, KNOWN)
  assert.deepEqual(known, unknown)
  assert.equal(known.argon2, argon2)
  assert(known.queries > 0)
}

describe('a known and an unknown address take the same queries and password hashes', () => {
  test('at registration', () =>
    assertAlike((email) => world.anonymous.post(ACCOUNTS.register, { ...registration, email }), { argon2: 1 }))

  test('at a password reset request', () =>
    assertAlike((email) => world.anonymous.post(ACCOUNTS.requestReset, { email }), { argon2: 0 }))

  test('at a sign-in with a wrong password', () =>
    assertAlike((email) => accounts.signIn(email, 'a wrong password'), { argon2: 1 }))
})
