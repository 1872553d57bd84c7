import { limits, type operations } from '@vitrine/contract'
import { refuseField } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { type AccessMode, type AccessPurpose, type ChallengeKind, challengeExpiry, kindsFor } from '../challenge.ts'
import { createWork } from '../proof-of-work.ts'
import { loadStoreAccess, saveChallenge } from '../store.ts'

/** POST /api/v1/public/store-access/{store}/challenges */
export function createStorefrontChallenge(secret: Secret): Handler<typeof operations.createStorefrontChallenge> {
  return async ({ params, body }, { tx, now, ids }) => {
    const store = await loadStoreAccess(tx, params.store)

    const kind = kindOf(store.access_mode, body.purpose, body.kind)
    const work = kind === 'proof_of_work' ? await createWork(secret) : null
    const expiresAt = challengeExpiry(now)
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

/** The requested kind, or the first one that the store supports. Refusal: `validation_failed`. */
function kindOf(mode: AccessMode, purpose: AccessPurpose, requested: ChallengeKind | undefined): ChallengeKind {
  const kinds = kindsFor(mode, purpose)
  const [first] = kinds
  if (!first) refuseField('purpose', 'not_allowed', 'The store is open: access needs no grant.')
  if (requested === undefined) return first
  if (!kinds.includes(requested))
    refuseField('kind', 'not_allowed', `Kinds for this store and purpose: ${kinds.join(', ')}.`)
  return requested
}
