import type { EventDataByKind, EventKind } from './generated/resources.ts'

/** An event as a receiver gets it. */
export interface WebhookEventOf<Kind extends EventKind> {
  /** Stays the same on each retry and replay. Store it to handle an event once. */
  readonly id: string
  readonly type: Kind
  readonly timestamp: string
  readonly apiVersion: 'v1'
  readonly environment: 'test' | 'live'
  /**
   * Increases by one with each event of the same object. A gap means an event that is late or that the endpoint does
   * not receive.
   */
  readonly sequence: number
  readonly data: EventDataByKind[Kind]
}

/**
 * An event, discriminated by `type`. An endpoint that receives `*` can get kinds that are newer than this package:
 * give a `switch` a `default` that ignores them.
 */
export type WebhookEvent = { readonly [Kind in EventKind]: WebhookEventOf<Kind> }[EventKind]

/** Why verification failed. */
export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'wrong_signature'
  | 'not_an_event'

const MESSAGES: Readonly<Record<WebhookRefusal, string>> = {
  missing_header: 'webhook-id, webhook-timestamp or webhook-signature is missing.',
  malformed_timestamp: 'webhook-timestamp is not a number of seconds.',
  timestamp_too_old: 'It was signed too long ago and may be a replay.',
  timestamp_too_new: 'It was signed in the future. Check your clock.',
  wrong_signature: 'No signature matches these bytes and secrets.',
  not_an_event: 'The signature is valid, but the body is not an event.',
}

/** The request cannot be trusted. Answer 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal) {
    super(MESSAGES[reason])
    this.reason = reason
  }
}

/** The headers of `fetch`, or Node’s `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookVerifierOptions {
  /** The secret of the endpoint, `whsec_…`. Pass both during a rotation. */
  readonly secret: string | readonly string[]
  /** Defaults to the system clock. */
  readonly now?: () => Date
  /** The maximum difference between the sender’s clock and yours. Defaults to five minutes. */
  readonly toleranceSeconds?: number
}

export interface WebhookVerifier {
  /**
   * Verifies a request and returns its event.
   *
   * @throws WebhookVerificationError if it cannot be trusted
   * @throws TypeError if its body was already read
   */
  verify(request: Request): Promise<WebhookEvent>
  /**
   * Verifies the raw bytes of a body with its headers.
   *
   * @throws WebhookVerificationError if they cannot be trusted
   * @throws TypeError if the body is not bytes
   */
  verify(body: Uint8Array, headers: WebhookHeaders): Promise<WebhookEvent>
}

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
/** At least 20 letters, in groups of four. The last group may be shorter, with or without padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
const encoder = new TextEncoder()

/**
 * Creates a verifier with Web Cryptography only: it runs in Node, in browsers and in workers.
 *
 * @throws TypeError if a secret is malformed
 * @see Standard Webhooks 1.0, Verifying webhook authenticity
 */
export function webhookVerifier(options: WebhookVerifierOptions): WebhookVerifier {
  const { secret, now = () => new Date(), toleranceSeconds = TOLERANCE_SECONDS } = options
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new TypeError('Pass the secret of the endpoint.')
  const keys = secrets.map(bytesOfSecret).map(importKey)

  async function verify(input: Request | Uint8Array, headers?: WebhookHeaders): Promise<WebhookEvent> {
    const { body, signature } = await readInput(input, headers)
    const { id, timestamp, signatures } = signature
    refuseUnlessRecent(timestamp, now(), toleranceSeconds)
    const signed = concat(encoder.encode(`${id}.${timestamp}.`), body)
    for (const key of await Promise.all(keys)) {
      const expected = `v1,${base64(await crypto.subtle.sign('HMAC', key, signed))}`
      // Compare all signatures, so that the time does not tell which one matched.
      const equal = signatures.map((signature) => isEqual(signature, expected))
      if (equal.includes(true)) return eventOf(body)
    }
    throw new WebhookVerificationError('wrong_signature')
  }
  return { verify }
}

interface SignatureHeaders {
  readonly id: string
  readonly timestamp: string
  readonly signatures: readonly string[]
}

async function readInput(
  input: unknown,
  headers: WebhookHeaders | undefined,
): Promise<{ readonly body: Uint8Array<ArrayBuffer>; readonly signature: SignatureHeaders }> {
  if (input instanceof Uint8Array && headers !== undefined)
    return { body: copyOf(input), signature: readSignatureHeaders(headers) }
  const isRequest = typeof Request !== 'undefined' && input instanceof Request
  if (!isRequest) {
    throw new TypeError(
      'Pass the Request, or the raw bytes of the body and the headers: a body that was parsed or read as text ' +
        'no longer has the bytes that were signed.',
    )
  }
  if (input.bodyUsed) throw new TypeError('The body of the Request was already read. Verify first, then use the event.')
  return { body: new Uint8Array(await input.arrayBuffer()), signature: readSignatureHeaders(input.headers) }
}

function readSignatureHeaders(headers: WebhookHeaders): SignatureHeaders {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('missing_header')
  return { id, timestamp, signatures: signatures.split(' ') }
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : null
}

function refuseUnlessRecent(timestamp: string, now: Date, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('malformed_timestamp')
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp)
  if (age > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_old')
  if (-age > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_new')
}

function eventOf(body: Uint8Array): WebhookEvent {
  const event = parseJson(body)
  const isEvent = typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
  if (!isEvent) throw new WebhookVerificationError('not_an_event')
  return event as WebhookEvent
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new WebhookVerificationError('not_an_event')
  }
}

function bytesOfSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  if (!BASE64.test(text)) throw new TypeError('A secret is whsec_ followed by base64, as shown when it was created.')
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

function importKey(secret: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

/** Compares in constant time. */
function isEqual(input: string, expected: string): boolean {
  let difference = input.length ^ expected.length
  for (let index = 0; index < expected.length; index += 1) {
    difference |= expected.charCodeAt(index) ^ input.charCodeAt(index % Math.max(input.length, 1))
  }
  return difference === 0
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/** A copy, so that the bytes cannot change during verification. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
