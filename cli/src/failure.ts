/** The command was used incorrectly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed for a reason that its user can fix: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command failed and has already reported why: exit code 1. */
export class AlreadyReported extends Error {
  override readonly name = 'AlreadyReported'
}

/** Errors whose message was written for the user. Known by name, since their modules load slowly. */
const SENTENCES = new Set([
  'UsageError',
  'CommandError',
  'BackupError',
  'ConfigError',
  'OperatorRefusal',
  'SealingKeyError',
  'UnreadableAnswer',
])

/** Errors of a transaction or a read: the reason is in their cause. */
const OF_POSTGRESQL = new Set(['RolledBack', 'Unreachable'])

/** Errors of incorrect use. */
const MISUSES = new Set(['UsageError', 'ConfigError'])

interface SystemError extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly path?: string
  readonly hostname?: string
  readonly address?: string
  readonly port?: number
}

/** The codes of a connection that ended before the whole answer. */
export const BROKEN_CONNECTION = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT']
const BROKEN_SENTENCE = 'The connection broke before the answer was complete: run the command again.'

const LOST_SENTENCE = 'PostgreSQL ended the connection: check that it is running, then run the command again.'
/** The driver's messages, which have no code, for a query on a connection that PostgreSQL has ended. */
const LOST_MESSAGE =
  /^Connection terminated|^Client has encountered a connection error|^Postgres connection has been discarded/

/** System errors, as sentences that say what to do. */
const SYSTEM: Readonly<Record<string, (error: SystemError) => string>> = {
  // Of a folder with its parents, Node reports a read-only file system as a missing one.
  ENOENT: ({ path, syscall }) =>
    syscall === 'mkdir' ? `The folder ${path} cannot be created.` : `There is no file ${path}.`,
  EACCES: ({ path, port }) =>
    port === undefined
      ? `This user has no permission for ${path}.`
      : `This user may not open port ${port}: choose one above 1023.`,
  EISDIR: ({ path }) => `${path ?? 'The path'} is a folder, not a file.`,
  ENOTDIR: ({ path }) => `A part of the path ${path} is a file, not a folder.`,
  EEXIST: ({ path, syscall }) =>
    syscall === 'mkdir' ? `${path} is a file, not a folder.` : `${path} already exists and is not overwritten.`,
  ENAMETOOLONG: () => 'The name of a file or folder is too long.',
  ENOSPC: () => 'The disk is full.',
  EROFS: ({ path }) => `${path ?? 'The path'} is on a read-only file system.`,
  EADDRINUSE: ({ address, port }) =>
    `${address}:${port} is taken, perhaps by another Vitrine process: stop it, or set another port (PUBLIC_PORT, PAGES_PORT, OPERATOR_PORT, or --port).`,
  ECONNREFUSED: (error) => `The server cannot be reached (${messageOf(error)}): check that it is running.`,
  // Of a read from Vitrine: `operatorClient` explains a lost write.
  ...Object.fromEntries(BROKEN_CONNECTION.map((code) => [code, () => BROKEN_SENTENCE])),
  EADDRNOTAVAIL: ({ address }) => `${address} is not an address of this machine: check HOST and OPERATOR_HOST.`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  // PostgreSQL: too_many_connections
  53300: () => 'PostgreSQL has no free connection: close some, or raise its max_connections.',
  // admin_shutdown and crash_shutdown, then cannot_connect_now
  '57P01': () => LOST_SENTENCE,
  '57P02': () => LOST_SENTENCE,
  '57P03': () => 'PostgreSQL is starting or stopping: run the command again when it is running.',
}

function unknownHost({ hostname }: SystemError): string {
  return `The host name ${hostname} cannot be resolved: check it and the DNS of this machine.`
}

/**
 * States of PostgreSQL, not faults of a query: read_only_sql_transaction, insufficient_privilege, and the classes of
 * authorization, insufficient resources, operator intervention and system errors.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const STATE_OF_POSTGRESQL = /^(25006|42501|(28|53|57|58)\w{3})$/

/** An error as a message for the user, or `null` if the user cannot fix it. */
export function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (SENTENCES.has(error.name)) return error.message
  if (OF_POSTGRESQL.has(error.name)) {
    const { code = '' } = (error.cause ?? {}) as SystemError
    if (BROKEN_CONNECTION.includes(code)) return LOST_SENTENCE
    // The server of that sentence is Vitrine's.
    return code === 'ECONNREFUSED' ? `${messagesOf(error)}.` : sentenceOf(error.cause)
  }
  const { code = '' } = error as SystemError
  if (SYSTEM[code]) return SYSTEM[code](error)
  if (STATE_OF_POSTGRESQL.test(code)) return `PostgreSQL refuses this: ${error.message}.`
  return LOST_MESSAGE.test(error.message) ? LOST_SENTENCE : null
}

/** Whether PostgreSQL, or the network, ended a connection in use. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as SystemError
  const isLost = BROKEN_CONNECTION.includes(code) || SYSTEM[code]?.(error) === LOST_SENTENCE
  return isLost || LOST_MESSAGE.test(error.message) || isLostConnection(error.cause)
}

export function isMisuse(error: unknown): boolean {
  return error instanceof Error && MISUSES.has(error.name)
}

/** The message of an error, or of each failed attempt, as for a host with two addresses. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** The message of an error, followed by those of its causes. */
export function messagesOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messagesOf(cause)}`
}
