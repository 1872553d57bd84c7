import type { Operation, Scope } from '@vitrine/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { CanonicalValue } from '../../kernel/json.ts'
import type { StoredCredential } from '../auth/authenticate.ts'
import type { CredentialCache } from '../auth/credential-cache.ts'
import type { DpopVerifier, VerifiedProof } from '../auth/dpop.ts'
import type { DpopNonces } from '../auth/nonce.ts'
import type { Database } from '../postgres/index.ts'
import type { OpenTransaction } from '../postgres/reader.ts'
import type { RateLimiter, RateLimitStatus } from '../rate-limit/rate-limiter.ts'
import type { PublicReads } from '../revisions/public-reads.ts'
import type { Revisions } from '../revisions/revisions.ts'
import { readAcceptLanguage } from './accept-language.ts'
import { clientAddress } from './client-address.ts'
import type { PreparationContext, Principal, RequestFacts } from './handler.ts'
import type { parserOf } from './parse.ts'
import type { ResponseCache } from './response-cache.ts'

/** The dependencies of the pipeline. */
export interface PipelineDeps {
  readonly database: Database
  /** Runs a public read on the replica while that is as new as this process, else on the primary. */
  readonly readPublicly: PublicReads
  readonly clock: Clock
  readonly ids: IdSource
  readonly limiter: RateLimiter
  readonly revisions: Revisions
  readonly responseCache: ResponseCache
  readonly verifyProof: DpopVerifier
  readonly nonces: DpopNonces
  /** The configured public URL, without a trailing slash. */
  readonly publicUrl: string
  readonly trustedProxies: number
  readonly credentials: CredentialCache
  /** Records the use of a credential, outside of the request. */
  readonly recordUse: (credential: StoredCredential, now: Date) => void
}

/** A parsed request. Every number in a body is an integer: the schemas allow no other. */
export type AnyInput = { params: Record<string, string>; query: Record<string, unknown>; body: CanonicalValue }
export type AnyHandler = ((input: AnyInput, context: RequestFacts & Record<string, unknown>) => Promise<unknown>) & {
  readonly prepare?: (input: AnyInput, context: PreparationContext) => Promise<unknown>
  readonly committed?: () => void
}

/** A row of the contract, compiled. */
export interface Route {
  readonly operationId: string
  readonly row: Operation
  readonly handler: AnyHandler
  readonly kind: OperationKind
  readonly parse: ReturnType<typeof parserOf>
  /** Removes the members that only bound credentials receive. */
  readonly forUnbound: (data: unknown) => unknown
  /** The violation of the row's schema by a response; `null` if there is none. */
  readonly responseProblem: (response: { data: unknown; meta?: unknown }) => string | null
  readonly scopes: readonly Scope[]
  /** The headers of every response of a deprecated operation. */
  readonly deprecationHeaders: Readonly<Record<string, string>>
}

/** One request on its way through the steps. Each step fills in what later steps need. */
export interface RequestContext {
  readonly deps: PipelineDeps
  readonly route: Route
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly requestId: string
  readonly now: Date
  readonly address: string
  /** The credential that authorizes the request until the stored one has been read. */
  cachedCredential: CachedCredential | null
  principal: Principal | null
  origins: readonly string[]
  proof: VerifiedProof | null
  input: AnyInput | null
  prepared: unknown
  tx: OpenTransaction | null
  responseBody: Buffer | null
  rateLimit: RateLimitStatus | null
}

/** A credential as this process read it last. */
export interface CachedCredential {
  readonly token: string
  readonly credential: StoredCredential
  /** Whether the stored credential has been read, and is the same. */
  isCurrent: boolean
  /** Repeats the decisions made before the body was read, with the stored credential. */
  readonly authorizeWith: (credential: StoredCredential | undefined) => Promise<void>
}

export type Step = (context: RequestContext, next: () => Promise<void>) => Promise<void> | void

/** Determines which steps of the pipeline apply. */
export type OperationKind = 'publicRead' | 'publicWrite' | 'read' | 'write' | 'oauthMetadata' | 'oauthWrite'

export function kindOf(row: Operation): OperationKind {
  const isRead = row.method === 'GET'
  if (row.auth.kind === 'oauth') return isRead ? 'oauthMetadata' : 'oauthWrite'
  if (row.auth.kind === 'public') return isRead ? 'publicRead' : 'publicWrite'
  return isRead ? 'read' : 'write'
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
    responseBody: null,
    rateLimit: null,
  }
}

/** The part of a handler's context that every operation has. */
export function factsOf(context: RequestContext): RequestFacts {
  const { locale } = context.input?.query ?? {}
  const environment: Environment = context.principal?.environment ?? 'live'
  return {
    now: context.now,
    languages: typeof locale === 'string' ? [locale] : readAcceptLanguage(context.request.headers['accept-language']),
    environment,
  }
}

/** The values of a header as they were sent. Node joins some of them in `headers`. */
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

/** Serializes what a handler returned, after checking it against the row's schema. */
export function envelope(route: Route, result: unknown, principal: Principal | null = null): Buffer {
  const handled = route.row.meta ? (result as { data: unknown; meta: unknown }) : { data: result }
  const isUnbound = principal !== null && !principal.senderConstrained
  const response = isUnbound ? { ...handled, data: route.forUnbound(handled.data) } : handled
  const problem = route.responseProblem(response)
  assert(problem === null, problem ?? '')
  // RFC 6749 §5.1: OAuth clients read the members at the top level.
  return Buffer.from(JSON.stringify(route.row.mirrored ? { ...response, ...(result as object) } : response))
}
