import type { Revisions } from './revisions.ts'

/** More than the stores and languages of most installations. */
const ENTRIES_MAX = 1000

interface Entry<Value> {
  readonly revision: string
  readonly value: Value
}

/** Caches values until a subject that they depend on changes. Beyond the limit, the oldest entry is dropped. */
export class RevisionCache<Value> {
  readonly #revisions: Pick<Revisions, 'of'>
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(revisions: Pick<Revisions, 'of'>) {
    this.#revisions = revisions
  }

  /** The value of a key, loaded if it is not cached or a subject has changed since. */
  async get(key: string, subjects: readonly string[], load: () => Promise<Value>): Promise<Value> {
    const revision = subjects.map((subject) => this.#revisions.of(subject)).join(' ')
    const found = this.#entries.get(key)
    if (found?.revision === revision) return found.value
    const value = await load()
    // Moved to the end, so that the first is the oldest.
    this.#entries.delete(key)
    this.#entries.set(key, { revision, value })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > ENTRIES_MAX && oldest !== undefined) this.#entries.delete(oldest)
    return value
  }
}
