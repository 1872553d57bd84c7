import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { assert, present } from '../../../kernel/assert.ts'
import { type Exchange, envelope, factsOf, storeAccessOf } from '../exchange.ts'
import { type KeptAnswer, keptAnswer, matchesEtag, representationOf } from '../kept-answers.ts'

const PUBLIC_READ_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=5, stale-while-revalidate=60',
  vary: 'Accept-Encoding, Accept-Language, X-Store-Access',
}

/** An answer for one caller alone: its ETag still saves that caller the bytes, once the caller was let in again. */
const PRIVATE_READ_HEADERS = { ...PUBLIC_READ_HEADERS, 'cache-control': 'private, no-store' }

/**
 * What tells one kept answer from another: the address with its query, and the language. No store access, because no
 * answer is kept that anybody needs one for.
 */
function answerKey(request: FastifyRequest): string {
  return `${request.url}\n${request.headers['accept-language'] ?? ''}`
}

/** The hot path of public reads: bytes that are still true are sent, and no other step runs. */
export async function sendKeptAnswer(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const kept = exchange.house.kept.find(answerKey(exchange.request))
  if (!kept) return next()
  await sendAnswer(exchange, kept)
}

export async function renderOnce(exchange: Exchange): Promise<void> {
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
  const headers: OutgoingHttpHeaders = {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...(answer.shared ? PUBLIC_READ_HEADERS : PRIVATE_READ_HEADERS),
    etag: representation.etag,
  }
  // Bytes that are ready need nothing that the framework's reply does: without it, a quarter more of them are sent.
  reply.hijack()
  if (matchesEtag(request.headers['if-none-match'], representation.etag)) {
    delete headers['content-type']
    reply.raw.writeHead(304, headers).end()
    return
  }
  if (representation.encoding !== 'identity') headers['content-encoding'] = representation.encoding
  headers['content-length'] = representation.bytes.length
  reply.raw.writeHead(200, headers).end(representation.bytes)
}
