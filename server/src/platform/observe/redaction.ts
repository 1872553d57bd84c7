/** Patterns that must not appear in a log, whatever their source: the last of three filters, after field names and errors. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Credentials in a URL: user:password.
  [/\/\/[^/\s"@]*@/g, '//[redacted]@'],
  // Bounded, like the JWT below: otherwise a long word would be scanned again from each of its characters.
  [/[^\s"'<>()[\]{},;:\\=&?/]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g, '[address]'],
  [/\b(Bearer|DPoP|Basic) [\w.+/=~-]+/g, '$1 [redacted]'],
  // Prefixed keys, tokens and codes, and webhook secrets.
  [/\b(sf[a-z]{1,3}_(?:test_|live_)?|cut_|vit_|whsec_)[0-9A-Za-z+/=_-]{20,}/g, '$1[redacted]'],
  [/\beyJ[\w-]{1,2000}\.[\w-]{1,4000}\.[\w-]*/g, '[jwt]'],
  // 32 bytes in base64url, as in cookies and links of mails.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '[token]'],
]

/** Redacts everything in a log line that looks like a credential or an email address. */
export function redacted(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
}

/**
 * Fields of an error that are logged with its name, message and stack. Others are dropped: PostgreSQL's `detail` and `where`
 * contain the row, and the response of a mail server contains the address.
 */
const LOGGED = [
  'code',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'constraint',
  'routine',
  'responseCode',
] as const

/** Serializes an error with its causes for the log. */
export function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error
  const fields = Object.fromEntries(
    LOGGED.map((name) => [name, (error as unknown as Record<string, unknown>)[name]] as const).filter(([, value]) =>
      ['string', 'number'].includes(typeof value),
    ),
  )
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...fields,
    ...(error.cause !== undefined && { cause: presentError(error.cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(presentError) }),
  }
}
