/**
 * Cookies of the pages door. `visit` protects forms against CSRF, `login` is the hosted login that a registration began in; the
 * others are sign-in sessions.
 */
export const COOKIE_NAMES = ['visit', 'login', 'customer', 'staff'] as const
export type CookieName = (typeof COOKIE_NAMES)[number]

/** A session cookie to set; an empty value deletes it. */
export interface NewCookie {
  readonly name: CookieName
  readonly value: string
}

/** The cookie's name. With https it has the `__Host-` prefix. @see RFC 6265bis, 4.1.3.2 */
function wireName(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}vitrine-${name}`
}

export function readCookie(header: string | undefined, name: CookieName, isSecure: boolean): string | null {
  const wanted = `${wireName(name, isSecure)}=`
  const found = (header ?? '').split(/;\s*/).filter((each) => each.startsWith(wanted))
  const value = found.length === 1 ? found[0]!.slice(wanted.length) : ''
  return /^[A-Za-z0-9_-]{20,200}$/.test(value) ? value : null
}

/** A Set-Cookie value: HttpOnly, SameSite=Lax. */
export function cookieLine({ name, value }: NewCookie, isSecure: boolean): string {
  const ending = value === '' ? '; Max-Age=0' : ''
  return `${wireName(name, isSecure)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${ending}`
}
