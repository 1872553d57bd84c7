import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'

/** One version of a secret. */
export interface SecretVersion {
  readonly version: number
  readonly secret: Buffer
  /** Before this time it is accepted, but does not sign: other nodes may not know it yet. */
  readonly signsFrom: Date
  /** `null` if it has not been replaced. */
  readonly acceptedUntil: Date | null
}

/** A secret that is replaced while the process runs. Read it for each use, and store nothing that it returned. */
export interface RotatingSecret {
  /** Signs and seals. */
  readonly current: Buffer
  /** The secrets that verify and open, the newest first. A new array after each change. */
  readonly accepted: readonly Buffer[]
}

/** A rotating secret, or a fixed one, such as in tests. */
export type Secret = Buffer | RotatingSecret

export function currentOf(secret: Secret): Buffer {
  return Buffer.isBuffer(secret) ? secret : secret.current
}

export function acceptedOf(secret: Secret): readonly Buffer[] {
  return Buffer.isBuffer(secret) ? [secret] : secret.accepted
}

/** The valid versions of a secret, by the time of a clock. They are computed again only when a version begins or ends. */
export class VersionedSecret implements RotatingSecret {
  readonly #clock: Clock
  #versions: readonly SecretVersion[]
  #current: Buffer = Buffer.alloc(0)
  #accepted: readonly Buffer[] = []
  #validFromMs = 0
  #validUntilMs = 0

  /** @param versions the newest first */
  constructor(versions: readonly SecretVersion[], clock: Clock) {
    this.#versions = versions
    this.#clock = clock
  }

  replace(versions: readonly SecretVersion[]): void {
    this.#versions = versions
    this.#validUntilMs = 0
  }

  /** The secret of a version, even if it does not sign yet or no longer. */
  secretOf(version: number): Buffer | undefined {
    return this.#versions.find((each) => each.version === version)?.secret
  }

  get current(): Buffer {
    this.#settle()
    return this.#current
  }

  get accepted(): readonly Buffer[] {
    this.#settle()
    return this.#accepted
  }

  #settle(): void {
    const nowMs = this.#clock.now().getTime()
    if (nowMs >= this.#validFromMs && nowMs < this.#validUntilMs) return
    const accepted = this.#versions.filter(({ acceptedUntil }) => acceptedUntil === null || +acceptedUntil > nowMs)
    const signing = accepted.find(({ signsFrom }) => +signsFrom <= nowMs) ?? accepted.at(-1)
    this.#current = present(signing, 'a version of a secret is valid').secret
    this.#accepted = accepted.map(({ secret }) => secret)
    const times = this.#versions.flatMap(({ signsFrom, acceptedUntil }) => [+signsFrom, +(acceptedUntil ?? signsFrom)])
    this.#validFromMs = Math.max(0, ...times.filter((each) => each <= nowMs))
    this.#validUntilMs = Math.min(Number.POSITIVE_INFINITY, ...times.filter((each) => each > nowMs))
  }
}

/** A KeyObject for each secret, as long as the secret is in use. */
const keys = new WeakMap<Buffer, KeyObject>()

/**
 * HMAC-SHA256. With a KeyObject it takes 7 µs, and 3 to 8 more to make one; with a Buffer Node first raises an error internally, which
 * takes 17 µs, and a checkout needs a dozen.
 */
export function mac(secret: Secret, text: string): Buffer {
  const current = currentOf(secret)
  const key = keys.get(current) ?? createSecretKey(current)
  keys.set(current, key)
  return createHmac('sha256', key).update(text).digest()
}

/** Whether a value was derived from one of the accepted secrets. In constant time for each. */
export function isDerived(secret: Secret, given: Buffer, derive: (secret: Buffer) => Buffer): boolean {
  return acceptedOf(secret).some((each) => {
    const expected = derive(each)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
