import { limits } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { sellableSkusOf } from '../catalog/index.ts'
import { type CompletionInput, completePrice, type PricedCart, type PromotionSlot } from '../pricing/index.ts'
import { loadPromotionsById } from '../promotions/index.ts'
import { type Cart, refuseUnpromised } from './cart.ts'
import { offerOf, readNamedSkus } from './cart-skus.ts'
import { presentPrices, presentQuoteLines } from './cart-view.ts'
import { type LoadedCart, type PricingContext, priceNow, pricingInputOf } from './load-cart.ts'
import type { CartDeps } from './parts.ts'
import { type Quote, type QuoteContent, refuseIncomplete, signQuote } from './quote.ts'
import { quoteContent } from './quote-view.ts'
import { isOfferedShipping } from './shipping-choice.ts'

/** What promises are made with. */
export type QuoteDeps = Pick<CartDeps, 'rules' | 'signer'>
type PromiseContext = PricingContext & { readonly ids: IdSource }

/**
 * Takes a quote at its word: until it expires its prices hold, whatever has changed since, but for the cart itself.
 *
 * Refusals: `quote_expired`, `quote_stale`. @see CONTRACT, Money 7
 */
export function refuseBrokenPromise(quote: Quote, cart: Cart, now: Date): void {
  if (now >= quote.expiresAt) refuse('quote_expired')
  if (quote.cartVersion !== cart.version) {
    refuse('quote_stale', { conflict: { expectedVersion: quote.cartVersion, currentVersion: cart.version } })
  }
}

/**
 * Promises what a cart costs now, where nobody has asked for a quote before, and only where it is as the shopper saw it.
 *
 * Refusals: `cart_incomplete`, `price_changed`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`,
 * `promotion_inapplicable`, `money_overflow`.
 */
export async function promiseNow(
  reader: Reader,
  { rules, signer }: QuoteDeps,
  loaded: LoadedCart,
  context: PromiseContext,
): Promise<Quote> {
  const { cart, skus } = loaded
  const priced = await priceNow(reader, rules, loaded, context)
  refuseIncomplete(cart, priced)
  refuseUnpromised(cart, (skuId) => offerOf(skus.get(skuId), cart))
  if (priced.promotion.status === 'inapplicable') {
    refuse('promotion_inapplicable', { conflict: { reasons: [priced.promotion.reasonCode] } })
  }
  return signQuote(quoteContent(context.ids.next('quo'), loaded, priced, context), signer)
}

/** A promise that was made, and what has been learned of the place since. */
export interface Completion {
  readonly cart: Cart
  readonly promised: QuoteContent
  readonly shippingAddress: Cart['shippingAddress']
  readonly shippingOptionId: string | null
}

/** A promise completed for its place, before it is signed. */
export interface Completed {
  readonly loaded: LoadedCart
  readonly priced: PricedCart
}

/** Prices a promise for the place that is known by now. Refusals: `money_overflow`. */
export async function completeNow(
  reader: Reader,
  { rules }: Pick<QuoteDeps, 'rules'>,
  { cart, promised, shippingAddress, shippingOptionId }: Completion,
  context: PricingContext,
): Promise<Completed> {
  const applied = appliedBy(promised)
  const skuIds = cart.lines.map((line) => line.skuId)
  const [rows, rulesOfApplied] = await Promise.all([
    readNamedSkus(reader, cart, { skuIds, held: true, currency: cart.currency }),
    loadPromotionsById(
      reader,
      applied.map(({ promotionId }) => promotionId),
    ),
  ])
  const loaded = { cart: { ...cart, shippingAddress, shippingOptionId }, skus: sellableSkusOf(rows, [cart.locale]) }
  const input = await pricingInputOf(reader, rules, loaded, context)
  const priceOf = new Map(promised.lines.map((line) => [line.lineId, BigInt(line.unitPrice.amount)]))
  const priced = completePrice({
    ...input,
    lines: input.lines.map((line) => ({ ...line, unitPrice: priceOf.get(line.lineId) ?? line.unitPrice })),
    promised: { allocations: allocationsBy(promised), applied, slot: slotBy(promised), rules: rulesOfApplied },
  })
  const isOffered = shippingOptionId !== null && isOfferedShipping(shippingOptionId, priced)
  return { loaded: isOffered ? loaded : { ...loaded, cart: { ...loaded.cart, shippingOptionId: null } }, priced }
}

/** Signs a completed promise: items as they were promised, shipping and tax of the place. */
export function signCompleted(
  { signer }: Pick<QuoteDeps, 'signer'>,
  promised: QuoteContent,
  { loaded, priced }: Completed,
  { ids, now }: Pick<PromiseContext, 'ids' | 'now'>,
): Quote {
  const { shippingOptionId: _, ...kept } = promised
  const lines = presentQuoteLines(loaded.skus, priced)
  const content: QuoteContent = {
    ...kept,
    ...presentPrices(loaded.cart, priced),
    id: ids.next('quo'),
    cartVersion: loaded.cart.version,
    lines: promised.lines.map((line, index) => {
      const { taxLines, total } = lines[index]!
      return { ...line, taxLines, total }
    }),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + limits.quote.ttlSeconds * 1000).toISOString(),
  }
  return signQuote(content, signer)
}

type Promised = CompletionInput['promised']

function appliedBy({ automaticPromotions, promotion }: QuoteContent): Promised['applied'] {
  const automatic = automaticPromotions.map((each) => {
    return { ...each, code: null, amount: BigInt(each.amount.amount) }
  })
  const slot = slotBy({ promotion })
  return slot.status === 'applied' ? [...automatic, slot] : automatic
}

/** What stood in the code slot, as pricing has it: the contract shows its states in one closed object. */
function slotBy({ promotion }: Pick<QuoteContent, 'promotion'>): PromotionSlot {
  const { status, code, promotionId = null, title = null, phase, amount, reasonCode, requirement } = promotion
  if (status === 'none') return { status }
  const promisedCode = present(code, 'a slot that is not empty has a code')
  if (status === 'applied') {
    return {
      status,
      code: promisedCode,
      promotionId: present(promotionId, 'what applies is a promotion'),
      title: present(title, 'what applies has a title'),
      phase: present(phase, 'what applies has a phase'),
      amount: BigInt(present(amount, 'what applies takes something off').amount),
    }
  }
  return {
    status,
    code: promisedCode,
    promotionId,
    title,
    reasonCode: present(reasonCode, 'what does not apply says why'),
    requirement: requirement ? { missing: BigInt(requirement.missing.amount) } : null,
  }
}

function allocationsBy({ lines }: QuoteContent): Promised['allocations'] {
  return new Map(
    lines.map(({ lineId, discountAllocations }) => [
      lineId,
      discountAllocations.map(({ promotionId, code = null, title, amount }) => {
        return { promotionId, code, title, amount: BigInt(amount.amount) }
      }),
    ]),
  )
}
