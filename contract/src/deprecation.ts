/** What goes away, at least twelve months ahead. @see docs/reference/compatibility.md */
export interface Deprecation {
  /** RFC 3339. */
  readonly since: string
  /** RFC 3339. Left out as long as no end is set. */
  readonly sunset?: string
  /** The page that says what to use instead. */
  readonly link: string
}

/** The headers of every answer of a deprecated operation. @see RFC 9745 §2 and §3, RFC 8594 §3 */
export function deprecationHeaders(deprecated: Deprecation | undefined): Readonly<Record<string, string>> {
  if (!deprecated) return {}
  const { since, sunset, link } = deprecated
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset && { sunset: new Date(sunset).toUTCString() }),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  }
}
