import type { Environment } from '../../kernel/environment.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { type QuoteContent, releaseCart } from '../carts/index.ts'
import { releaseStock } from '../inventory/index.ts'
import { giveBackUses } from '../promotions/index.ts'
import type { LoadedSession } from './session-store.ts'

/** Gives back what a session held: stock, and uses of promotions. What becomes of its cart is its caller's to say. */
export async function giveBackHeld(tx: Transaction, { session, quote }: LoadedSession): Promise<void> {
  giveBackUses(tx, session.id)
  announceStock(tx, session.environment, quote, await releaseStock(tx, session.id))
}

/** Gives back everything, the cart included: the shopper goes on where they were. */
export async function giveBack(tx: Transaction, loaded: LoadedSession, context: EventContext): Promise<void> {
  await releaseCart(tx, loaded.session.cartId, context)
  await giveBackHeld(tx, loaded)
}

/**
 * Announces to kept answers that another stock is shown; only the live one is shown to everybody, and only where it shows
 * another availability, or another number up to the greatest that is told. Call it last: other checkouts of the store wait.
 */
export function announceStock(
  tx: Transaction,
  environment: Environment,
  { lines }: Pick<QuoteContent, 'lines'>,
  skuIds: readonly string[],
): void {
  if (environment !== 'live') return
  const storeIds = lines.filter(({ skuId }) => skuIds.includes(skuId)).map(({ storeId }) => storeId)
  for (const storeId of [...new Set(storeIds)].sort()) bumpRevision(tx, `catalog/${storeId}`)
}
