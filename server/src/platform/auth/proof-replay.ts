import type { Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

const take = statement(
  'dpop.claim',
  'insert into dpop_proofs (proof, expires_at) values ($1, $2) on conflict do nothing',
)

/**
 * Takes what may be shown once, on whichever node: a DPoP proof, a client assertion. Whoever comes second, even at the same
 * moment, gets `false`.
 *
 * @param expiresAt from when on it would be refused for its age anyway
 * @see RFC 9449 §11.1, RFC 7523 §3
 */
export async function claimProof(tx: Transaction, hash: Buffer, expiresAt: Date): Promise<boolean> {
  return (await tx.change(take, [hash, expiresAt])) === 1
}

/** What a proof that was taken before is told. */
export const replayed = {
  in: 'header',
  pointer: 'DPoP',
  code: 'replayed',
  message: 'This proof was taken before: make one for each request.',
} as const
