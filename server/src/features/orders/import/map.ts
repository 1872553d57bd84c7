import { createHash } from 'node:crypto'
import type { SelectedShipping, Totals } from '@vitrine/contract'
import { isCurrency } from '../../../kernel/currencies.ts'
import { encodeBase32 } from '../../../kernel/ids.ts'
import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import type { KnownSku } from '../../catalog/index.ts'
import type { InstallationRow } from '../../installations/index.ts'
import { confirmedOrder, type DraftLine, type Naming } from '../order/draft.ts'
import type { Order } from '../order/order.ts'
import { momentOf, withHistory } from './history.ts'
import type { ItemForm, OrderLineForm, PricesForm } from './line-schema.ts'

/** Lookups for mapping a line. */
interface ImportFacts {
  readonly installation: Pick<InstallationRow, 'id' | 'environment' | 'store_id'>
  /** Store ids by slug. */
  readonly storeIds: ReadonlyMap<string, string>
  /** The SKU of a store with a code, if exactly one has it. */
  findSku(storeId: string, code: string): KnownSku | undefined
}

/** Numbers that our own sequences issue. An imported order with such a number would share it with a later order. */
const OUR_NUMBER = /^[VT]-\d+$/

/**
 * Maps a line to an order with its history. Throws `InvalidLine` for contradictions.
 *
 * @see docs/reference/order-lines.md
 */
export function importedOrder(
  line: OrderLineForm,
  facts: ImportFacts,
  naming: Naming & { readonly nextParcelId: () => string },
): Order {
  const { installation } = facts
  const { currency } = line
  if (!isCurrency(currency)) throw new InvalidLine(`/currency: ${currency} is not an ISO 4217 currency for payments.`)
  if (line.number !== undefined && OUR_NUMBER.test(line.number)) {
    throw new InvalidLine(`/number: ${line.number} is reserved for orders that are placed here.`)
  }
  const country = line.country ?? line.shippingAddress?.countryCode
  if (country === undefined) throw new InvalidLine('Set country or shippingAddress.')

  const lines = line.lines.map((item, index) => draftLine(item, storeOf(item, line, facts), currency, facts, index))
  const shipping = (line.shipping ?? []).map((each, index) => {
    const at = `/shipping/${index}`
    const storeId = storeOf(each, line, facts)
    const prices = pricesOf(each, each.amount, currency, at)
    return {
      storeId,
      optionId: 'imported',
      name: each.name,
      chosen: true,
      amount: money(each.amount, currency),
      ...prices,
    }
  })
  const repeated = shipping.find(({ storeId }, index) => shipping.findIndex((each) => each.storeId === storeId) < index)
  if (repeated) throw new InvalidLine('/shipping: list each store once.')

  const totals = totalsOf(lines, shipping, currency)
  if (line.total !== undefined && line.total !== totals.total.amount) {
    throw new InvalidLine(`/total: the parts add up to ${totals.total.amount}, not ${line.total}.`)
  }
  const charge = line.payment === undefined || line.payment === 'paid' ? 'captured' : line.payment
  const order = confirmedOrder(
    {
      environment: installation.environment,
      installationId: installation.id,
      cartId: null,
      sessionId: null,
      chargeId: null,
      clientReferenceId: line.clientReferenceId ?? null,
      metadata: line.metadata ?? {},
      source: 'import',
      currency,
      country,
      locale: line.locale ?? 'en',
      customerId: line.customerId ?? null,
      email: line.email,
      phone: line.phone ?? null,
      lines,
      selectedShipping: shipping,
      totals,
      shippingAddress: line.shippingAddress ?? null,
      billingAddress: line.billingAddress ?? null,
      acceptedDocuments: [],
      charge,
      placedAt: momentOf(line.placedAt, '/placedAt'),
    },
    naming,
  )
  return withHistory(order, line, naming.nextParcelId)
}

/** A stable id for a SKU or a promotion that does not exist here, derived from its texts. */
function derivedId(prefix: 'sku' | 'prm', ...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words)).digest().subarray(0, 16)
  return `${prefix}_${encodeBase32(hash)}`
}

function storeOf(
  part: { readonly store?: string },
  line: OrderLineForm,
  { installation, storeIds }: ImportFacts,
): string {
  const slug = part.store ?? line.store
  if (slug === undefined) {
    if (installation.store_id === null) throw new InvalidLine('Set store: the installation sells for several stores.')
    return installation.store_id
  }
  const id = storeIds.get(slug)
  if (id === undefined) throw new InvalidLine(`There is no store ${slug}.`)
  if (installation.store_id !== null && installation.store_id !== id) {
    throw new InvalidLine(`The installation does not belong to store ${slug}.`)
  }
  return id
}

function draftLine(
  item: ItemForm,
  storeId: string,
  currency: string,
  { findSku }: ImportFacts,
  index: number,
): DraftLine {
  const { skuId, sku: code, name, quantity, unitPrice } = item
  const at = `/lines/${index}`
  const known = code === undefined ? undefined : findSku(storeId, code)
  const id = skuId ?? known?.skuId ?? (code === undefined ? undefined : derivedId('sku', storeId, code))
  if (id === undefined) throw new InvalidLine(`${at}: set skuId or sku.`)
  const subtotal = unitPrice * quantity
  if (!Number.isSafeInteger(subtotal)) throw new InvalidLine(`${at}: the amount is too large.`)
  return {
    lineId: null,
    skuId: id,
    productId: skuId === undefined ? (known?.productId ?? null) : null,
    storeId,
    code,
    name,
    optionLabels: item.options ?? [],
    ...(item.image && { image: item.image }),
    quantity,
    unitPrice: money(unitPrice, currency),
    subtotal: money(subtotal, currency),
    ...pricesOf(item, subtotal, currency, at),
  }
}

function money(amount: number, currency: string) {
  return { amount, currency }
}

/** The total of a part: less its discounts, plus tax that its prices do not include. */
function pricesOf({ discounts = [], taxes = [], total }: PricesForm, subtotal: number, currency: string, at: string) {
  const discounted = subtotal - sumOf(discounts)
  if (discounted < 0) throw new InvalidLine(`${at}/discounts: discounts exceed the price.`)
  const includedTax = sumOf(taxes.filter((tax) => tax.included))
  if (includedTax > discounted) throw new InvalidLine(`${at}/taxes: included tax exceeds the price.`)
  const whole = discounted + sumOf(taxes.filter((tax) => !tax.included))
  if (!Number.isSafeInteger(whole)) throw new InvalidLine(`${at}: the amount is too large.`)
  if (total !== undefined && total !== whole)
    throw new InvalidLine(`${at}/total: the parts add up to ${whole}, not ${total}.`)
  return {
    discountAllocations: discounts.map(({ title, code, amount }) => ({
      promotionId: derivedId('prm', title, code ?? ''),
      ...(code !== undefined && { code }),
      title,
      amount: money(amount, currency),
    })),
    taxLines: taxes.map(({ name, rate, category = 'standard', amount, included }) => ({
      name,
      rate,
      category,
      taxable: money(discounted - includedTax, currency),
      amount: money(amount, currency),
      included,
    })),
    total: money(whole, currency),
  }
}

function sumOf(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}

/** Totals over all stores and per store, ordered by the stores' first lines. */
function totalsOf(lines: readonly DraftLine[], shipping: readonly SelectedShipping[], currency: string): Totals {
  const stores = [...new Set([...lines, ...shipping].map(({ storeId }) => storeId))]
  const of = (isCounted: (storeId: string) => boolean) => {
    const items = lines.filter(({ storeId }) => isCounted(storeId))
    const ways = shipping.filter(({ storeId }) => isCounted(storeId))
    const taxes = [...items, ...ways].flatMap(({ taxLines }) => taxLines)
    const amountsOf = (parts: readonly { readonly amount: { readonly amount: number } }[]) =>
      money(sumOf(parts.map(({ amount }) => amount)), currency)
    return {
      itemsSubtotal: money(sumOf(items.map(({ subtotal }) => subtotal)), currency),
      itemsDiscount: amountsOf(items.flatMap(({ discountAllocations }) => discountAllocations)),
      ...(ways.length > 0 && {
        shipping: amountsOf(ways),
        shippingDiscount: amountsOf(ways.flatMap(({ discountAllocations }) => discountAllocations)),
      }),
      tax: {
        amount: amountsOf(taxes),
        added: amountsOf(taxes.filter((tax) => !tax.included)),
        included: taxes.every((tax) => tax.included),
        status: 'final' as const,
      },
      total: money(sumOf([...items, ...ways].map(({ total }) => total)), currency),
    }
  }
  const totals = of(() => true)
  if (!Number.isSafeInteger(totals.total.amount)) throw new InvalidLine('The amount is too large.')
  return {
    ...totals,
    byStore: stores.map((storeId) => ({ storeId, ...of((each) => each === storeId) })),
    rounding: { mode: 'half_away_from_zero', level: 'line' },
  }
}
