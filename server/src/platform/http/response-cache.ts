import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { limits } from '@vitrine/contract'
import { LRUCache } from 'lru-cache'
import type { Revisions } from '../revisions/revisions.ts'

export const EXPOSED_HEADERS =
  'X-Request-Id, ETag, DPoP-Nonce, Idempotent-Replayed, RateLimit, RateLimit-Policy, WWW-Authenticate'

export type Encoding = 'identity' | 'gzip' | 'br'

/** An answer as bytes, ready to be sent, in each encoding that was asked for so far. */
export interface CachedResponse {
  readonly operationId: string
  readonly identity: Representation
  /** What it shows, and the sum of their revisions when it was read. */
  readonly subjects: readonly string[]
  readonly revision: bigint
  /** Whether it may be kept and shown to others. */
  readonly shared: boolean
  /** Compressed when it is first asked for: then the one who asked waits, and whoever comes later does not. */
  encoded: { gzip?: Representation | Promise<Representation>; br?: Representation | Promise<Representation> }
}

export interface Representation {
  readonly bytes: Buffer
  /** Strong, so it differs between encodings. RFC 9110 §8.8.3.3 */
  readonly etag: string
  readonly encoding: Encoding
  /** Names and values by turns, as Node sends them without looking at them again: of a 200, and of a 304. */
  readonly headers: readonly string[]
  readonly unchangedHeaders: readonly string[]
}

/** Public reads, and what they refuse: a script must be able to read why. */
export const OPEN_TO_ALL = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS }
const { maxAgeSeconds, staleWhileRevalidateSeconds } = limits.publicReads
const CACHED = `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleWhileRevalidateSeconds}`
/** An answer for one caller alone: its ETag still saves that caller the bytes, once the caller was let in again. */
const FOR_THIS_CALLER_ALONE = 'private, no-store'

function representation(bytes: Buffer, etag: string, encoding: Encoding, shared: boolean): Representation {
  const unchanged = {
    ...OPEN_TO_ALL,
    'cache-control': shared ? CACHED : FOR_THIS_CALLER_ALONE,
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

/** Below this, compressing saves less than a packet. */
const COMPRESSED_BYTES_MIN = 1024
/** Level 5 of 11: within 5 % of the size of level 9 on a catalogue page, at a third of its time. */
const BROTLI_QUALITY = 5

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

export function cachedResponse(
  operationId: string,
  bytes: Buffer,
  subjects: readonly string[],
  revision: bigint,
  shared = true,
): CachedResponse {
  const identity = representation(bytes, etagOf(bytes), 'identity', shared)
  return { operationId, identity, subjects, revision, shared, encoded: {} }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

async function encode({ identity, shared }: CachedResponse, encoding: 'gzip' | 'br'): Promise<Representation> {
  const { bytes, etag } = identity
  const encoded =
    encoding === 'gzip'
      ? await compressGzip(bytes)
      : await compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
  return representation(encoded, `${etag.slice(0, -1)}-${encoding}"`, encoding, shared)
}

/** The answer in the best encoding that the caller takes, compressed when it is first asked for. */
export function representationOf(
  answer: CachedResponse,
  acceptEncoding: string | undefined,
): Representation | Promise<Representation> {
  const encoding = chooseEncoding(acceptEncoding)
  if (encoding === 'identity' || answer.identity.bytes.length < COMPRESSED_BYTES_MIN) return answer.identity
  answer.encoded[encoding] ??= encode(answer, encoding).then((encoded) => {
    answer.encoded[encoding] = encoded
    return encoded
  })
  return answer.encoded[encoding]
}

/** @see RFC 9110 §12.5.3 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity'
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean)
      return [name.trim(), weight === undefined ? 1 : Number(weight)]
    }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const brotli = weightOf('br')
  const zipped = weightOf('gzip')
  if (brotli > 0 && brotli >= zipped) return 'br'
  return zipped > 0 ? 'gzip' : 'identity'
}

/** @see RFC 9110 §13.1.2: a weak comparison */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
}

/** Bytes of one entry: its text, its encodings (about a quarter each) and its keys. */
const ENTRY_OVERHEAD = 1.5
export const CACHE_BYTES_MAX = 24 * 1024 * 1024

/** Answers of public reads, bounded by their bytes, forgotten when what they show has changed. */
export class ResponseCache {
  readonly #answers: LRUCache<string, CachedResponse>
  readonly #rendering = new Map<string, Promise<CachedResponse>>()
  readonly #revisions: Pick<Revisions, 'of' | 'stamp'>
  /** Requests that were answered from kept bytes, and that had to be read for. */
  readonly counts = { hits: 0, misses: 0 }

  constructor(revisions: Pick<Revisions, 'of' | 'stamp'>, bytesMax = CACHE_BYTES_MAX) {
    this.#revisions = revisions
    this.#answers = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: (answer, key) => Math.ceil(answer.identity.bytes.length * ENTRY_OVERHEAD + key.length + 500),
    })
  }

  get bytes(): number {
    return this.#answers.calculatedSize
  }

  revisionOf(subjects: readonly string[]): bigint {
    return subjects.reduce((sum, subject) => sum + this.#revisions.of(subject), 0n)
  }

  find(key: string): CachedResponse | undefined {
    const answer = this.#answers.get(key)
    if (!answer) return undefined
    if (answer.revision === this.revisionOf(answer.subjects)) return answer
    this.#answers.delete(key)
    return undefined
  }

  /**
   * Renders once for all who ask at the same time and know the same: a later revision is rendered anew.
   *
   * @param who what may let its bearer see more than others; '' for everybody. One bearer never gets what another was let
   *   see, and an answer that is not shared is not kept at all.
   */
  async render(answerKey: string, produce: () => Promise<CachedResponse>, who = ''): Promise<CachedResponse> {
    const key = `${this.#revisions.stamp} ${answerKey}\n${who}`
    const running = this.#rendering.get(key)
    if (running) return running
    const rendering = produce()
      .then((answer) => {
        if (answer.shared) this.#answers.set(answerKey, answer)
        return answer
      })
      .finally(() => this.#rendering.delete(key))
    this.#rendering.set(key, rendering)
    return rendering
  }
}
