// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type OperatorOperation, type OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import { statement } from '@vitrine/server'
import { type Sent, send } from '../support/network/send.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import { testRandomness } from '../support/randomness.ts'
import type { World } from '../support/world.ts'
import type { AuditTrace, Calls } from './call.ts'
import { callsOfApps } from './calls-of-apps.ts'
import { callsOfCatalog } from './calls-of-catalog.ts'
import { callsOfOperators } from './calls-of-operators.ts'
import { callsOfOrders } from './calls-of-orders.ts'
import { callsOfStores } from './calls-of-stores.ts'
import { type Marketplace, OWNER, type SignedInOperator, signIn, startMarketplace } from './marketplace.ts'

/*
 * Calls each row of the operator door once. Only operators may call it, no other door has it, and changes are in the audit
 * log. The calls do not depend on each other and run in a random order, which the printed seed repeats.
 */

const calls: Calls = {
  ...callsOfOperators,
  ...callsOfStores,
  ...callsOfCatalog,
  ...callsOfApps,
  ...callsOfOrders,
}
const ids = Object.keys(calls) as OperatorOperationId[]
const rows: Readonly<Record<string, OperatorOperation>> = operatorOperations

/** The prefix of the rows' paths, and one of the same length that does not exist on any door. */
const [OPERATOR_PREFIX, ABSENT_PREFIX] = ['/operator/v1/', '/no-where/v1/']

/** The rows that need no session. */
const OPEN = [
  ...['getSetupState', 'setUp', 'signIn', 'requestOperatorPasswordReset', 'chooseOperatorPassword'],
  ...['beginPasskeySignIn', 'signInWithPasskey', 'beginProviderSignIn', 'signInWithProvider'],
]

let marketplace: Marketplace
/** Headers that do not authenticate an operator. */
let foreignHeaders: readonly Headers[]
before(async () => {
  marketplace = await startMarketplace()
  foreignHeaders = [
    {},
    { authorization: `Bearer ${'x'.repeat(43)}` },
    { authorization: `Bearer ${marketplace.app.key}` },
    { cookie: `vitrine-operator=${'x'.repeat(43)}` },
  ]
})

type Headers = Readonly<Record<string, string>>

/** A call of any row. */
interface AnyCall {
  readonly params?: Headers
  readonly query?: Headers
  readonly body?: unknown
  readonly upload?: string | Uint8Array<ArrayBuffer>
  readonly audit?: AuditTrace<unknown>
  readonly as?: SignedInOperator
  readonly world?: World
}

interface CallRequest {
  readonly row: OperatorOperation
  readonly call: AnyCall
  readonly headers?: Headers
}

function sendCall(origin: string, path: string, { row, call, headers = {} }: CallRequest): Promise<Sent> {
  const { body, upload } = call
  const payload = upload ?? (row.body ? JSON.stringify(body ?? {}) : undefined)
  const type = upload ? 'application/octet-stream' : 'application/json'
  return send(
    origin + path,
    row.method,
    { ...(payload !== undefined && { 'content-type': type }), ...headers },
    payload,
  )
}

/** The answers at a path and at one that certainly does not exist, without members that differ in every answer. */
function compareWithAbsent(origin: string, path: string, request: CallRequest) {
  const answers = [path, path.replace(OPERATOR_PREFIX, ABSENT_PREFIX)].map(async (each) => {
    const { status, headers, text } = await sendCall(origin, each, request)
    const { date: _, 'x-request-id': id, ...rest } = headers
    return { status, headers: rest, text: text.replaceAll(String(id), '').replaceAll(ABSENT_PREFIX, OPERATOR_PREFIX) }
  })
  return Promise.all(answers)
}

function pathOf({ path }: OperatorOperation, { params = {}, query = {} }: AnyCall): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    assert.ok(value, `the call has no ${name}`)
    return value
  })
  return `${filled}?${new URLSearchParams(query)}`
}

interface Entry {
  readonly at: Date
  readonly operator_id: string | null
  readonly operator_email: string
  readonly via: string
  readonly operation: string
  readonly subject_type: string
  readonly subject_id: string
  readonly before: object | null
  readonly after: object | null
  readonly request_id: string
  readonly address: string | null
}

// Values about shoppers are in their own table.
const entries = statement<Entry>(
  'test.audit_entries',
  `select log.*, coalesce(kept.before, log.before) as before, coalesce(kept.after, log.after) as after
   from audit_log log left join audit_values kept on kept.audit_id = log.id where at >= $1`,
)

function entriesNow({ database, clock }: World): Promise<readonly Entry[]> {
  return database.reader.rows(entries, [clock.now()])
}

function kindOf(entry: Entry): AuditTrace<unknown>['kind'] {
  if (entry.before === null) return 'created'
  return entry.after === null ? 'deleted' : 'changed'
}

interface Change {
  readonly trace: AuditTrace<unknown>
  readonly data: unknown
  readonly requestId: string | undefined
  readonly operator: Pick<SignedInOperator, 'id' | 'email'>
  readonly now: Date
}

function assertAudited(id: OperatorOperationId, found: readonly Entry[], change: Change): void {
  const { trace, data, requestId, operator, now } = change
  const subjectId = trace.subjectId(data)
  // A file has an entry at its start, and one at its end.
  assert.ok(found.length === 1 || (rows[id]!.upload && found.length === 2), `${found.length} entries`)
  const kinds = found.map(kindOf)
  assert.ok(kinds.includes(trace.kind), `${trace.kind}, not ${kinds}`)
  for (const entry of found) {
    assert.deepEqual(
      [entry.operation, entry.operator_email, entry.operator_id, entry.via, entry.at, entry.subject_type],
      [id, operator.email, operator.id, id === 'setUp' ? 'setup' : 'session', now, trace.subjectType],
    )
    assert.equal(entry.subject_id, subjectId ?? entry.subject_id)
    assert.equal(entry.request_id, requestId)
    assert.notDeepEqual(entry.before, entry.after)
    for (const state of [entry.before, entry.after])
      assert.notDeepEqual(state, {}, 'the entry has the state before and after')
  }
}

/** The secrets in a request and its response. */
function secretsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return /password|secret|token$|^key$/i.test(name) ? [value] : []
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([each, inner]) => secretsIn(inner, each))
}

/** Calls a row without a session, and at the other doors. */
async function assertOnlyForOperators(id: OperatorOperationId, world: World, request: CallRequest): Promise<void> {
  const path = pathOf(request.row, request.call)
  const operatorOrigin = await world.openOperator()
  const otherOrigins = [world.origin, await world.openPages()]
  const refusedHeaders = OPEN.includes(id) ? [] : foreignHeaders
  const [refused, elsewhere] = await Promise.all([
    Promise.all(refusedHeaders.map((headers) => sendCall(operatorOrigin, path, { ...request, headers }))),
    Promise.all(otherOrigins.map((origin) => compareWithAbsent(origin, path, request))),
  ])
  for (const { status, text } of refused) {
    assert.deepEqual([status, JSON.parse(text).code], [401, 'session_required'])
  }
  for (const [there, absent] of elsewhere) {
    assert.equal(there?.status, 404)
    assert.deepEqual(there, absent)
  }
}

function readOf({ operation, subject_type, operator_email, address }: Entry) {
  return [operation, subject_type, operator_email, address]
}

/** A call for an absent object: a slug or an id that does not exist, in the field by which the row is narrowed. */
function absentOf({ store }: OperatorOperation, call: AnyCall): AnyCall {
  if (store === undefined || typeof store === 'string') return call
  const { field } = store
  const part = 'slug' in store ? store.slug : 'params'
  const given = call[part] as Headers | undefined
  const value = given?.[field]
  if (value === undefined) return call
  const absent = 'slug' in store ? 'no-store-of-this-name' : `${value.slice(0, -8)}00000000`
  return { ...call, [part]: { ...given, [field]: absent } }
}

/** Calls a row as the manager of another store, which has no data: the object answers like an absent one. */
async function assertAbsentElsewhere(id: OperatorOperationId, call: AnyCall): Promise<void> {
  const row = rows[id]!
  if (row.store === undefined || typeof row.store === 'string') return
  const origin = await marketplace.shop.openOperator()
  const { cookie } = marketplace.elsewhere
  const answers = [call, absentOf(row, call)].map(async (each) => {
    const { status, headers, text } = await sendCall(origin, pathOf(row, each), {
      row,
      call: each,
      headers: { cookie },
    })
    return { status, text: text.replaceAll(String(headers['x-request-id']), '') }
  })
  const [foreign, absent] = await Promise.all(answers)
  assert.deepEqual(foreign, absent, `${id} of another store`)
  if (foreign?.status === 200) {
    // All stores see the categories of the marketplace.
    const items: { store?: string | null }[] = JSON.parse(foreign.text).data.items ?? []
    assert.deepEqual(
      items.filter(({ store }) => store !== null),
      [],
      `${id} lists nothing`,
    )
  }
  elsewhere.add(id)
}

/** The rows that were called as the manager of another store. */
const elsewhere = new Set<OperatorOperationId>()

/** The rows in a random order. */
function shuffled(): readonly OperatorOperationId[] {
  const randomness = testRandomness()
  process.stdout.write(`order of the rows: SEED=${randomness.seed}\n`)
  const ranked = ids.map((id) => ({ id, rank: Buffer.from(randomness.bytes(8)).toString('hex') }))
  return ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ id }) => id)
}

describe('every row of the operator door', () => {
  test('has a call', () => {
    assert.deepEqual([...ids].sort(), Object.keys(operatorOperations).sort())
  })

  test('needs a session, except the rows for setup, sign-in and choosing a password', () => {
    assert.deepEqual(
      ids.filter((id) => rows[id]!.auth.kind === 'none'),
      OPEN,
    )
  })

  for (const id of shuffled()) {
    const row = rows[id]!
    const isChange = row.recorded || row.recordsRead || (row.method !== 'GET' && !row.unaudited)
    test(`${id} is for operators only, on this door only, and leaves ${isChange ? 'an' : 'no'} audit entry`, async () => {
      const call = (await calls[id](marketplace)) as AnyCall
      const { world = marketplace.shop, as = marketplace.owner } = call
      world.clock.advance(1000)
      const { cookie } = as

      await assertOnlyForOperators(id, world, {
        row,
        call,
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, cookie },
      })
      assert.deepEqual(await entriesNow(world), [])

      if (world === marketplace.shop) await assertAbsentElsewhere(id, call)
      assert.deepEqual(await entriesNow(world), [])

      const answer = await sendCall(await world.openOperator(), pathOf(row, call), { row, call, headers: { cookie } })

      assert.equal(answer.status, 200, answer.text)
      const data = row.download ? answer.text : JSON.parse(answer.text).data
      assert.notDeepEqual(data.items, [], 'a list has an example')
      const found = await entriesNow(world)
      const requestId = String(answer.headers['x-request-id'])
      const operator = id === 'setUp' ? data.operator : as
      if (call.audit) assertAudited(id, found, { trace: call.audit, data, requestId, operator, now: world.clock.now() })
      else
        assert.deepEqual(found.map(readOf), row.recordsRead ? [[id, row.recordsRead.type, as.email, '127.0.0.1']] : [])
      const log = JSON.stringify(found)
      const uploaded = typeof call.upload === 'string' ? [call.upload] : []
      const secrets = secretsIn([call.body, data]).concat(uploaded)
      for (const secret of secrets) assert.ok(!log.includes(secret.trim()), `${id} logs no secret`)
    })
  }

  test('that is narrowed to a store was called as the manager of another store', () => {
    const narrowed = ids.filter((id) => typeof rows[id]!.store === 'object')
    assert.deepEqual(
      narrowed.filter((id) => !elsewhere.has(id)),
      [],
    )
    process.stdout.write(`rows called for another store: ${narrowed.length}\n`)
  })

  test('has metrics with its name', async () => {
    const origin = await marketplace.shop.openOperator()
    await Promise.all(ids.map((id) => sendCall(origin, rows[id]!.path, { row: rows[id]!, call: {} })))
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const measured = new Set(metrics.match(/(?<=_seconds_count\{operation="operator\.)\w+(?=",status="[24]\d\d"\})/g))
    assert.deepEqual(
      ids.filter((id) => !measured.has(id)),
      [],
    )
  })

  test('refuses a session after signing out', async () => {
    const origin = await marketplace.shop.openOperator()
    const { cookie } = await signIn(marketplace, OWNER)
    const { signOut, getSession } = operatorOperations
    const answers = [getSession, signOut, getSession].map((row) => () => {
      return sendCall(origin, row.path, { row, call: {}, headers: { cookie } })
    })
    const statuses: number[] = []
    for (const answer of answers) statuses.push((await answer()).status)
    assert.deepEqual(statuses, [200, 200, 401])
  })
})
