import type { Operation, Scope } from '@vitrine/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../kernel/assert.ts'
import type { CanonicalValue } from '../../kernel/canonical-json.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { StoredCredential } from '../auth/authenticate.ts'
import type { CredentialCache } from '../auth/credential-cache.ts'
import type { DpopVerifier, VerifiedProof } from '../auth/dpop.ts'
import type { DpopNonces } from '../auth/nonce.ts'
import type { Database } from '../postgres/index.ts'
import type { OpenTransaction, Reader } from '../postgres/reader.ts'
import type { RateLimiter, RateLimitStatus } from '../rate-limit/rate-limiter.ts'
import type { Revisions } from '../revisions/revisions.ts'
import { readAcceptLanguage } from './accept-language.ts'
import { clientAddress } from './client-address.ts'
import type { PreparationContext, Principal, RequestFacts } from './handler.ts'
import type { parserOf } from './parse.ts'
import type { ResponseCache } from './response-cache.ts'

/** What the steps stand on. */
export interface PipelineDeps {
  readonly database: Database
  /** Where public reads are read: the replica while it knows all that this process knows, else the primary. */
  readonly publicReader: () => Promise<Reader>
  readonly clock: Clock
  readonly ids: IdSource
  readonly limiter: RateLimiter
  readonly revisions: Revisions
  readonly responseCache: ResponseCache
  readonly verifyProof: DpopVerifier
  readonly nonces: DpopNonces
  /** The configured public address, without a trailing slash. */
  readonly publicUrl: string
  readonly trustedProxies: number
  readonly credentials: CredentialCache
  /** Notes the use of a credential, off the request. */
  readonly recordUse: (credential: StoredCredential, now: Date) => void
}

/** The body came as JSON, and its numbers are integers: each schema says so. */
export type AnyInput = { params: Record<string, string>; query: Record<string, unknown>; body: CanonicalValue }
export type AnyHandler = ((input: AnyInput, context: RequestFacts & Record<string, unknown>) => Promise<unknown>) & {
  readonly prepare?: (input: AnyInput, context: PreparationContext) => Promise<unknown>
  readonly committed?: () => void
}

/** A row with what was made of it once: its parser, its check of answers, its steps. */
export interface Route {
  readonly operationId: string
  readonly row: Operation
  readonly handler: AnyHandler
  readonly kind: Kind
  readonly parse: ReturnType<typeof parserOf>
  readonly passesAnswer: (answer: { data: unknown; meta?: unknown }) => string | null
  readonly scopes: readonly Scope[]
}

/** One request on its way through the steps. Each step fills in what the next ones stand on. */
export interface RequestContext {
  readonly deps: PipelineDeps
  readonly route: Route
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly requestId: string
  readonly now: Date
  readonly address: string
  /** What a write goes by until its transaction has looked. */
  cachedCredential: CachedCredential | null
  principal: Principal | null
  origins: readonly string[]
  proof: VerifiedProof | null
  input: AnyInput | null
  prepared: unknown
  tx: OpenTransaction | null
  answer: Buffer | null
  rateLimit: RateLimitStatus | null
}

/** A credential as this process saw it last. */
export interface CachedCredential {
  readonly token: string
  readonly credential: StoredCredential
  /** Whether the transaction of the write has seen the same. */
  isCurrent: boolean
  /** Decides again, by a credential as it is, what is decided before the body is read. */
  readonly authorizeWith: (credential: StoredCredential | undefined) => Promise<void>
}

export type Step = (context: RequestContext, next: () => Promise<void>) => Promise<void> | void

/**
 * The kinds of operation.
 *
 * - P: a public read · A: a public write (accounts, challenges) · R: a credentialed read · W: a credentialed write ·
 *   D: the OAuth endpoint that describes · O: the OAuth endpoints that change something
 */
export type Kind = 'P' | 'A' | 'R' | 'W' | 'D' | 'O'

export function kindOf(row: Operation): Kind {
  if (row.auth.kind === 'oauth') return row.method === 'GET' ? 'D' : 'O'
  if (row.auth.kind === 'public') return row.method === 'GET' ? 'P' : 'A'
  return row.method === 'GET' ? 'R' : 'W'
}

export function newRequestContext(
  deps: PipelineDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestContext {
  return {
    deps,
    route,
    request,
    reply,
    requestId: request.id,
    now: deps.clock.now(),
    address: clientAddress(request.raw, deps.trustedProxies),
    cachedCredential: null,
    principal: null,
    origins: [],
    proof: null,
    input: null,
    prepared: undefined,
    tx: null,
    answer: null,
    rateLimit: null,
  }
}

/** What the caller prefers to read, and whose data it sees. */
export function factsOf(context: RequestContext): RequestFacts {
  const { locale } = context.input?.query ?? {}
  const environment: Environment = context.principal?.environment ?? 'live'
  return {
    now: context.now,
    languages: typeof locale === 'string' ? [locale] : readAcceptLanguage(context.request.headers['accept-language']),
    environment,
  }
}

/** Each value of a header as it was sent; Node joins some of them. */
export function headerValues(request: FastifyRequest, name: string): string[] {
  return request.raw.headersDistinct[name] ?? []
}

export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

export function storeAccessOf(request: FastifyRequest): string | null {
  const { 'x-store-access': access } = request.headers
  return typeof access === 'string' && access !== '' ? access : null
}

/** Checks what we are about to say, and wraps it. */
export function envelope(route: Route, said: unknown): Buffer {
  const answer = route.row.meta ? (said as { data: unknown; meta: unknown }) : { data: said }
  const wrong = route.passesAnswer(answer)
  assert(wrong === null, wrong ?? '')
  // RFC 6749 §5.1: a stock client reads its members at the top level.
  return Buffer.from(JSON.stringify(route.row.mirrored ? { ...answer, ...(said as object) } : answer))
}
