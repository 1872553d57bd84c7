// test: long
import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { exampleOf, type Operation } from '@vitrine/contract'
import fc from 'fast-check'
import type { TObject, TSchema } from 'typebox'
import { codePoints } from '../support/code-points.ts'
import { cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { type Asking, askerOf, type Credential, isGuarded, propertiesOf, rows } from '../support/rows.ts'
import { runsOf } from '../support/runs.ts'
import { type Known, valuesOf } from './arbitrary-requests.ts'

/**
 * Any input gets a response of the contract within two seconds, never a fault. Each operation is called with values of its
 * schemas, at their bounds, and broken: odd, oversized, misplaced or almost valid. The client validates each response against
 * its schema, and the world fails the file if a fault was logged. `npm run test:fuzz` sends 50,000 requests.
 */
let shop: Shop
let ask: ReturnType<typeof askerOf>['ask']
let client: Awaited<ReturnType<Shop['client']>>
let as: Credential
let cartId: string

before(async () => {
  shop = await startShop()
  ;({ ask } = askerOf(shop))
  client = await shop.client()
  as = { key: String(client.key), proof: client.proof }
})
beforeEach(async () => {
  cartId = (await cartOf(shop, client, { MUG: 2 })).id
})

const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  1.5,
  1e21,
  1e-7,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  [],
  {},
  [[]],
  [null],
  { a: {} },
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud83c',
  '🏷',
  'İ',
  'ß',
  '\u202e',
  '\ufeff',
  "'; drop table carts; --",
  '%',
  '\\',
  '{{x}}',
  '<b>',
  'x'.repeat(300),
  'x'.repeat(5000),
  '٣',
  '1',
  '1e3',
  'NaN',
  'null',
  '__proto__',
  'constructor',
  '../..',
  '\r\nX-A: b',
  'EUR',
  'XXX',
  'eur',
  'ZZ',
  'de',
  'de-AT-x-private',
  'xx',
  '2026-02-30T00:00:00Z',
  'javascript:alert(1)',
  'https://',
  '+49',
  'ada@example.com',
  'cart_01k5b7m2q8e9rtv3w4x5y6z7a8',
  'sku_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  'price_asc',
  '0.1',
  '-5',
]
const odd = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD) },
  { weight: 1, arbitrary: fc.string({ unit: codePoints, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer() },
)
const place = fc.nat(1000)
const changes = fc.array(fc.tuple(place, odd), { minLength: 1, maxLength: 3 })

/** The value with one place mutated, chosen by a number. */
function changed(value: unknown, at: number, other: unknown): unknown {
  const places: ((root: { value: unknown }) => void)[] = []
  const visit = (parent: Record<string, unknown>, name: string) => {
    places.push(() => {
      parent[name] = other
    })
    const child = parent[name]
    if (typeof child === 'object' && child !== null) {
      for (const inner of Object.keys(child)) visit(child as Record<string, unknown>, inner)
    }
  }
  const root = { value: structuredClone(value) }
  visit(root, 'value')
  places[at % places.length]?.(root)
  return root.value
}

/** The pointers of all strings in a value. */
function stringsOf(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return [pointer]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => stringsOf(inner, `${pointer}/${name}`))
}

function withHalfPair(body: unknown, pointer: string): unknown {
  const copy = structuredClone(body) as Record<string, unknown>
  const names = pointer.split('/').slice(1)
  const last = names.pop() as string
  const parent = names.reduce((each, name) => each[name] as Record<string, unknown>, copy)
  parent[last] = `${parent[last]}\ud800`
  return copy
}

/** The example body with existing ids, so that the request gets as far as possible. */
function bodyOf(row: Operation): unknown {
  const example = row.body && structuredClone(exampleOf(row.body))
  if (example === null || typeof example !== 'object') return example
  const { expectedVersion: _, ...body } = example as Record<string, unknown>
  return 'skuId' in body ? { ...body, skuId: shop.sku('MUG') } : body
}

function paramsOf(row: Operation): Record<string, string> {
  const known: Record<string, string> = { cartId, skuId: shop.sku('MUG'), merchantSlug: 'ceramics', store: 'ceramics' }
  const names = Object.keys(propertiesOf(row.params))
  return Object.fromEntries(
    names.map((name) => [name, known[name] ?? String(exampleOf(propertiesOf(row.params)[name] as TSchema))]),
  )
}

/** The limit for any answer. A busy machine may be slow once, but not three times in a row. */
const ANSWER_MS_MAX = 2000

async function assertAnswered(row: Operation, asking: Asking): Promise<void> {
  const params = asking.params ?? paramsOf(row)
  let slowMs = 0
  for (let tries = 0; tries < 3; tries += 1) {
    const startedAt = performance.now()
    const answer = await ask(row, { ...(isGuarded(row) && { as }), body: bodyOf(row), ...asking, params })
    slowMs = performance.now() - startedAt
    assert(answer.status < 500, answer.text)
    // Most requests to an ended cart are refused for that reason.
    if (answer.status === 409 && 'cartId' in params) cartId = (await cartOf(shop, client, { MUG: 2 })).id
    if (slowMs < ANSWER_MS_MAX) return
  }
  assert.fail(`${slowMs} ms, three times`)
}

/** Encoded for a path. A lone surrogate cannot be encoded. */
const inPath = (value: unknown) => encodeURIComponent(String(value).toWellFormed()) || '-'

/** What exists in the shop, by the name that a row gives it. */
const known = (): Known => ({
  cartId,
  skuId: shop.sku('MUG'),
  merchantSlug: 'ceramics',
  store: 'ceramics',
  currency: 'EUR',
  country: 'DE',
  expectedVersion: 1,
})

/** A request of a row: valid, at the bounds of its schemas, or broken in up to three places of its body, query or path. */
function requestsOf(row: Operation): fc.Arbitrary<Asking> {
  const query = (row.undeclaredQuery ?? row.query) as TObject
  const parameters = [...Object.keys(propertiesOf(query)), 'option.color', 'zz']
  const validQuery = valuesOf(query, known).map((values) =>
    Object.fromEntries(Object.entries(values as object).map(([name, value]) => [name, [value].flat().map(String)])),
  )
  const brokenQuery = fc
    .dictionary(fc.constantFrom(...parameters), fc.array(odd, { minLength: 1, maxLength: 2 }), { maxKeys: 3 })
    .map((odds) =>
      Object.fromEntries(
        Object.entries(odds).map(([name, values]) => [name, values.map((value) => String(value).toWellFormed())]),
      ),
    )
  const brokenPath = fc.tuple(fc.nat(), odd).map(([at, value]) => {
    const names = Object.keys(propertiesOf(row.params))
    const name = names[at % names.length]
    return name === undefined ? {} : { ...paramsOf(row), [name]: inPath(value).slice(0, 290) }
  })
  const body = row.body ? valuesOf(row.body, known) : fc.constant(null)
  const brokenBody = fc
    .tuple(body, changes)
    .map(([value, places]) => (row.body ? places.reduce((each, [at, other]) => changed(each, at, other), value) : null))
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ query: validQuery, body }) },
    { weight: row.body ? 5 : 0, arbitrary: fc.record({ query: validQuery, body: brokenBody }) },
    { weight: 2, arbitrary: fc.record({ query: brokenQuery, body }) },
    { weight: 1, arbitrary: fc.record({ query: validQuery, body, params: brokenPath }) },
  )
}

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
/** 50,000 requests in the long form, and about 1,500 in every run of the suite. */
const numRuns = Math.ceil(runsOf({ full: 50_000, short: 900 }) / rows.length)

describe('arbitrary input', () => {
  before(() => void process.stdout.write(`SEED=${seed}\n`))

  for (const [id, row] of rows) {
    test(`${id} answers by its contract for any input`, () =>
      fc.assert(
        fc.asyncProperty(requestsOf(row), (asking) => assertAnswered(row, asking)),
        { numRuns, seed },
      ))

    const strings = row.body ? stringsOf(exampleOf(row.body)) : []
    if (strings.length > 0) {
      test(`${id} refuses a lone surrogate in each string of its body`, async () => {
        for (const pointer of strings) {
          const body = withHalfPair(exampleOf(row.body as TSchema), pointer)
          const { status, body: refusal } = await ask(row, {
            ...(isGuarded(row) && { as }),
            params: paramsOf(row),
            body,
          })
          const [detail] = refusal.details
          assert.deepEqual([status, detail?.code, detail?.pointer], [400, 'wrong_format', pointer])
        }
      })
    }
  }

  test('headers can be arbitrary too', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...rows.map(([, row]) => row)),
        fc.dictionary(
          fc.constantFrom(
            'accept',
            'accept-language',
            'accept-encoding',
            'if-none-match',
            'x-store-access',
            'idempotency-key',
            'dpop',
            'authorization',
            'origin',
            'content-type',
            'x-forwarded-for',
            'traceparent',
            'range',
          ),
          fc.string({ maxLength: 300 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim()),
          { minKeys: 1 },
        ),
        (row, headers) => assertAnswered(row, { headers }),
      ),
      { numRuns: runsOf({ full: 3000, short: 150 }), seed },
    ))
})
