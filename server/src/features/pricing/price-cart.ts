import { assert } from '../../kernel/assert.ts'
import { sum, withinMoney } from '../../kernel/money.ts'
import {
  byPriority,
  canCombine,
  type DiscountPhase,
  discountLines,
  discountShipping,
  type Eligibility,
  evaluatePromotion,
  localizedText,
  type Promotion,
  type PromotionContext,
  phaseOf,
} from '../promotions/index.ts'
import { type Draft, type DraftLine, type DraftShipment, type DraftSlot, discountOf, storeIdsOf } from './draft.ts'
import { presentPricedCart } from './present.ts'
import { tableShippingRates } from './shipping.ts'
import { isTaxFinal, type Taxable, tableTaxCalculator, taxationFor } from './tax.ts'
import { asFallback, providedTaxation, SHIPPING } from './tax-provider/provided-taxes.ts'
import type {
  AppliedPromotion,
  DiscountAllocation,
  PricedCart,
  PricingInput,
  RecalculationInput,
  ShippingOption,
} from './types.ts'

/** The contract's limit of promotions in one cart. Later ones are left out. */
const PROMOTIONS_MAX = 50

type Step = (draft: Draft) => Draft

/** All of pricing, in order. @see docs/reference/rules.md#money */
const STEPS: readonly Step[] = [
  selectPromotions,
  applyLineDiscounts,
  applyOrderDiscounts,
  offerShipping,
  selectShipping,
  applyShippingDiscounts,
  addTax,
]

/**
 * Price a cart. Pure. Amounts are minor units.
 *
 * Refuses `money_overflow` if an amount exceeds what JSON carries exactly.
 *
 * @see docs/reference/rules.md#money
 */
export function priceCart(input: PricingInput): PricedCart {
  return presentPricedCart(STEPS.reduce((draft, step) => step(draft), start(input)))
}

/** The steps that depend on the destination. */
const RECALCULATION_STEPS: readonly Step[] = [offerShipping, selectShipping, applyShippingDiscounts, addTax]

/**
 * Recalculate a quoted cart for a new destination or shipping option. Items keep their quoted prices and discounts;
 * shipping and tax are looked up. Quoted shipping promotions stay, even if they no longer apply, and newly eligible ones
 * are added. Pure. Refuses `money_overflow`.
 *
 * @see docs/reference/rules.md#quotes
 */
export function recalculatePrice(input: RecalculationInput): PricedCart {
  const draft = RECALCULATION_STEPS.reduce((before, step) => step(before), startRecalculation(input))
  const priced = presentPricedCart(draft)
  const { slot, rules } = input.quoted
  const stillExists = slot.status === 'applied' && rules.some(({ id }) => id === slot.promotionId)
  return stillExists ? priced : { ...priced, promotion: slot }
}

function startRecalculation(input: RecalculationInput): Draft {
  const { quoted } = input
  const draft = start(input)
  const ruleOf = (id: string) => quoted.rules.find((promotion) => promotion.id === id) ?? null
  const isQuoted = (id: string) => quoted.applied.some(({ promotionId }) => promotionId === id)
  const ofItems = quoted.applied.filter(({ phase }) => phase !== 'shipping')
  const ofShipping = [
    ...quoted.applied
      .flatMap(({ promotionId, phase }) => (phase === 'shipping' ? (ruleOf(promotionId) ?? []) : []))
      .sort(byPriority),
    ...selectPromotions({ ...draft, input: { ...input, code: null } }).promotions.filter(
      // A limited promotion would have to be reserved when checkout begins.
      ({ id, effect, usageLimit, usageLimitPerCustomer }) =>
        phaseOf(effect) === 'shipping' && !isQuoted(id) && usageLimit === null && usageLimitPerCustomer === null,
    ),
  ]
  return {
    ...draft,
    promotions: ofShipping,
    slot: quotedSlot(quoted.slot, ruleOf),
    applied: ofItems.map((answer) => ({ promotion: ruleOf(answer.promotionId), answer })),
    lines: draft.lines.map((line) => {
      const discountAllocations = quoted.allocations.get(line.lineId) ?? []
      return { ...line, discountAllocations, remaining: line.subtotal - discountOf({ discountAllocations }) }
    }),
  }
}

/** The promotion code as quoted. */
function quotedSlot(slot: RecalculationInput['quoted']['slot'], ruleOf: (id: string) => Promotion | null) {
  if (slot.status === 'none') return null
  const promotion = slot.promotionId === null ? null : ruleOf(slot.promotionId)
  if (slot.status === 'applied') return { code: slot.code, promotion, failure: null }
  return { code: slot.code, promotion, failure: { reasonCode: slot.reasonCode, requirement: slot.requirement } }
}

function start(input: PricingInput): Draft {
  const tax = tableTaxCalculator(input.rules.taxRates)
  return {
    input,
    shippingRates: tableShippingRates(input.rules.shippingZones),
    taxation: taxationFor(input, tax),
    isTaxFinal: isTaxFinal(input, tax),
    promotions: [],
    slot: null,
    applied: [],
    lines: input.lines.map(startLine),
    shippingOptions: [],
    shipments: [],
  }
}

function startLine(line: PricingInput['lines'][number]): DraftLine {
  assert(line.quantity > 0 && line.unitPrice >= 0n, 'a line has units and a non-negative price')
  const subtotal = withinMoney(line.unitPrice * BigInt(line.quantity))
  return { ...line, subtotal, remaining: subtotal, discountAllocations: [], taxLines: [] }
}

/** Select the eligible automatic promotions and the promotion of the code. */
function selectPromotions(draft: Draft): Draft {
  const { input, lines } = draft
  const context: PromotionContext = {
    currency: input.currency,
    now: input.now,
    customerId: input.customer?.id ?? null,
    usage: input.usage ?? new Map(),
    lines,
  }
  const slot = fillSlot(input, context)
  const automatic = input.promotions.filter(
    (promotion) => promotion.code === null && evaluatePromotion(promotion, context).eligible,
  )
  const byCode = slot?.promotion && !slot.failure ? [slot.promotion] : []
  return { ...draft, slot, promotions: [...automatic, ...byCode].sort(byPriority) }
}

/** A code that several stores use selects the first eligible promotion by priority. */
function fillSlot({ code, promotions }: PricingInput, context: PromotionContext): DraftSlot | null {
  if (!code) return null
  const evaluated = promotions
    .filter((promotion) => promotion.code?.toUpperCase() === code.toUpperCase())
    .sort(byPriority)
    .map((promotion) => ({ promotion, eligibility: evaluatePromotion(promotion, context) }))
  const found = evaluated.find(({ eligibility }) => eligibility.eligible) ?? evaluated[0]
  if (!found) return { code, promotion: null, failure: { reasonCode: 'invalid', requirement: null } }
  return { code, promotion: found.promotion, failure: failureOf(found.eligibility) }
}

function failureOf(eligibility: Eligibility): DraftSlot['failure'] {
  if (eligibility.eligible) return null
  const { reason, missing } = eligibility
  return { reasonCode: reason, requirement: missing === null ? null : { missing } }
}

function applyLineDiscounts(draft: Draft): Draft {
  return applyPhase(draft, 'line', applyToLines)
}

function applyOrderDiscounts(draft: Draft): Draft {
  return applyPhase(draft, 'order', applyToLines)
}

function applyShippingDiscounts(draft: Draft): Draft {
  return applyPhase(draft, 'shipping', applyToShipping)
}

/** Apply the promotions of a phase in order, each on what the previous ones left. */
function applyPhase(draft: Draft, phase: DiscountPhase, apply: (draft: Draft, promotion: Promotion) => Draft): Draft {
  const ofPhase = draft.promotions.filter((promotion) => phaseOf(promotion.effect) === phase)
  return ofPhase.reduce(
    (before, promotion) =>
      isExcluded(promotion, appliedIn(before))
        ? markCombinationDisallowed(before, promotion)
        : apply(before, promotion),
    draft,
  )
}

/** The promotions already applied; `null` for one that was deleted after the quote. */
function appliedIn({ applied }: Draft): readonly (Promotion | null)[] {
  return applied.map(({ promotion }) => promotion)
}

/** Whether a promotion cannot be combined with the promotions already applied. */
export function isExcluded(promotion: Promotion, applied: readonly (Promotion | null)[]): boolean {
  if (applied.length === PROMOTIONS_MAX) return true
  return applied.some(
    (earlier) =>
      // A promotion that was deleted after the quote excludes nothing.
      earlier !== null &&
      (!canCombine(earlier, promotion) || (earlier.stopAfter && phaseOf(earlier.effect) === phaseOf(promotion.effect))),
  )
}

function markCombinationDisallowed(draft: Draft, promotion: Promotion): Draft {
  if (draft.slot?.promotion !== promotion) return draft
  return { ...draft, slot: { ...draft.slot, failure: { reasonCode: 'combination_disallowed', requirement: null } } }
}

function applyToLines(draft: Draft, promotion: Promotion): Draft {
  const { lines, input } = draft
  const discounts = discountLines(promotion, lines, input.currency)
  return {
    ...withApplied(draft, promotion, discounts),
    lines: withDiscounts(lines, discounts, promotion, input.locale),
  }
}

function applyToShipping(draft: Draft, promotion: Promotion): Draft {
  const { lines, shipments, input } = draft
  const discounts = discountShipping(promotion, shipments, lines, input.currency)
  return {
    ...withApplied(draft, promotion, discounts),
    shipments: withDiscounts(shipments, discounts, promotion, input.locale),
  }
}

/** An automatic promotion without a discount does not count as applied; an eligible code does. */
function withApplied(draft: Draft, promotion: Promotion, discounts: readonly bigint[]): Draft {
  const amount = sum(discounts)
  if (amount === 0n && promotion.code === null) return draft
  const answer: AppliedPromotion = {
    promotionId: promotion.id,
    code: promotion.code,
    title: localizedText(promotion.title, draft.input.locale),
    phase: phaseOf(promotion.effect),
    amount,
  }
  return { ...draft, applied: [...draft.applied, { promotion, answer }] }
}

/** Lines or shipments less their discounts. */
function withDiscounts<Part extends DraftLine | DraftShipment>(
  parts: readonly Part[],
  discounts: readonly bigint[],
  promotion: Promotion,
  locale: string,
): readonly Part[] {
  const title = localizedText(promotion.title, locale)
  return parts.map((part, index) => {
    const amount = discounts[index]!
    if (amount === 0n) return part
    assert(amount > 0n && amount <= part.remaining, 'a discount is at most what remains')
    const allocation: DiscountAllocation = { promotionId: promotion.id, code: promotion.code, title, amount }
    return {
      ...part,
      remaining: part.remaining - amount,
      discountAllocations: [...part.discountAllocations, allocation],
    }
  })
}

/** Look up the shipping options of each store by the discounted price and the weight of its shipped items. */
function offerShipping(draft: Draft): Draft {
  const { input, lines } = draft
  const place = input.destination ?? input
  const shippingOptions = storeIdsOf(lines).flatMap((storeId) => {
    const own = lines.filter((line) => line.storeId === storeId && line.requiresShipping)
    if (own.length === 0) return []
    return draft.shippingRates.optionsFor({
      storeId,
      country: place.country,
      region: place.region ?? null,
      currency: input.currency,
      locale: input.locale,
      subtotal: sum(own.map((line) => line.remaining)),
      weightGrams: own.reduce((grams, line) => grams + line.weightGrams * line.quantity, 0),
    })
  })
  return { ...draft, shippingOptions }
}

/** Select the chosen option of each store, else its cheapest. */
function selectShipping(draft: Draft): Draft {
  const { input, lines, shippingOptions } = draft
  const chosenIds = input.shippingOptionId?.split('+') ?? []
  const shipments = storeIdsOf(lines).flatMap((storeId) => {
    const options = shippingOptions.filter((option) => option.storeId === storeId)
    const chosen = options.find((option) => chosenIds.includes(option.id))
    const option = chosen ?? options[0]
    return option ? [startShipment(option, chosen !== undefined)] : []
  })
  return { ...draft, shipments }
}

function startShipment(option: ShippingOption, chosen: boolean): DraftShipment {
  const { storeId, amount } = option
  return { storeId, option, chosen, remaining: withinMoney(amount), discountAllocations: [], taxLines: [] }
}

/** Tax each line and shipment after discounts, so that totals are plain sums. @see docs/reference/rules.md#rounding */
function addTax(draft: Draft): Draft {
  const { lines, shipments } = draft
  const sources = new Map(storeIdsOf(lines).map((storeId) => [storeId, providedTaxation(draft, storeId)]))
  const taxLinesOf = (id: string, taxable: Taxable) => {
    const source = sources.get(taxable.storeId)
    if (source?.kind === 'provider') return source.linesOf({ ...taxable, id, taxCategory: taxable.category })
    const ofTables = draft.taxation(taxable)
    if (source?.kind === 'estimate') return ofTables ?? []
    return source?.kind === 'fallback' ? asFallback(ofTables) : ofTables
  }
  return {
    ...draft,
    lines: lines.map((line) => {
      const { lineId, storeId, taxCategory: category, remaining: amount, requiresShipping: isShipped } = line
      return { ...line, taxLines: taxLinesOf(lineId, { storeId, category, amount, isShipped }) }
    }),
    shipments: shipments.map((shipment) => {
      const { storeId, option, remaining: amount } = shipment
      const taxable = { storeId, category: option.taxCategory, amount, isShipped: true }
      return { ...shipment, taxLines: taxLinesOf(SHIPPING, taxable) }
    }),
  }
}
