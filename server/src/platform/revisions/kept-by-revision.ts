/** The part of a public read that what is kept depends on. */
export interface RevisionContext {
  dependsOn(subject: string): void
  revisionOf(subject: string): string
}

/** Gives a read what is kept in memory. */
export type Kept<Value> = (context: RevisionContext) => Promise<Value>

/**
 * Keeps what a process reads often in memory as long as the revisions of its subjects are the same. `read` asks the primary: the snapshot
 * of a standby may be older than the revision that it would be kept under.
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
      // Requests at the same time wait for one read.
      return await current.value
    } catch (error) {
      if (kept === current) kept = null
      throw error
    }
  }
}
