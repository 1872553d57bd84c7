import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ACCOUNTS, registration, startAccounts } from '../../../../test/support/commerce/accounts.ts'

/** Median of this many runs of each, alternating, so that a busy machine slows both alike. */
const RUNS = 200
const WITHIN_MS = 5

const KNOWN = 'known@example.com'
let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
  await accounts.customer(KNOWN)
})

type Ask = (email: string) => Promise<unknown>

async function medians(ask: Ask): Promise<{ readonly known: number; readonly unknown: number }> {
  const took = { known: [] as number[], unknown: [] as number[] }
  for (let run = -5; run < RUNS; run += 1) {
    const order = run % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const which of order) {
      const startedAt = performance.now()
      await ask(which === 'known' ? KNOWN : `unknown${run}@example.com`)
      // Warm-up runs.
      if (run >= 0) took[which].push(performance.now() - startedAt)
    }
  }
  const middle = (times: number[]) => times.sort((left, right) => left - right)[times.length / 2]!
  return { known: middle(took.known), unknown: middle(took.unknown) }
}

async function assertAlike(what: string, ask: Ask): Promise<void> {
  const { known, unknown } = await medians(ask)
  process.stdout.write(`${what}: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ${RUNS} runs each\n`)
  assert(Math.abs(known - unknown) < WITHIN_MS, `${what}: ${known} ms and ${unknown} ms`)
}

describe(`a known and an unknown address differ by less than ${WITHIN_MS} ms`, () => {
  test('registration', () =>
    assertAlike('register', (email) => world.anonymous.post(ACCOUNTS.register, { ...registration, email })))

  test('a password reset request', () =>
    assertAlike('reset request', (email) => world.anonymous.post(ACCOUNTS.requestReset, { email })))

  test('a sign-in with a wrong password', () =>
    assertAlike('sign-in', (email) => accounts.signIn(email, 'a wrong password')))
})
