import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../test/support/clock.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { idSource } from '../kernel/ids.ts'
import { systemRandomness } from '../kernel/randomness.ts'
import { logger } from '../platform/observe/logger.ts'
import { type Database, statement, sweepStatement } from '../platform/postgres/index.ts'
import { sweep } from './sweep.ts'

const DAY_MS = 86_400_000
const clock = testClock()
const ids = idSource(clock, systemRandomness())
const now = clock.now()
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})

let asked = 0
const named = <Row>(text: string) => statement<Row>(`test.${++asked}`, text)
const run = (text: string, values: readonly unknown[] = []) =>
  database.transaction(async (tx) => tx.write(named(text), values))
const names = (text: string) => database.reader.rows(named<{ name: string }>(text))
const swept = () =>
  sweep({} as never, {
    database,
    now,
    ids,
    log: logger('silent'),
    signal: new AbortController().signal,
    isStopping: () => false,
  })

describe('the sweep', () => {
  test('deletes idempotency keys older than 30 days, and no younger ones', async () => {
    const insert = `insert into idempotency_keys (environment, installation_id, key, fingerprint, status, answer, created_at)
      values ('test', 'ins_a', $1, sha256('x'), 200, 'x', $2)`
    await run(insert, ['old', ago(30 * DAY_MS + 1)])
    await run(insert, ['kept', ago(30 * DAY_MS)])
    await swept()
    assert.deepEqual(await names('select key as name from idempotency_keys'), [{ name: 'kept' }])
  })

  test('deletes expired proofs', async () => {
    const insert = "insert into dpop_proofs (proof, expires_at) values (sha256(convert_to($1::text, 'UTF8')), $2)"
    await run(insert, ['old', ago(1)])
    await run(insert, ['kept', now])
    await swept()
    const left = await names(
      `select case proof when sha256('kept') then 'kept' else 'old' end as name from dpop_proofs`,
    )
    assert.deepEqual(left, [{ name: 'kept' }])
  })

  test('deletes rate limits that are fully refilled', async () => {
    const insert = 'insert into rate_limits (bucket, tat_us, granted) values ($1, $2, 0)'
    await run(insert, ['old', BigInt(now.getTime()) * 1000n - 1n])
    await run(insert, ['kept', BigInt(now.getTime()) * 1000n])
    await swept()
    assert.deepEqual(await names('select bucket as name from rate_limits'), [{ name: 'kept' }])
  })

  test('deletes the counts of searches after 180 days', async () => {
    const insert = `insert into search_counts (day, locale, query, searches, found_nothing, corrected, edited)
      values ($1, 'en', $2, 1, 0, 0, 0)`
    await run(insert, [ago(181 * DAY_MS), 'old'])
    await run(insert, [ago(179 * DAY_MS), 'kept'])
    await swept()
    assert.deepEqual(await names('select query as name from search_counts'), [{ name: 'kept' }])
  })

  test('deletes challenges a day after they have ended', async () => {
    await run(`insert into stores (id, slug, currencies, locales, countries, prices_include_tax, names, created_at, updated_at)
      values ('store_a', 'a', '{EUR}', '{en}', '{DE}', true, '{}', now(), now())`)
    const insert = `insert into access_challenges (id, store_id, kind, purpose, issued_at, expires_at)
      values ($1, 'store_a', 'password', 'store_access', $2::timestamptz - interval '5 minutes', $2)`
    await run(insert, ['old', ago(DAY_MS + 1)])
    await run(insert, ['kept', ago(DAY_MS)])
    await swept()
    assert.deepEqual(await names('select id as name from access_challenges'), [{ name: 'kept' }])
  })

  test('deletes logins a day after they have ended, and customer tokens when they end', async () => {
    await run(
      `insert into installations (id, name, environment, created_at, updated_at)
      values ('ins_a', 'A', 'test', $1, $1)`,
      [ago(3 * DAY_MS)],
    )
    await run(
      `insert into customers (id, email, email_key, password_hash, locale, marketing_consent, accepted_documents,
        password_changed_at, confirmed_at, created_at, updated_at)
      values ('cus_a', 'a@a.a', 'a@a.a', '$argon2id$', 'en', false, '[]', $1, $1, $1, $1)`,
      [ago(3 * DAY_MS)],
    )
    const login = `insert into hosted_logins (id, installation_id, environment, return_url, state, code_challenge,
        created_at, expires_at)
      values ($1, 'ins_a', 'test', 'https://a.example', 's', repeat('x', 43), $2::timestamptz - interval '10 minutes', $2)`
    await run(login, ['old', ago(DAY_MS + 1)])
    await run(login, ['kept', ago(DAY_MS)])
    const token = `insert into customer_tokens (token_hash, login_id, customer_id, installation_id, environment,
        created_at, expires_at)
      values (sha256(convert_to($1::text, 'UTF8')), $1, 'cus_a', 'ins_a', 'test', $2::timestamptz - interval '1 hour', $2)`
    await run(token, ['old', ago(1)])
    await run(token, ['kept', now])
    await swept()
    assert.deepEqual(await names('select id as name from hosted_logins'), [{ name: 'kept' }])
    assert.deepEqual(await names('select login_id as name from customer_tokens'), [{ name: 'kept' }])
  })

  test('deletes events after 30 days', async () => {
    const insert = `insert into events (id, kind, environment, subject_id, sequence, data, created_at)
      values ($1, 'cart.revoked', 'test', $1, 1, '{}', $2)`
    await run(insert, ['old', ago(30 * DAY_MS + 1)])
    await run(insert, ['kept', ago(30 * DAY_MS)])
    await swept()
    assert.deepEqual(await names('select id as name from events'), [{ name: 'kept' }])
  })

  test('deletes webhook secrets when they no longer sign, and never the current one', async () => {
    await run(
      `insert into installations (id, name, environment, created_at, updated_at) values ('ins_s', 'S', 'test', $1, $1)`,
      [now],
    )
    await run(
      `insert into webhook_endpoints (id, installation_id, environment, slot, url, events, created_at, updated_at)
       values ('whe_s', 'ins_s', 'test', 1, 'https://shop.example/', '{*}', $1, $1)`,
      [now],
    )
    const insert = `insert into webhook_secrets (endpoint_id, generation, key_id, sealed, hint, created_at, expires_at)
      values ('whe_s', $1, '0123456789abcdef', decode(repeat('00', 60), 'hex'), $2, $3, $4)`
    await run(insert, [1, 'old_', ago(DAY_MS), ago(1)])
    await run(insert, [2, 'kept', ago(DAY_MS), now])
    await run(insert, [3, 'this', ago(DAY_MS), null])
    await swept()
    const left = await names('select hint as name from webhook_secrets order by generation')
    assert.deepEqual(left, [{ name: 'kept' }, { name: 'this' }])
  })

  test('deletes deliveries after 30 days, with their attempts', async () => {
    await run(
      `insert into installations (id, name, environment, created_at, updated_at) values ('ins_w', 'W', 'test', $1, $1)`,
      [now],
    )
    await run(
      `insert into webhook_endpoints (id, installation_id, environment, slot, url, events, created_at, updated_at)
       values ('whe_w', 'ins_w', 'test', 1, 'https://shop.example/', '{*}', $1, $1)`,
      [now],
    )
    await run(
      `insert into events (id, kind, environment, subject_id, sequence, data, created_at)
       values ('evt_w', 'cart.revoked', 'test', 'cart_w', 1, '{}', $1)`,
      [now],
    )
    const insert = `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, sequence, status, attempts,
        attempted_at, replay_of, created_at, updated_at)
      values ($1, 'whe_w', 'evt_w', 'cart.revoked', 1, 'succeeded', 1, $2, 'whd_first', $2, $2)`
    for (const [id, at] of [
      ['old', ago(30 * DAY_MS + 1)],
      ['kept', ago(30 * DAY_MS)],
    ] as const) {
      await run(insert, [id, at])
      await run('insert into webhook_attempts (delivery_id, n, at, duration_ms) values ($1, 1, $2, 3)', [id, at])
    }
    await swept()
    assert.deepEqual(await names('select id as name from webhook_deliveries'), [{ name: 'kept' }])
    assert.deepEqual(await names('select delivery_id as name from webhook_attempts'), [{ name: 'kept' }])
  })

  test('continues until more than one batch is deleted', async () => {
    const insert = `insert into dpop_proofs (proof, expires_at)
      select sha256(convert_to('many ' || n, 'UTF8')), $1 from generate_series(1, 2500) as n`
    await run(insert, [ago(1)])
    await swept()
    assert.equal((await names(`select 'x' as name from dpop_proofs`)).length, 1)
  })

  test('runs again in a minute', async () => {
    assert.deepEqual(await swept(), new Date(now.getTime() + 60_000))
  })

  test('lets no retention wait for another that is locked', async () => {
    await run("insert into dpop_proofs (proof, expires_at) values (sha256('waits'), $1)", [ago(1)])
    const locked = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const holding = database.transaction(async (tx) => {
      await tx.rows(named('lock table idempotency_keys in access exclusive mode'))
      locked.resolve()
      await free.promise
    })
    await locked.promise
    const sweeping = swept()
    while ((await names("select 'x' as name from dpop_proofs where proof = sha256('waits')")).length > 0);
    free.resolve()
    await holding
    await sweeping
  })

  test('reports a retention that fails, and continues with all others', async () => {
    await run('alter table mails rename to away')
    await run("insert into dpop_proofs (proof, expires_at) values (sha256('after'), $1)", [ago(1)])
    const reported: object[] = []
    const log = { ...logger('silent'), error: (facts: object) => void reported.push(facts), info() {} } as never
    await sweep({} as never, { database, now, ids, log, signal: new AbortController().signal, isStopping: () => false })
    await run('alter table away rename to mails')
    assert.deepEqual(
      reported.map((facts) => 'what' in facts && facts.what),
      ['mails'],
    )
    assert.deepEqual(await names("select 'x' as name from dpop_proofs where proof = sha256('after')"), [])
  })
})

describe('a batch of the sweep', () => {
  const rows = 60_000
  const filled: Readonly<Record<string, readonly [column: string, fill: string]>> = {
    idempotency_keys: [
      'created_at',
      `insert into idempotency_keys (environment, installation_id, key, fingerprint, status, answer, created_at)
       select 'test', 'ins_a', n, sha256('x'), 200, convert_to(repeat('x', 300), 'UTF8'), $1::timestamptz - interval '30 days' * n / ${rows}
       from generate_series(1, ${rows}) n`,
    ],
    dpop_proofs: [
      'expires_at',
      `insert into dpop_proofs (proof, expires_at)
       select sha256(convert_to('f' || n, 'UTF8')), $1::timestamptz - interval '30 days' * n / ${rows} from generate_series(1, ${rows}) n`,
    ],
    events: [
      'created_at',
      `insert into events (id, kind, environment, subject_id, sequence, data, created_at)
       select 'f' || n, 'cart.updated', 'test', 'f', n, '{}', $1::timestamptz - interval '30 days' * n / ${rows}
       from generate_series(1, ${rows}) n`,
    ],
  }
  for (const [table, [column, fill]] of Object.entries(filled)) {
    test(`never reads all of ${table}, at default costs and with a generic plan`, async () => {
      await run(fill, [now])
      // As after two months: the space of deleted rows is used by new ones.
      await run(`delete from ${table} where ${column} < $1 and random() < 0.5`, [now])
      await run(fill.replace("'f' ||", "'g' ||").replace("'f', n", "'g', n").replace("'ins_a'", "'ins_b'"), [now])
      await run(`analyze ${table}`)
      const lines = await database.transaction(async (tx) => {
        tx.write(named('set local random_page_cost = 4'), [])
        tx.write(named('set local plan_cache_mode = force_generic_plan'), [])
        tx.write(named(`prepare swept (timestamptz) as ${sweepStatement(table, column).text}`), [])
        const plan = await tx.rows(
          named<{ 'QUERY PLAN': string }>(`explain execute swept ('${ago(15 * DAY_MS).toISOString()}')`),
        )
        await tx.rows(named('deallocate swept'))
        return plan.map((line) => line['QUERY PLAN'])
      })
      const plan = lines.join('\n')
      assert.match(plan, /Tid Scan/, plan)
      assert.match(plan, /Index (Only )?Scan/, plan)
      assert.doesNotMatch(plan, /Seq Scan/, plan)
    })
  }

  test('has an index to find the oldest rows of each table that grows with writes', async () => {
    const indexed = await names(
      `select tablename as name from pg_indexes
       where indexname ~ '_by_(age|expiry)$' and indexdef like '% USING btree (%'`,
    )
    for (const name of ['idempotency_keys', 'dpop_proofs', 'events', 'webhook_deliveries']) {
      assert(
        indexed.some((each) => each.name === name),
        name,
      )
    }
  })
})
