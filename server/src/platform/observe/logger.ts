import { type DestinationStream, type Logger, pino } from 'pino'
import { presentError, redacted } from './redaction.ts'
import { traceOfLine } from './tracing.ts'

export type { Logger }

/** Where a credential or a person might stand in what we log. None of it leaves. */
const SECRETS = [
  'authorization',
  'dpop',
  'cookie',
  'x-store-access',
  'password',
  'token',
  'accessToken',
  'grant',
  'secret',
  'email',
]
/** At the top and one step inside. */
const SECRET_PATHS = SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`])

/** Structured logs, one JSON object a line, on standard error by default: standard output belongs to commands. */
export function logger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceOfLine,
      serializers: { err: presentError },
      hooks: { streamWrite: redacted },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  )
}
