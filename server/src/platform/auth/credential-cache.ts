import { LRUCache } from 'lru-cache'
import type { Reader } from '../postgres/reader.ts'
import type { StoredCredential } from './authenticate.ts'
import { hashOfToken } from './opaque-token.ts'

/** CredentialCache that one process remembers. One takes about a kilobyte. */
const REMEMBERED_MAX = 10_000

/**
 * Finds credentials, and remembers how each was when it was last seen. What is remembered decides nothing by itself: it
 * spares a write one wait, and the write’s transaction looks again.
 */
export class CredentialCache {
  readonly #reader: Reader
  readonly #find: (reader: Reader, token: string) => Promise<StoredCredential | undefined>
  readonly #seen = new LRUCache<string, StoredCredential>({ max: REMEMBERED_MAX })

  constructor(reader: Reader, find: (reader: Reader, token: string) => Promise<StoredCredential | undefined>) {
    this.#reader = reader
    this.#find = find
  }

  /** The credential as it stands now, for whoever reads by `reader`. */
  async find(token: string, reader: Reader = this.#reader): Promise<StoredCredential | undefined> {
    const found = await this.#find(reader, token)
    if (found) this.#seen.set(nameOf(token), found)
    else this.#seen.delete(nameOf(token))
    return found
  }

  lastSeen(token: string): StoredCredential | undefined {
    return this.#seen.get(nameOf(token))
  }
}

/** By its hash: the token itself is kept nowhere. */
function nameOf(token: string): string {
  return hashOfToken(token).toString('base64url')
}
