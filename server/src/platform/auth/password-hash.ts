import { hash, verify } from '@node-rs/argon2'
import { lazily } from '../../kernel/async/lazily.ts'
import { limitConcurrency } from '../../kernel/async/limit-concurrency.ts'

/** argon2id, which is the library's default. Memory in KiB. @see docs/reference/rules.md#customers */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Node has four threads for such work. Two remain for compression and DNS. */
const AT_ONCE = 2
/** About half a second of work. Further callers are refused and may retry. */
const WAITING_MAX = 32
const limited = limitConcurrency(AT_ONCE, WAITING_MAX)

let runs = 0

/** The number of argon2 runs in this process. */
export function argon2Runs(): number {
  return runs
}

function run<Result>(work: () => Promise<Result>): Promise<Result> {
  runs += 1
  return limited(work)
}

/** Hashes a password with argon2id, in PHC string format. About 20 ms on another thread. */
export function hashPassword(password: string): Promise<string> {
  return run(() => hash(normalized(password), COST))
}

const dummyHash = lazily(() => hashPassword('no account has this password'))

/**
 * Verifies a password. Without a stored hash it returns false after the same work, so that timing does not reveal whether an
 * account exists.
 */
export async function matchesPassword(stored: string | null, password: string): Promise<boolean> {
  // Awaited with a stored hash too: the first sign-in takes as long without an account, and a refusal is not left unhandled.
  const dummy = await dummyHash()
  const matches = await run(() => verify(stored ?? dummy, normalized(password)))
  return matches && stored !== null
}

/** Normalizes to one Unicode form, so that a password is the same on every keyboard. @see NIST SP 800-63B §3.1.1.2 */
function normalized(password: string): string {
  return password.normalize('NFKC')
}
