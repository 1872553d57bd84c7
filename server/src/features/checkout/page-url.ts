import { isDerived, mac, type Secret } from '../../platform/secrets/rotating-secret.ts'

/** The path of the checkout page: `/checkout/<sessionId>/<key>`. */
export const CHECKOUT_PATH = '/checkout'

/** The URL of a session's checkout page. */
export function checkoutUrl(pagesUrl: string, secret: Secret, sessionId: string): string {
  return `${pagesUrl}${CHECKOUT_PATH}/${sessionId}/${keyOf(secret, sessionId)}`
}

/** Whether the key belongs to the session. Keys are not stored: the expected one is derived and compared. */
export function isKeyOf(secret: Secret, sessionId: string, key: string): boolean {
  return isDerived(secret, Buffer.from(key), (each) => Buffer.from(keyOf(each, sessionId)))
}

function keyOf(secret: Secret, sessionId: string): string {
  return mac(secret, sessionId).toString('base64url')
}
