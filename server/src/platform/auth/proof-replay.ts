import type { Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

const insert = statement(
  'dpop.claim',
  'insert into dpop_proofs (proof, expires_at) values ($1, $2) on conflict do nothing',
)

/**
 * Claims a DPoP proof or a client assertion. It is accepted once across all nodes: every later or concurrent claim returns
 * `false`.
 *
 * @param expiresAt the time from which it is refused for its age anyway
 * @see RFC 9449 §11.1, RFC 7523 §3
 */
export async function claimProof(tx: Transaction, hash: Buffer, expiresAt: Date): Promise<boolean> {
  return (await tx.change(insert, [hash, expiresAt])) === 1
}

/** The error detail for a replayed proof. */
export const replayed = {
  in: 'header',
  pointer: 'DPoP',
  code: 'replayed',
  message: 'This proof was used before. Create a new one for each request.',
} as const
