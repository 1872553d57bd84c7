import { exampleOf } from '@vitrine/contract'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { codePoints } from '../support/code-points.ts'

/** The keywords of a row's schema that decide which values are valid. */
interface Node {
  readonly anyOf?: readonly TSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

/** Existing values by the name of their member or parameter, so that requests get past the first checks. */
export type Known = Readonly<Record<string, unknown>>

/** Values of a schema, at its bounds more often than between them. */
export function valuesOf(schema: TSchema, known: () => Known, name = ''): fc.Arbitrary<unknown> {
  const node = schema as Node
  const own = fc.constant(null).map(() => known()[name] ?? exampleOf(schema))
  if (node.const !== undefined) return fc.constant(node.const)
  if (node.enum) return fc.constantFrom(...node.enum)
  if (node.anyOf) return fc.oneof(...node.anyOf.map((each) => valuesOf(each, known, name)))
  switch (node.type) {
    case 'object':
      return objectsOf(node, known, own)
    case 'array':
      return listsOf(node, known, own)
    case 'string':
      return fc.oneof({ weight: 4, arbitrary: own }, { weight: 3, arbitrary: textsOf(node) })
    case 'integer':
    case 'number':
      return fc.oneof({ weight: 2, arbitrary: own }, { weight: 2, arbitrary: boundsOf(node) })
    case 'boolean':
      return fc.boolean()
    default:
      return own
  }
}

function objectsOf(node: Node, known: () => Known, own: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (!node.properties) return own
  const members: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, each] of Object.entries(node.properties)) members[name] = valuesOf(each, known, name)
  return fc.record(members, { requiredKeys: [...(node.required ?? [])] })
}

function listsOf(node: Node, known: () => Known, own: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (!node.items) return own
  const { minItems = 0, maxItems = 3 } = node
  const item = valuesOf(node.items, known)
  const few = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
  const many = item.map((each) => Array(Math.min(maxItems, 200)).fill(each))
  return fc.oneof({ weight: 5, arbitrary: few }, { weight: 1, arbitrary: many })
}

function boundsOf({ minimum = 0, maximum = 2 ** 31 }: Node): fc.Arbitrary<number> {
  return fc.constantFrom(minimum, maximum, Math.min(maximum, minimum + 1), Math.max(minimum, maximum - 1))
}

/** This pattern allows any text without NUL. */
const ANY_TEXT = '^[^\\u0000]*$'

function textsOf({ pattern, format, minLength = 0, maxLength = 50 }: Node): fc.Arbitrary<string> {
  if (format !== undefined && pattern === undefined) return fc.constantFrom('ada@example.com', 'https://shop.example/x')
  if (pattern !== undefined && pattern !== ANY_TEXT) {
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length >= minLength && text.length <= maxLength)
  }
  const short = fc.string({ unit: codePoints, minLength, maxLength: Math.min(maxLength, minLength + 20) })
  return fc.oneof(
    short.map((text) => text.replaceAll('\0', ' ').slice(0, maxLength).toWellFormed()),
    fc.constantFrom('x'.repeat(maxLength), '🏷'.repeat(Math.floor(maxLength / 2)), 'x'.repeat(Math.max(1, minLength))),
  )
}
