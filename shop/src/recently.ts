/** A cache with a time to live, by key. Concurrent reads share one call; a failed one is not cached. */
export function recently<Value>(keptMs: number) {
  const kept = new Map<string, { readonly value: Promise<Value>; readonly until: number }>()
  return (key: string, read: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(key)
    if (known && known.until > Date.now()) return known.value
    const value = read()
    kept.set(key, { value, until: Date.now() + keptMs })
    value.catch(() => kept.delete(key))
    return value
  }
}
