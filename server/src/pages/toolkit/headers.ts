/**
 * The headers of each page. Nothing is loaded but our style, nothing is framed, no address leaks by a referrer, and no
 * other window keeps a hand on ours.
 *
 * @param formTargets addresses that a form's answer may lead to, since browsers hold redirects to `form-action` as well
 * @param images addresses of pictures that are shown
 * @see CSP Level 3, 6.4.1.1
 */
export function pageHeaders(
  formTargets: readonly string[] = [],
  images: readonly string[] = [],
): Readonly<Record<string, string>> {
  const targets = ["'self'", ...new Set(formTargets.map(sourceOf))].join(' ')
  const pictures = ["'self'", 'data:', ...new Set(images.map(sourceOf))].join(' ')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'self'; img-src ${pictures}; ` +
      `form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'cache-control': 'private, no-store',
  }
}

/** An origin, or the scheme alone of an application's own address, such as `com.example.app:`. */
function sourceOf(address: string): string {
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
