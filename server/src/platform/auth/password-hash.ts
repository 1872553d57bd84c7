import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency } from '../../kernel/limit-concurrency.ts'

/** argon2id, which is the library's default. Memory in KiB. @see CONTRACT, Customers */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of the four threads that Node has for such work, two are left to compress answers and to look up names. */
const inTurn = limitConcurrency(2)

/** What is kept of a password: argon2id, in the PHC string format. About 20 ms on another thread. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalised(password), COST))
}

let nobodys: Promise<string> | null = null

/**
 * Whether a password is the one that was kept. Where none is, it answers no after the same work, so that the time tells
 * nobody whether there is one.
 */
export async function matchesPassword(kept: string | null, password: string): Promise<boolean> {
  nobodys ??= hashPassword('nobody has this password')
  const held = kept ?? (await nobodys)
  const matches = await inTurn(() => verify(held, normalised(password)))
  return matches && kept !== null
}

/** One Unicode form, so that a password typed on another keyboard is the same. @see NIST SP 800-63B §3.1.1.2 */
function normalised(password: string): string {
  return password.normalize('NFKC')
}
