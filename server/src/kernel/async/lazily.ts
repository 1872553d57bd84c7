/** Computes a value on first use, once for all callers. A failure is not kept: the next use computes it again. */
export function lazily<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let promise: Promise<Value> | null = null
  return () => {
    promise ??= compute().catch((error: unknown) => {
      promise = null
      throw error
    })
    return promise
  }
}
