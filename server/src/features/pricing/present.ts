import { sum, withinMoney } from '../../kernel/money.ts'
import { type InapplicableReason, textFor } from '../promotions/index.ts'
import { type Draft, type DraftLine, type DraftShipment, discountOf, storeIdsOf } from './draft.ts'
import { addedTax } from './tax.ts'
import type {
  PricedCart,
  PricedLine,
  PricedMessage,
  PricedTax,
  PricedTotals,
  PromotionSlot,
  SelectedShipping,
  StoreTotals,
  TaxLine,
  Totals,
} from './types.ts'

/** The finished draft as a priced cart. Nothing is rounded here: totals are sums of what stands at the lines. */
export function show(draft: Draft): PricedCart {
  const { input, lines, shipments } = draft
  const totals = totalsOf(draft)
  return {
    currency: input.currency,
    lines: lines.map(showLine),
    promotion: showSlot(draft),
    automaticPromotions: draft.applied.map(({ answer }) => answer).filter(({ code }) => code === null),
    shipping: { options: draft.shippingOptions, selected: shipments.map(showShipment) },
    totals,
    messages: messagesOf(draft, totals),
  }
}

function showLine(line: DraftLine): PricedLine {
  const { lineId, skuId, storeId, quantity, unitPrice, subtotal, discountAllocations, remaining } = line
  const taxLines = line.taxLines ?? []
  const total = remaining + addedTax(taxLines)
  return { lineId, skuId, storeId, quantity, unitPrice, subtotal, discountAllocations, taxLines, total }
}

function showShipment(shipment: DraftShipment): SelectedShipping {
  const { storeId, option, chosen, discountAllocations, remaining } = shipment
  const taxLines = shipment.taxLines ?? []
  return {
    storeId,
    optionId: option.id,
    chosen,
    amount: option.amount,
    discountAllocations,
    discount: discountOf(shipment),
    taxLines,
    total: remaining + addedTax(taxLines),
  }
}

function showSlot({ slot, applied, input }: Draft): PromotionSlot {
  if (!slot) return { status: 'none' }
  const { code, promotion, obstacle } = slot
  const found = applied.find((each) => each.promotion === promotion)
  if (found) return { ...found.answer, status: 'applied', code }
  return {
    status: 'inapplicable',
    code,
    promotionId: promotion?.id ?? null,
    title: promotion && textFor(promotion.title, input.locale),
    reasonCode: obstacle?.reasonCode ?? 'invalid',
    requirement: obstacle?.requirement ?? null,
  }
}

function totalsOf(draft: Draft): PricedTotals {
  const byStore = storeIdsOf(draft.lines).map((storeId) => totalsOfStore(draft, storeId))
  const ofAll = (member: (totals: Totals) => bigint | null) =>
    withinMoney(sum(byStore.map((totals) => member(totals) ?? 0n)))
  const isShipped = draft.shipments.length > 0
  return {
    itemsSubtotal: ofAll((totals) => totals.itemsSubtotal),
    itemsDiscount: ofAll((totals) => totals.itemsDiscount),
    shipping: isShipped ? ofAll((totals) => totals.shipping) : null,
    shippingDiscount: isShipped ? ofAll((totals) => totals.shippingDiscount) : null,
    tax: {
      amount: ofAll((totals) => totals.tax.amount),
      added: ofAll((totals) => totals.tax.added),
      included: draft.input.stores.every((store) => store.pricesIncludeTax),
      status: leastCertain(byStore.map((totals) => totals.tax.status)) ?? certaintyOf(draft),
    },
    total: ofAll((totals) => totals.total),
    byStore,
  }
}

function totalsOfStore(draft: Draft, storeId: string): StoreTotals {
  const lines = draft.lines.filter((line) => line.storeId === storeId)
  const shipment = draft.shipments.find((each) => each.storeId === storeId)
  const taxed = [...lines, ...(shipment ? [shipment] : [])]
  const taxLines = taxed.flatMap((part) => part.taxLines ?? [])
  const added = addedTax(taxLines)
  return {
    storeId,
    itemsSubtotal: sum(lines.map((line) => line.subtotal)),
    itemsDiscount: sum(lines.map(discountOf)),
    shipping: shipment?.option.amount ?? null,
    shippingDiscount: shipment ? discountOf(shipment) : null,
    tax: {
      amount: sum(taxLines.map((line: TaxLine) => line.amount)),
      added,
      included: draft.input.stores.some((store) => store.storeId === storeId && store.pricesIncludeTax),
      status: taxed.some((part) => part.taxLines === null) ? 'not_calculated' : certaintyOf(draft),
    },
    total: sum(taxed.map((part) => part.remaining)) + added,
  }
}

/** Tax depends on where the cart goes, so it is an estimate until a shipping address says so. */
function certaintyOf({ input }: Draft): PricedTax['status'] {
  return input.shippingAddress ? 'final' : 'estimated'
}

function leastCertain(statuses: readonly PricedTax['status'][]): PricedTax['status'] | undefined {
  return (['not_calculated', 'estimated', 'final'] as const).find((status) => statuses.includes(status))
}

/** What a shopper may read. */
const OBSTACLES: Readonly<Record<InapplicableReason, string>> = {
  invalid: 'The code is not valid for this cart.',
  not_started: 'The promotion of the code has not started yet.',
  expired: 'The promotion of the code is over.',
  customer_required: 'The code is for customers who have logged in.',
  customer_ineligible: 'The code is for other customers.',
  usage_limit_reached: 'The code has been used as often as it may be.',
  minimum_not_met: 'The cart does not yet hold enough of what the code is for.',
  combination_disallowed: 'The code cannot be combined with the promotions that apply already.',
}

function messagesOf(draft: Draft, totals: PricedTotals): PricedMessage[] {
  const { slot, input, shipments } = draft
  const messages: PricedMessage[] = []
  if (slot?.obstacle) {
    messages.push({
      code: 'promotion_inapplicable',
      severity: 'warning',
      path: '/promotion',
      text: OBSTACLES[slot.obstacle.reasonCode],
    })
  }
  for (const [index, { shipping }] of totals.byStore.entries()) {
    if (shipping !== null) continue
    messages.push({
      code: 'shipping_unavailable',
      severity: 'blocking',
      path: `/totals/byStore/${index}/shipping`,
      text: 'The store does not ship to this place.',
    })
  }
  if (input.shippingOptionId && !shipments.some(({ chosen }) => chosen)) {
    messages.push({
      code: 'shipping_option_unavailable',
      severity: 'warning',
      path: '/shippingOptionId',
      text: 'The chosen way to ship is not offered now; the cheapest is taken instead.',
    })
  }
  return messages
}
