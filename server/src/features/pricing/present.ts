import { sum, withinMoney } from '../../kernel/money.ts'
import { localizedText } from '../promotions/index.ts'
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

/** Turn the finished draft into a priced cart. Totals are plain sums of lines and shipping; nothing is rounded. */
export function presentPricedCart(draft: Draft): PricedCart {
  const { input, lines, shipments } = draft
  const totals = totalsOf(draft)
  return {
    currency: input.currency,
    lines: lines.map(presentLine),
    promotion: presentSlot(draft),
    automaticPromotions: draft.applied.map(({ answer }) => answer).filter(({ code }) => code === null),
    shipping: { options: draft.shippingOptions, selected: shipments.map(presentShipment) },
    totals,
    messages: messagesOf(draft, totals),
  }
}

function presentLine(line: DraftLine): PricedLine {
  const { lineId, skuId, storeId, quantity, unitPrice, subtotal, discountAllocations, remaining } = line
  const taxLines = line.taxLines ?? []
  const total = remaining + addedTax(taxLines)
  return { lineId, skuId, storeId, quantity, unitPrice, subtotal, discountAllocations, taxLines, total }
}

function presentShipment(shipment: DraftShipment): SelectedShipping {
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

function presentSlot({ slot, applied, input }: Draft): PromotionSlot {
  if (!slot) return { status: 'none' }
  const { code, promotion, failure } = slot
  const found = applied.find((each) => each.promotion === promotion)
  if (found) return { ...found.answer, status: 'applied', code }
  return {
    status: 'inapplicable',
    code,
    promotionId: promotion?.id ?? null,
    title: promotion && localizedText(promotion.title, input.locale),
    reasonCode: failure?.reasonCode ?? 'invalid',
    requirement: failure?.requirement ?? null,
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

function certaintyOf({ isTaxFinal }: Draft): PricedTax['status'] {
  return isTaxFinal ? 'final' : 'estimated'
}

function leastCertain(statuses: readonly PricedTax['status'][]): PricedTax['status'] | undefined {
  return (['not_calculated', 'estimated', 'final'] as const).find((status) => statuses.includes(status))
}

function messagesOf(draft: Draft, totals: PricedTotals): PricedMessage[] {
  const { slot, input, shipments } = draft
  const messages: PricedMessage[] = []
  if (slot?.failure) {
    messages.push({
      code: 'promotion_inapplicable',
      severity: 'warning',
      path: '/promotion',
      facts: { reason: slot.failure.reasonCode },
    })
  }
  const shippers = new Set(draft.lines.flatMap((line) => (line.requiresShipping ? [line.storeId] : [])))
  for (const [index, { storeId, shipping }] of totals.byStore.entries()) {
    if (shipping !== null || !shippers.has(storeId)) continue
    messages.push({
      code: 'shipping_unavailable',
      severity: 'blocking',
      path: `/totals/byStore/${index}/shipping`,
    })
  }
  const choices = input.shippingOptionId?.split('+') ?? []
  if (shippers.size > 0 && shipments.filter(({ chosen }) => chosen).length < choices.length) {
    messages.push({
      code: 'shipping_option_unavailable',
      severity: 'blocking',
      path: '/shippingOptionId',
    })
  }
  return messages
}
