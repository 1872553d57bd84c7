import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ACCOUNTS, registration, startAccounts } from '../../../../test/support/commerce/accounts.ts'
import { logger } from '../../platform/observe/logger.ts'
import { statement } from '../../platform/postgres/index.ts'
import { sweep } from '../../worker/sweep.ts'

const HOUR_MS = 3_600_000
let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
let database: Awaited<ReturnType<typeof startAccounts>>['world']['database']
let clock: Awaited<ReturnType<typeof startAccounts>>['world']['clock']
let ids: Awaited<ReturnType<typeof startAccounts>>['world']['ids']
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
  ;({ database, clock, ids } = world)
})

const counts = statement<{ registrations: number; resets: number; sessions: number; customers: number }>(
  'test.account_counts',
  `select (select count(*) from registrations)::integer as registrations,
     (select count(*) from password_resets)::integer as resets,
     (select count(*) from customer_sessions)::integer as sessions, (select count(*) from customers)::integer as customers`,
)
const kept = async () => {
  await sweep({} as never, {
    database,
    now: clock.now(),
    ids,
    log: logger('silent'),
    signal: new AbortController().signal,
    isStopping: () => false,
  })
  return database.reader.row(counts)
}

describe('retention of account data', () => {
  test('deletes a registration after 24 hours, a session after 12, a reset a day after its link', async () => {
    await accounts.customer('ada@example.com')
    await accounts.session('ada@example.com')
    await world.anonymous.post(ACCOUNTS.requestReset, { email: 'ada@example.com' })
    await world.anonymous.post(ACCOUNTS.register, { ...registration, email: 'grace@example.com' })
    await world.work()
    assert.deepEqual(await kept(), { registrations: 1, resets: 1, sessions: 1, customers: 1 })
    clock.advance(12 * HOUR_MS + 1)
    assert.deepEqual(await kept(), { registrations: 1, resets: 1, sessions: 0, customers: 1 })
    clock.advance(12 * HOUR_MS)
    assert.deepEqual(await kept(), { registrations: 0, resets: 1, sessions: 0, customers: 1 })
    clock.advance(HOUR_MS)
    assert.deepEqual(await kept(), { registrations: 0, resets: 0, sessions: 0, customers: 1 })
  })

  test('ends a session after 12 hours, and on sign-out', async () => {
    const session = await accounts.session('ada@example.com')
    clock.advance(12 * HOUR_MS - 1)
    assert.equal(await accounts.whoIs(session), 'ada@example.com')
    clock.advance(1)
    assert.equal(await accounts.whoIs(session), null)
  })

  test('blocking a customer ends their sessions and refuses sign-in', async () => {
    const session = await accounts.session('ada@example.com')
    await accounts.block('ada@example.com')
    assert.equal(await accounts.whoIs(session), null)
    await assert.rejects(accounts.session('ada@example.com'))
  })
})
