import { limits } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { tellCart } from './cart-events.ts'

interface ExpiredRow {
  readonly id: string
  readonly installation_id: string
  readonly environment: Environment
  readonly store_id: string | null
  readonly version: number
}

/** Carts of one transaction: each holds its locks for a few milliseconds only. */
const BATCH = 500
const DAY_MS = 86_400_000

// A cart that somebody is changing right now is not idle, so it is left for the next round.
const expire = statement<ExpiredRow>(
  'carts.expire',
  `update carts set status = 'expired', version = version + 1, ended_at = expires_at, updated_at = expires_at
   where id in (
     select id from carts where status = 'active' and created_at <= $2 and expires_at <= $1
     order by created_at limit $3 for update skip locked)
   returning id, installation_id, environment, store_id, version`,
)

/**
 * Writes down that idle carts have expired, as their readers have seen since the moment they did. @see asOf
 *
 * @returns how many
 */
export async function expireIdleCarts(
  database: Database,
  { now, ids }: { readonly now: Date; readonly ids: IdSource },
): Promise<number> {
  // Whoever was opened later cannot have been idle that long. @see the index carts_idle
  const openedBefore = new Date(now.getTime() - limits.cart.idleExpiryDays * DAY_MS)
  let expired = 0
  for (;;) {
    const count = await database.transaction(async (tx) => {
      const rows = await tx.rows(expire, [now, openedBefore, BATCH])
      for (const { installation_id: installationId, store_id: storeId, ...row } of rows) {
        tellCart({ tx, ids, now }, 'cart.expired', { ...row, installationId, storeId, status: 'expired' })
      }
      return rows.length
    })
    expired += count
    if (count < BATCH) return expired
  }
}

/** Days that a cart which was revoked or has expired can still be read. */
export const ENDED_CART_RETENTION_DAYS = 90

/** For the sweep: carts that ended long ago, with their lines and quotes. An order keeps its own copy of all it needs. */
export const sweepEndedCarts = statement(
  'carts.sweep',
  `delete from carts where id in (
     select id from carts where ended_at < $1 order by ended_at limit $2)`,
)
