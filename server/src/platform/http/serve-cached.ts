import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../observe/metrics.ts'
import { type RateLimitStatus, rateLimitHeaders } from '../rate-limit/rate-limiter.ts'
import { addressForLimits, clientAddress } from './client-address.ts'
import type { PipelineDeps } from './request-context.ts'
import { matchesEtag, type Representation, representationOf } from './response-cache.ts'

/**
 * What tells one kept answer from another: the address with its query, and the language. No store access, because no
 * answer is kept that anybody needs one for.
 */
export function answerKey({ url = '', headers }: IncomingMessage): string {
  return `${url}\n${headers['accept-language'] ?? ''}`
}

/**
 * Answers a public read from kept bytes, where nothing has to be waited for: the answer is still true, its encoding is
 * made, and a cell of the limit is held. Otherwise it has done nothing and says so, and the pipeline takes the request
 * through the same two steps, `limitByAddress` and `sendCached`.
 *
 * It stands before the framework, whose routing, hooks and promises cost more than all of this. @see decision 0017
 */
export function serveCached(deps: PipelineDeps, metrics: Metrics) {
  return function answersAtOnce(request: IncomingMessage, response: ServerResponse): boolean {
    // HTTP/1.1 asks for a Host, and the pipeline refuses without one.
    if (request.method !== 'GET' || request.headers.host === undefined) return false
    const kept = deps.responseCache.find(answerKey(request))
    if (!kept) return false
    const representation = representationOf(kept, request.headers['accept-encoding'] as string | undefined)
    if (representation instanceof Promise) return false
    const startedAt = performance.now()
    const who = addressForLimits(clientAddress(request, deps.trustedProxies))
    const rateLimit = deps.limiter.takeLeased('public-read', who, deps.clock.now().getTime())
    if (rateLimit === undefined) return false
    sendRepresentation(request, response, representation, { requestId: deps.ids.next('req'), rateLimit })
    deps.responseCache.counts.hits += 1
    metrics.answered(kept.operationId, response.statusCode, '', (performance.now() - startedAt) / 1000)
    return true
  }
}

/** Sends bytes that are ready, or says that the caller has them. */
export function sendRepresentation(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, etag, headers, unchangedHeaders }: Representation,
  { requestId, rateLimit }: { readonly requestId: string; readonly rateLimit: RateLimitStatus | null },
): void {
  const own = ['x-request-id', requestId]
  if (rateLimit) own.push(...Object.entries(rateLimitHeaders(rateLimit)).flat())
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, [...unchangedHeaders, ...own]).end()
    return
  }
  response.writeHead(200, [...headers, ...own]).end(bytes)
}
