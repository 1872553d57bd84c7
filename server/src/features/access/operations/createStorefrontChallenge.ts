import { limits, type operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { saveChallenge, storeAccessBySlug } from '../access-store.ts'
import { type AccessMode, type AccessPurpose, type ChallengeKind, challengeEnd, kindsFor } from '../challenge.ts'
import { makeWork } from '../proof-of-work.ts'

/** POST /api/v1/public/store-access/{store}/challenges */
export function createStorefrontChallenge(secret: Buffer): Handler<typeof operations.createStorefrontChallenge> {
  return async ({ params, body }, { tx, now, ids }) => {
    const store = await storeAccessBySlug(tx, params.store)

    const kind = kindOf(store.access_mode, body.purpose, body.kind)
    const work = kind === 'proof_of_work' ? await makeWork(secret) : null
    const expiresAt = challengeEnd(now)
    const id = ids.next('chl')

    saveChallenge(tx, { id, storeId: store.id, kind, purpose: body.purpose, work, issuedAt: now, expiresAt })
    return {
      id,
      kind,
      purpose: body.purpose,
      expiresAt: expiresAt.toISOString(),
      attemptsMax: limits.storeAccess.challengeAttemptsMax,
      ...(work && { proofOfWork: work }),
    }
  }
}

/** The kind that was asked for, or the one that the store asks for. Refusal: `validation_failed`. */
function kindOf(mode: AccessMode, purpose: AccessPurpose, wanted: ChallengeKind | undefined): ChallengeKind {
  const kinds = kindsFor(mode, purpose)
  const [first] = kinds
  if (!first) refuse('validation_failed', notTaken('/purpose', 'The store is open: nobody needs a grant to look.'))
  if (wanted === undefined) return first
  if (!kinds.includes(wanted)) refuse('validation_failed', notTaken('/kind', `Taken here: ${kinds.join(', ')}.`))
  return wanted
}

function notTaken(pointer: string, message: string) {
  return { details: [{ in: 'body' as const, pointer, code: 'not_allowed', message }] }
}
