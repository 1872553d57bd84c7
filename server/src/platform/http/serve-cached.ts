import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../observe/metrics.ts'
import { type RateLimitStatus, rateLimitHeaders } from '../rate-limit/rate-limiter.ts'
import { addressForLimits, clientAddress } from './client-address.ts'
import type { PipelineDeps } from './request-context.ts'
import { framingFault } from './request-framing.ts'
import { matchesEtag, type Representation, representationOf } from './response-cache.ts'

/** URL and language. Store access is not part of it: responses that require store access are never cached. */
export function cacheKey({ url = '', headers }: IncomingMessage): string {
  const language = headers['accept-language']
  return language === undefined ? url : `${url}\n${language}`
}

/**
 * Serves a public read from the response cache if nothing has to be awaited: the response is current, its encoding
 * exists, and this node holds a cell of the rate limit. Otherwise it returns false, without side effects, and the pipeline
 * does the same in `limitByAddress` and `sendCached`.
 *
 * It runs before the framework, whose routing, hooks and promises cost more than all of this. @see decision 0017
 */
export function serveCached(deps: PipelineDeps, metrics: Metrics) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'GET') return false
    const cached = deps.responseCache.find(cacheKey(request))
    // The pipeline refuses a request with a broken head.
    if (!cached || framingFault(request) !== null) return false
    const representation = representationOf(cached, request.headers['accept-encoding'] as string | undefined)
    if (representation instanceof Promise) return false
    const startedAt = performance.now()
    const address = addressForLimits(clientAddress(request, deps.trustedProxies))
    const rateLimit = deps.limiter.takeLeased('public-read', address, deps.clock.now().getTime())
    if (rateLimit === undefined) return false
    sendRepresentation(request, response, representation, { requestId: deps.ids.next('req'), rateLimit })
    cached.onAnswer?.()
    deps.responseCache.counts.hits += 1
    metrics.answered(cached.operationId, response.statusCode, '', (performance.now() - startedAt) / 1000)
    return true
  }
}

/** Sends the bytes, or 304 if the caller has them. */
export function sendRepresentation(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, etag, headers, unchangedHeaders }: Representation,
  { requestId, rateLimit }: { readonly requestId: string; readonly rateLimit: RateLimitStatus | null },
): void {
  const isUnchanged = matchesEtag(request.headers['if-none-match'], etag)
  const sent = isUnchanged ? unchangedHeaders.slice() : headers.slice()
  sent.push('x-request-id', requestId)
  if (rateLimit) {
    const { 'ratelimit-policy': policy, ratelimit } = rateLimitHeaders(rateLimit)
    sent.push('ratelimit-policy', policy, 'ratelimit', ratelimit)
  }
  if (isUnchanged) response.writeHead(304, sent).end()
  else response.writeHead(200, sent).end(bytes)
}
