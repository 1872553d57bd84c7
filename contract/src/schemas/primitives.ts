import { type TEnum, type TObject, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox'

/**
 * The building blocks of all schemas. Every value is bounded, every object closed, every leaf described with an example; a
 * schema built from them has an example by construction (`exampleOf`).
 */

const namedSchemas = new Map<string, TSchema>()

/** Name a schema in the OpenAPI document, where it is defined once and referenced. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  if (namedSchemas.has(name)) throw new Error(`The schema name ${name} is taken.`)
  const titled = { ...schema, title: name }
  namedSchemas.set(name, titled)
  return titled
}

/** Every named schema, in order of declaration. */
export function schemasByName(): ReadonlyMap<string, TSchema> {
  return namedSchemas
}

/** An object with exactly these members. */
export function closed<Properties extends TProperties>(
  description: string,
  properties: Properties,
  options: TSchemaOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, description, ...options })
}

/** A list of at most `maxItems`. */
export function listOf<Item extends TSchema>(
  item: Item,
  maxItems: number,
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Array(item, { minItems: 0, maxItems, description, ...options })
}

/** Any characters but NUL, which PostgreSQL cannot store. */
const KEPT_TEXT = '^[^\\u0000]*$'

/** A non-empty text of bounded length. */
export function text(maxLength: number, description: string, example: string, options: TSchemaOptions = {}) {
  return Type.String({ minLength: 1, maxLength, pattern: KEPT_TEXT, description, examples: [example], ...options })
}

/** A text of bounded length that may be empty. */
export function maybeEmpty(maxLength: number, description: string, example: string) {
  return Type.String({ maxLength, pattern: KEPT_TEXT, description, examples: [example] })
}

/** A text that matches a pattern. */
export function formed(
  pattern: string,
  maxLength: number,
  description: string,
  example: string,
  options: TSchemaOptions = {},
) {
  return Type.String({ pattern, maxLength, description, examples: [example], ...options })
}

/** One of these values. A response may gain values: the document marks it `x-extensible-enum`. */
export function oneOf<const Values extends string[]>(
  values: readonly [...Values],
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Enum<Values>(values, { type: 'string', description, ...options })
}

/** Marks an enum as complete in all of v1. Never published. */
export const FIXED = '~fixed'

/** One of these values and no other in all of v1, in responses too. */
export function fixedOneOf<const Values extends string[]>(values: readonly [...Values], description: string) {
  return Type.Enum<Values>(values, { type: 'string', description, [FIXED]: true }) as TEnum<Values> & {
    readonly [FIXED]: true
  }
}

const INT32_MAX = 2 ** 31 - 1

/** An integer of 32 bits, or 64 where its maximum requires it. */
export function integer(
  minimum: number,
  maximum: number,
  description: string,
  example: number,
  options: TSchemaOptions = {},
) {
  const format = maximum <= INT32_MAX && minimum >= -INT32_MAX ? 'int32' : 'int64'
  return Type.Integer({ minimum, maximum, format, description, examples: [example], ...options })
}

export function flag(description: string, example = true) {
  return Type.Boolean({ description, examples: [example] })
}

/** The value or `null`. */
export function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

/** One of several closed objects. Each requires a member that the others do not have. */
export function alternatives<Schemas extends TObject[]>(
  schemas: readonly [...Schemas],
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Union([...schemas] as [...Schemas], { description, ...options })
}

/** A map from keys that match a pattern to values of one schema. */
export function mapOf<Value extends TSchema>(
  keyPattern: string,
  value: Value,
  maxProperties: number,
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Record(Type.String({ pattern: keyPattern }), value, {
    additionalProperties: false,
    maxProperties,
    description,
    ...options,
  })
}

/** The schema with another example. */
export function withExample<Schema extends TSchema>(schema: Schema, example: unknown): Schema {
  return { ...schema, examples: [example] }
}

/** The schema, left out of examples: for members that exist in some states only. Inside `Type.Optional`. */
export function leftOut<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, examples: [] }
}

/** The keyword of {@link boundOnly}, as in the OpenAPI document. Operations use the same one. */
const SENDER_CONSTRAINT = 'x-sender-constraint'

/** The schema, marked as absent for unbound keys: contact data, and links that carry a key. Inside `Type.Optional`. */
export function boundOnly<Schema extends TSchema>(schema: Schema): Schema {
  const { description } = schema as { readonly description?: string }
  return { ...schema, description: `${description} Absent for unbound keys.`, [SENDER_CONSTRAINT]: 'required' }
}

export function isBoundOnly(schema: TSchema): boolean {
  return SENDER_CONSTRAINT in schema
}

/** An example that the schema accepts: its own, or one built from the examples of its parts. */
export function exampleOf(schema: TSchema): unknown {
  const node = schema as {
    examples?: readonly unknown[]
    const?: unknown
    enum?: readonly unknown[]
    anyOf?: readonly TSchema[]
    type?: string
    properties?: Readonly<Record<string, TSchema>>
    items?: TSchema
    minItems?: number
  }
  if (node.examples) return node.examples[0]
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  if (node.anyOf?.[0]) return exampleOf(node.anyOf[0])
  if (node.type === 'null') return null
  if (node.type === 'array' && node.items) return [exampleOf(node.items)]
  if (node.type === 'object' && node.properties) {
    const members = Object.entries(node.properties).map(([name, property]) => [name, exampleOf(property)])
    return Object.fromEntries(members.filter(([, example]) => example !== undefined))
  }
  throw new Error(`This schema has no example: ${JSON.stringify(schema).slice(0, 200)}`)
}
