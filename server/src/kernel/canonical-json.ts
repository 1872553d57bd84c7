import { assert } from './assert.ts'

/** What can be written canonically: JSON whose numbers are exact integers. */
export type CanonicalValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue | undefined }

/**
 * One text for one value, whatever order its members were written in: members sorted by UTF-16 code units, no spaces,
 * JSON's shortest strings. Absent (`undefined`) members are left out. Numbers must be integers that a float holds
 * exactly, so no notation of floats is ever needed; a bigint is written as the same integer. What is no
 * `CanonicalValue` is our bug; the type is checked as it runs, because an interface never fits an index signature.
 *
 * @see RFC 8785 §3.2
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    assert(Number.isSafeInteger(value), `an exact integer: ${value}`)
    return Object.is(value, -0) ? '0' : String(value)
  }
  if (typeof value === 'bigint') {
    assert(value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER, `an exact integer: ${value}`)
    return String(value)
  }
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  assert(isPlainObject(value), 'a plain object')
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
  return `{${members.join(',')}}`
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
