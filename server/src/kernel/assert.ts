/** A bug of ours: never an answer to a caller. The pipeline turns it into a 500 without its text. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** Stops the request when something that must hold does not. For what a caller may do wrong, use `refuse`. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new AssertionError(what)
}

/** The value, which cannot be absent here. */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  assert(value !== null && value !== undefined, what)
  return value
}

/** Ends a switch over a union: a forgotten case does not compile. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`)
}
