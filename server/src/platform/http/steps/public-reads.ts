import { assert, present } from '../../../kernel/assert.ts'
import type { Reader } from '../../postgres/index.ts'
import { envelope, factsOf, type RequestContext, storeAccessOf } from '../request-context.ts'
import { type CachedResponse, cachedResponse, representationOf } from '../response-cache.ts'
import { cacheKey, sendRepresentation } from '../serve-cached.ts'

/** Sends a cached response that is still current, and skips all other steps. */
export async function sendCached(context: RequestContext, next: () => Promise<void>): Promise<void> {
  const { responseCache } = context.deps
  const cached = responseCache.find(cacheKey(context.request.raw))
  if (!cached) return next()
  responseCache.counts.hits += 1
  await sendResponse(context, cached)
}

/** Runs the handler, once for all identical concurrent requests, and caches the response. */
export async function renderAndCache(context: RequestContext): Promise<void> {
  const { deps, request } = context
  const { responseCache } = deps
  responseCache.counts.misses += 1
  const access = storeAccessOf(request) ?? ''
  const response = await responseCache.render(cacheKey(request.raw), () => render(context), access)
  await sendResponse(context, response)
}

function render(context: RequestContext): Promise<CachedResponse> {
  return context.deps.readPublicly((reader) => renderFrom(reader, context))
}

async function renderFrom(reader: Reader, context: RequestContext): Promise<CachedResponse> {
  const { deps, request, route } = context
  const subjects: string[] = []
  let revision: bigint | null = null
  let shared = true
  let onAnswer: (() => void) | null = null
  const result = await route.handler(present(context.input, 'parsed'), {
    ...factsOf(context),
    reader,
    // Taken before the read: what is read is never older than the revision that it is cached under.
    dependsOn(subject: string) {
      if (subjects.includes(subject)) return
      subjects.push(subject)
      revision = (revision ?? 0n) + deps.revisions.of(subject)
    },
    revisionOf: (subject: string) => String(deps.revisions.of(subject)),
    storeAccess: storeAccessOf(request),
    markPrivate() {
      shared = false
    },
    onAnswer(each: () => void) {
      onAnswer = each
    },
  })
  assert(revision !== null, `${route.operationId} calls dependsOn`)
  const { operationId, deprecationHeaders: ownHeaders } = route
  return cachedResponse(envelope(route, result), { operationId, subjects, revision, shared, ownHeaders, onAnswer })
}

async function sendResponse(context: RequestContext, response: CachedResponse): Promise<void> {
  const { request, reply, requestId, rateLimit } = context
  const representation = await representationOf(response, request.raw.headers['accept-encoding'] as string | undefined)
  response.onAnswer?.()
  reply.hijack()
  sendRepresentation(request.raw, reply.raw, representation, { requestId, rateLimit })
}
