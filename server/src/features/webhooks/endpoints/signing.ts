import { createHmac, createSecretKey } from 'node:crypto'

/** The signed content: the event id, the time of sending, and the exact bytes of the body. */
export interface Message {
  readonly id: string
  readonly sentAt: Date
  readonly body: Uint8Array
}

/** The headers of Standard Webhooks. */
export interface SignatureHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/**
 * Signs a message with each secret, the current one first.
 *
 * @param secrets decoded, without `whsec_`; several during a rotation
 * @see Standard Webhooks 1.0, Signature scheme: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`
 */
export function signatureHeaders(message: Message, secrets: readonly Uint8Array[]): SignatureHeaders {
  const signed = signedBytes(message)
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', createSecretKey(secret)).update(signed).digest('base64')}`,
  )
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestampOf(message),
    'webhook-signature': signatures.join(' '),
  }
}

export function signedBytes(message: Message): Buffer {
  return Buffer.concat([Buffer.from(`${message.id}.${timestampOf(message)}.`), message.body])
}

/** Unix time in seconds. */
function timestampOf({ sentAt }: Message): string {
  return String(Math.floor(sentAt.getTime() / 1000))
}
