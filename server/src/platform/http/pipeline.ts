import { limits, type Operation, type RowLimit, refusals, type Scope } from '@vitrine/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assert, present } from '../../kernel/assert.ts'
import type { CanonicalValue } from '../../kernel/canonical-json.ts'
import { blocked } from '../../kernel/capabilities.ts'
import type { Clock } from '../../kernel/clock.ts'
import { comparableEmail } from '../../kernel/email.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import {
  hashOfToken,
  judgeCredential,
  principalOf,
  readAuthorization,
  requireScopes,
  type StoredCredential,
} from '../auth/authenticate.ts'
import type { DpopVerifier, VerifiedProof } from '../auth/dpop.ts'
import type { DpopNonces } from '../auth/nonce.ts'
import { replayed, takeOnce } from '../auth/taken-proofs.ts'
import type { Revisions } from '../freshness/revision.ts'
import { claimKey, fingerprintOf, keepAnswer, readIdempotencyKey } from '../idempotency/idempotency.ts'
import { withoutSecrets } from '../idempotency/shown-once.ts'
import type { OpenTransaction, Reader } from '../postgres/access.ts'
import type { Database } from '../postgres/index.ts'
import type { PolicyName } from '../rate-limit/policy.ts'
import { type RateLimiter, rateLimitHeaders, refuseBeyondLimit, type Standing } from '../rate-limit/rate-limiter.ts'
import { addressForLimits, clientAddress } from './address.ts'
import type { Environment, PreparationContext, Principal, RequestFacts } from './handler.ts'
import { type KeptAnswer, type KeptAnswers, keptAnswer, matchesEtag, representationOf } from './kept-answers.ts'
import { readAcceptLanguage } from './languages.ts'
import { checker, parserOf } from './parse.ts'

/** What the steps stand on. */
export interface House {
  readonly database: Database
  /** Where public reads are read: the replica while it knows all that this process knows, else the primary. */
  readonly publicReader: () => Promise<Reader>
  readonly clock: Clock
  readonly ids: IdSource
  readonly limiter: RateLimiter
  readonly revisions: Revisions
  readonly kept: KeptAnswers
  readonly verifyProof: DpopVerifier
  readonly nonces: DpopNonces
  /** The configured public address, without a trailing slash. */
  readonly publicUrl: string
  readonly trustedProxies: number
  readonly credentials: {
    find(token: string): Promise<StoredCredential | undefined>
    /** Notes the use of a credential, off the request. */
    used(credential: StoredCredential, now: Date): void
  }
}

/** The body came as JSON, and its numbers are integers: each schema says so. */
type AnyInput = { params: Record<string, string>; query: Record<string, unknown>; body: CanonicalValue }
type AnyHandler = ((input: AnyInput, context: RequestFacts & Record<string, unknown>) => Promise<unknown>) & {
  readonly prepare?: (input: AnyInput, context: PreparationContext) => Promise<unknown>
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
export interface Exchange {
  readonly house: House
  readonly route: Route
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly requestId: string
  readonly now: Date
  readonly address: string
  principal: Principal | null
  origins: readonly string[]
  proof: VerifiedProof | null
  input: AnyInput | null
  prepared: unknown
  tx: OpenTransaction | null
  answer: Buffer | null
  standing: Standing | null
}

type Step = (exchange: Exchange, next: () => Promise<void>) => Promise<void> | void

/**
 * The kinds of operation.
 *
 * - P: a public read · A: a public write (accounts, challenges) · R: a credentialed read · W: a credentialed write ·
 *   D: the OAuth endpoint that describes · O: the OAuth endpoints that change something
 */
type Kind = 'P' | 'A' | 'R' | 'W' | 'D' | 'O'

export function kindOf(row: Operation): Kind {
  if (row.auth.kind === 'oauth') return row.method === 'GET' ? 'D' : 'O'
  if (row.auth.kind === 'public') return row.method === 'GET' ? 'P' : 'A'
  return row.method === 'GET' ? 'R' : 'W'
}

/**
 * The order of all checks, and whom each concerns. A `head` step runs before the body is read, so that nobody sends us a
 * megabyte for a 401.
 */
// biome-ignore format: a table is read by its columns
const table: readonly (readonly [Step, 'head' | 'body', string])[] = [
  [limitByAddress,      'head',  'P A R W D O'],
  [limitRowByAddress,   'head',  '  A        '],
  [sendKeptAnswer,      'head',  'P          '],
  [authenticate,        'head',  '    R W    '],
  [checkScopes,         'head',  '    R W    '],
  [checkSenderProof,    'head',  '    R W    '],
  [limitByCredential,   'head',  '    R W    '],
  [parseInput,          'body',  'P A R W D O'],
  [limitRowByAccount,   'body',  '  A        '],
  [limitRowByClient,    'body',  '          O'],
  [limitByCart,         'body',  '      W    '],
  [claimIdempotency,    'body',  '      W    '],
  [prepare,             'body',  '  A       O'],
  [checkKeyProof,       'body',  '          O'],
  [countWrongClients,   'body',  '          O'],
  [openTransaction,     'body',  '  A       O'],
  [takeKeyProof,        'body',  '          O'],
  [renderOnce,          'body',  'P          '],
  [handle,              'body',  '  A R W D O'],
]

const KINDS = ['P', 'A', 'R', 'W', 'D', 'O'] as const

function stepsOf(phase: 'head' | 'body'): Readonly<Record<Kind, readonly Step[]>> {
  const stepsFor = (kind: Kind) =>
    table.filter(([, at, kinds]) => at === phase && kinds.includes(kind)).map(([step]) => step)
  return Object.fromEntries(KINDS.map((kind) => [kind, stepsFor(kind)])) as unknown as Record<Kind, readonly Step[]>
}

const headSteps = stepsOf('head')
const bodySteps = stepsOf('body')

export function routeOf(operationId: string, row: Operation, handler: AnyHandler): Route {
  const data = checker(row.data)
  const meta = row.meta && checker(row.meta)
  return {
    operationId,
    row,
    handler,
    kind: kindOf(row),
    parse: parserOf(row),
    scopes: 'scopes' in row.auth ? row.auth.scopes : [],
    passesAnswer(answer) {
      const wrong = data.passes(answer.data)
        ? meta && !meta.passes(answer.meta)
          ? { of: 'meta', failures: meta.failures(answer.meta) }
          : null
        : { of: 'data', failures: data.failures(answer.data) }
      if (!wrong) return null
      const [first] = wrong.failures
      return `${operationId}: ${wrong.of}${first?.instancePath ?? ''} ${first?.message ?? 'does not fit its schema'}`
    },
  }
}

/** Runs the steps that need no body. An answer that is already there is sent, and nothing else runs. */
export function runHead(exchange: Exchange): Promise<void> {
  return run(headSteps[exchange.route.kind], exchange)
}

/** Runs the rest. The answer is sent, or stands in `exchange.answer`. */
export function runBody(exchange: Exchange): Promise<void> {
  return run(bodySteps[exchange.route.kind], exchange)
}

function run(steps: readonly Step[], exchange: Exchange): Promise<void> {
  const from = async (index: number): Promise<void> => {
    const step = steps[index]
    if (!step) return
    let went = false
    await step(exchange, () => {
      went = true
      return from(index + 1)
    })
    // A step that decides nothing about the rest does not mention it.
    if (!went && step.length < 2) await from(index + 1)
  }
  return from(0)
}

export function newExchange(house: House, route: Route, request: FastifyRequest, reply: FastifyReply): Exchange {
  return {
    house,
    route,
    request,
    reply,
    requestId: request.id,
    now: house.clock.now(),
    address: clientAddress(request.raw, house.trustedProxies),
    principal: null,
    origins: [],
    proof: null,
    input: null,
    prepared: undefined,
    tx: null,
    answer: null,
    standing: null,
  }
}

async function limitByAddress(exchange: Exchange): Promise<void> {
  const { house, route, now } = exchange
  const who = addressForLimits(exchange.address)
  if (route.kind === 'P' || route.kind === 'A') {
    await takeCell(exchange, 'public-read', who)
    return
  }
  // Whoever keeps guessing credentials is stopped before the next guess is looked up.
  refuseBeyondLimit(house.limiter.peek('auth-fail', who, now.getTime()))
  if (route.kind === 'D') await takeCell(exchange, 'public-read', who)
}

function limitRowByAddress(exchange: Exchange): Promise<void> {
  return takeRowCells(exchange, 'address', addressForLimits(exchange.address), 'rate_limited')
}

/** By the address as it was written, known or not: so the limit tells nobody which addresses are customers. */
async function limitRowByAccount(exchange: Exchange): Promise<void> {
  const { email } = present(exchange.input, 'parsed').body as { readonly email?: string }
  if (email === undefined) return
  const who = hashOfToken(comparableEmail(email)).toString('base64url')
  await takeRowCells(exchange, 'account', who, 'quota_exceeded')
}

/** By client and address: an address may be a whole office's, and a client's users are everywhere. */
async function limitRowByClient(exchange: Exchange): Promise<void> {
  const { client_id: clientId = '' } = present(exchange.input, 'parsed').body as { readonly client_id?: string }
  await takeRowCells(exchange, 'client', `${clientId} ${addressForLimits(exchange.address)}`, 'rate_limited')
}

async function takeRowCells(
  exchange: Exchange,
  by: RowLimit['by'],
  who: string,
  code: 'rate_limited' | 'quota_exceeded',
): Promise<void> {
  const limits = exchange.route.row.limits?.filter((limit) => limit.by === by) ?? []
  for (const { policy } of limits) await takeCell(exchange, policy, who, code)
}

async function takeCell(
  exchange: Exchange,
  policy: PolicyName,
  who: string,
  code: 'rate_limited' | 'quota_exceeded' = 'rate_limited',
): Promise<void> {
  const standing = await exchange.house.limiter.take(policy, who, exchange.now.getTime())
  if (!standing) return
  if (!exchange.standing || standing.remaining < exchange.standing.remaining) exchange.standing = standing
  exchange.reply.headers(rateLimitHeaders(exchange.standing))
  refuseBeyondLimit(standing, code)
}

async function authenticate(exchange: Exchange): Promise<void> {
  const { house, request, now } = exchange
  try {
    const presented = readAuthorization(request.headers.authorization)
    const stored = judgeCredential(presented, await house.credentials.find(presented.token), now)
    exchange.principal = principalOf(stored)
    exchange.origins = stored.origins
    house.credentials.used(stored, now)
  } catch (failure) {
    await countGuess(exchange, failure)
    throw failure
  }
}

/** A key that is known, and may not be used at the moment, is no guess. */
async function countGuess({ house, address, now }: Exchange, failure: unknown): Promise<void> {
  if (!(failure instanceof Refusal) || refusals[failure.code].status !== 401) return
  await house.limiter.take('auth-fail', addressForLimits(address), now.getTime())
}

function checkScopes(exchange: Exchange): void {
  requireScopes(present(exchange.principal, 'authenticated'), exchange.route.scopes)
}

async function checkSenderProof(exchange: Exchange): Promise<void> {
  const { house, request, route, now } = exchange
  const principal = present(exchange.principal, 'authenticated')
  const writes = route.kind === 'W'
  if (!principal.senderConstrained) {
    if (writes) refuse('sender_constraint_required', blocked('installation_write'))
    return
  }
  const authorization = present(request.headers.authorization, 'authenticated')
  const proof = await house.verifyProof({
    proofs: headerValues(request, 'dpop'),
    method: request.method,
    url: house.publicUrl + pathOf(request.url),
    token: authorization.slice(authorization.lastIndexOf(' ') + 1),
    now,
    nonceRequired: writes,
  })
  if (proof.jkt !== principal.jkt) refuse('invalid_dpop_proof', { reason: 'other key' })
  exchange.proof = proof
  // RFC 9449 §8.2: the next nonce comes with each answer, so that no request is refused only to be told one.
  exchange.reply.header('dpop-nonce', house.nonces.current(now))
}

/** Each value of a header as it was sent; Node joins some of them. */
function headerValues(request: FastifyRequest, name: string): string[] {
  return request.raw.headersDistinct[name] ?? []
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

async function limitByCredential(exchange: Exchange): Promise<void> {
  const principal = present(exchange.principal, 'authenticated')
  const who = `${principal.environment} ${principal.installationId}`
  await takeCell(exchange, exchange.route.kind === 'W' ? 'key-write' : 'key-read', who)
  if (principal.storeId) await takeCell(exchange, 'store', `${principal.environment} ${principal.storeId}`)
}

async function limitByCart(exchange: Exchange): Promise<void> {
  const { cartId } = present(exchange.input, 'parsed').params
  const { installationId } = present(exchange.principal, 'authenticated')
  // By its owner as well: a stranger who knows the id uses up a bucket of its own.
  if (cartId !== undefined) await takeCell(exchange, 'cart-write', `${installationId} ${cartId}`)
}

function parseInput(exchange: Exchange): void {
  const { request, route } = exchange
  exchange.input = route.parse({
    // The router's object has no prototype; a fingerprint is made of plain ones.
    params: { ...(request.params as Record<string, string>) },
    query: request.query as Record<string, unknown>,
    contentType: request.headers['content-type'],
    bytes: (request.body as Buffer | undefined) ?? null,
  }) as AnyInput
}

/** One transaction holds the claim of the key, the change, its events and the answer that a repetition gets again. */
async function claimIdempotency(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const { house, route, now } = exchange
  const { params, body } = present(exchange.input, 'parsed')
  const claim = {
    principal: present(exchange.principal, 'authenticated'),
    key: readIdempotencyKey(headerValues(exchange.request, 'idempotency-key')),
    fingerprint: fingerprintOf(route.operationId, params, body),
    proofHash: present(exchange.proof, 'proven').proofHash,
    proofExpiresAt: new Date(now.getTime() + PROOF_REMEMBERED_MS),
    now,
  }
  await house.database.transaction(async (tx) => {
    const first = await claimKey(tx, claim)
    exchange.answer = first
    if (first) {
      exchange.reply.header('idempotent-replayed', 'true')
      return
    }
    exchange.tx = tx
    await next()
    const answer = present(exchange.answer, 'handled')
    keepAnswer(tx, claim, route.row.secrets ? withoutSecrets(answer, route.row.secrets) : answer)
  })
}

const { iatPastSecondsMax, nonceStepSeconds, nonceStepsAccepted } = limits.dpop
/** A proof is taken as long as its nonce is, whatever its age: all accepted steps, and a minute for clocks that differ. */
const PROOF_REMEMBERED_MS = ((2 * nonceStepsAccepted + 1) * nonceStepSeconds + iatPastSecondsMax) * 1000

/** What takes long and needs no transaction. */
async function prepare(exchange: Exchange): Promise<void> {
  const { house, route } = exchange
  const context = { ...factsOf(exchange), reader: house.database.reader }
  exchange.prepared = await route.handler.prepare?.(present(exchange.input, 'parsed'), context)
}

/**
 * The proof of a request that shows no token: its key is the one that tokens are bound to. A nonce must be in it.
 *
 * @see RFC 9449 §5 and 8
 */
async function checkKeyProof(exchange: Exchange): Promise<void> {
  const { house, request, now } = exchange
  exchange.proof = await house.verifyProof({
    proofs: headerValues(request, 'dpop'),
    method: request.method,
    url: house.publicUrl + pathOf(request.url),
    token: null,
    now,
    nonceRequired: true,
  })
  exchange.reply.header('dpop-nonce', house.nonces.current(now))
}

/** Whoever keeps guessing clients is stopped like whoever guesses keys. */
async function countWrongClients(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  try {
    await next()
  } catch (failure) {
    await countGuess(exchange, failure)
    throw failure
  }
}

/** Takes the proof in the transaction of what it is shown for. It stays taken, whatever becomes of that. */
async function takeKeyProof(exchange: Exchange): Promise<void> {
  const tx = present(exchange.tx, 'opened')
  const { proofHash } = present(exchange.proof, 'proven')
  const isFirstUse = takeOnce(tx, proofHash, new Date(exchange.now.getTime() + PROOF_REMEMBERED_MS))
  tx.savepointHere()
  if (!(await isFirstUse)) refuse('invalid_dpop_proof', { reason: 'replayed', details: [replayed] })
}

async function openTransaction(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  await exchange.house.database.transaction(async (tx) => {
    exchange.tx = tx
    await next()
  })
}

/** What the caller prefers to read, and whose data it sees. */
function factsOf(exchange: Exchange): RequestFacts {
  const { locale } = exchange.input?.query ?? {}
  const environment: Environment = exchange.principal?.environment ?? 'live'
  return {
    now: exchange.now,
    languages: typeof locale === 'string' ? [locale] : readAcceptLanguage(exchange.request.headers['accept-language']),
    environment,
  }
}

async function handle(exchange: Exchange): Promise<void> {
  const { house, route } = exchange
  const common = {
    ...factsOf(exchange),
    principal: exchange.principal,
    ids: house.ids,
    revisionOf: (subject: string) => String(house.revisions.of(subject)),
    reader: house.database.reader,
    tx: exchange.tx,
    prepared: exchange.prepared,
    proof: exchange.proof,
    storeAccess: storeAccessOf(exchange.request),
    keepDespiteRefusal: () => present(exchange.tx, 'opened').savepointHere(),
  }
  exchange.answer = envelope(route, await route.handler(present(exchange.input, 'parsed'), common))
}

/** Checks what we are about to say, and wraps it. */
function envelope(route: Route, said: unknown): Buffer {
  const answer = route.row.meta ? (said as { data: unknown; meta: unknown }) : { data: said }
  const wrong = route.passesAnswer(answer)
  assert(wrong === null, wrong ?? '')
  // RFC 6749 §5.1: a stock client reads its members at the top level.
  return Buffer.from(JSON.stringify(route.row.mirrored ? { ...answer, ...(said as object) } : answer))
}

const PUBLIC_READ_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=5, stale-while-revalidate=60',
  vary: 'Accept-Encoding, Accept-Language, X-Store-Access',
}

/** An answer for one caller alone: its ETag still saves that caller the bytes, once the caller was let in again. */
const PRIVATE_READ_HEADERS = { ...PUBLIC_READ_HEADERS, 'cache-control': 'private, no-store' }

function storeAccessOf(request: FastifyRequest): string | null {
  const { 'x-store-access': access } = request.headers
  return typeof access === 'string' && access !== '' ? access : null
}

/**
 * What tells one kept answer from another: the address with its query, and the language. No store access, because no
 * answer is kept that anybody needs one for.
 */
function answerKey(request: FastifyRequest): string {
  return `${request.url}\n${request.headers['accept-language'] ?? ''}`
}

/** The hot path of public reads: bytes that are still true are sent, and no other step runs. */
async function sendKeptAnswer(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const kept = exchange.house.kept.find(answerKey(exchange.request))
  if (!kept) return next()
  await sendAnswer(exchange, kept)
}

async function renderOnce(exchange: Exchange): Promise<void> {
  const { house, request } = exchange
  const answer = await house.kept.render(answerKey(request), () => render(exchange), storeAccessOf(request) ?? '')
  await sendAnswer(exchange, answer)
}

async function render(exchange: Exchange): Promise<KeptAnswer> {
  const { house, request, route } = exchange
  const subjects: string[] = []
  let revision: bigint | null = null
  let shared = true
  const reader = await house.publicReader()
  const said = await route.handler(present(exchange.input, 'parsed'), {
    ...factsOf(exchange),
    reader,
    // The revision is taken before the read, so that what is read is at least as new as what it is kept under.
    showing(subject: string) {
      if (subjects.includes(subject)) return
      subjects.push(subject)
      revision = (revision ?? 0n) + house.revisions.of(subject)
    },
    revisionOf: (subject: string) => String(house.revisions.of(subject)),
    storeAccess: storeAccessOf(request),
    forThisCallerAlone() {
      shared = false
    },
  })
  assert(revision !== null, `${route.operationId} does not say what it shows`)
  return keptAnswer(envelope(route, said), subjects, revision, shared)
}

async function sendAnswer(exchange: Exchange, answer: KeptAnswer): Promise<void> {
  const { request, reply } = exchange
  const representation = await representationOf(answer, request.headers['accept-encoding'] as string | undefined)
  reply.headers(answer.shared ? PUBLIC_READ_HEADERS : PRIVATE_READ_HEADERS).header('etag', representation.etag)
  if (matchesEtag(request.headers['if-none-match'], representation.etag)) {
    reply.code(304).removeHeader('content-type').send()
    return
  }
  if (representation.encoding !== 'identity') reply.header('content-encoding', representation.encoding)
  reply.send(representation.bytes)
}
