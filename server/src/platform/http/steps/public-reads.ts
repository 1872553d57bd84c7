import { assert, present } from '../../../kernel/assert.ts'
import { envelope, factsOf, type RequestContext, storeAccessOf } from '../request-context.ts'
import { type CachedResponse, cachedResponse, representationOf } from '../response-cache.ts'
import { answerKey, sendRepresentation } from '../serve-cached.ts'

/** Bytes that are still true are sent, and no other step runs. */
export async function sendCached(context: RequestContext, next: () => Promise<void>): Promise<void> {
  const kept = context.deps.responseCache.find(answerKey(context.request.raw))
  if (!kept) return next()
  context.deps.responseCache.counts.hits += 1
  await sendAnswer(context, kept)
}

export async function renderAndCache(context: RequestContext): Promise<void> {
  const { deps, request } = context
  deps.responseCache.counts.misses += 1
  const answer = await deps.responseCache.render(
    answerKey(request.raw),
    () => render(context),
    storeAccessOf(request) ?? '',
  )
  await sendAnswer(context, answer)
}

async function render(context: RequestContext): Promise<CachedResponse> {
  const { deps, request, route } = context
  const subjects: string[] = []
  let revision: bigint | null = null
  let shared = true
  const reader = await deps.publicReader()
  const said = await route.handler(present(context.input, 'parsed'), {
    ...factsOf(context),
    reader,
    // The revision is taken before the read, so that what is read is at least as new as what it is kept under.
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
  })
  assert(revision !== null, `${route.operationId} does not say what it shows`)
  return cachedResponse(route.operationId, envelope(route, said), subjects, revision, shared)
}

async function sendAnswer(context: RequestContext, answer: CachedResponse): Promise<void> {
  const { request, reply, requestId, rateLimit } = context
  const representation = await representationOf(answer, request.raw.headers['accept-encoding'] as string | undefined)
  reply.hijack()
  sendRepresentation(request.raw, reply.raw, representation, { requestId, rateLimit })
}
