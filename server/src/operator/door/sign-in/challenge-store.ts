import type { Randomness } from '../../../kernel/randomness.ts'
import { hashOfToken } from '../../../platform/auth/opaque-token.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** The purpose of a challenge. `passkey_new` and `passkey_proof` belong to an operator. */
type ChallengePurpose = 'passkey_new' | 'passkey_sign_in' | 'passkey_proof' | 'provider'

const CHALLENGE_BYTES = 32
const MINUTE_MS = 60_000
/** Longer for a provider, which may ask for a password, a code and consent. */
const LIFE_MS: Readonly<Record<ChallengePurpose, number>> = {
  passkey_new: 5 * MINUTE_MS,
  passkey_sign_in: 5 * MINUTE_MS,
  passkey_proof: 5 * MINUTE_MS,
  provider: 10 * MINUTE_MS,
}

const forget = statement('operators.forget_challenges', 'delete from operator_challenges where expires_at <= $1')
const insert = statement(
  'operators.insert_challenge',
  'insert into operator_challenges (challenge_hash, purpose, operator_id, expires_at) values ($1, $2, $3, $4)',
)
const take = statement(
  'operators.take_challenge',
  `delete from operator_challenges
   where challenge_hash = $1 and purpose = $2 and operator_id is not distinct from $3 and expires_at > $4`,
)

interface Asked {
  readonly purpose: ChallengePurpose
  /** `null` before sign-in. */
  readonly operatorId: string | null
  readonly now: Date
}

/** Stores a new challenge by its hash, and deletes expired ones. @returns the challenge */
export function createChallenge(tx: Transaction, { purpose, operatorId, now }: Asked, randomness: Randomness): string {
  const challenge = randomness.bytes(CHALLENGE_BYTES).toString('base64url')
  tx.write(forget, [now])
  tx.write(insert, [hashOfToken(challenge), purpose, operatorId, new Date(now.getTime() + LIFE_MS[purpose])])
  return challenge
}

/** Uses a challenge up. False if it was used, has expired, or is of another purpose or operator. */
export async function takeChallenge(tx: Transaction, challenge: string, asked: Asked): Promise<boolean> {
  const { purpose, operatorId, now } = asked
  return (await tx.change(take, [hashOfToken(challenge), purpose, operatorId, now])) === 1
}
