import type { Address, Order as OrderResource, QuoteLine, SelectedShipping, Totals } from '@vitrine/contract'
import type { Environment } from '../../../kernel/environment.ts'
import { storeOfAll } from '../../../kernel/owner.ts'
import type { DiscountAllocation, TaxLine } from '../../pricing/index.ts'
import { entryOf } from './change.ts'
import type { AcceptedDocument, Order, OrderLine, OrderMoney, OrderShipping, OrderSource } from './order.ts'

/** Input for an order: the quote, the buyer and the addresses. */
export interface OrderDraft {
  readonly environment: Environment
  readonly installationId: string
  readonly cartId: string | null
  readonly sessionId: string | null
  readonly chargeId: string | null
  readonly clientReferenceId: string | null
  readonly metadata: OrderResource['metadata']
  readonly source: OrderSource
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly customerId: string | null
  readonly email: string
  readonly phone: string | null
  readonly lines: readonly DraftLine[]
  readonly selectedShipping: readonly DraftShipping[]
  readonly totals: Totals
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly acceptedDocuments: readonly AcceptedDocument[]
  /** Captured: the whole total was charged. Otherwise nothing has been charged yet. */
  readonly charge: OrderMoney['charge']
  readonly placedAt: Date
}

/** A line of a quote. An imported line has no cart line and may have no product. The code comes from the catalog. */
export type DraftLine = Omit<QuoteLine, 'lineId' | 'productId'> & {
  readonly lineId: string | null
  readonly productId: string | null
  readonly code?: string | undefined
}

/** The shipping of a quote. The name comes from the shipping method. */
type DraftShipping = SelectedShipping & { readonly name?: string | undefined }

/** Ids and time of a new order. */
export interface Naming {
  readonly id: string
  readonly number: string
  readonly externalId: string | null
  readonly nextLineId: () => string
  readonly now: Date
}

/** Creates a confirmed order with everything frozen. */
export function confirmedOrder(draft: OrderDraft, { id, number, externalId, nextLineId, now }: Naming): Order {
  const { lines, selectedShipping, charge, ...rest } = draft
  const charged = charge === 'captured' ? BigInt(draft.totals.total.amount) : 0n
  return {
    ...rest,
    storeId: storeOfAll(lines),
    share: null,
    id,
    number,
    externalId,
    status: 'confirmed',
    heldFrom: null,
    version: 1,
    lines: lines.map((line) => frozenLine(line, nextLineId())),
    shipping: selectedShipping.map(frozenShipping),
    money: { charge, charged, refunded: 0n, refundPending: 0n, unknown: 0n, disputed: 0n },
    parcels: [],
    adjustments: [],
    timeline: [entryOf({ now: draft.placedAt, actor: 'system' }, { code: 'confirmed' })],
    createdAt: now,
    updatedAt: now,
  }
}

function frozenLine(line: DraftLine, id: string): OrderLine {
  return {
    id,
    cartLineId: line.lineId,
    skuId: line.skuId,
    productId: line.productId,
    storeId: line.storeId,
    code: line.code ?? null,
    name: line.name,
    optionLabels: line.optionLabels,
    image: line.image ?? null,
    unitPrice: BigInt(line.unitPrice.amount),
    subtotal: BigInt(line.subtotal.amount),
    discountAllocations: line.discountAllocations.map(frozenAllocation),
    taxLines: line.taxLines.map(frozenTax),
    total: BigInt(line.total.amount),
    units: { ordered: line.quantity, canceled: 0, fulfilled: 0, returned: 0, refunded: 0 },
  }
}

function frozenShipping(shipping: DraftShipping): OrderShipping {
  const { storeId, optionId, chosen } = shipping
  return {
    storeId,
    optionId,
    name: shipping.name ?? null,
    chosen,
    amount: BigInt(shipping.amount.amount),
    discountAllocations: shipping.discountAllocations.map(frozenAllocation),
    taxLines: shipping.taxLines.map(frozenTax),
    total: BigInt(shipping.total.amount),
    refunded: 0n,
  }
}

function frozenAllocation(allocation: QuoteLine['discountAllocations'][number]): DiscountAllocation {
  const { promotionId, code = null, title, amount } = allocation
  return { promotionId, code, title, amount: BigInt(amount.amount) }
}

function frozenTax(tax: QuoteLine['taxLines'][number]): TaxLine {
  return { ...tax, taxable: BigInt(tax.taxable.amount), amount: BigInt(tax.amount.amount) }
}
