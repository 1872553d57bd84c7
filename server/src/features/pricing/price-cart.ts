import { assert } from '../../kernel/assert.ts'
import { sum, withinMoney } from '../../kernel/money.ts'
import {
  byPriority,
  type DiscountPhase,
  discountLines,
  discountShipping,
  type Judgement,
  judgePromotion,
  mayStandTogether,
  type Occasion,
  type Promotion,
  phaseOf,
  textFor,
} from '../promotions/index.ts'
import { type Draft, type DraftLine, type DraftShipment, type DraftSlot, discountOf, storeIdsOf } from './draft.ts'
import { show } from './present.ts'
import { type ShippingRates, tableShippingRates } from './shipping.ts'
import { type TaxCalculator, tableTaxCalculator, taxationFor } from './tax.ts'
import type {
  AppliedPromotion,
  CompletionInput,
  DiscountAllocation,
  PricedCart,
  PricingInput,
  ShippingOption,
} from './types.ts'

/** What pricing asks others for. Left out, the stores' own tables answer. */
export interface PricingDeps {
  readonly tax: TaxCalculator
  readonly shipping: ShippingRates
}

/** How many promotions one cart can bear: what an answer has room for. Later ones have no place beside them. */
const PROMOTIONS_MAX = 50

type Step = (draft: Draft) => Draft

/** The whole of pricing, in order. @see CONTRACT, Money 3 and 6 */
const STEPS: readonly Step[] = [
  judgePromotions,
  takeLineDiscounts,
  takeOrderDiscounts,
  offerShipping,
  selectShipping,
  takeShippingDiscounts,
  addTax,
]

/**
 * Prices a cart: pure, so that the same input always gives the same answer. Amounts are minor units of the one currency.
 * Refuses `money_overflow` where a line or the cart grows past what JSON carries exactly.
 *
 * @see CONTRACT, Money, promotions, tax, quotes
 */
export function priceCart(input: PricingInput, ports: PricingDeps = tablesOf(input)): PricedCart {
  return show(STEPS.reduce((draft, step) => step(draft), begin(input, ports)))
}

/** What is left to do where items and their discounts are promised already. */
const COMPLETION_STEPS: readonly Step[] = [offerShipping, selectShipping, takeShippingDiscounts, addTax]

/**
 * Completes a promise for the place that is known by now: items cost what was promised, less the discounts that were
 * promised; shipping and tax are looked up. Shipping promotions that were promised stay, whether or not they still apply,
 * and those that apply by now may come beside them. Pure. Refuses `money_overflow`.
 *
 * @see CONTRACT, Money 7
 */
export function completePrice(input: CompletionInput, ports: PricingDeps = tablesOf(input)): PricedCart {
  const priced = show(COMPLETION_STEPS.reduce((draft, step) => step(draft), beginCompletion(input, ports)))
  const { slot, rules } = input.promised
  const isStillThere = slot.status === 'applied' && rules.some(({ id }) => id === slot.promotionId)
  return isStillThere ? priced : { ...priced, promotion: slot }
}

function beginCompletion(input: CompletionInput, ports: PricingDeps): Draft {
  const { promised } = input
  const draft = begin(input, ports)
  const ruleOf = (id: string) => promised.rules.find((promotion) => promotion.id === id) ?? null
  const isPromised = (id: string) => promised.applied.some(({ promotionId }) => promotionId === id)
  const ofItems = promised.applied.filter(({ phase }) => phase !== 'shipping')
  const ofShipping = [
    ...promised.applied
      .flatMap(({ promotionId, phase }) => (phase === 'shipping' ? (ruleOf(promotionId) ?? []) : []))
      .sort(byPriority),
    ...judgePromotions({ ...draft, input: { ...input, code: null } }).promotions.filter(
      // One whose uses are counted would have had to be claimed when the promise was taken up.
      ({ id, effect, usageLimit, usageLimitPerCustomer }) =>
        phaseOf(effect) === 'shipping' && !isPromised(id) && usageLimit === null && usageLimitPerCustomer === null,
    ),
  ]
  return {
    ...draft,
    promotions: ofShipping,
    slot: promisedSlot(promised.slot, ruleOf),
    applied: ofItems.map((answer) => ({ promotion: ruleOf(answer.promotionId), answer })),
    lines: draft.lines.map((line) => {
      const discountAllocations = promised.allocations.get(line.lineId) ?? []
      return { ...line, discountAllocations, remaining: line.subtotal - discountOf({ discountAllocations }) }
    }),
  }
}

/** The code as it was promised: what it gave, it gives. */
function promisedSlot(slot: CompletionInput['promised']['slot'], ruleOf: (id: string) => Promotion | null) {
  if (slot.status === 'none') return null
  const promotion = slot.promotionId === null ? null : ruleOf(slot.promotionId)
  if (slot.status === 'applied') return { code: slot.code, promotion, obstacle: null }
  return { code: slot.code, promotion, obstacle: { reasonCode: slot.reasonCode, requirement: slot.requirement } }
}

function tablesOf({ rules }: PricingInput): PricingDeps {
  return { tax: tableTaxCalculator(rules.taxRates), shipping: tableShippingRates(rules.shippingZones) }
}

function begin(input: PricingInput, ports: PricingDeps): Draft {
  return {
    input,
    shippingRates: ports.shipping,
    taxation: taxationFor(input, ports.tax),
    promotions: [],
    slot: null,
    applied: [],
    lines: input.lines.map(beginLine),
    shippingOptions: [],
    shipments: [],
  }
}

function beginLine(line: PricingInput['lines'][number]): DraftLine {
  assert(line.quantity > 0 && line.unitPrice >= 0n, 'a line has units, and a price that is not negative')
  const subtotal = withinMoney(line.unitPrice * BigInt(line.quantity))
  return { ...line, subtotal, remaining: subtotal, discountAllocations: [], taxLines: [] }
}

/** Who may take something off: the eligible automatic promotions, and the one that the code stands for. */
function judgePromotions(draft: Draft): Draft {
  const { input, lines } = draft
  const occasion: Occasion = {
    currency: input.currency,
    now: input.now,
    customerId: input.customer?.id ?? null,
    usage: input.usage ?? new Map(),
    lines,
  }
  const slot = fillSlot(input, occasion)
  const automatic = input.promotions.filter(
    (promotion) => promotion.code === null && judgePromotion(promotion, occasion).eligible,
  )
  const byCode = slot?.promotion && !slot.obstacle ? [slot.promotion] : []
  return { ...draft, slot, promotions: [...automatic, ...byCode].sort(byPriority) }
}

/** A code that several stores use stands for the first promotion that is eligible, by priority. */
function fillSlot({ code, promotions }: PricingInput, occasion: Occasion): DraftSlot | null {
  if (!code) return null
  const judged = promotions
    .filter((promotion) => promotion.code?.toUpperCase() === code.toUpperCase())
    .sort(byPriority)
    .map((promotion) => ({ promotion, judgement: judgePromotion(promotion, occasion) }))
  const found = judged.find(({ judgement }) => judgement.eligible) ?? judged[0]
  if (!found) return { code, promotion: null, obstacle: { reasonCode: 'invalid', requirement: null } }
  return { code, promotion: found.promotion, obstacle: obstacleOf(found.judgement) }
}

function obstacleOf(judgement: Judgement): DraftSlot['obstacle'] {
  if (judgement.eligible) return null
  const { reason, missing } = judgement
  return { reasonCode: reason, requirement: missing === null ? null : { missing } }
}

function takeLineDiscounts(draft: Draft): Draft {
  return takeTurns(draft, 'line', takeOffLines)
}

function takeOrderDiscounts(draft: Draft): Draft {
  return takeTurns(draft, 'order', takeOffLines)
}

function takeShippingDiscounts(draft: Draft): Draft {
  return takeTurns(draft, 'shipping', takeOffShipping)
}

/** Each promotion of the phase in its turn, on what the one before left. */
function takeTurns(draft: Draft, phase: DiscountPhase, takeOff: (draft: Draft, promotion: Promotion) => Draft): Draft {
  const turns = draft.promotions.filter((promotion) => phaseOf(promotion.effect) === phase)
  return turns.reduce(
    (before, promotion) =>
      isKeptOut(promotion, before) ? refuseCombination(before, promotion) : takeOff(before, promotion),
    draft,
  )
}

/** Whether what applies already leaves it no place. */
function isKeptOut(promotion: Promotion, { applied }: Draft): boolean {
  if (applied.length === PROMOTIONS_MAX) return true
  return applied.some(
    ({ promotion: earlier }) =>
      // One that was promised and is gone has no say any more.
      earlier !== null &&
      (!mayStandTogether(earlier, promotion) ||
        (earlier.stopAfter && phaseOf(earlier.effect) === phaseOf(promotion.effect))),
  )
}

function refuseCombination(draft: Draft, promotion: Promotion): Draft {
  if (draft.slot?.promotion !== promotion) return draft
  return { ...draft, slot: { ...draft.slot, obstacle: { reasonCode: 'combination_disallowed', requirement: null } } }
}

function takeOffLines(draft: Draft, promotion: Promotion): Draft {
  const { lines, input } = draft
  const discounts = discountLines(promotion, lines, input.currency)
  return { ...withApplied(draft, promotion, discounts), lines: takeOffEach(lines, discounts, promotion, input.locale) }
}

function takeOffShipping(draft: Draft, promotion: Promotion): Draft {
  const { lines, shipments, input } = draft
  const discounts = discountShipping(promotion, shipments, lines, input.currency)
  return {
    ...withApplied(draft, promotion, discounts),
    shipments: takeOffEach(shipments, discounts, promotion, input.locale),
  }
}

/** An automatic promotion that takes nothing off does not count as applied; a code that the cart deserves does. */
function withApplied(draft: Draft, promotion: Promotion, discounts: readonly bigint[]): Draft {
  const amount = sum(discounts)
  if (amount === 0n && promotion.code === null) return draft
  const answer: AppliedPromotion = {
    promotionId: promotion.id,
    code: promotion.code,
    title: textFor(promotion.title, draft.input.locale),
    phase: phaseOf(promotion.effect),
    amount,
  }
  return { ...draft, applied: [...draft.applied, { promotion, answer }] }
}

/** What can be discounted, less its discount. */
function takeOffEach<Part extends DraftLine | DraftShipment>(
  parts: readonly Part[],
  discounts: readonly bigint[],
  promotion: Promotion,
  locale: string,
): readonly Part[] {
  const title = textFor(promotion.title, locale)
  return parts.map((part, index) => {
    const amount = discounts[index]!
    if (amount === 0n) return part
    assert(amount > 0n && amount <= part.remaining, 'a discount takes no more than is left')
    const allocation: DiscountAllocation = { promotionId: promotion.id, code: promotion.code, title, amount }
    return {
      ...part,
      remaining: part.remaining - amount,
      discountAllocations: [...part.discountAllocations, allocation],
    }
  })
}

/** Asks for the options of each store, by what its items cost after their discounts and by what they weigh. */
function offerShipping(draft: Draft): Draft {
  const { input, lines } = draft
  const place = input.shippingAddress ?? input
  const shippingOptions = storeIdsOf(lines).flatMap((storeId) => {
    const own = lines.filter((line) => line.storeId === storeId)
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

/** For each store the option that was chosen, else its cheapest. */
function selectShipping(draft: Draft): Draft {
  const { input, lines, shippingOptions } = draft
  const chosenIds = input.shippingOptionId?.split('+') ?? []
  const shipments = storeIdsOf(lines).flatMap((storeId) => {
    const options = shippingOptions.filter((option) => option.storeId === storeId)
    const chosen = options.find((option) => chosenIds.includes(option.id))
    const option = chosen ?? options[0]
    return option ? [beginShipment(option, chosen !== undefined)] : []
  })
  return { ...draft, shipments }
}

function beginShipment(option: ShippingOption, chosen: boolean): DraftShipment {
  const { storeId, amount } = option
  return { storeId, option, chosen, remaining: withinMoney(amount), discountAllocations: [], taxLines: [] }
}

/** On what discounts have left, at the line: totals are plain sums. @see CONTRACT, Money 1 and 2 */
function addTax(draft: Draft): Draft {
  const { taxation, lines, shipments } = draft
  return {
    ...draft,
    lines: lines.map((line) => ({ ...line, taxLines: taxation(line.storeId, line.taxCategory, line.remaining) })),
    shipments: shipments.map((shipment) => ({
      ...shipment,
      taxLines: taxation(shipment.storeId, shipment.option.taxCategory, shipment.remaining),
    })),
  }
}
