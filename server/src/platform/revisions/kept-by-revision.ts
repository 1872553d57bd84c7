/** The part of a public read's context that a cached value depends on. */
export interface RevisionContext {
  dependsOn(subject: string): void
  revisionOf(subject: string): string
}

/** Returns the cached value to a read. */
export type Kept<Value> = (context: RevisionContext) => Promise<Value>

/**
 * Caches a value in memory until the revision of one of its subjects changes. `read` uses the primary: the snapshot of a standby may be
 * older than the revision that it would be cached under.
 */
export function keptByRevision<Value>(subjects: readonly string[], read: () => Promise<Value>): Kept<Value> {
  let kept: { readonly revision: string; readonly value: Promise<Value> } | null = null
  return async ({ dependsOn, revisionOf }) => {
    for (const subject of subjects) dependsOn(subject)
    // Before the read: a change in between is read twice, never missed.
    const revision = subjects.map(revisionOf).join(' ')
    if (kept?.revision !== revision) kept = { revision, value: read() }
    const current = kept
    try {
      // Concurrent requests wait for one read.
      return await current.value
    } catch (error) {
      if (kept === current) kept = null
      throw error
    }
  }
}
