import type { Static, TArray, TEnum, TObject, TOptional, TProperties, TSchema, TUnion } from 'typebox'
import { FIXED } from './primitives.ts'

/**
 * Requests are published closed: a member that v1 does not know is refused. Responses are published open, so that they may gain
 * members and values; the server and the tests check both as closed. @see docs/reference/compatibility.md
 */
export type Side = 'closed' | 'open'

/** The bounds of an enum that may gain values, for clients that validate. */
const WORD = { pattern: '^[A-Za-z0-9_.:-]+$', maxLength: 64 }

/**
 * A schema as plain JSON for one side.
 *
 * @param refer returns the reference that replaces a schema inside this one, or `null` to write the schema out
 */
export function publishedSchema(
  schema: TSchema,
  side: Side,
  refer: (inner: TSchema) => object | null = () => null,
): Record<string, unknown> {
  const inner = (each: TSchema) => refer(each) ?? publishedSchema(each, side, refer)
  const entries = Object.entries(keywordsOf(schema, side)).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties' || keyword === 'patternProperties') {
      const properties = Object.entries(value as Record<string, TSchema>)
      return [keyword, Object.fromEntries(properties.map(([name, property]) => [name, inner(property)]))]
    }
    if (keyword === 'items') return [keyword, inner(value as TSchema)]
    if (keyword === 'anyOf') return [keyword, (value as TSchema[]).map(inner)]
    return [keyword, value]
  })
  return Object.fromEntries(entries)
}

function keywordsOf(schema: TSchema, side: Side): Record<string, unknown> {
  const { [FIXED]: fixed, ...closed } = schema as Record<string, unknown>
  if (side === 'closed') return closed
  const { additionalProperties: _, ...open } = closed
  const { enum: values, ...word } = open as { readonly enum?: readonly unknown[] }
  if (!values || fixed || typeof values[0] !== 'string') return open
  return { examples: [values[0]], ...word, ...WORD, 'x-extensible-enum': values }
}

/** The type that a client receives: an enum that may grow has its known values or any other string. */
export type Received<Schema extends TSchema> = Schema extends { readonly [FIXED]: true }
  ? Static<Schema>
  : Schema extends TEnum<infer Values>
    ? Values[number] extends string
      ? Values[number] | (string & {})
      : Values[number]
    : Schema extends TArray<infer Item>
      ? Received<Item>[]
      : Schema extends TUnion<infer Members>
        ? Received<Members[number]>
        : Schema extends TObject<infer Properties>
          ? ReceivedMembers<Properties>
          : Static<Schema>

type OptionalNames<Properties extends TProperties> = {
  [Name in keyof Properties]: Properties[Name] extends TOptional ? Name : never
}[keyof Properties]

type ReceivedMembers<Properties extends TProperties> = {
  [Name in Exclude<keyof Properties, OptionalNames<Properties>>]: Received<Properties[Name]>
} & { [Name in OptionalNames<Properties>]?: Received<Properties[Name]> }
