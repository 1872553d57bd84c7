/** What must not stand in a log, wherever it may have come from: the last of three nets, after names and after errors. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // What stands before the host of an address: user:password.
  [/\/\/[^/\s"@]*@/g, '//[redacted]@'],
  [/[^\s"'<>()[\]{},;:\\=&?/]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g, '[address]'],
  [/\b(Bearer|DPoP|Basic) [\w.+/=~-]+/g, '$1 [redacted]'],
  // Keys, tokens and codes with a prefix of ours, and webhook secrets.
  [/\b(sf[a-z]{1,3}_(?:test_|live_)?|cut_|whsec_)[0-9A-Za-z+/=_-]{20,}/g, '$1[redacted]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[jwt]'],
  // 32 bytes in base64url, as cookies and links in mails have them.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '[token]'],
]

/** A line of the log without what has the form of a credential or of an address of a person. */
export function redacted(line: string): string {
  return FORMS.reduce((text, [form, instead]) => text.replace(form, instead), line)
}

/**
 * What is kept of an error beside its name, message and stack. PostgreSQL's `detail` and `where` hold the row that failed,
 * and a mail server's answer the address: what is not named here stays out.
 */
const KEPT = [
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

/** An error as the log shows it, with its causes. */
export function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error
  const facts = Object.fromEntries(
    KEPT.map((name) => [name, (error as unknown as Record<string, unknown>)[name]] as const).filter(([, value]) =>
      ['string', 'number'].includes(typeof value),
    ),
  )
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...facts,
    ...(error.cause !== undefined && { cause: presentError(error.cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(presentError) }),
  }
}
