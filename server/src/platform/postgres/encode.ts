/** A value as it goes to PostgreSQL: text, or bytes as they are. */
export type Written = string | Buffer | null

/** Writes a value. What has no form of its own here, such as an object, is JSON. */
export function written(value: unknown): Written {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return arrayOf(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** @see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function arrayOf(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: unknown): string {
  if (Array.isArray(value)) return arrayOf(value)
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : written(value)
  return text === null ? 'NULL' : `"${(text as string).replaceAll(/["\\]/g, '\\$&')}"`
}
