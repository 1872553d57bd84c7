import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { paymentsWorld } from '../../../../../test/support/commerce/payments.ts'
import { type Asked, nodesOf, noting, plansOf } from '../../../../../test/support/plans.ts'
import { transferReference } from '../intents/intent.ts'
import { listTransfers, transferCandidates, transfersNamedIn } from './receipts.ts'

/** Enough that PostgreSQL would read all transfers, if it had no index for these statements. */
const PAID_COUNT = 5000

test('lists of transfers and the lines of a statement read no transfers but those they show', async () => {
  const world = await paymentsWorld()
  const id = await world.charge({ provider: 'manual', amount: 1000n })
  await world.payments.advance(id)
  const client = new Client({ connectionString: world.url })
  await client.connect()
  await client.query(
    `insert into payment_intents (id, kind, purpose, subject_id, environment, installation_id, provider, amount, currency,
       return_url, status, step, version, fence, created_at, updated_at, ended_at)
     select 'pay_' || lpad(n::text, 16, '0') || substr(md5(n::text), 1, 10), kind, purpose, subject_id || n, environment,
       installation_id, provider, amount, currency, return_url, 'succeeded', step, 1, 0, created_at, created_at, created_at
     from payment_intents, generate_series(1, $2::integer) n where id = $1`,
    [id, PAID_COUNT],
  )
  await client.query(
    `insert into bank_statement_lines (environment, fingerprint, charge_id, booked_on, amount, currency, booked_at)
     select environment, encode(sha256(id::bytea), 'hex'), id, '2026-11-01', amount + case when id like '%4999' || right(id, 10)
       then 5 else 0 end, currency, now() from payment_intents where status = 'succeeded'`,
  )
  await client.query('analyze payment_intents, bank_statement_lines')
  await client.end()

  const asked: Asked[] = []
  const reader = noting(world.database.reader, (each) => asked.push(each))
  const found = async (view: 'waiting' | 'underpaid' | 'to_return') => {
    const transfers = await listTransfers(reader, { environment: 'test', view, afterId: null, limit: 50 })
    return transfers.map((each) => [each.received, each.surplus])
  }
  assert.deepEqual(
    [await found('waiting'), await found('underpaid'), await found('to_return')],
    [[[0n, 0n]], [], [[1005n, 5n]]],
  )
  const now = world.clock.now()
  const about = { account: null, bookedOn: '2026-11-30', currency: 'EUR', payer: 'Ada', bankId: '', amount: 1000n }
  const lines = Array.from({ length: 50 }, (_, position) => {
    return { ...about, position, purpose: `Order ${position * 7919} ${transferReference({ id })}` }
  })
  assert.deepEqual(await transfersNamedIn(reader, lines, { environment: 'test', now }), [id])
  const candidates = await transferCandidates(reader, [id], { environment: 'test', now, amounts: [1000n] })
  assert.deepEqual(
    candidates.map((each) => each.id),
    [id],
  )

  const plans = await plansOf(world.url, asked, { executed: true })
  const passedOver = plans.flatMap(({ text, plan }) =>
    nodesOf(plan).flatMap((node) => {
      const rows = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1)
      return rows > 1 ? [`${rows}: ${text}`] : []
    }),
  )
  assert.deepEqual(passedOver, [])
})

test('what arrived for a transfer and was paid back is added up by the database, and no more is paid back than arrived', async () => {
  const world = await paymentsWorld()
  const id = await world.charge({ provider: 'manual', amount: 1000n })
  const client = new Client({ connectionString: world.url })
  await client.connect()
  const book = (amount: number) =>
    client.query(
      `insert into bank_statement_lines (environment, fingerprint, charge_id, booked_on, amount, currency, booked_at)
       values ('test', encode(sha256($2::bigint::text::bytea), 'hex'), $1, '2026-11-01', $2, 'EUR', now())`,
      [id, amount],
    )
  const payBack = (amount: number) =>
    client.query('insert into transfer_returns (charge_id, amount, returned_at) values ($1, $2, now())', [id, amount])
  try {
    await book(700)
    await book(500)
    await payBack(200)
    await assert.rejects(payBack(1001), /payment_intents_.*check/)
    const { rows } = await client.query('select received, returned from payment_intents where id = $1', [id])
    assert.deepEqual(
      rows.map(({ received, returned }) => [Number(received), Number(returned)]),
      [[1200, 200]],
    )
  } finally {
    await client.end()
  }
})
