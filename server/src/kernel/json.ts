import { assert } from './assert.ts'

/** Serializes to JSON with bigints as numbers. CHECKs and the contract keep them in the exact range. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each))
}

/** A value with a canonical form: JSON whose numbers are exact integers. */
export type CanonicalValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue | undefined }

/**
 * Serializes equal values to equal text: members sorted by UTF-16 code units, no whitespace, shortest strings, no `undefined`
 * members. Numbers must be safe integers, so that no float notation is needed; a bigint is written as an integer. Any other
 * value is a bug. It is checked at run time, because an interface does not match an index signature.
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
