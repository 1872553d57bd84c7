import type { BlockList } from 'node:net'
import { join } from 'node:path'
import {
  ConfigError,
  hostOf,
  inUrl,
  readAddresses,
  readAll,
  readContact,
  readDatabaseUrl,
  readList,
  readMailbox,
  readOneOf,
  readPort,
  readSecret,
  readSecretFile,
  readSmtpUrl,
  readUrl,
  readWhole,
  type Variables,
} from './config-values.ts'
import type { S3Settings } from './features/media/index.ts'
import { isCurrency } from './kernel/currencies.ts'
import type { Environment } from './kernel/environment.ts'
import { isLoopback } from './kernel/loopback.ts'
import { countryOfVatId, tidyVatId } from './kernel/vat/vat-ids.ts'
import { CRASH_POINTS, type CrashPoint } from './platform/crash/crash-points.ts'
import { type AllowedTargets, readAllowedTargets } from './platform/outbound/index.ts'
import { allOff, type RateLimitPolicies, rateLimitPolicies } from './platform/rate-limit/policy.ts'
import { SEALING_KEYS_FORM, type SealingKeySettings, sealingKeysIn } from './platform/secrets/sealing-keys.ts'

export { ConfigError } from './config-values.ts'

export const ROLES = ['public', 'pages', 'operator', 'worker'] as const
export type Role = (typeof ROLES)[number]

/** The configuration, read once at the start. */
export interface Config {
  readonly host: string
  readonly ports: { readonly public: number; readonly pages: number; readonly operator: number; readonly shop: number }
  /** Public URLs, without a trailing slash. */
  readonly publicUrl: string
  readonly pagesUrl: string
  /** The URL of the example shop. */
  readonly shopUrl: string
  /** The host and URL of the operator door. */
  readonly operatorHost: string
  readonly operatorUrl: string
  /** The addresses of the proxies in front of the operator door, which set the client's address. */
  readonly operatorProxies: BlockList
  /** An identity provider with which operators can sign in, too; `null`: none. */
  readonly identityProvider: ProviderSettings | null
  /** The token for reading the metrics. `null`: not needed on loopback; elsewhere the metrics cannot be read. */
  readonly metricsToken: string | null
  readonly dataDirectory: string
  readonly media: MediaConfig
  /** `null` starts the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | null
  /** The URL for the role that owns the tables, if it is not the role of the application. */
  readonly databaseOwnerUrl: string | null
  readonly databaseReadUrl: string | null
  /** `null` leaves mails in the operator's mailbox. */
  readonly smtpUrl: string | null
  /** The sender of mails. */
  readonly mailFrom: string
  readonly logLevel: string
  readonly rateLimits: RateLimitPolicies
  /** The number of trusted proxies in front of the public and pages doors, which set the client's address. */
  readonly trustedProxies: number
  /** The source of the keys that seal the secrets in the database. */
  readonly sealing: SealingKeySettings['sealing']
  /** Hosts and ports that webhooks may call outside of the public internet and without https. */
  readonly webhookAllowedTargets: AllowedTargets
  /** The URL and shared secret of the payment simulator; `null`: not offered. */
  readonly simulator: { readonly url: string; readonly secret: string } | null
  /** How long to wait for a payment provider before the outcome is unknown. */
  readonly paymentTimeoutMs: number
  readonly bankTransfer: BankTransferConfig
  /** The registry of VAT numbers, VIES; `null`: their form and check digits are enough. */
  readonly vies: { readonly url: string; readonly requester: string | null; readonly timeoutMs: number } | null
  /** A service that can calculate the taxes of stores; `null`: tax tables are enough. */
  readonly taxService: { readonly url: string; readonly secret: string; readonly timeoutMs: number } | null
  readonly stripe: StripeConfig
  /** Payment providers in the order in which they are offered; others follow. */
  readonly paymentOrder: readonly PaymentProviderName[]
  /** The maximum of connections of this process for transactions, and for reads. */
  readonly writersMax: number
  readonly readersMax: number
  /** The maximum number of requests in flight of each door. */
  readonly requestsInFlightMax: number
  /** How long a stopping process still serves, while `/readyz` already reports it as not ready. */
  readonly stopDelayMs: number
  readonly backup: {
    readonly directory: string | null
    readonly keepDays: number
    /** The recipients that backups are encrypted for, and the file with the identity that decrypts them in a drill. */
    readonly recipients: readonly string[]
    readonly identityFile: string | null
  }
  /** The contact for reports of vulnerabilities, for security.txt; `null`: none. */
  readonly securityContact: string | null
  /** The point where the process kills itself, for crash tests; `null`: none. */
  readonly crashAt: CrashPoint | null
}

/** Whether only this machine reaches the service, as in a trial. */
export function isLocal({ host, operatorHost, publicUrl, pagesUrl }: Config): boolean {
  return [host, operatorHost, new URL(publicUrl).hostname, new URL(pagesUrl).hostname].every(isLoopback)
}

/**
 * Reads the configuration.
 *
 * @throws ConfigError with a line for each variable that is wrong, and its valid values
 */
export function readConfig(variables: Variables): Config {
  const host = variables.HOST || '127.0.0.1'
  const operatorHost = variables.OPERATOR_HOST || '127.0.0.1'
  const port = {
    public: () => readPort(variables, 'PUBLIC_PORT', 8080),
    pages: () => readPort(variables, 'PAGES_PORT', 8081),
    operator: () => readPort(variables, 'OPERATOR_PORT', 8082),
    shop: () => readPort(variables, 'SHOP_PORT', 8083),
  }
  const operatorUrl = () => readUrl(variables, 'OPERATOR_URL') ?? `http://${inUrl(operatorHost)}:${port.operator()}`
  const trustedProxies = () => readWhole(variables, 'TRUSTED_PROXIES', 0, 0, 10)
  const pagesUrl = () => readUrl(variables, 'PAGES_URL') ?? `http://${inUrl(host)}:${port.pages()}`
  return readAll<Config>({
    host: () => host,
    ports: () => readAll<Config['ports']>(port),
    publicUrl: () => readUrl(variables, 'PUBLIC_URL') ?? `http://${inUrl(host)}:${port.public()}`,
    pagesUrl,
    shopUrl: () => readUrl(variables, 'SHOP_URL') ?? `http://${inUrl(host)}:${port.shop()}`,
    operatorHost: () => operatorHost,
    operatorUrl,
    operatorProxies: () => {
      // Behind https there is a proxy, and with TRUSTED_PROXIES it is known to append to X-Forwarded-For.
      const isProxied = operatorUrl().startsWith('https:') && trustedProxies() > 0
      return readAddresses(variables, 'OPERATOR_PROXIES', isProxied ? LOOPBACK_NETWORKS : [])
    },
    identityProvider: () => readIdentityProvider(variables),
    metricsToken: () => readSecret(variables, 'METRICS_TOKEN'),
    dataDirectory: () => variables.DATA_DIR || './.data',
    media: () => readMedia(variables, pagesUrl),
    databaseUrl: () => readDatabaseUrl(variables, 'DATABASE_URL'),
    databaseOwnerUrl: () => readDatabaseUrl(variables, 'DATABASE_OWNER_URL'),
    databaseReadUrl: () => readDatabaseUrl(variables, 'DATABASE_READ_URL'),
    smtpUrl: () => readSmtpUrl(variables, 'SMTP_URL'),
    mailFrom: () => readMailbox(variables, 'MAIL_FROM') ?? `no-reply@${hostOf(pagesUrl())}`,
    logLevel: () => readOneOf(variables, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimits: () => readRateLimits(variables.RATE_LIMITS),
    trustedProxies,
    sealing: () => readSealing(variables),
    webhookAllowedTargets: () => readTargets(variables, 'WEBHOOK_ALLOWED_TARGETS'),
    simulator: () => readSimulator(variables),
    paymentTimeoutMs: () => readWhole(variables, 'PAYMENT_TIMEOUT_MS', 10_000, 50, 15_000),
    bankTransfer: () => readBankTransfer(variables),
    vies: () => readVies(variables),
    taxService: () => readTaxService(variables),
    stripe: () => readStripe(variables),
    paymentOrder: () => readPaymentOrder(variables),
    writersMax: () => readWhole(variables, 'DATABASE_WRITERS', 12, 1, 200),
    readersMax: () => readWhole(variables, 'DATABASE_READERS', 8, 1, 200),
    requestsInFlightMax: () => readWhole(variables, 'REQUESTS_IN_FLIGHT', 256, 1, 100_000),
    stopDelayMs: () => readWhole(variables, 'STOP_DELAY_MS', 0, 0, 60_000),
    backup: () => readBackup(variables),
    securityContact: () => readContact(variables, 'SECURITY_CONTACT'),
    crashAt: () => (variables.CRASH_AT ? readOneOf(variables, 'CRASH_AT', CRASH_POINTS, '') : null),
  })
}

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1']
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

function readBackup(variables: Variables): Config['backup'] {
  return readAll<Config['backup']>({
    directory: () => variables.BACKUP_DIR || null,
    keepDays: () => readWhole(variables, 'BACKUP_KEEP_DAYS', 30, 1, 3650),
    recipients: () => {
      const recipients = readList(variables, 'BACKUP_RECIPIENTS')
      const wrong = recipients.find((each) => !/^age1[0-9a-z]{58,}$/.test(each))
      if (wrong === undefined) return recipients
      throw new ConfigError(`BACKUP_RECIPIENTS must be recipients in the age format (age1…), not "${wrong}".`)
    },
    identityFile: () => variables.BACKUP_IDENTITY_FILE || null,
  })
}

/** The settings of an OpenID Connect identity provider for operators. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The label of the sign-in button. */
  readonly label: string
  /** Only these domains of email addresses; empty: all. */
  readonly emailDomains: readonly string[]
}

const LABEL_LENGTH_MAX = 60

function readIdentityProvider(variables: Variables): ProviderSettings | null {
  const issuer = variables.OIDC_ISSUER
  if (issuer === undefined || issuer === '') return null
  const { protocol, hostname } = URL.canParse(issuer) ? new URL(issuer) : { protocol: '', hostname: '' }
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw new ConfigError(`OIDC_ISSUER must be an https URL, not "${issuer}".`)
  const clientId = variables.OIDC_CLIENT_ID ?? ''
  const label = variables.OIDC_LABEL ?? ''
  const file = variables.OIDC_CLIENT_SECRET_FILE
  const clientSecret = variables.OIDC_CLIENT_SECRET || (file ? readSecretFile('OIDC_CLIENT_SECRET_FILE', file) : '')
  if (clientId === '' || clientSecret === '')
    throw new ConfigError(
      'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or OIDC_CLIENT_SECRET_FILE, must be set if OIDC_ISSUER is.',
    )
  if (label.length > LABEL_LENGTH_MAX)
    throw new ConfigError(`OIDC_LABEL must have at most ${LABEL_LENGTH_MAX} characters.`)
  const emailDomains = readList(variables, 'OIDC_EMAIL_DOMAINS').map((domain) => domain.toLowerCase())
  return { issuer, clientId, clientSecret, label: label || hostname, emailDomains }
}

function readVies(variables: Variables): Config['vies'] {
  const requester = variables.VIES_REQUESTER ? tidyVatId(variables.VIES_REQUESTER) : null
  if (requester !== null && countryOfVatId(requester) === null)
    throw new ConfigError('VIES_REQUESTER must be your own VAT number, with its prefix.')
  const url = readUrl(variables, 'VIES_URL')
  return url === null ? null : { url, requester, timeoutMs: readWhole(variables, 'VIES_TIMEOUT_MS', 3000, 50, 8000) }
}

function readTaxService(variables: Variables): Config['taxService'] {
  const url = readUrl(variables, 'TAX_SERVICE_URL')
  if (url === null) return null
  const secret = readSecret(variables, 'TAX_SERVICE_SECRET')
  if (secret === null) throw new ConfigError('TAX_SERVICE_SECRET must be set if TAX_SERVICE_URL is.')
  return { url, secret, timeoutMs: readWhole(variables, 'TAX_SERVICE_TIMEOUT_MS', 2500, 50, 8000) }
}

/** The storage and the URL of uploaded pictures. */
interface MediaConfig {
  /** The base URL of pictures: the pages door, or a CDN in front of it. */
  readonly url: string
  /** For pictures, unless they are in a bucket. */
  readonly directory: string
  /** For pictures that are being made. */
  readonly workDirectory: string
  /** `null`: the directory. */
  readonly s3: S3Settings | null
}

function readMedia(variables: Variables, pagesUrl: () => string): MediaConfig {
  const directory = join(variables.DATA_DIR || './.data', 'media')
  return readAll<MediaConfig>({
    directory: () => directory,
    workDirectory: () => join(directory, 'incoming'),
    url: () => readUrl(variables, 'MEDIA_URL') ?? pagesUrl(),
    s3: () => readS3(variables),
  })
}

function readS3(variables: Variables): S3Settings | null {
  const endpoint = readUrl(variables, 'MEDIA_ENDPOINT')
  if (endpoint === null) return null
  return readAll<S3Settings>({
    endpoint: () => endpoint,
    region: () => (variables.MEDIA_REGION ? readFormed(variables, 'MEDIA_REGION', /^[a-z0-9-]+$/) : 'us-east-1'),
    bucket: () => readFormed(variables, 'MEDIA_BUCKET', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
    keyId: () => readFormed(variables, 'MEDIA_KEY_ID', /^[\x21-\x7e]+$/),
    secret: () => {
      const file = variables.MEDIA_SECRET_FILE
      const secret = variables.MEDIA_SECRET || (file ? readSecretFile('MEDIA_SECRET_FILE', file) : '')
      if (secret === '') throw new ConfigError('MEDIA_SECRET must be set if MEDIA_ENDPOINT is.')
      return secret
    },
  })
}

function readFormed(variables: Variables, name: string, form: RegExp): string {
  const text = variables[name] ?? ''
  if (form.test(text)) return text
  throw new ConfigError(`${name} must match ${form.source} if MEDIA_ENDPOINT is set.`)
}

/** Payment by bank transfer or in cash, which an operator confirms. */
export interface BankTransferConfig {
  /** Account or instructions. `null`: not offered. */
  readonly accounts: Readonly<Record<Environment, string | null>>
  /** `null`: all. */
  readonly currencies: readonly string[] | null
  readonly days: number
  /** The time to confirm the email address. 0: no confirmation is needed. */
  readonly confirmMinutes: number
  readonly stockPercent: number
}

function readBankTransfer(variables: Variables): BankTransferConfig {
  return readAll<BankTransferConfig>({
    accounts: () => ({
      live: variables.PAYMENT_INSTRUCTIONS || null,
      test: variables.TEST_PAYMENT_INSTRUCTIONS || variables.PAYMENT_INSTRUCTIONS || null,
    }),
    currencies: () => readCurrencies(variables, 'BANK_TRANSFER_CURRENCIES'),
    days: () => readWhole(variables, 'BANK_TRANSFER_DAYS', 3, 1, 30),
    // Without an SMTP server no shopper gets the link.
    confirmMinutes: () => readWhole(variables, 'BANK_TRANSFER_CONFIRM_MINUTES', variables.SMTP_URL ? 60 : 0, 0, 1440),
    stockPercent: () => readWhole(variables, 'BANK_TRANSFER_STOCK_PERCENT', 50, 1, 100),
  })
}

/** `null`: all. */
function readCurrencies(variables: Variables, name: string): readonly string[] | null {
  const currencies = readList(variables, name)
  const unknown = currencies.find((currency) => !isCurrency(currency))
  if (unknown !== undefined) throw new ConfigError(`${name}: ${unknown} is not an ISO 4217 currency.`)
  return currencies.length > 0 ? currencies : null
}

const PAYMENT_PROVIDERS = ['stripe', 'simulator', 'manual'] as const
type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number]

function readPaymentOrder(variables: Variables): readonly PaymentProviderName[] {
  return readList(variables, 'PAYMENT_ORDER').map((name) => {
    const known = PAYMENT_PROVIDERS.find((each) => each === name)
    if (known !== undefined) return known
    throw new ConfigError(`PAYMENT_ORDER must be names of ${PAYMENT_PROVIDERS.join(', ')}, not "${name}".`)
  })
}

/** Payment by Stripe's hosted page. */
interface StripeConfig {
  /** Secret or restricted keys. `null`: not offered in the environment. */
  readonly keys: Readonly<Record<Environment, string | null>>
  /** Signing secrets of the webhook endpoints at Stripe. */
  readonly webhookSecrets: Readonly<Record<Environment, string | null>>
  readonly capture: Readonly<Record<Environment, (typeof STRIPE_CAPTURES)[number]>>
  /** `null`: all. */
  readonly currencies: readonly string[] | null
  /** `null`: all. */
  readonly storeIds: readonly string[] | null
  /** A fake of Stripe on this machine; `null`: Stripe itself. */
  readonly apiUrl: string | null
}

const STRIPE_CAPTURES = ['separate', 'automatic', 'later'] as const

function readStripe(variables: Variables): StripeConfig {
  const key = {
    live: () => readStripeSecret(variables, 'STRIPE_LIVE_KEY', /^[sr]k_live_\w+$/),
    test: () => readStripeSecret(variables, 'STRIPE_TEST_KEY', /^[sr]k_test_\w+$/),
  }
  const capture = () => readOneOf(variables, 'STRIPE_CAPTURE', STRIPE_CAPTURES, 'separate')
  return readAll<StripeConfig>({
    keys: () => readAll<StripeConfig['keys']>(key),
    webhookSecrets: () =>
      readAll<StripeConfig['webhookSecrets']>({
        live: () => readStripeSecret(variables, 'STRIPE_LIVE_WEBHOOK_SECRET', /^whsec_\w+$/),
        test: () => readStripeSecret(variables, 'STRIPE_TEST_WEBHOOK_SECRET', /^whsec_\w+$/),
      }),
    capture: () =>
      readAll<StripeConfig['capture']>({
        live: () => readOneOf(variables, 'STRIPE_LIVE_CAPTURE', STRIPE_CAPTURES, capture()),
        test: () => readOneOf(variables, 'STRIPE_TEST_CAPTURE', STRIPE_CAPTURES, capture()),
      }),
    currencies: () => readCurrencies(variables, 'STRIPE_CURRENCIES'),
    storeIds: () => {
      const ids = readList(variables, 'STRIPE_STORES')
      return ids.length > 0 ? ids : null
    },
    apiUrl: () => {
      const url = readUrl(variables, 'STRIPE_API_URL')
      if (url !== null && (key.live() !== null || !isLoopback(new URL(url).hostname)))
        throw new ConfigError('STRIPE_API_URL must be on this machine, and only with a key of the test mode.')
      return url
    },
  })
}

/** Reads a secret from the variable, or from the file that the variable with `_FILE` names. */
function readStripeSecret(variables: Variables, name: string, form: RegExp): string | null {
  const file = variables[`${name}_FILE`]
  const text = variables[name] || (file ? readSecretFile(`${name}_FILE`, file) : '')
  if (text === '') return null
  // The message must not contain the value: it is a secret.
  if (!form.test(text))
    throw new ConfigError(`${name} must match ${form.source}: test keys are for test, live keys for live.`)
  return text
}

/** WEBHOOK_SECRET_KEY is the former name of SEALING_KEY, when it sealed only webhook secrets. */
function readSealing(variables: Variables): Config['sealing'] {
  const keys = readSealingKeys(variables, 'SEALING_KEY') ?? readSealingKeys(variables, 'WEBHOOK_SECRET_KEY')
  const file = variables.SEALING_KEY_FILE || null
  const command = variables.SEALING_KEY_COMMAND || null
  if ([keys, file, command].filter((each) => each !== null).length > 1)
    throw new ConfigError('Set one of SEALING_KEY, SEALING_KEY_FILE and SEALING_KEY_COMMAND.')
  return { keys, file, command }
}

function readSealingKeys(variables: Variables, name: string): readonly Buffer[] | null {
  const text = variables[name]
  if (text === undefined || text === '') return null
  const keys = sealingKeysIn(text)
  // The message must not contain the value: it is a secret.
  if (keys === null) throw new ConfigError(`${name} ${SEALING_KEYS_FORM}`)
  return keys
}

function readTargets(variables: Variables, name: string): AllowedTargets {
  try {
    return readAllowedTargets(variables[name] ?? '')
  } catch (error) {
    throw new ConfigError(`${name}: ${(error as Error).message}.`)
  }
}

function readSimulator(variables: Variables): Config['simulator'] {
  const url = readUrl(variables, 'SIMULATOR_URL')
  if (url === null) return null
  const secret = readSecret(variables, 'SIMULATOR_SECRET')
  if (secret === null) throw new ConfigError('SIMULATOR_SECRET must be set if SIMULATOR_URL is.')
  return { url, secret }
}

function readRateLimits(text: string | undefined): RateLimitPolicies {
  if (text === 'off') return rateLimitPolicies(allOff)
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
