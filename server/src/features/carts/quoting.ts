import { limits } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { sellableSkusOf } from '../catalog/index.ts'
import { type PricedCart, type PromotionSlot, type RecalculationInput, recalculatePrice } from '../pricing/index.ts'
import { loadPromotionsById } from '../promotions/index.ts'
import { type Cart, refuseChangedLines } from './cart.ts'
import type { CartDeps } from './deps.ts'
import { type LoadedCart, type PricingContext, priceNow, pricingInputOf } from './load-cart.ts'
import { type Quote, type QuoteContent, refuseIncomplete, signQuote } from './quote.ts'
import { quoteContent } from './quote-view.ts'
import { isOfferedShipping } from './shipping-choice.ts'
import { offerOf, readNamedSkus, type Skus } from './skus.ts'
import { presentPrices, presentQuoteLines } from './view.ts'

export type QuoteDeps = Pick<CartDeps, 'rules' | 'signers'>
type QuoteContext = PricingContext & { readonly ids: IdSource }

/**
 * Check that a quote can be charged. Its prices are binding until it expires, unless the cart itself has changed.
 *
 * Refusals: `quote_expired`, `quote_stale`. @see docs/reference/rules.md#quotes
 */
export function assertQuoteUsable(quote: Quote, cart: Cart, now: Date): void {
  if (now >= quote.expiresAt) refuse('quote_expired')
  if (quote.cartVersion !== cart.version) {
    refuse('quote_stale', { conflict: { expectedVersion: quote.cartVersion, currentVersion: cart.version } })
  }
}

/**
 * Quote a cart at checkout, when the caller named no quote. Refuses anything that differs from what the shopper saw.
 *
 * Refusals: `cart_incomplete`, `price_changed`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`,
 * `promotion_inapplicable`, `money_overflow`.
 */
export async function issueQuote(
  reader: Reader,
  { rules, signers }: QuoteDeps,
  loaded: LoadedCart,
  context: QuoteContext,
): Promise<Quote> {
  const { cart, skus } = loaded
  const priced = await priceNow(reader, rules, loaded, context)
  refuseIncomplete(loaded, priced)
  refuseChangedLines(cart, (skuId) => offerOf(skus.get(skuId), cart))
  if (priced.promotion.status === 'inapplicable') {
    refuse('promotion_inapplicable', { conflict: { reasons: [priced.promotion.reasonCode] } })
  }
  return signQuote(quoteContent(context.ids.next('quo'), loaded, priced, context), signers.current)
}

/** A quoted cart with another promotion code; `null` removes the code. */
type CodeRequest = RecalculationRequest & { readonly code: string | null }

/**
 * Quote the cart of a checkout session again, with another code. Everything is priced as of now, and unit prices must be as quoted.
 *
 * Refusals: `promotion_inapplicable` with the facts of applyPublicCartPromotion, `price_changed`, `money_overflow`.
 */
export async function requoteWithCode(
  reader: Reader,
  { rules, signers }: QuoteDeps,
  { cart, quoted, code, ...destination }: CodeRequest,
  context: QuoteContext,
): Promise<{ readonly quote: Quote; readonly recalculation: Recalculation }> {
  const skuIds = cart.lines.map((line) => line.skuId)
  const rows = await readNamedSkus(reader, cart, { skuIds, held: true, currency: cart.currency })
  const asked = {
    cart: { ...cart, ...destination, code },
    skus: asQuoted(sellableSkusOf(rows, [cart.locale]), quoted),
  }
  const priced = await priceNow(reader, rules, asked, context)
  const loaded = withOfferedShipping(asked, priced)
  refuseInapplicable(priced)
  const prices = new Map(priced.lines.map(({ lineId, unitPrice }) => [lineId, unitPrice]))
  if (quoted.lines.some(({ lineId, unitPrice }) => prices.get(lineId) !== BigInt(unitPrice.amount)))
    refuse('price_changed')
  const quote = signQuote(quoteContent(context.ids.next('quo'), loaded, priced, context), signers.current)
  return { quote, recalculation: { loaded, priced } }
}

/** A quoted cart with its current addresses and shipping option. */
interface RecalculationRequest {
  readonly cart: Cart
  readonly quoted: QuoteContent
  readonly shippingAddress: Cart['shippingAddress']
  readonly billingAddress: Cart['billingAddress']
  readonly shippingOptionId: string | null
}

/** A recalculated quote before it is signed. */
export interface Recalculation {
  readonly loaded: LoadedCart
  readonly priced: PricedCart
  /** Whether a registry does not know the buyer's VAT number. Tax is charged then. */
  readonly isVatIdRefused?: boolean
  /** Whether a tax provider calculated the tax. It uses every field of an address. */
  readonly isTaxProvided?: boolean
}

/**
 * Recalculate shipping and tax of a quote. Items keep their quoted prices. Outside of a transaction no tax provider is called: pages
 * show the tax of the quote. Refusals: `money_overflow`.
 */
export async function recalculateQuote(
  reader: Reader,
  { rules }: Pick<QuoteDeps, 'rules'>,
  { cart, quoted, ...destination }: RecalculationRequest,
  context: PricingContext,
): Promise<Recalculation> {
  const applied = appliedIn(quoted)
  const skuIds = cart.lines.map((line) => line.skuId)
  const [rows, appliedRules] = await Promise.all([
    readNamedSkus(reader, cart, { skuIds, held: true, currency: cart.currency }),
    loadPromotionsById(
      reader,
      applied.map(({ promotionId }) => promotionId),
    ),
  ])
  const loaded = { cart: { ...cart, ...destination }, skus: asQuoted(sellableSkusOf(rows, [cart.locale]), quoted) }
  const input = await pricingInputOf(reader, rules, loaded, context)
  const priceOf = new Map(quoted.lines.map((line) => [line.lineId, BigInt(line.unitPrice.amount)]))
  const priced = recalculatePrice({
    ...input,
    providedTax: 'isTransaction' in reader ? input.providedTax : null,
    lines: input.lines.map((line) => ({ ...line, unitPrice: priceOf.get(line.lineId) ?? line.unitPrice })),
    quoted: { allocations: allocationsIn(quoted), applied, slot: slotIn(quoted), rules: appliedRules },
  })
  return {
    loaded: withOfferedShipping(loaded, priced),
    priced,
    isVatIdRefused: input.isVatIdRefused,
    isTaxProvided: input.providedTax !== null,
  }
}

/** The cart without a shipping option that is no longer offered. */
function withOfferedShipping(loaded: LoadedCart, priced: PricedCart): LoadedCart {
  const { shippingOptionId } = loaded.cart
  const isOffered = shippingOptionId !== null && isOfferedShipping(shippingOptionId, priced)
  return isOffered ? loaded : { ...loaded, cart: { ...loaded.cart, shippingOptionId: null } }
}

/** The SKUs, with `requiresShipping` as quoted. */
function asQuoted(skus: Skus, { lines }: QuoteContent): Skus {
  const quoted = new Map(lines.map(({ skuId, requiresShipping }) => [skuId, requiresShipping !== false]))
  return new Map(
    [...skus].map(([id, sku]) => [id, { ...sku, requiresShipping: quoted.get(id) ?? sku.requiresShipping }]),
  )
}

/** Sign a recalculated quote: quoted items with the new shipping and tax. */
export function signRecalculation(
  { signers }: Pick<QuoteDeps, 'signers'>,
  quoted: QuoteContent,
  { loaded, priced }: Recalculation,
  { ids, now }: Pick<QuoteContext, 'ids' | 'now'>,
): Quote {
  const { shippingOptionId: _, ...unchanged } = quoted
  const lines = presentQuoteLines(loaded.skus, priced)
  const content: QuoteContent = {
    ...unchanged,
    ...presentPrices(loaded.cart, priced),
    id: ids.next('quo'),
    cartVersion: loaded.cart.version,
    lines: quoted.lines.map((line, index) => {
      const { taxLines, total } = lines[index]!
      return { ...line, taxLines, total }
    }),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + limits.quote.ttlSeconds * 1000).toISOString(),
  }
  return signQuote(content, signers.current)
}

type Quoted = RecalculationInput['quoted']

function appliedIn({ automaticPromotions, promotion }: QuoteContent): Quoted['applied'] {
  const automatic = automaticPromotions.map((each) => {
    return { ...each, code: null, amount: BigInt(each.amount.amount) }
  })
  const slot = slotIn({ promotion })
  return slot.status === 'applied' ? [...automatic, slot] : automatic
}

/** The quoted promotion code as a `PromotionSlot`. In the contract, one closed object has all its states. */
function slotIn({ promotion }: Pick<QuoteContent, 'promotion'>): PromotionSlot {
  const { status, code, promotionId = null, title = null, phase, amount, reasonCode, requirement } = promotion
  if (status === 'none') return { status }
  const quotedCode = present(code, 'a promotion slot in use has a code')
  if (status === 'applied') {
    return {
      status,
      code: quotedCode,
      promotionId: present(promotionId, 'an applied code has a promotion'),
      title: present(title, 'an applied promotion has a title'),
      phase: present(phase, 'an applied promotion has a phase'),
      amount: BigInt(present(amount, 'an applied promotion has an amount').amount),
    }
  }
  return {
    status,
    code: quotedCode,
    promotionId,
    title,
    reasonCode: present(reasonCode, 'an inapplicable code has a reason'),
    requirement: requirement ? { missing: BigInt(requirement.missing.amount) } : null,
  }
}

function allocationsIn({ lines }: QuoteContent): Quoted['allocations'] {
  return new Map(
    lines.map(({ lineId, discountAllocations }) => [
      lineId,
      discountAllocations.map(({ promotionId, code = null, title, amount }) => {
        return { promotionId, code, title, amount: BigInt(amount.amount) }
      }),
    ]),
  )
}

/** Refuse a code that does not apply now. One that stops applying later stays, with its reason. */
export function refuseInapplicable({ promotion, currency }: PricedCart): void {
  if (promotion.status !== 'inapplicable') return
  const { reasonCode, requirement } = promotion
  refuse('promotion_inapplicable', {
    faults: [
      {
        field: 'code',
        code: reasonCode,
        message: `The code does not apply: ${reasonCode}.`,
        ...(requirement && { params: { missingAmount: Number(requirement.missing), currency } }),
      },
    ],
    conflict: { reasons: [reasonCode] },
  })
}
