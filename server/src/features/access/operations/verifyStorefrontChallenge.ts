import { limits, type operations, type VerifyChallengeRequest } from '@vitrine/contract'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import { type Handler, prepared } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { grantSecondsFor, recordAttempt, refuseUnlessIssued } from '../challenge.ts'
import { readSolution, verifyWork, type Work } from '../proof-of-work.ts'
import { loadStoreAccess, lockChallenge, type StoreAccess, saveAttempts, saveChallengeConsumed } from '../store.ts'
import type { StoreGrants } from '../store-grants.ts'

export interface ChallengeDeps {
  readonly secret: Secret
  readonly grants: StoreGrants
}

/** POST /api/v1/public/store-access/{store}/challenges/verify */
export function verifyStorefrontChallenge({
  secret,
  grants,
}: ChallengeDeps): Handler<typeof operations.verifyStorefrontChallenge> {
  // Counts the attempt first, then verifies it outside a transaction, so that slow guesses hold no database connection.
  return prepared(
    async ({ params, body }, { reader, transaction, now }) => {
      const store = await loadStoreAccess(reader, params.store)
      const { attempted, verify } = await transaction(async (tx) => {
        const challenge = await lockChallenge(tx, store.id, body.challengeId)
        const submission = readSubmission(body, challenge, store, secret)
        const counted = recordAttempt(challenge, now)
        saveAttempts(tx, counted)
        return { attempted: counted, verify: submission }
      })
      return { store, attempted, isSolved: await verify() }
    },
    async (_input, { tx, now, prepared: { store, attempted, isSolved } }) => {
      if (!isSolved) {
        const attemptsLeft = limits.storeAccess.challengeAttemptsMax - attempted.attempts
        refuse('challenge_failed', { params: { attemptsLeft } })
      }
      // Of two correct answers at the same time, only one consumes the challenge.
      const challenge = await lockChallenge(tx, store.id, attempted.id)
      refuseUnlessIssued({ ...challenge, attempts: 0 }, now)

      saveChallengeConsumed(tx, challenge, now)
      const expiresAt = floorToSecond(new Date(now.getTime() + grantSecondsFor(challenge.kind) * 1000))
      return {
        // Bound to the access settings that the answer was verified against. A change since then has already ended the grant.
        accessToken: grants.mint(store, { challengeId: challenge.id, purpose: challenge.purpose, expiresAt }),
        purpose: challenge.purpose,
        expiresAt: expiresAt.toISOString(),
      }
    },
  )
}

/** Returns the check of a submission. Run it after the attempt is counted. Refusal: `validation_failed`. */
function readSubmission(
  { password, solution }: VerifyChallengeRequest,
  { work }: { readonly work: Work | null },
  store: StoreAccess,
  secret: Secret,
): () => Promise<boolean> {
  if (password !== undefined && solution !== undefined)
    refuseField(work ? 'password' : 'solution', 'not_allowed', 'Send the password or the solution, not both.')
  if (work) {
    const parsed = readSolution(solution ?? refuseMissing('solution', 'This challenge needs a proof-of-work solution.'))
    return () => verifyWork(secret, work, parsed)
  }
  const submitted = password ?? refuseMissing('password', "This challenge needs the store's password.")
  return () => matchesPassword(store.access_password, submitted)
}

function refuseMissing(field: string, message: string): never {
  refuseField(field, 'required', message)
}

/** A grant carries its expiry in whole seconds; the response must match it. */
function floorToSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000)
}
