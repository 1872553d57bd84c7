import type { Totals } from '@vitrine/contract'
import type { Language } from '../../../kernel/languages/languages.ts'
import { wireMoney } from '../../../kernel/money.ts'
import type { OrderLink } from '../link/link.ts'
import type { Order, OrderLine, OrderShipping } from '../order/order.ts'
import type { OrderNotification } from './notifications.ts'
import type { OrderMailKind } from './texts.ts'

const CURRENCY = 'EUR'
const TAX = { category: 'standard', included: true } as const

interface SampleTexts {
  readonly name: string
  readonly line1: string
  readonly goods: readonly [string, string]
  readonly option: readonly [string, string]
  readonly tax: string
  readonly discount: string
  readonly shipping: string
}

const texts: Readonly<Record<Language, SampleTexts>> = {
  en: {
    name: 'Ada Example',
    line1: '9 Linden Street',
    goods: ['Stoneware mug', 'A history of ceramics'],
    option: ['Color', 'Sage'],
    tax: 'VAT',
    discount: 'Summer sale',
    shipping: 'Standard parcel',
  },
  de: {
    name: 'Ada Beispiel',
    line1: 'Lindenstraße 9',
    goods: ['Becher aus Steinzeug', 'Eine Geschichte der Keramik'],
    option: ['Farbe', 'Salbei'],
    tax: 'MwSt.',
    discount: 'Sommeraktion',
    shipping: 'Standardpaket',
  },
}

const PARCEL_TAX = { ...TAX, rate: '0.19', taxable: 412n, amount: 78n }
const PARCEL: Omit<OrderShipping, 'storeId' | 'name' | 'taxLines'> = {
  optionId: 'shp_sample',
  chosen: true,
  amount: 490n,
  discountAllocations: [],
  total: 490n,
  refunded: 0n,
}

const money = (amount: bigint) => wireMoney(amount, CURRENCY)
const TOTALS = {
  itemsSubtotal: money(5490n),
  itemsDiscount: money(300n),
  shipping: money(490n),
  shippingDiscount: money(0n),
  tax: { amount: money(672n), added: money(0n), included: true, status: 'final' },
  total: money(5680n),
} as unknown as Totals

/** URLs of the pictures of the two sample lines. */
export type SamplePictures = readonly (string | undefined)[]

/** A fictitious order for previews of mails: three mugs at a discount, and a book at another tax rate. */
export function sampleOrder(
  language: Language,
  { storeId, pictures, now }: { readonly storeId: string; readonly pictures: SamplePictures; readonly now: Date },
): Order {
  const { name, line1, goods, option, tax, discount, shipping } = texts[language]
  const address = { recipientName: name, line1, city: 'Berlin', postalCode: '10969', countryCode: 'DE' }
  const units = (ordered: number) => ({ ordered, canceled: 0, fulfilled: 0, returned: 0, refunded: 0 })
  const lineOf = (index: 0 | 1, more: Pick<OrderLine, 'unitPrice' | 'subtotal' | 'total' | 'units'>): OrderLine => ({
    id: `oli_${index + 1}`,
    cartLineId: null,
    skuId: `sku_${index + 1}`,
    productId: null,
    storeId,
    code: null,
    name: goods[index],
    optionLabels: index === 0 ? [{ name: option[0], value: option[1] }] : [],
    image: pictures[index] === undefined ? null : { url: pictures[index], alt: '', width: 800, height: 800 },
    discountAllocations:
      index === 0
        ? [{ promotionId: 'prm_sample', code: null, title: discount, amount: more.subtotal - more.total }]
        : [],
    taxLines:
      index === 0
        ? [{ ...TAX, name: tax, rate: '0.19', taxable: 2269n, amount: 431n }]
        : [{ ...TAX, name: tax, rate: '0.07', taxable: 2327n, amount: 163n }],
    ...more,
  })
  return {
    id: 'ord_sample',
    number: 'V-10001',
    installationId: 'ins_sample',
    environment: 'live',
    storeId,
    share: null,
    cartId: null,
    sessionId: null,
    chargeId: null,
    externalId: null,
    clientReferenceId: null,
    metadata: {},
    source: 'hosted_checkout',
    status: 'confirmed',
    heldFrom: null,
    version: 1,
    currency: CURRENCY,
    country: 'DE',
    locale: language,
    customerId: null,
    email: 'ada@example.com',
    phone: null,
    shippingAddress: address,
    billingAddress: address,
    acceptedDocuments: [],
    lines: [
      lineOf(0, { unitPrice: 1000n, subtotal: 3000n, total: 2700n, units: units(3) }),
      lineOf(1, { unitPrice: 2490n, subtotal: 2490n, total: 2490n, units: units(1) }),
    ],
    shipping: [{ ...PARCEL, storeId, name: shipping, taxLines: [{ ...PARCEL_TAX, name: tax }] }],
    totals: TOTALS,
    money: { charge: 'captured', charged: 5680n, refunded: 0n, refundPending: 0n, unknown: 0n, disputed: 0n },
    parcels: [],
    adjustments: [],
    timeline: [],
    placedAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

/** The notification of a sample mail. The mail with a link has none. */
export function sampleNotification(kind: Exclude<OrderMailKind, 'orders.link'>, now: Date): OrderNotification {
  const units = [{ lineId: 'oli_1', quantity: 1 }]
  switch (kind) {
    case 'orders.confirmed':
      return { kind: 'confirmed', documents: [] }
    case 'orders.received':
      return { kind: 'received', documents: [] }
    case 'orders.paid':
      return { kind: 'paid', amount: 5680n }
    case 'orders.parcel':
      return {
        kind: 'parcel',
        isLast: false,
        parcel: {
          ...SAMPLE_CARRIAGE,
          id: 'ful_sample',
          status: 'dispatched',
          lines: units,
          dispatchedAt: now,
          deliveredAt: null,
        },
      }
    case 'orders.canceled':
      return {
        kind: 'canceled',
        isWhole: true,
        units: [
          { lineId: 'oli_1', quantity: 3 },
          { lineId: 'oli_2', quantity: 1 },
        ],
        refund: 5680n,
        isUnpaid: false,
      }
    case 'orders.canceled_in_part':
      return { kind: 'canceled', isWhole: false, units, refund: 900n, isUnpaid: false }
    case 'orders.refunded':
      return { kind: 'refunded', amount: 900n, reference: 'rfd_1' }
  }
}

export const SAMPLE_CARRIAGE = {
  carrier: 'DHL',
  trackingNumber: '00340434161094042557',
  trackingUrl: 'https://example.com/track/00340434161094042557',
} as const

/** A link that opens nothing. */
export function sampleLink(pagesUrl: string, now: Date): OrderLink {
  return { url: `${pagesUrl}/order/sample`, expiresAt: new Date(now.getTime() + 60 * 86_400_000) }
}
