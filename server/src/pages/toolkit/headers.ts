/**
 * Security headers of every page: only our stylesheet and the style of the store, no framing, no referrer, no cross-origin window
 * access.
 *
 * @param formTargets URLs that forms may redirect to; browsers apply `form-action` to redirects too
 * @param images URLs of images on the page
 * @param more the source of the style of the store, and whether the page has our script
 * @see CSP Level 3, 6.4.1.1
 */
export function pageHeaders(
  formTargets: readonly string[] = [],
  images: readonly string[] = [],
  { style = null, hasScript = false }: { readonly style?: string | null; readonly hasScript?: boolean } = {},
): Readonly<Record<string, string>> {
  const targets = ["'self'", ...new Set(formTargets.map(sourceOf))].join(' ')
  const sources = ["'self'", 'data:', ...new Set(images.map(sourceOf))].join(' ')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src ${style === null ? "'self'" : `'self' ${style}`}; img-src ${sources}; ${hasScript ? "script-src 'self'; " : ''}` +
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

/** The origin, or the scheme of an app's custom URL, such as `com.example.app:`. */
function sourceOf(address: string): string {
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
