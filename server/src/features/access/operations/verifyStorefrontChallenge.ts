import { limits, type operations, type VerifyChallengeRequest } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { matchesPassword } from '../../../platform/auth/password-hash.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { lockChallenge, type StoreAccess, saveConsumed, saveTry, storeAccessBySlug } from '../access-store.ts'
import { countTry, grantSecondsFor } from '../challenge.ts'
import { isWorkDone, readSolution, type Work } from '../proof-of-work.ts'
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
    const store = await storeAccessBySlug(tx, params.store)
    const challenge = await lockChallenge(tx, store.id, body.challengeId)
    const isRight = readAnswer(body, challenge, store, secret)

    const tried = countTry(challenge, now)
    saveTry(tx, tried)
    commitEvenIfRefused()
    if (!(await isRight())) {
      refuse('challenge_failed', { params: { attemptsLeft: limits.storeAccess.challengeAttemptsMax - tried.attempts } })
    }

    saveConsumed(tx, tried, now)
    const expiresAt = wholeSecond(new Date(now.getTime() + grantSecondsFor(challenge.kind) * 1000))
    return {
      accessToken: grants.mint(store, challenge.purpose, expiresAt),
      purpose: challenge.purpose,
      expiresAt: expiresAt.toISOString(),
    }
  }
}

/** How to find out whether the answer is right, once the try counts. Refusal: `validation_failed`. */
function readAnswer(
  { password, solution }: VerifyChallengeRequest,
  { work }: { readonly work: Work | null },
  store: StoreAccess,
  secret: Buffer,
): () => Promise<boolean> {
  if (work) {
    const found = readSolution(solution ?? refuseMissing('/solution', 'This challenge asks for work.'))
    return () => isWorkDone(secret, work, found)
  }
  const typed = password ?? refuseMissing('/password', 'This challenge asks for the password of the store.')
  return () => matchesPassword(store.access_password, typed)
}

function refuseMissing(pointer: string, message: string): never {
  refuse('validation_failed', { details: [{ in: 'body', pointer, code: 'required', message }] })
}

/** A grant ends at a second: what is told of it is what is sealed in it. */
function wholeSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000)
}
