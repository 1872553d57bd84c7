import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signature header: `t=<seconds>,v1=<hex>`. */
export const SIGNATURE_HEADER = 'simulator-signature'
/** Older notifications are rejected as replays. */
const TOLERANCE_MS = 300_000

export function signNotification(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `t=${seconds},v1=${macOf(secret, seconds, Buffer.from(body)).toString('hex')}`
}

/** Whether a notification was signed with the secret, recently. */
export function isSigned(secret: string, header: unknown, body: Buffer, now: Date): boolean {
  const parts = typeof header === 'string' ? /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) : null
  if (!parts) return false
  const seconds = Number(parts[1])
  if (Math.abs(now.getTime() - seconds * 1000) > TOLERANCE_MS) return false
  return timingSafeEqual(Buffer.from(parts[2] as string, 'hex'), macOf(secret, seconds, body))
}

function macOf(secret: string, seconds: number, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
}
