import type { EventDataOf, EventKind } from '@vitrine/contract'

/** What an event of one kind looks like to a receiver. */
export interface WebhookEventOf<Kind extends EventKind> {
  /** The same on each retry and replay: whoever remembers it handles an event once. */
  readonly id: string
  readonly type: Kind
  readonly timestamp: string
  readonly apiVersion: 'v1'
  readonly environment: 'test' | 'live'
  /** Grows by one with each event of the same object. A gap: one that is still to come, or that was not asked for. */
  readonly sequence: number
  readonly data: EventDataOf<Kind>
}

/**
 * An event, told apart by its `type`. Who listens to `*` may meet kinds that are newer than this package: end a `switch` with a
 * `default` that ignores them.
 */
export type WebhookEvent = { readonly [Kind in EventKind]: WebhookEventOf<Kind> }[EventKind]

/** Why a request is not one of ours, in a word. */
export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'wrong_signature'
  | 'not_an_event'

const SENTENCES: Readonly<Record<WebhookRefusal, string>> = {
  missing_header: 'It lacks webhook-id, webhook-timestamp or webhook-signature.',
  malformed_timestamp: 'Its webhook-timestamp is no number of seconds.',
  timestamp_too_old: 'It was signed too long ago: it may be an old one, sent again by somebody else.',
  timestamp_too_new: 'It was signed in the future: look at your clock.',
  wrong_signature: 'None of its signatures is by one of the secrets, over these bytes.',
  not_an_event: 'It is signed, but it is no event.',
}

/** The request is not to be believed. Answer 400, and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal) {
    super(SENTENCES[reason])
    this.reason = reason
  }
}

/** Headers as `fetch` has them, or as Node’s `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookVerifierOptions {
  /** The endpoint’s secret, `whsec_…`; both while one is rotated. */
  readonly secret: string | readonly string[]
  /** What time it is; the system’s by default. */
  readonly now?: () => Date
  /** How far the sender’s clock may be from ours; five minutes by default. */
  readonly toleranceSeconds?: number
}

export interface WebhookVerifier {
  /**
   * Verifies a request and gives its event.
   *
   * @throws WebhookVerificationError where it is not to be believed
   * @throws TypeError where its body was read before: what somebody has parsed are other bytes
   */
  verify(request: Request): Promise<WebhookEvent>
  /**
   * Verifies the bytes of a body, exactly as they came, with the headers beside them.
   *
   * @throws WebhookVerificationError where they are not to be believed
   * @throws TypeError where it is given anything but bytes
   */
  verify(body: Uint8Array, headers: WebhookHeaders): Promise<WebhookEvent>
}

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const encoder = new TextEncoder()

/**
 * Verifies what a webhook endpoint receives, with Web Cryptography alone: it runs in Node, in browsers and in workers.
 *
 * @throws TypeError where a secret is none
 * @see Standard Webhooks 1.0, Verifying webhook authenticity
 */
export function webhookVerifier(options: WebhookVerifierOptions): WebhookVerifier {
  const { secret, now = () => new Date(), toleranceSeconds = TOLERANCE_SECONDS } = options
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw new TypeError('Give the secret of the endpoint.')
  const keys = secrets.map(bytesOfSecret).map(importKey)

  async function verify(given: Request | Uint8Array, headers?: WebhookHeaders): Promise<WebhookEvent> {
    const { body, said } = await readGiven(given, headers)
    const { id, timestamp, signatures } = said
    refuseUnlessRecent(timestamp, now(), toleranceSeconds)
    const signed = joined(encoder.encode(`${id}.${timestamp}.`), body)
    for (const key of await Promise.all(keys)) {
      const expected = `v1,${base64(await crypto.subtle.sign('HMAC', key, signed))}`
      // Each is compared, so that how long it takes says nothing of which one was right.
      const equal = signatures.map((signature) => isEqual(signature, expected))
      if (equal.includes(true)) return eventOf(body)
    }
    throw new WebhookVerificationError('wrong_signature')
  }
  return { verify }
}

interface Said {
  readonly id: string
  readonly timestamp: string
  readonly signatures: readonly string[]
}

async function readGiven(
  given: unknown,
  headers: WebhookHeaders | undefined,
): Promise<{ readonly body: Uint8Array<ArrayBuffer>; readonly said: Said }> {
  if (given instanceof Uint8Array && headers !== undefined) return { body: copied(given), said: saidIn(headers) }
  const isRequest = typeof Request !== 'undefined' && given instanceof Request
  if (!isRequest) {
    throw new TypeError(
      'Give the bytes of the body as they came and the headers, or the Request: a body that was parsed, or read as text, ' +
        'has other bytes than those that were signed.',
    )
  }
  if (given.bodyUsed) throw new TypeError('The body of the Request was read before: verify first, then use the event.')
  return { body: new Uint8Array(await given.arrayBuffer()), said: saidIn(given.headers) }
}

function saidIn(headers: WebhookHeaders): Said {
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
  const event = parsed(body)
  const isEvent = typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
  if (!isEvent) throw new WebhookVerificationError('not_an_event')
  return event as WebhookEvent
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new WebhookVerificationError('not_an_event')
  }
}

function bytesOfSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  if (!/^[A-Za-z0-9+/]{20,}={0,2}$/.test(text))
    throw new TypeError('A secret is whsec_ and base64, as it was shown once.')
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

function importKey(secret: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

/** Compares letter by letter to the end: how long it takes says nothing of where they differ. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index += 1) {
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index % Math.max(given.length, 1))
  }
  return difference === 0
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/** A copy that nobody else can change while it is being verified. */
function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
