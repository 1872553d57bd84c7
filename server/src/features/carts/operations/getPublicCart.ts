import type { Cart, operations } from '@vitrine/contract'
import { LRUCache } from 'lru-cache'
import type { Handler } from '../../../platform/http/handler.ts'
import { loadVersionedCart } from '../cart-version.ts'
import type { CartDeps } from '../deps.ts'
import { priceNow, withSkus } from '../load-cart.ts'
import { readHeldSkus } from '../skus.ts'
import { presentCart } from '../view.ts'

/** Lines of all carts that are kept as they were shown, of about 2 KiB each. */
const LINES_KEPT_MAX = 10_000

/** The last version of a cart that was read, with its answer once it was read twice. */
interface Shown {
  readonly version: string
  readonly answer: Cart | null
}

/** GET /api/v1/open/storefront/carts/{cartId} */
export function getPublicCart({ rules }: CartDeps): Handler<typeof operations.getPublicCart> {
  // Pricing is half of a read. A cart that changes between any two reads is never kept: its SKUs are read in the first
  // round trip.
  const kept = new LRUCache<string, Shown>({
    maxSize: LINES_KEPT_MAX,
    sizeCalculation: ({ answer }) => 1 + (answer?.lines.length ?? 0),
  })
  return async ({ params: { cartId } }, context) => {
    const { reader, principal, isConditional } = context
    const readSkus = () => readHeldSkus(reader, principal, cartId)
    const last = kept.get(cartId)
    // In the same round trip, unless the client or this node may have the answer.
    const [{ cart, version }, early] = await Promise.all([
      loadVersionedCart(context, rules, cartId),
      isConditional || last?.answer ? null : readSkus(),
    ])
    const unchanged = context.notModified(version)
    if (unchanged) return unchanged
    if (last?.answer && last.version === version) return last.answer
    const loaded = await withSkus(reader, cart, early ?? (await readSkus()))
    const answer = presentCart(loaded, await priceNow(reader, rules, loaded, context))
    kept.set(cartId, { version, answer: last?.version === version ? answer : null })
    return answer
  }
}
