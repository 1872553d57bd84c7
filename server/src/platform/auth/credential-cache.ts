import { LRUCache } from 'lru-cache'
import type { Reader } from '../postgres/reader.ts'
import type { StoredCredential } from './authenticate.ts'
import { hashOfToken } from './opaque-token.ts'

/** About a kilobyte each. */
const CACHED_MAX = 10_000

/**
 * Finds credentials and caches them. A cached credential is never final: it saves a write one round trip, and the
 * transaction of the write reads the stored one.
 */
export class CredentialCache {
  readonly #reader: Reader
  readonly #find: (reader: Reader, token: string) => Promise<StoredCredential | undefined>
  readonly #cache = new LRUCache<string, StoredCredential>({ max: CACHED_MAX })

  constructor(reader: Reader, find: (reader: Reader, token: string) => Promise<StoredCredential | undefined>) {
    this.#reader = reader
    this.#find = find
  }

  /** Reads the stored credential and caches it. */
  async find(token: string, reader: Reader = this.#reader): Promise<StoredCredential | undefined> {
    const found = await this.#find(reader, token)
    if (found) this.#cache.set(cacheKey(token), found)
    else this.#cache.delete(cacheKey(token))
    return found
  }

  cached(token: string): StoredCredential | undefined {
    return this.#cache.get(cacheKey(token))
  }
}

/** The hash, so that the token itself is never cached. */
function cacheKey(token: string): string {
  return hashOfToken(token).toString('base64url')
}
