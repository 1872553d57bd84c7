import { timingSafeEqual } from 'node:crypto'
import { mac } from '../../platform/secrets/server-secrets.ts'

/** The path of the page of a session, below the pages door: `/checkout/<sessionId>/<key>`. */
export const CHECKOUT_PATH = '/checkout'

/** Where the shopper pays. */
export function checkoutUrl(pagesUrl: string, secret: Buffer, sessionId: string): string {
  return `${pagesUrl}${CHECKOUT_PATH}/${sessionId}/${keyOf(secret, sessionId)}`
}

/** Whether it is the key that we gave for this session. Nothing is stored: it is made again and compared. */
export function isKeyOf(secret: Buffer, sessionId: string, key: string): boolean {
  const [given, known] = [Buffer.from(key), Buffer.from(keyOf(secret, sessionId))]
  return given.length === known.length && timingSafeEqual(given, known)
}

function keyOf(secret: Buffer, sessionId: string): string {
  return mac(secret, sessionId).toString('base64url')
}
