// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type OperatorOperation, type OperatorOperationId, operatorOperations } from '@vitrine/contract/operator'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { operatorClient } from '../support/operator.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import type { Calls, Stage, Trace } from './call.ts'
import { callsOfApps } from './calls-of-apps.ts'
import { callsOfCatalog } from './calls-of-catalog.ts'
import { ADA, callsAtTheEnd, callsAtTheStart } from './calls-of-operators.ts'
import { callsOfOrders } from './calls-of-orders.ts'
import { callsOfStores } from './calls-of-stores.ts'

/*
 * In order that whoever runs a marketplace can answer for each change, every row of the operator side is done once: by nobody who
 * has not signed in, on no other door, and never without an entry of the audit log.
 */

const calls: Calls = {
  ...callsAtTheStart,
  ...callsOfStores,
  ...callsOfCatalog,
  ...callsOfApps,
  ...callsOfOrders,
  ...callsAtTheEnd,
}
const ids = Object.keys(calls) as OperatorOperationId[]
const rows: Readonly<Record<string, OperatorOperation>> = operatorOperations

const SESSION = /^vitrine-operator=[\w-]{43}/

/** Where the rows are, and a path of the same length where nothing is on any door. */
const [OURS, NOWHERE] = ['/operator/v1/', '/no-where/v1/']

/** Rows that must work before anybody has signed in. */
const OPEN = ['getSetupState', 'setUp', 'signIn']

let shop: Shop
let operatorOrigin: string
let otherDoors: readonly string[]
let stage: Stage
let strangers: readonly Headers[]
const answers = new Map<string, unknown>()
/** The cookie of who signed in last. */
let session = ''
before(async () => {
  shop = await startShop()
  operatorOrigin = (await operatorClient(shop)).origin
  otherDoors = [shop.origin, await shop.openPages()]
  const app = await checkoutClient(shop)
  strangers = [
    {},
    { authorization: `Bearer ${'x'.repeat(43)}` },
    { authorization: `Bearer ${app.key}` },
    { cookie: `vitrine-operator=${'x'.repeat(43)}` },
  ]
  const made = new Map<string, Promise<unknown>>()
  stage = {
    shop,
    app,
    said: ((id: string) => answers.get(id)) as Stage['said'],
    once<Result>(name: string, make: () => Promise<Result>) {
      const there = made.get(name) ?? make()
      made.set(name, there)
      return there as Promise<Result>
    },
  }
})

type Headers = Readonly<Record<string, string>>

/** A call of whichever row. */
interface AnyCall {
  readonly params?: Headers
  readonly query?: Headers
  readonly body?: unknown
  readonly upload?: string
  readonly leaves?: Trace<unknown>
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function send(origin: string, path: string, { row, call, headers = {} }: Sent): Promise<Answer> {
  const { body, upload } = call
  const json = row.body && JSON.stringify(body ?? {})
  const payload = upload ?? json
  const response = await fetch(origin + path, {
    method: row.method,
    headers: {
      ...(payload !== null && { 'content-type': upload ? 'application/octet-stream' : 'application/json' }),
      ...headers,
    },
    ...(payload !== null && { body: payload }),
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

/** What a door answers at a path of ours, and at one that it certainly has not; without what every answer has for itself. */
function bothPaths(origin: string, path: string, sent: Sent): Promise<readonly Answer[]> {
  const asked = [path, path.replace(OURS, NOWHERE)].map(async (each) => {
    const { status, headers, text } = await send(origin, each, sent)
    const { date: _, 'x-request-id': id = '', ...told } = headers
    return { status, headers: told, text: text.replaceAll(id, '').replaceAll(NOWHERE, OURS) }
  })
  return Promise.all(asked)
}

interface Sent {
  readonly row: OperatorOperation
  readonly call: AnyCall
  readonly headers?: Headers
}

function pathOf({ path }: OperatorOperation, { params = {}, query = {} }: AnyCall): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    assert.ok(value, `the call says which ${name}`)
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
}

/** What stands in the audit log since a moment. */
async function entriesSince(moment: Date): Promise<readonly Entry[]> {
  return (await shop.query('select * from audit_log where at >= $1', [moment])) as unknown as Entry[]
}

function kindOf({ before: was, after: is }: Entry): Trace<unknown>['kind'] {
  if (was === null) return 'made'
  return is === null ? 'gone' : 'changed'
}

function assertWrittenDown(
  id: OperatorOperationId,
  { trace, entries, requestId }: { trace: Trace<unknown>; entries: readonly Entry[]; requestId: string | undefined },
): void {
  const subjectId = trace.id(answers.get(id))
  // A file is written down where it begins, and again where it ends.
  assert.ok(entries.length === 1 || (rows[id]!.upload && entries.length === 2), `${entries.length} entries`)
  assert.ok(
    entries.some((entry) => kindOf(entry) === trace.kind),
    `${trace.kind}, not ${entries.map(kindOf)}`,
  )
  for (const entry of entries) {
    assert.deepEqual(
      [entry.operation, entry.operator_email, entry.operator_id, entry.via, entry.at, entry.subject_type],
      [id, ADA.email, idOfAda(), id === 'setUp' ? 'setup' : 'session', shop.clock.now(), trace.type],
    )
    assert.equal(entry.subject_id, subjectId ?? entry.subject_id)
    assert.equal(entry.request_id, requestId)
    assert.notDeepEqual(entry.before, entry.after)
    for (const said of [entry.before, entry.after]) assert.notDeepEqual(said, {}, 'it says what was, and what is')
  }
}

const idOfAda = () => stage.said('setUp').operator.id ?? null

/** What nobody may read in a log, of what was sent and what was answered. */
function secretsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return /password|secret|token$|^key$/i.test(name) ? [value] : []
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([each, inner]) => secretsIn(inner, each))
}

describe('every row of the operator side', () => {
  test('is done by this test', () => {
    assert.deepEqual([...ids].sort(), Object.keys(operatorOperations).sort())
  })

  test('asks who is there, but what must work before anybody has signed in', () => {
    assert.deepEqual(
      ids.filter((id) => rows[id]!.auth.kind === 'nobody'),
      OPEN,
    )
  })

  for (const id of ids) {
    const row = rows[id]!
    const isChange = row.method !== 'GET' && !row.unaudited
    test(`${id} is done for an operator alone, on this door alone, and ${isChange ? 'is written down' : 'leaves no entry'}`, async () => {
      const call = (await calls[id](stage)) as AnyCall
      const path = pathOf(row, call)
      shop.clock.advance(1000)
      const asOperator = { authorization: `Bearer ${OPERATOR_TOKEN}`, cookie: session }

      const refused = OPEN.includes(id) ? [] : strangers
      const [answersToStrangers, answersElsewhere] = await Promise.all([
        Promise.all(refused.map((headers) => send(operatorOrigin, path, { row, call, headers }))),
        Promise.all(otherDoors.map((origin) => bothPaths(origin, path, { row, call, headers: asOperator }))),
      ])
      for (const { status, text } of answersToStrangers) {
        assert.deepEqual([status, JSON.parse(text).code], [401, 'session_required'])
      }
      for (const [there, absent] of answersElsewhere) {
        assert.equal(there?.status, 404)
        assert.deepEqual(there, absent)
      }
      assert.deepEqual(await entriesSince(shop.clock.now()), [])

      const answer = await send(operatorOrigin, path, { row, call, headers: { cookie: session } })

      assert.equal(answer.status, 200, answer.text)
      session = SESSION.exec(answer.headers['set-cookie'] ?? '')?.[0] ?? session
      answers.set(id, row.download ? answer.text : JSON.parse(answer.text).data)
      const entries = await entriesSince(shop.clock.now())
      const requestId = answer.headers['x-request-id']
      if (call.leaves) assertWrittenDown(id, { trace: call.leaves, entries, requestId })
      else assert.deepEqual(entries, [])
      const log = JSON.stringify(entries)
      const secrets = secretsIn([call.body, answers.get(id)]).concat(call.upload ?? [])
      for (const secret of secrets) assert.ok(!log.includes(secret.trim()), `${id} keeps no secret`)
    })
  }

  test('is measured by its own name', async () => {
    const figures = await (await fetch(`${operatorOrigin}/metrics`)).text()
    const measured = new Set(figures.match(/(?<=_seconds_count\{operation="operator\.)\w+(?=",status="200"\})/g))
    assert.deepEqual(
      ids.filter((id) => !measured.has(id)),
      [],
    )
  })

  test('asks who has signed out to sign in again', async () => {
    const sent = { row: rows.getSession!, call: {}, headers: { cookie: session } }
    assert.equal((await send(operatorOrigin, rows.getSession!.path, sent)).status, 401)
  })
})
