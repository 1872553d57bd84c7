import type { Environment } from '../../kernel/environment.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { type QuoteContent, releaseCart } from '../carts/index.ts'
import { releaseStock } from '../inventory/index.ts'
import { releaseRedemptions } from '../promotions/index.ts'
import type { LoadedSession } from './session-store.ts'

/** Release the stock and the redemptions that a session holds, but not its cart. */
export async function releaseHolds(tx: Transaction, { session, quote }: LoadedSession): Promise<void> {
  releaseRedemptions(tx, session.id)
  invalidateStock(tx, session.environment, quote, await releaseStock(tx, session.id))
}

/** Release everything a session holds, including its cart, which becomes active again. */
export async function releaseSession(tx: Transaction, loaded: LoadedSession, context: EventContext): Promise<void> {
  await releaseCart(tx, loaded.session.cartId, context)
  await releaseHolds(tx, loaded)
}

/**
 * Invalidate cached catalog responses after the public stock level of these SKUs has changed. Only live stock is public.
 * Call it last: it locks the store's revision row, which other checkouts wait for.
 */
export function invalidateStock(
  tx: Transaction,
  environment: Environment,
  { lines }: Pick<QuoteContent, 'lines'>,
  skuIds: readonly string[],
): void {
  if (environment !== 'live') return
  const storeIds = lines.filter(({ skuId }) => skuIds.includes(skuId)).map(({ storeId }) => storeId)
  for (const storeId of [...new Set(storeIds)].sort()) bumpRevision(tx, `catalog/${storeId}`)
}
