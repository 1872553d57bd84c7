import { timingSafeEqual } from 'node:crypto'
import { mac } from '../../platform/secrets/server-secrets.ts'

/** The path of the checkout page: `/checkout/<sessionId>/<key>`. */
export const CHECKOUT_PATH = '/checkout'

/** The URL of a session's checkout page. */
export function checkoutUrl(pagesUrl: string, secret: Buffer, sessionId: string): string {
  return `${pagesUrl}${CHECKOUT_PATH}/${sessionId}/${keyOf(secret, sessionId)}`
}

/** Whether the key belongs to the session. Keys are not stored: the expected one is derived and compared. */
export function isKeyOf(secret: Buffer, sessionId: string, key: string): boolean {
  const [given, expected] = [Buffer.from(key), Buffer.from(keyOf(secret, sessionId))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function keyOf(secret: Buffer, sessionId: string): string {
  return mac(secret, sessionId).toString('base64url')
}
