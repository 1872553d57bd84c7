import { CRASH_POINTS, type CrashPoint } from './platform/crash/crash-points.ts'
import { type AllowedTargets, readAllowedTargets } from './platform/outbound/index.ts'
import { type RateLimitPolicies, rateLimitPolicies } from './platform/rate-limit/policy.ts'
import { SEALING_KEYS_FORM, sealingKeysIn } from './platform/secrets/sealing-keys.ts'

export const ROLES = ['public', 'pages', 'operator', 'worker'] as const
export type Role = (typeof ROLES)[number]

/** What an operator sets, read once at the start. */
export interface Config {
  readonly host: string
  readonly ports: { readonly public: number; readonly pages: number; readonly operator: number; readonly shop: number }
  /** Addresses as the world sees them, without a trailing slash. */
  readonly publicUrl: string
  readonly pagesUrl: string
  /** Where the operator door listens, and how it is called. */
  readonly operatorHost: string
  readonly operatorUrl: string
  readonly dataDirectory: string
  /** `null` starts the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | null
  readonly databaseReadUrl: string | null
  /** `null` leaves mails in the operator's mailbox. */
  readonly smtpUrl: string | null
  /** Who mails come from. */
  readonly mailFrom: string
  readonly logLevel: string
  /** `null` turns limits off. */
  readonly rateLimits: RateLimitPolicies | null
  /** How many proxies in front of us are believed about the client's address. */
  readonly trustedProxies: number
  /** What the secrets of webhooks are sealed with, the newest first; `null`: the key in the data directory. */
  readonly webhookSecretKeys: readonly Buffer[] | null
  /** Hosts and ports that webhooks may call though they are not of the public internet, and without https. */
  readonly webhookAllowedTargets: AllowedTargets
  /** Where the payment simulator is, and what it shares with us; `null`: it is not offered. */
  readonly simulator: { readonly url: string; readonly secret: string } | null
  /** How long a payment provider may take to answer before the outcome is unknown. */
  readonly paymentTimeoutMs: number
  /** What is said to who pays by transfer or in cash; `null` leaves it to the page. */
  readonly paymentInstructions: string | null
  /** Connections of this process for transactions, and for reads. */
  readonly writersMax: number
  readonly readersMax: number
  /** Where the process kills itself, to try out what becomes of what it was doing; `null`: nowhere. */
  readonly crashAt: CrashPoint | null
}

/** A setting that cannot be used: a sentence for the operator, naming the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration.
 *
 * @throws ConfigError naming the variable and what it should be
 */
export function readConfig(environment: Environment): Config {
  const host = environment.HOST || '127.0.0.1'
  const operatorHost = environment.OPERATOR_HOST || '127.0.0.1'
  const ports = {
    public: readPort(environment, 'PUBLIC_PORT', 8080),
    pages: readPort(environment, 'PAGES_PORT', 8081),
    operator: readPort(environment, 'OPERATOR_PORT', 8082),
    shop: readPort(environment, 'SHOP_PORT', 8083),
  }
  const pagesUrl = readUrl(environment, 'PAGES_URL') ?? `http://${inUrl(host)}:${ports.pages}`
  return {
    host,
    ports,
    publicUrl: readUrl(environment, 'PUBLIC_URL') ?? `http://${inUrl(host)}:${ports.public}`,
    pagesUrl,
    operatorHost,
    operatorUrl: readUrl(environment, 'OPERATOR_URL') ?? `http://${inUrl(operatorHost)}:${ports.operator}`,
    dataDirectory: environment.DATA_DIR || './.data',
    databaseUrl: environment.DATABASE_URL || null,
    databaseReadUrl: environment.DATABASE_READ_URL || null,
    smtpUrl: readSmtpUrl(environment, 'SMTP_URL'),
    mailFrom: readMailbox(environment, 'MAIL_FROM') ?? `no-reply@${hostOf(pagesUrl)}`,
    logLevel: readOneOf(
      environment,
      'LOG_LEVEL',
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'info',
    ),
    rateLimits: readRateLimits(environment.RATE_LIMITS),
    trustedProxies: readWhole(environment, 'TRUSTED_PROXIES', 0, 0, 10),
    webhookSecretKeys: readSealingKeys(environment, 'WEBHOOK_SECRET_KEY'),
    webhookAllowedTargets: readTargets(environment, 'WEBHOOK_ALLOWED_TARGETS'),
    simulator: readSimulator(environment),
    paymentTimeoutMs: readWhole(environment, 'PAYMENT_TIMEOUT_MS', 10_000, 50, 15_000),
    paymentInstructions: environment.PAYMENT_INSTRUCTIONS || null,
    writersMax: readWhole(environment, 'DATABASE_WRITERS', 12, 1, 200),
    readersMax: readWhole(environment, 'DATABASE_READERS', 8, 1, 200),
    crashAt: environment.CRASH_AT ? readOneOf(environment, 'CRASH_AT', CRASH_POINTS, '') : null,
  }
}

function readSealingKeys(environment: Environment, name: string): readonly Buffer[] | null {
  const text = environment[name]
  if (text === undefined || text === '') return null
  const keys = sealingKeysIn(text)
  // Not told back: it is a secret.
  if (keys === null) throw new ConfigError(`${name} ${SEALING_KEYS_FORM}`)
  return keys
}

function readTargets(environment: Environment, name: string): AllowedTargets {
  try {
    return readAllowedTargets(environment[name] ?? '')
  } catch (error) {
    throw new ConfigError(`${name}: ${(error as Error).message}.`)
  }
}

function readSimulator(environment: Environment): Config['simulator'] {
  const url = readUrl(environment, 'SIMULATOR_URL')
  if (url === null) return null
  const secret = environment.SIMULATOR_SECRET ?? ''
  // Not told back: it is a secret.
  if (secret.length < 16)
    throw new ConfigError('SIMULATOR_SECRET must have 16 characters or more, as SIMULATOR_URL is set.')
  return { url, secret }
}

function inUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function readWhole(environment: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = environment[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
}

function readPort(environment: Environment, name: string, fallback: number): number {
  return readWhole(environment, name, fallback, 0, 65_535)
}

function readUrl(environment: Environment, name: string): string | null {
  const text = environment[name]
  if (text === undefined || text === '') return null
  const usable = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!usable) throw new ConfigError(`${name} must be an http or https address, not "${text}".`)
  return text.replace(/\/+$/, '')
}

function readSmtpUrl(environment: Environment, name: string): string | null {
  const text = environment[name]
  if (text === undefined || text === '') return null
  const usable = URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ''
  // Not told back: a password may stand in it.
  if (!usable) throw new ConfigError(`${name} must be an address such as smtp://user:password@mail.example:587.`)
  return text
}

function readMailbox(environment: Environment, name: string): string | null {
  const text = environment[name]
  if (text === undefined || text === '') return null
  if (/^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]+<[^\s@<>]+@[^\s@<>]+>$/.test(text)) return text
  throw new ConfigError(`${name} must be such as "Shop <shop@example.com>", not "${text}".`)
}

/** A host as it stands behind the @ of an address: a literal one needs brackets. */
function hostOf(url: string): string {
  const { hostname } = new URL(url)
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname
}

function readOneOf<const Value extends string>(
  environment: Environment,
  name: string,
  values: readonly Value[],
  fallback: string,
): Value {
  const text = environment[name] || fallback
  const value = values.find((each) => each === text)
  if (value !== undefined) return value
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}".`)
}

function readRateLimits(text: string | undefined): RateLimitPolicies | null {
  if (text === 'off') return null
  if (text === undefined || text === '') return rateLimitPolicies()
  let overrides: unknown
  try {
    overrides = JSON.parse(text)
  } catch {
    throw new ConfigError('RATE_LIMITS must be "off" or JSON such as {"public-read":{"limit":600}}.')
  }
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw new ConfigError('RATE_LIMITS must be an object of policies by name.')
  }
  try {
    return rateLimitPolicies(overrides as Record<string, unknown>)
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}
