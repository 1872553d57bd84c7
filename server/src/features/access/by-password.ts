import { refuse } from '../../kernel/refusal.ts'
import { matchesPassword } from '../../platform/auth/password-hash.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import { grantSecondsFor } from './challenge.ts'
import { loadStoreAccess, type StoreAccess } from './store.ts'
import type { StoreGrants } from './store-grants.ts'

/** The page that asks for the password of a store. */
export const STORE_ACCESS_PATH = '/store-access'

const isRegistered = statement<{ readonly registered: boolean }>(
  'access.return_url',
  `select exists (select from installations where status = 'active' and $1 = any (return_urls)
     and (store_id is null or store_id = $2)) as registered`,
)

/**
 * Loads a store for its password page. The return URL must exactly match a registered one of an active installation that sells
 * for the store.
 *
 * Refusals: `not_found`, also for a store in the mode `challenge`.
 */
export async function loadStoreToEnter(reader: Reader, slug: string, returnUrl: string): Promise<StoreAccess> {
  const store = await loadStoreAccess(reader, slug)
  const row = await reader.row(isRegistered, [returnUrl, store.id])
  return row?.registered && store.access_mode !== 'challenge' ? store : refuse('not_found')
}

/** Verifies the password of a store, limited as verifyStorefrontChallenge is. Refusals: `rate_limited`, `challenge_failed`. */
export async function verifyStorePassword(
  limiter: Pick<RateLimiter, 'take'>,
  store: StoreAccess,
  password: string,
  now: Date,
): Promise<void> {
  refuseOverLimit(await limiter.take('challenge-verify-store', store.id, now.getTime()))
  if (!(await matchesPassword(store.access_password, password))) refuse('challenge_failed')
}

interface GrantContext {
  readonly challengeId: string
  readonly now: Date
}

/** The return URL with a grant in its fragment, which browsers never send to a server. */
export function returnWithGrant(
  grants: StoreGrants,
  store: StoreAccess,
  returnUrl: string,
  { challengeId, now }: GrantContext,
): string {
  const seconds = Math.floor(now.getTime() / 1000) + grantSecondsFor('password')
  const expiresAt = new Date(seconds * 1000)
  const grant = grants.mint(store, { challengeId, purpose: 'store_access', expiresAt })
  const url = new URL(returnUrl)
  url.hash = new URLSearchParams({
    store: store.slug,
    store_access: grant,
    expires_at: expiresAt.toISOString(),
  }).toString()
  return url.href
}
