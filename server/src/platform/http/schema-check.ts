import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'

/** A failure of the compiled schema. `params` depends on the keyword. */
export interface SchemaFailure {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: object
  readonly message: string
}

/** Faults are reported for a part of at most this many values. Reporting those of 80,000 fields would take a second. */
export const VALUES_REPORTED_MAX = 2000

// By default the library stops at eight failures. The failure that names unknown fields comes after one failure per field.
Settings.Set({ maxErrors: 5 * VALUES_REPORTED_MAX })

/** Checks values against a schema, which is compiled on first use: compiling 59 rows at the start would take 0.2 s. */
export function checker(schema: TSchema): {
  passes(value: unknown): boolean
  failures(value: unknown): SchemaFailure[]
} {
  let validator: Validator | null = null
  const compiled = () => {
    validator ??= Compile(schema)
    return validator
  }
  return {
    passes: (value) => compiled().Check(value),
    failures: (value) => compiled().Errors(value) as SchemaFailure[],
  }
}

const checkers = new WeakMap<TSchema, ReturnType<typeof checker>>()

/** The same, once per schema. */
export function checkerOf(schema: TSchema): ReturnType<typeof checker> {
  const known = checkers.get(schema) ?? checker(schema)
  checkers.set(schema, known)
  return known
}

/** A value in a request and its place. */
export interface Part {
  readonly schema: TSchema
  readonly value: unknown
  readonly pointer: string
}

/** The first faulty part of a value that is too large to report all of its faults, such as one wrong rate in a table. */
export function faultyPart(part: Part): Part {
  let faulty = part
  while (holdsMoreThan(VALUES_REPORTED_MAX, faulty.value)) {
    const member = membersOf(faulty).find(({ schema, value }) => !checkerOf(schema).passes(value))
    if (member === undefined) return faulty
    faulty = member
  }
  return faulty
}

/** The members that have a schema; none of a list that is too long. One at a time, since there may be very many. */
function* membersOf({ schema, value, pointer }: Part): Generator<Part> {
  if (typeof value !== 'object' || value === null) return
  const { anyOf, items, maxItems, properties, patternProperties } = schema as {
    anyOf?: readonly TSchema[]
    items?: TSchema
    maxItems?: number
    properties?: Readonly<Record<string, TSchema>>
    patternProperties?: Readonly<Record<string, TSchema>>
  }
  for (const each of anyOf?.filter(isKindOf(value)) ?? []) yield* membersOf({ schema: each, value, pointer })
  if (Array.isArray(value) && value.length > (maxItems ?? value.length)) return
  const patterns = Object.entries(patternProperties ?? {})
  for (const name of Object.keys(value)) {
    const own = Array.isArray(value)
      ? items
      : (properties?.[name] ?? patterns.find(([pattern]) => new RegExp(pattern).test(name))?.[1])
    if (own === undefined) continue
    yield { schema: own, value: value[name as keyof typeof value], pointer: `${pointer}/${escapePointer(name)}` }
  }
}

/** Whether the discriminating members of a value have the constants of a schema. */
function isKindOf(value: object): (schema: TSchema) => boolean {
  return (schema) =>
    Object.entries((schema as { properties?: Readonly<Record<string, TSchema>> }).properties ?? {}).every(
      ([name, property]) => {
        const { const: expected } = property as { const?: unknown }
        return expected === undefined || expected === (value as Record<string, unknown>)[name]
      },
    )
}

/**
 * Removes the failures of alternatives that have another type or kind than the value. If no alternative has its type or
 * kind, only that is reported.
 */
export function closestAlternatives(failures: readonly SchemaFailure[]): readonly SchemaFailure[] {
  const unions = failures
    .filter(({ keyword }) => keyword === 'anyOf')
    .sort((one, other) => one.schemaPath.length - other.schemaPath.length)
  return unions.reduce((left, { schemaPath, instancePath }) => {
    const prefix = `${schemaPath}/anyOf/`
    const isOf = (each: SchemaFailure) =>
      each.schemaPath.startsWith(prefix) && `${each.instancePath}/`.startsWith(`${instancePath}/`)
    const byAlternative = Map.groupBy(left.filter(isOf), (each) => each.schemaPath.slice(prefix.length).split('/')[0])
    const alternatives = [...byAlternative.values()]
    const isMismatch = (each: SchemaFailure) => isOfOtherKind(each, instancePath)
    const meant = alternatives.filter((each) => !each.some(isMismatch))
    const kept = new Set(meant.length > 0 ? meant.flat() : alternatives.flat().filter(isMismatch))
    return left.filter((each) => !isOf(each) || kept.has(each))
  }, failures)
}

/** Whether the value at a pointer has another type than the schema, or its discriminating member has another value. */
function isOfOtherKind({ keyword, instancePath }: SchemaFailure, pointer: string): boolean {
  if (instancePath === pointer) return keyword === 'type' || keyword === 'const'
  return keyword === 'const' && !instancePath.slice(pointer.length + 1).includes('/')
}

/** Whether a value holds more than `max` values. Without recursion, since the caller controls the nesting. */
function holdsMoreThan(max: number, value: unknown): boolean {
  const waiting = [value]
  for (let count = 0; waiting.length > 0; count += 1) {
    if (count + waiting.length > max) return true
    const each = waiting.pop()
    if (typeof each === 'object' && each !== null) for (const inner of Object.values(each)) waiting.push(inner)
  }
  return false
}

/** A name as part of a JSON pointer. RFC 6901 §3. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
