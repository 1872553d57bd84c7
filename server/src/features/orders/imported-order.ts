import { createHash } from 'node:crypto'
import type { SelectedShipping, Totals } from '@vitrine/contract'
import { isCurrency } from '../../kernel/currencies.ts'
import { encodeBase32 } from '../../kernel/ids.ts'
import { InvalidLine } from '../../platform/line-files/invalid-line.ts'
import type { KnownSku } from '../catalog/index.ts'
import type { InstallationRow } from '../installations/index.ts'
import type { Order } from './order.ts'
import { confirmedOrder, type DraftLine, type Naming } from './order-draft.ts'
import type { ItemForm, OrderLineForm, PricesForm } from './order-line.ts'
import { momentOf, withPast } from './order-past.ts'

/** What a line is read with. */
export interface ImportFacts {
  readonly installation: Pick<InstallationRow, 'id' | 'environment' | 'store_id'>
  /** The id of every store, by its slug. */
  readonly storeIds: ReadonlyMap<string, string>
  /** The SKU of a store that bears a code, where exactly one does. */
  findSku(storeId: string, code: string): KnownSku | undefined
}

/** Numbers that the sequences give. One of them from elsewhere would be given twice. */
const OUR_NUMBER = /^[VT]-\d+$/

/**
 * The order that a line tells of, with its past. Throws `InvalidLine` where its parts contradict each other.
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
  if (!isCurrency(currency))
    throw new InvalidLine(`/currency: ${currency} is no currency of ISO 4217 that one can pay in.`)
  if (line.number !== undefined && OUR_NUMBER.test(line.number)) {
    throw new InvalidLine(`/number: ${line.number} is a number that is given here.`)
  }
  const country = line.country ?? line.shippingAddress?.countryCode
  if (country === undefined) throw new InvalidLine('It says neither its country nor a shipping address.')

  const lines = line.lines.map((item, index) => draftLine(item, storeOf(item, line, facts), currency, facts, index))
  const shipping = (line.shipping ?? []).map((each, index) => {
    const at = `/shipping/${index}`
    const storeId = storeOf(each, line, facts)
    const prices = pricesOf(each, each.amount, currency, at)
    return { storeId, optionId: 'imported', chosen: true, amount: money(each.amount, currency), ...prices }
  })
  const repeated = shipping.find(({ storeId }, index) => shipping.findIndex((each) => each.storeId === storeId) < index)
  if (repeated) throw new InvalidLine('/shipping: each store ships once.')

  const totals = totalsOf(lines, shipping, currency)
  if (line.total !== undefined && line.total !== totals.total.amount) {
    throw new InvalidLine(`/total: its parts come to ${totals.total.amount}, not to ${line.total}.`)
  }
  const charge = line.payment === undefined || line.payment === 'paid' ? 'captured' : line.payment
  const order = confirmedOrder(
    {
      environment: installation.environment,
      installationId: installation.id,
      storeId: installation.store_id,
      sessionId: null,
      chargeId: null,
      source: 'import',
      currency,
      country,
      locale: line.locale ?? 'en',
      customerId: line.customerId ?? null,
      email: line.email,
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
  return withPast(order, line, naming.nextParcelId)
}

/** The id of something that is not known here, always the same for the same words. */
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
    if (installation.store_id === null) throw new InvalidLine('It does not say which store sold it.')
    return installation.store_id
  }
  const id = storeIds.get(slug)
  if (id === undefined) throw new InvalidLine(`There is no store ${slug}.`)
  if (installation.store_id !== null && installation.store_id !== id) {
    throw new InvalidLine(`The installation belongs to another store than ${slug}.`)
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
  if (id === undefined) throw new InvalidLine(`${at}: it has neither a skuId nor a sku.`)
  const subtotal = unitPrice * quantity
  if (!Number.isSafeInteger(subtotal)) throw new InvalidLine(`${at}: it costs more than JSON can carry.`)
  return {
    lineId: null,
    skuId: id,
    productId: skuId === undefined ? (known?.productId ?? null) : null,
    storeId,
    name,
    optionLabels: [],
    quantity,
    unitPrice: money(unitPrice, currency),
    subtotal: money(subtotal, currency),
    ...pricesOf(item, subtotal, currency, at),
  }
}

function money(amount: number, currency: string) {
  return { amount, currency }
}

/** What a part comes to: less its discounts, and with the tax that its prices do not hold. */
function pricesOf({ discounts = [], taxes = [], total }: PricesForm, subtotal: number, currency: string, at: string) {
  const discounted = subtotal - sumOf(discounts)
  if (discounted < 0) throw new InvalidLine(`${at}/discounts: more is taken off than it costs.`)
  const includedTax = sumOf(taxes.filter((tax) => tax.included))
  if (includedTax > discounted) throw new InvalidLine(`${at}/taxes: more tax is in the price than it costs.`)
  const whole = discounted + sumOf(taxes.filter((tax) => !tax.included))
  if (!Number.isSafeInteger(whole)) throw new InvalidLine(`${at}: it costs more than JSON can carry.`)
  if (total !== undefined && total !== whole)
    throw new InvalidLine(`${at}/total: it comes to ${whole}, not to ${total}.`)
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

/** Plain sums, over all stores and for each, in the order of the stores' first lines. */
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
  if (!Number.isSafeInteger(totals.total.amount)) throw new InvalidLine('It costs more than JSON can carry.')
  return {
    ...totals,
    byStore: stores.map((storeId) => ({ storeId, ...of((each) => each === storeId) })),
    rounding: { mode: 'half_away_from_zero', level: 'line' },
  }
}
