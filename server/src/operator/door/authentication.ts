import { timingSafeEqual } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { isLoopback } from '../../kernel/loopback.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import { addressForLimits, clientAddress } from '../../platform/http/client-address.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import type { Operator } from './handler.ts'
import {
  findByToken,
  type IntegrationRow,
  isIntegrationToken,
  isUseStale,
  recordIntegrationUse,
  storeOf,
} from './integration-store.ts'
import { findOperatorSession, recordSessionUse } from './session-store.ts'

/** The authenticated operator, and the token of the session cookie if there is one. */
export interface Signed {
  readonly operator: Operator
  readonly token: string | null
  /** Reads the operator again; `null` if the session or the token has been ended since. */
  readonly reload: (reader: Reader) => Promise<Operator | null>
}

interface Door {
  readonly database: Database
  readonly clock: Clock
  readonly tokenHash: Buffer | null
  readonly operatorUrl: string
  readonly operatorProxies: BlockList
  readonly limiter: RateLimiter
}

/** The name in the audit log of a caller with the token of the data directory. */
const COMMAND_LINE = 'command line'
const ACCOUNT_HEADER = 'vitrine-account'
const ACCOUNT = /^[\w.@$-]{1,64}$/
const COOKIE = 'vitrine-operator'
const COOKIE_VALUE = /^[A-Za-z0-9_-]{43}$/

/**
 * Refuses requests from third-party pages: with a foreign host name (DNS rebinding), or from another origin.
 *
 * Refusals: `origin_not_allowed`.
 */
export function refuseForeignOrigin(
  { headers, method }: FastifyRequest,
  { operatorUrl }: Pick<Door, 'operatorUrl'>,
): void {
  refuseForeignHost(headers, { operatorUrl })
  const { host, origin } = headers
  if (method === 'GET' || origin === undefined) return
  if (!URL.canParse(origin) || new URL(origin).host !== host) refuse('origin_not_allowed', { reason: 'origin' })
}

/** Refuses requests with another host name, including those that need no credential. Refusals: `origin_not_allowed`. */
export function refuseForeignHost(
  { host = '' }: FastifyRequest['headers'],
  { operatorUrl }: Pick<Door, 'operatorUrl'>,
): void {
  if (!URL.canParse(`http://${host}`)) refuse('origin_not_allowed', { reason: 'host' })
  const { hostname } = new URL(`http://${host}`)
  if (!isLoopback(hostname) && hostname !== new URL(operatorUrl).hostname)
    refuse('origin_not_allowed', { reason: 'host' })
}

/** Whether a request carries the bearer token with this hash. */
export function hasToken({ headers }: FastifyRequest, hash: Buffer | null): boolean {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
  return token !== undefined && hash !== null && timingSafeEqual(hashOfToken(token), hash)
}

/**
 * Authenticates the session cookie of the console, the token of the command line or that of an integration; `null` if none is valid.
 *
 * Refusals: `rate_limited` for tokens of integrations.
 */
export async function authenticate({ headers, raw }: FastifyRequest, door: Door): Promise<Signed | null> {
  const token = /^Bearer ([A-Za-z0-9_-]{1,64})$/.exec(headers.authorization ?? '')?.[1]
  if (token !== undefined && isIntegrationToken(token)) {
    return integrationOf(token, clientAddress(raw, door.operatorProxies), door)
  }
  return authenticatePerson(headers, door)
}

async function integrationOf(token: string, address: string, door: Door): Promise<Signed | null> {
  const { database, limiter, clock } = door
  const now = clock.now()
  const row = await findByToken(database.reader, token, now)
  if (!row) {
    refuseOverLimit(await limiter.take('auth-fail', addressForLimits(address), now.getTime()))
    return null
  }
  refuseOverLimit(await limiter.take('integration', row.id, now.getTime()))
  if (isUseStale(row, now)) await database.transaction(async (tx) => recordIntegrationUse(tx, row.id, now))
  const reload = async (reader: Reader) => {
    const current = await findByToken(reader, token, now)
    return current ? operatorOf(current) : null
  }
  return { operator: operatorOf(row), token: null, reload }
}

function operatorOf(row: IntegrationRow): Operator {
  const { id, name, access, created_at: createdAt } = row
  return {
    id,
    email: name,
    role: 'read_only',
    store: storeOf(row),
    integration: { access, createdAt },
    via: 'integration',
  }
}

async function authenticatePerson(headers: FastifyRequest['headers'], door: Door): Promise<Signed | null> {
  const bearer = /^Bearer ([A-Za-z0-9_-]{43})$/.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) {
    const isOurs = door.tokenHash !== null && timingSafeEqual(hashOfToken(bearer), door.tokenHash)
    const operator: Operator = { id: null, email: commandLineOf(headers), role: 'owner', via: 'token' }
    return isOurs ? { operator, token: null, reload: async () => operator } : null
  }
  const token = readCookie(headers.cookie, cookieName(COOKIE, door.operatorUrl))
  if (token === null || !COOKIE_VALUE.test(token)) return null
  const now = door.clock.now()
  const found = await findOperatorSession(door.database.reader, token, now)
  if (!found) return null
  if (found.isStale) await door.database.transaction(async (tx) => recordSessionUse(tx, token, now))
  const operatorIn = ({ isStale: _, ...operator }: typeof found): Operator => ({ ...operator, via: 'session' })
  const reload = async (reader: Reader) => {
    const current = await findOperatorSession(reader, token, now)
    return current ? operatorIn(current) : null
  }
  return { operator: operatorIn(found), token, reload }
}

/** The name of the command line with the operating system account that the request claims, unverified. */
function commandLineOf(headers: FastifyRequest['headers']): string {
  const account = headers[ACCOUNT_HEADER]
  return typeof account === 'string' && ACCOUNT.test(account) ? `${COMMAND_LINE} (${account})` : COMMAND_LINE
}

export function cookieName(name: string, operatorUrl: string): string {
  return operatorUrl.startsWith('https:') ? `__Host-${name}` : name
}

/** The value of a cookie; `null` if there is none, or several. */
export function readCookie(header: string | undefined, name: string): string | null {
  const prefix = `${name}=`
  const [value, ...others] = (header ?? '')
    .split(/;\s*/)
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length))
  return value !== undefined && others.length === 0 ? value : null
}

/** The cookie of a session. An empty token clears it. */
export function sessionCookie(token: string, operatorUrl: string): string {
  return setCookie(COOKIE, token, operatorUrl, token === '' ? '; Max-Age=0' : '')
}

/** Not readable by scripts and not sent from other sites. @see RFC 6265bis §5.7 */
export function setCookie(name: string, value: string, operatorUrl: string, lifetime: string): string {
  const ending = `${lifetime}${operatorUrl.startsWith('https:') ? '; Secure' : ''}`
  return `${cookieName(name, operatorUrl)}=${value}; Path=/; HttpOnly; SameSite=Strict${ending}`
}
