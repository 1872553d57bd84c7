import { createHmac, createSecretKey } from 'node:crypto'

/** What is signed: the event's id, when it is sent, and the very bytes of its body. */
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
 * The headers that let a receiver tell that a message is ours: one signature for each secret, the current one first.
 *
 * @param secrets the bytes of the secrets, without `whsec_` and base64; one, or more while a secret is being rotated
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

/** The bytes that a signature is of. */
export function signedBytes(message: Message): Buffer {
  return Buffer.concat([Buffer.from(`${message.id}.${timestampOf(message)}.`), message.body])
}

/** Whole seconds since 1970. */
function timestampOf({ sentAt }: Message): string {
  return String(Math.floor(sentAt.getTime() / 1000))
}
