import { timingSafeEqual } from 'node:crypto'
import { mac } from '../../platform/secrets/server-secrets.ts'

/**
 * What a form carries to show that it came from a page that we gave to this very browser: a MAC of its visit cookie. A
 * stranger's page can make a browser send a form, but neither reads the cookie nor makes the MAC.
 *
 * @see OWASP, Cross-Site Request Forgery Prevention, "Signed Double-Submit Cookie"
 */
export function formTokenOf(secret: Buffer, visit: string): string {
  return mac(secret, `form\n${visit}`).toString('base64url')
}

export function isFormToken(secret: Buffer, visit: string | null, given: string | undefined): boolean {
  if (visit === null || given === undefined) return false
  const [held, expected] = [Buffer.from(given), Buffer.from(formTokenOf(secret, visit))]
  return held.length === expected.length && timingSafeEqual(held, expected)
}
