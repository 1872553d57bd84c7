import { limits } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import { recordCartEvent } from './events.ts'

interface ExpiredRow {
  readonly id: string
  readonly installation_id: string
  readonly environment: Environment
  readonly store_id: string | null
  readonly version: number
}

/** Carts per transaction, so that locks are held for a few milliseconds only. */
const BATCH = 500
const DAY_MS = 86_400_000

// A locked cart is being changed, so it is not idle: skip it.
const expire = statement<ExpiredRow>(
  'carts.expire',
  `update carts set status = 'expired', version = version + 1, ended_at = expires_at, updated_at = expires_at
   where id in (
     select id from carts where status = 'active' and created_at <= $2 and expires_at <= $1
     order by created_at limit $3 for update skip locked)
   returning id, installation_id, environment, store_id, version`,
)

/**
 * Save the expiry of idle carts. Reads have shown them as expired already, see `asOf`.
 *
 * @returns the number of expired carts
 */
export async function expireIdleCarts(
  database: Database,
  { now, ids }: { readonly now: Date; readonly ids: IdSource },
): Promise<number> {
  // Carts created later cannot have been idle that long. Matches the index carts_idle.
  const createdBefore = new Date(now.getTime() - limits.cart.idleExpiryDays * DAY_MS)
  let expired = 0
  for (;;) {
    const count = await database.transaction(async (tx) => {
      const rows = await tx.rows(expire, [now, createdBefore, BATCH])
      for (const { installation_id: installationId, store_id: storeId, ...row } of rows) {
        recordCartEvent({ tx, ids, now }, 'cart.expired', { ...row, installationId, storeId, status: 'expired' })
      }
      return rows.length
    })
    expired += count
    if (count < BATCH) return expired
  }
}

/** How long ended carts can still be read. Converted carts are never deleted. */
export const ENDED_CART_RETENTION_DAYS = 90

/** Delete carts that ended long ago, with their lines and quotes. Orders have their own copy. */
export const sweepEndedCarts = sweepStatement('carts', 'ended_at')
