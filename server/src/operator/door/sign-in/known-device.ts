import { comparableEmail } from '../../../kernel/email.ts'
import type { Randomness } from '../../../kernel/randomness.ts'
import { currentOf, isDerived, mac, type Secret } from '../../../platform/secrets/rotating-secret.ts'
import { cookieName, readCookie, setCookie } from '../authentication.ts'

/*
 * A browser that an operator has signed in with has a limit of its own for their password, so that strangers who guess it cannot lock
 * the operator out.
 *
 * @see OWASP, Slow Down Online Guessing Attacks with Device Cookies
 */

const COOKIE = 'vitrine-operator-device'
const VALUE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/
const NONCE_BYTES = 16
const LIFETIME = '; Max-Age=31536000'

interface Door {
  readonly operatorUrl: string
  readonly cursorSecret: Secret
  readonly randomness: Randomness
}

/** The key of the limit of a browser; `null` if the operator with this address has not signed in with it. */
export function knownDevice(
  cookies: string | undefined,
  email: string,
  { operatorUrl, cursorSecret }: Door,
): string | null {
  const value = readCookie(cookies, cookieName(COOKIE, operatorUrl))
  const [, nonce, proof] = VALUE.exec(value ?? '') ?? []
  if (nonce === undefined || proof === undefined) return null
  const isOurs = isDerived(cursorSecret, Buffer.from(proof, 'base64url'), (secret) => proofOf(secret, nonce, email))
  return isOurs ? `operator device ${nonce}` : null
}

/** The cookie of a browser that an operator has just signed in with. */
export function deviceCookie(email: string, { operatorUrl, cursorSecret, randomness }: Door): string {
  const nonce = randomness.bytes(NONCE_BYTES).toString('base64url')
  const proof = proofOf(currentOf(cursorSecret), nonce, email).toString('base64url')
  return setCookie(COOKIE, `${nonce}.${proof}`, operatorUrl, LIFETIME)
}

function proofOf(secret: Buffer, nonce: string, email: string): Buffer {
  return mac(secret, `operator device ${nonce} ${comparableEmail(email)}`)
}
