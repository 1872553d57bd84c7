import { timingSafeEqual } from 'node:crypto'
import { mac } from '../../platform/secrets/server-secrets.ts'

/**
 * CSRF token: a MAC of the visit cookie. A foreign page can submit a form, but cannot read the cookie or compute the MAC.
 *
 * @see OWASP, Cross-Site Request Forgery Prevention, "Signed Double-Submit Cookie"
 */
export function formTokenOf(secret: Buffer, visit: string): string {
  return mac(secret, `form\n${visit}`).toString('base64url')
}

export function isFormToken(secret: Buffer, visit: string | null, given: string | undefined): boolean {
  if (visit === null || given === undefined) return false
  const [actual, expected] = [Buffer.from(given), Buffer.from(formTokenOf(secret, visit))]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
