import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleOf, operations } from '@vitrine/contract'
import { type OperatorOperation, operatorOperations } from '@vitrine/contract/operator'
import type { TSchema } from 'typebox'
import { ABOUT_NO_SHOPPER, PERSONAL, withoutPersonalValues } from './answers.ts'

/** The schema of each answer that is stored for repeated requests. */
const stored: readonly (readonly [id: string, data: TSchema])[] = [
  ...Object.entries(operations).flatMap(([id, row]) =>
    row.idempotency === 'required' ? [[id, row.data] as const] : [],
  ),
  ...Object.entries<OperatorOperation>(operatorOperations).flatMap(([id, row]) =>
    row.idempotencyKey ? [[`operator.${id}`, row.data] as const] : [],
  ),
]

interface Node {
  readonly type?: string
  readonly pattern?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: unknown
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
}

/** Any text or URL. Other strings are ids, codes, times and the like. */
const isFree = ({ type, pattern, format, ...node }: Node) =>
  (type === undefined && Object.keys(node).every((key) => key === 'description' || key === 'x-any-json')) ||
  (type === 'string' &&
    node.const === undefined &&
    node.enum === undefined &&
    format !== 'date-time' &&
    (pattern === undefined || pattern === '^[^\\u0000]*$' || pattern.includes('http') || format === 'email'))

/** The names of the members that are free texts, without those inside of members that are left out. */
function freeNames(node: Node, name: string): readonly string[] {
  if (isFree(node)) return [name]
  const { anyOf = [], items, properties = {}, patternProperties = {} } = node
  return [
    ...[...anyOf, ...(items ? [items] : []), ...Object.values(patternProperties)].flatMap((each) =>
      freeNames(each, name),
    ),
    ...Object.entries(properties).flatMap(([inner, each]) => (leavesOut(inner) ? [] : freeNames(each, inner))),
  ]
}

const leavesOut = (name: string) => withoutPersonalValues(JSON.stringify({ [name]: { a: 1 } })) === '{}'

describe('the stored answer', () => {
  for (const [id, data] of stored) {
    test(`of ${id} has only texts of which it is known whether they are about a shopper`, () => {
      const unknown = freeNames(data as Node, 'data').filter(
        (name) => !PERSONAL.has(name) && !ABOUT_NO_SHOPPER.includes(name),
      )
      assert.deepEqual([...new Set(unknown)], [])
    })
  }

  test('has no name that is listed but in no answer', () => {
    const found = new Set(stored.flatMap(([, data]) => freeNames(data as Node, 'data')))
    assert.deepEqual(
      ABOUT_NO_SHOPPER.filter((name) => !found.has(name)),
      [],
    )
  })

  test('of a checkout session names no URL that an installation has made for a shopper', () => {
    const answer = withoutPersonalValues(JSON.stringify({ data: exampleOf(operations.checkoutPublicCart.data) }))
    assert.deepEqual(
      [JSON.parse(answer).data.returnUrl, JSON.parse(answer).data.cancelUrl],
      ['https://erased.invalid/', 'https://erased.invalid/'],
    )
  })
})
