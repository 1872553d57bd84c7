/** The cookies of the pages door. `visit` tells a browser's forms from a stranger's; the others hold who has signed in. */
export const COOKIE_NAMES = ['visit', 'customer', 'staff'] as const
export type CookieName = (typeof COOKIE_NAMES)[number]

/** A cookie to be set, or, with an empty value, to be forgotten. It ends with the browser's session at the latest. */
export interface NewCookie {
  readonly name: CookieName
  readonly value: string
}

/**
 * The name on the wire. `__Host-` lets no other host and no plain connection set it, where we are reached by https.
 *
 * @see RFC 6265bis, 4.1.3.2
 */
function wireName(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}vitrine-${name}`
}

export function readCookie(header: string | undefined, name: CookieName, isSecure: boolean): string | null {
  const wanted = `${wireName(name, isSecure)}=`
  const held = (header ?? '').split(/;\s*/).filter((each) => each.startsWith(wanted))
  const value = held.length === 1 ? held[0]!.slice(wanted.length) : ''
  return /^[A-Za-z0-9_-]{20,200}$/.test(value) ? value : null
}

/** A Set-Cookie line: never read by scripts, never sent along from other sites but by following a link. */
export function cookieLine({ name, value }: NewCookie, isSecure: boolean): string {
  const ending = value === '' ? '; Max-Age=0' : ''
  return `${wireName(name, isSecure)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${ending}`
}
