import { type DestinationStream, type Logger, pino } from 'pino'
import { presentError, redacted } from './redaction.ts'
import { currentTrace } from './tracing.ts'

export type { Logger }

/** Fields that may hold credentials or personal data. They are redacted. */
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
/** The paths of these fields at the top level and one level below. */
const SECRET_PATHS = SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`])

/** Structured logs, one JSON object a line, on standard error by default: standard output belongs to commands. */
export function logger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: currentTrace,
      serializers: { err: presentError },
      hooks: { streamWrite: redacted },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  )
}
