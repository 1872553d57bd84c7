import { limits, type operations, type VerifyChallengeRequest } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { grantSecondsFor, recordAttempt } from '../challenge.ts'
import { readSolution, verifyWork, type Work } from '../proof-of-work.ts'
import { loadStoreAccess, lockChallenge, type StoreAccess, saveAttempts, saveChallengeConsumed } from '../store.ts'
import type { StoreGrants } from '../store-grants.ts'

export interface ChallengeDeps {
  readonly secret: Buffer
  readonly grants: StoreGrants
}

/** POST /api/v1/public/store-access/{store}/challenges/verify */
export function verifyStorefrontChallenge({
  secret,
  grants,
}: ChallengeDeps): Handler<typeof operations.verifyStorefrontChallenge> {
  return async ({ params, body }, { tx, now, commitEvenIfRefused }) => {
    const store = await loadStoreAccess(tx, params.store)
    const challenge = await lockChallenge(tx, store.id, body.challengeId)
    const verify = readSubmission(body, challenge, store, secret)

    const attempted = recordAttempt(challenge, now)
    saveAttempts(tx, attempted)
    commitEvenIfRefused()
    if (!(await verify())) {
      const attemptsLeft = limits.storeAccess.challengeAttemptsMax - attempted.attempts
      refuse('challenge_failed', { params: { attemptsLeft } })
    }

    saveChallengeConsumed(tx, attempted, now)
    const expiresAt = floorToSecond(new Date(now.getTime() + grantSecondsFor(challenge.kind) * 1000))
    return {
      accessToken: grants.mint(store, challenge.purpose, expiresAt),
      purpose: challenge.purpose,
      expiresAt: expiresAt.toISOString(),
    }
  }
}

/** Returns the check of a submission, to be run once the attempt is recorded. Refusal: `validation_failed`. */
function readSubmission(
  { password, solution }: VerifyChallengeRequest,
  { work }: { readonly work: Work | null },
  store: StoreAccess,
  secret: Buffer,
): () => Promise<boolean> {
  if (work) {
    const parsed = readSolution(solution ?? refuseMissing('solution', 'This challenge needs a proof-of-work solution.'))
    return () => verifyWork(secret, work, parsed)
  }
  const submitted = password ?? refuseMissing('password', "This challenge needs the store's password.")
  return () => matchesPassword(store.access_password, submitted)
}

function refuseMissing(field: string, message: string): never {
  refuse('validation_failed', { faults: [{ field, code: 'required', message }] })
}

/** A grant carries its expiry in whole seconds; the response must match it. */
function floorToSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000)
}
