import { assert, present } from '../../../kernel/assert.ts'
import { type Exchange, envelope, factsOf, storeAccessOf } from '../exchange.ts'
import { type KeptAnswer, keptAnswer, representationOf } from '../kept-answers.ts'
import { answerKey, sendRepresentation } from '../kept-reads.ts'

/** Bytes that are still true are sent, and no other step runs. */
export async function sendKeptAnswer(exchange: Exchange, next: () => Promise<void>): Promise<void> {
  const kept = exchange.house.kept.find(answerKey(exchange.request.raw))
  if (!kept) return next()
  exchange.house.kept.counts.hits += 1
  await sendAnswer(exchange, kept)
}

export async function renderOnce(exchange: Exchange): Promise<void> {
  const { house, request } = exchange
  house.kept.counts.misses += 1
  const answer = await house.kept.render(answerKey(request.raw), () => render(exchange), storeAccessOf(request) ?? '')
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
  return keptAnswer(route.operationId, envelope(route, said), subjects, revision, shared)
}

async function sendAnswer(exchange: Exchange, answer: KeptAnswer): Promise<void> {
  const { request, reply, requestId, standing } = exchange
  const representation = await representationOf(answer, request.raw.headers['accept-encoding'] as string | undefined)
  reply.hijack()
  sendRepresentation(request.raw, reply.raw, representation, { requestId, standing })
}
