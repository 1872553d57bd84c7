/** The command was called in a wrong way: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed for a reason that its user can fix: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command failed, and has written what is wrong itself: exit code 1. */
export class AlreadyReported extends Error {
  override readonly name = 'AlreadyReported'
}

/** Errors whose message was written for the user. Known by name, since their modules load slowly. */
const SENTENCES = new Set([
  'UsageError',
  'CommandError',
  'ConfigError',
  'OperatorRefusal',
  'SealingKeyError',
  'UnreadableAnswer',
])

/** Errors of a transaction or a read, whose cause says what is wrong. */
const OF_POSTGRESQL = new Set(['RolledBack', 'Unreachable'])

/** Errors for which the call itself is wrong. */
const MISUSES = new Set(['UsageError', 'ConfigError'])

interface SystemError extends Error {
  readonly code?: string
  readonly path?: string
  readonly address?: string
  readonly port?: number
}

/** System errors, as sentences that say what to do. */
const SYSTEM: Readonly<Record<string, (error: SystemError) => string>> = {
  ENOENT: ({ path }) => `There is no file ${path}.`,
  EACCES: ({ path, port }) =>
    port === undefined
      ? `This user may not use ${path}.`
      : `This user may not open port ${port}: choose one above 1023.`,
  EISDIR: ({ path }) => `${path ?? 'What should be a file'} is a folder.`,
  ENOTDIR: ({ path }) => `${path} goes through a file that should be a folder.`,
  EEXIST: ({ path }) => `${path} is there already, and is not written over.`,
  ENOSPC: () => 'The disk is full.',
  EADDRINUSE: ({ address, port }) =>
    `${address}:${port} is taken, perhaps by a Vitrine that runs: stop it, or set another port (PUBLIC_PORT, PAGES_PORT, OPERATOR_PORT).`,
  EADDRNOTAVAIL: ({ address }) => `${address} is no address of this machine: set HOST to one.`,
  // PostgreSQL's own: too_many_connections
  53300: () => 'PostgreSQL has no free connection: stop what uses it, or raise its max_connections.',
}

/** A failure as a sentence for its user, or `null` if only we can fix it. */
export function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (SENTENCES.has(error.name)) return error.message
  if (OF_POSTGRESQL.has(error.name)) return sentenceOf(error.cause)
  const { code = '' } = error as SystemError
  return SYSTEM[code]?.(error) ?? null
}

export function isMisuse(error: unknown): boolean {
  return error instanceof Error && MISUSES.has(error.name)
}

/** The message of an error; of each attempt where there were several, as with two addresses of one host. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
