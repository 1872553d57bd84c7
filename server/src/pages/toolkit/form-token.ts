import { isDerived, mac, type Secret } from '../../platform/secrets/rotating-secret.ts'

/**
 * CSRF token: a MAC of the visit cookie. A foreign page can submit a form, but cannot read the cookie or compute the MAC.
 *
 * @see OWASP, Cross-Site Request Forgery Prevention, "Signed Double-Submit Cookie"
 */
export function formTokenOf(secret: Secret, visit: string): string {
  return mac(secret, `form\n${visit}`).toString('base64url')
}

export function isFormToken(secret: Secret, visit: string | null, given: string | undefined): boolean {
  if (visit === null || given === undefined) return false
  return isDerived(secret, Buffer.from(given), (each) => Buffer.from(formTokenOf(each, visit)))
}
