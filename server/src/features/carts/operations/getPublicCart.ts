import type { Cart, operations } from '@vitrine/contract'
import { LRUCache } from 'lru-cache'
import type { Handler } from '../../../platform/http/handler.ts'
import { loadVersionedCart } from '../cart-version.ts'
import type { CartDeps } from '../deps.ts'
import { priceNow, withSkus } from '../load-cart.ts'
import { contentOf } from '../quote.ts'
import { findQuote } from '../quote-store.ts'
import { readHeldSkus } from '../skus.ts'
import { presentCart, withQuotedPrices } from '../view.ts'

/** Cart lines in the response cache, at about 2 KiB each. */
const LINES_CACHED_MAX = 10_000

/** The version of a cart's last read, and its response if that version was read twice. */
interface CachedRead {
  readonly version: string
  readonly answer: Cart | null
}

/** GET /api/v1/open/storefront/carts/{cartId} */
export function getPublicCart({ rules }: CartDeps): Handler<typeof operations.getPublicCart> {
  // Pricing is half of a read's cost. A cart that changes between any two reads is never cached: its SKUs are read in the first
  // round trip.
  const cache = new LRUCache<string, CachedRead>({
    maxSize: LINES_CACHED_MAX,
    sizeCalculation: ({ answer }) => 1 + (answer?.lines.length ?? 0),
  })
  return async ({ params: { cartId } }, context) => {
    const { reader, principal, isConditional } = context
    const readSkus = () => readHeldSkus(reader, principal, cartId)
    const last = cache.get(cartId)
    // Read the SKUs in the same round trip, unless the client or this process may already have the response.
    const [{ cart, version, quoteId }, early] = await Promise.all([
      loadVersionedCart(context, rules, cartId),
      isConditional || last?.answer ? null : readSkus(),
    ])
    const unchanged = context.notModified(version)
    if (unchanged) return unchanged
    if (last?.answer && last.version === version) return last.answer
    const loaded = await withSkus(reader, cart, early ?? (await readSkus()))
    const [priced, quote] = await Promise.all([
      priceNow(reader, rules, loaded, context),
      quoteId === null ? null : findQuote(reader, quoteId, cart.id),
    ])
    const shown = presentCart(loaded, priced)
    const answer = quote ? withQuotedPrices(shown, contentOf(quote)) : shown
    cache.set(cartId, { version, answer: last?.version === version ? answer : null })
    return answer
  }
}
