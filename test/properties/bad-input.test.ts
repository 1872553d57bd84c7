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

/**
 * Any input gets a response of the contract, never a fault. Each operation is called with its example, mutated in a few
 * places: odd, oversized, misplaced or almost valid values. The client validates each response against its schema, and the
 * world fails the file if a fault was logged.
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
// A revoked cart would be useless to later operations.
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

/** The example body with existing ids, so that it gets as far as possible. */
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

async function assertAnswered(row: Operation, asking: Asking): Promise<void> {
  const answer = await ask(row, { ...(isGuarded(row) && { as }), params: paramsOf(row), body: bodyOf(row), ...asking })
  assert(answer.status < 500, answer.text)
}

/** Encoded for a path. A lone surrogate cannot be encoded. */
const inPath = (value: unknown) => encodeURIComponent(String(value).toWellFormed()) || '-'

describe('arbitrary input', () => {
  for (const [id, row] of rows) {
    const numRuns = runsOf({ full: 40, short: 12 })
    const query = (row.undeclaredQuery ?? row.query) as TObject
    const parameters = Object.keys(propertiesOf(query))

    if (row.body) {
      test(`${id} handles a mutated body`, () =>
        fc.assert(
          fc.asyncProperty(changes, (places) =>
            assertAnswered(row, { body: places.reduce((body, [at, other]) => changed(body, at, other), bodyOf(row)) }),
          ),
          { numRuns },
        ))
    }

    const strings = row.body ? stringsOf(exampleOf(row.body)) : []
    if (strings.length > 0) {
      test(`${id} refuses half a surrogate pair in each string of its body`, async () => {
        for (const pointer of strings) {
          const body = withHalfPair(exampleOf(row.body as TSchema), pointer)
          const { status, body: refusal } = await ask(row, { ...(isGuarded(row) && { as }), params: paramsOf(row), body })
          const [detail] = refusal.details
          assert.deepEqual([status, detail?.code, detail?.pointer], [400, 'wrong_format', pointer])
        }
      })
    }

    if (parameters.length > 0) {
      test(`${id} handles mutated parameters`, () =>
        fc.assert(
          fc.asyncProperty(
            fc.dictionary(
              fc.constantFrom(...parameters, 'option.colour', 'zz'),
              fc.array(odd, { minLength: 1, maxLength: 2 }),
            ),
            (odds) => {
              const values = Object.entries(odds).map(([name, each]) => [
                name,
                each.map((value) => String(value).toWellFormed()),
              ])
              return assertAnswered(row, { query: Object.fromEntries(values) })
            },
          ),
          { numRuns },
        ))
    }

    const names = Object.keys(propertiesOf(row.params))
    if (names.length > 0) {
      test(`${id} handles mutated path parameters`, () =>
        fc.assert(
          fc.asyncProperty(fc.constantFrom(...names), odd, (name, value) =>
            assertAnswered(row, { params: { ...paramsOf(row), [name]: inPath(value).slice(0, 290) } }),
          ),
          { numRuns: runsOf({ full: 15, short: 6 }) },
        ))
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
      { numRuns: runsOf({ full: 300, short: 100 }) },
    ))
})
