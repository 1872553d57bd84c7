import { AnswerTimeout, type VitrineClient, VitrineError } from '@vitrine/sdk'

// region stored
/** Storage for what the program is about to do, such as a table. It survives a restart. */
export interface Intents {
  /** The idempotency key of an intent: created at the first call, the same at every later one. */
  keyOf(intent: string): Promise<string>
}

/** Adds an item for an order in your own system. You can run it again at any time: the item is added once. */
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
/** The next step after an error that the client could not handle itself. */
export function nextStep(error: unknown): 'stop' | 'run again' | 'read again' | 'unknown' {
  // No answer, or a broken connection: repeat with the same key, which has no second effect.
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
