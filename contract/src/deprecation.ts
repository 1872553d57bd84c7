/** The deprecation of an operation, announced at least twelve months before its end. @see docs/reference/compatibility.md */
export interface Deprecation {
  /** The date of deprecation, RFC 3339. */
  readonly since: string
  /** The end, RFC 3339. Absent until one is set. */
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
