/** A parameter as it is sent to PostgreSQL: text or bytes. */
export type EncodedValue = string | Buffer | null

/** Encodes a parameter. Objects become JSON. */
export function encodeValue(value: unknown): EncodedValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return encodeArray(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** @see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function encodeArray(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: unknown): string {
  if (Array.isArray(value)) return encodeArray(value)
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : encodeValue(value)
  return text === null ? 'NULL' : `"${(text as string).replaceAll(/["\\]/g, '\\$&')}"`
}
