import { AnswerTimeout, type VitrineClient, VitrineError } from '@vitrine/sdk'

// region stored
/** Where a program keeps what it is about to do, such as a table. It survives a restart. */
export interface Intents {
  /** The key of an intent: a new one the first time, the same one ever after. */
  keyOf(intent: string): Promise<string>
}

/** Adds an item for an order of your own system. It can be run again at any time, and adds the item once. */
export async function ensureItem(
  shop: VitrineClient,
  intents: Intents,
  intent: string,
  line: { cartId: string; skuId: string },
) {
  const idempotencyKey = await intents.keyOf(intent)
  return shop.addPublicCartItem(
    { params: { cartId: line.cartId }, body: { skuId: line.skuId, quantity: 1 } },
    { idempotencyKey },
  )
}
// endregion

// region decide
/** What to do after a failure that the client did not solve by itself. */
export function nextStep(error: unknown): 'stop' | 'run again' | 'read again' | 'unknown' {
  // Nothing answered, or the connection broke: the same key finds out, and has no second effect.
  if (error instanceof AnswerTimeout || error instanceof TypeError) return 'run again'
  if (!(error instanceof VitrineError)) throw error
  if (error.outcome === 'unknown') return 'run again'
  switch (error.retry.advice) {
    case 'same_key':
    case 'same_request_later':
      return 'run again'
    case 'refresh_state':
      return 'read again'
    case 'do_not_retry':
    case 'fix_request':
    case 'new_key':
    case 'reauthenticate':
      return 'stop'
    default:
      return 'unknown'
  }
}
// endregion
