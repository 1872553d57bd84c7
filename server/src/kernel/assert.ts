/** A bug. The pipeline responds with a 500 without its message. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** Fails the request when an invariant is violated. For errors of the caller, use `refuse`. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new AssertionError(what)
}

/** The value, asserted to be present. */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  assert(value !== null && value !== undefined, what)
  return value
}

/** Ends a switch over a union: a missing case does not compile. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`)
}
