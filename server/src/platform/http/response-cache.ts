import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { limits } from '@vitrine/contract'
import { LRUCache } from 'lru-cache'
import type { Revisions } from '../revisions/revisions.ts'

export const EXPOSED_HEADERS =
  'X-Request-Id, ETag, DPoP-Nonce, Idempotent-Replayed, RateLimit, RateLimit-Policy, WWW-Authenticate, Deprecation, Sunset, Link'

export type Encoding = 'identity' | 'gzip' | 'br'

/** A response as bytes, in each encoding that was requested so far. */
export interface CachedResponse {
  readonly operationId: string
  readonly identity: Representation
  /** The subjects that it depends on, and the sum of their revisions when it was read. */
  readonly subjects: readonly string[]
  readonly revision: bigint
  /** Whether it may be cached and sent to other callers. */
  readonly shared: boolean
  /** Headers of its operation. */
  readonly ownHeaders: Readonly<Record<string, string>>
  /** A callback for each response that is sent, such as one that counts it. */
  readonly onAnswer: (() => void) | null
  /** {@link Revisions.stamp} when it was last found to be current. It is current until the stamp changes. */
  currentAt: string | null
  /** Compressed on first use, while that caller waits. */
  encoded: { gzip?: Representation | Promise<Representation>; br?: Representation | Promise<Representation> }
}

export interface Representation {
  readonly bytes: Buffer
  /** Strong, so it differs between encodings. RFC 9110 §8.8.3.3 */
  readonly etag: string
  readonly encoding: Encoding
  /** The headers of a 200 and of a 304: alternating names and values, which Node sends without further processing. */
  readonly headers: readonly string[]
  readonly unchangedHeaders: readonly string[]
}

/** For public reads and their errors: scripts of any origin may read both. */
export const PUBLIC_CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS }
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }
const { maxAgeSeconds, staleWhileRevalidateSeconds } = limits.publicReads
const CACHEABLE = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleWhileRevalidateSeconds}`
/** For a private response. Its ETag still saves the caller the bytes, after store access was checked again. */
const NO_STORE = 'private, no-store'

function representation(
  bytes: Buffer,
  etag: string,
  encoding: Encoding,
  { shared, ownHeaders }: Pick<CachedResponse, 'shared' | 'ownHeaders'>,
): Representation {
  const unchanged = {
    ...PUBLIC_CORS,
    ...NO_SNIFFING,
    ...ownHeaders,
    'cache-control': shared ? CACHEABLE : NO_STORE,
    vary: 'Accept-Encoding, Accept-Language, X-Store-Access',
    etag,
  }
  const headers = {
    ...unchanged,
    'content-type': 'application/json; charset=utf-8',
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    'content-length': String(bytes.length),
  }
  return {
    bytes,
    etag,
    encoding,
    headers: Object.entries(headers).flat(),
    unchangedHeaders: Object.entries(unchanged).flat(),
  }
}

/** Compressing a smaller response saves less than a packet. */
const COMPRESSED_BYTES_MIN = 1024
/**
 * Levels of 11. For a large response 5: within 5 % of the size of level 9 on a catalog page, in a third of its time. For one that is
 * compressed here 3: a search of 15 kB takes 0.26 instead of 0.51 ms, and 3,053 bytes instead of 2,840.
 */
const BROTLI_QUALITY = { large: 5, small: 3 }

/**
 * Up to this, compressing here takes less than a millisecond. Handing 22 kB to another thread and back took 0.9 ms of processor time
 * instead of 0.2 with gzip, and 1.0 instead of 0.4 with brotli.
 */
const COMPRESSED_HERE_BYTES_MAX = 64 * 1024

/** A window as large as the response. The tables of the usual 4 MiB took 0.7 instead of 0.15 ms for 3 kB, with the same result. */
function brotliOptions({ length }: Buffer): BrotliOptions {
  const window = Math.ceil(Math.log2(length + BROTLI_WINDOW_RESERVED))
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]:
        length <= COMPRESSED_HERE_BYTES_MAX ? BROTLI_QUALITY.small : BROTLI_QUALITY.large,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(window, constants.BROTLI_DEFAULT_WINDOW),
    },
  }
}
/** @see RFC 7932 §9.1: a window has 16 bytes less than a power of two */
const BROTLI_WINDOW_RESERVED = 16

const gzipInThread = promisify(gzip)
const brotliInThread = promisify(brotliCompress)

function compress(bytes: Buffer, encoding: 'gzip' | 'br'): Buffer | Promise<Buffer> {
  const isHere = bytes.length <= COMPRESSED_HERE_BYTES_MAX
  if (encoding === 'gzip') return isHere ? gzipSync(bytes) : gzipInThread(bytes)
  return isHere ? brotliCompressSync(bytes, brotliOptions(bytes)) : brotliInThread(bytes, brotliOptions(bytes))
}

type Rendered = Pick<CachedResponse, 'operationId' | 'subjects' | 'revision' | 'shared' | 'ownHeaders' | 'onAnswer'>

/** The response for a rendered body. */
export function cachedResponse(bytes: Buffer, rendered: Rendered): CachedResponse {
  return {
    ...rendered,
    identity: representation(bytes, etagOf(bytes), 'identity', rendered),
    currentAt: null,
    encoded: {},
  }
}

function etagOf(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
}

async function encode(response: CachedResponse, encoding: 'gzip' | 'br'): Promise<Representation> {
  const { bytes, etag } = response.identity
  return representation(await compress(bytes, encoding), `${etag.slice(0, -1)}-${encoding}"`, encoding, response)
}

/** The response in the best encoding that the caller accepts, compressed on first use. */
export function representationOf(
  response: CachedResponse,
  acceptEncoding: string | undefined,
): Representation | Promise<Representation> {
  const encoding = chooseEncoding(acceptEncoding)
  if (encoding === 'identity' || response.identity.bytes.length < COMPRESSED_BYTES_MIN) return response.identity
  response.encoded[encoding] ??= encode(response, encoding).then((encoded) => {
    response.encoded[encoding] = encoded
    return encoded
  })
  return response.encoded[encoding]
}

/** Browsers send a handful of values. A client that makes up others displaces them only for a moment. */
const CHOSEN_MAX = 100
const chosen = new Map<string, Encoding>()

/** @see RFC 9110 §12.5.3 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity'
  const known = chosen.get(acceptEncoding)
  if (known !== undefined) return known
  const encoding = encodingFor(acceptEncoding)
  if (chosen.size === CHOSEN_MAX) chosen.clear()
  chosen.set(acceptEncoding, encoding)
  return encoding
}

/** The weight of each encoding; 0: not accepted. */
export function encodingWeights(acceptEncoding: string): (encoding: string) => number {
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean)
      return [name.trim(), weight === undefined ? 1 : Number(weight)]
    }),
  )
  return (encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
}

function encodingFor(acceptEncoding: string): Encoding {
  const weightOf = encodingWeights(acceptEncoding)
  const brotli = weightOf('br')
  const gzipped = weightOf('gzip')
  if (weightOf('identity') > Math.max(brotli, gzipped)) return 'identity'
  if (brotli > 0 && brotli >= gzipped) return 'br'
  return gzipped > 0 ? 'gzip' : 'identity'
}

/** @see RFC 9110 §13.1.2: a weak comparison */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
}

/** Bytes of one entry: its text, its encodings (about a quarter each) and its keys. */
const ENTRY_OVERHEAD = 1.5
const CACHE_BYTES_MAX = 24 * 1024 * 1024

/** Responses of public reads, limited by their bytes, dropped when a subject they depend on changes. */
export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse>
  readonly #rendering = new Map<string, Promise<CachedResponse>>()
  readonly #revisions: Pick<Revisions, 'of' | 'stamp'>
  /** Requests that were served from the cache, and requests that were not. */
  readonly counts = { hits: 0, misses: 0 }

  constructor(revisions: Pick<Revisions, 'of' | 'stamp'>, bytesMax = CACHE_BYTES_MAX) {
    this.#revisions = revisions
    this.#responses = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: (response, key) => Math.ceil(response.identity.bytes.length * ENTRY_OVERHEAD + key.length + 500),
    })
  }

  get bytes(): number {
    return this.#responses.calculatedSize
  }

  revisionOf(subjects: readonly string[]): bigint {
    return subjects.reduce((sum, subject) => sum + this.#revisions.of(subject), 0n)
  }

  find(key: string): CachedResponse | undefined {
    const response = this.#responses.get(key)
    if (!response) return undefined
    const { stamp } = this.#revisions
    if (response.currentAt === stamp) return response
    if (response.revision !== this.revisionOf(response.subjects)) {
      this.#responses.delete(key)
      return undefined
    }
    response.currentAt = stamp
    return response
  }

  /**
   * Renders once for all concurrent requests at the same revision.
   *
   * @param access the store access token, or ''. Requests with different tokens never share a response, and a response that
   *   is not shared is not cached.
   */
  async render(key: string, produce: () => Promise<CachedResponse>, access = ''): Promise<CachedResponse> {
    const renderingKey = `${this.#revisions.stamp} ${key}\n${access}`
    const running = this.#rendering.get(renderingKey)
    if (running) return running
    const rendering = produce()
      .then((response) => {
        if (response.shared) this.#responses.set(key, response)
        return response
      })
      .finally(() => this.#rendering.delete(renderingKey))
    this.#rendering.set(renderingKey, rendering)
    return rendering
  }
}
