import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refundByOperator } from '../../server/src/features/orders/index.ts'
import { vatSumsOf } from '../../server/src/features/orders/invoice/figures.ts'
import { invoicesOfOrder } from '../../server/src/features/orders/invoice/store.ts'
import { xmlOf } from '../../server/src/features/orders/invoice/xml.ts'
import {
  saveShippingZones,
  saveTaxRates,
  saveTaxScheme,
  type TaxRate,
} from '../../server/src/features/pricing/index.ts'
import type { SellerRecord } from '../../server/src/features/storefront/index.ts'
import { decide } from '../support/commerce/after-sales.ts'
import { productLine, storeLine } from '../support/commerce/catalog.ts'
import { checkout, checkoutClient, paid } from '../support/commerce/checkout.ts'
import { saveSeller } from '../support/commerce/sellers.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { operatorClient } from '../support/operator.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import type { InstallationClient } from '../support/world.ts'

// A German, a French and an American seller, each with a store that sells goods, books and downloads, checked like a bookkeeper would:
// from the rules of a country to the total paid, the invoice, the credit note and the report of the period. The comment of each test
// calculates its figures by hand.

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop({ environment: { PAYMENT_INSTRUCTIONS: 'IBAN' } })
  client = await checkoutClient(shop)
})

interface Setup {
  readonly slug: string
  readonly currency: string
  readonly pricesIncludeTax: boolean
  readonly country: string
  readonly sellsTo: readonly string[]
  readonly shippingCategory: string
  readonly rates: readonly Partial<TaxRate>[]
  readonly seller: Partial<Omit<SellerRecord, 'version'>>
}

/** Sets up a store: a lamp for 49.90, a book for 12.00, a font to download for 20.00, and shipping for 5.90. */
async function setUp({ slug, currency, pricesIncludeTax, country, sellsTo, shippingCategory, ...more }: Setup) {
  const item = (id: string, amount: number, taxCategory: string, sku: object = {}) =>
    productLine(`${slug}-${id}`, {
      names: { en: id },
      skus: [{ code: `${slug}-${id}`.toUpperCase(), prices: [{ currency, amount }], stock: 100, taxCategory, ...sku }],
    })
  await shop.import(
    [
      storeLine(slug, { currencies: [currency], countries: sellsTo, pricesIncludeTax }),
      item('lamp', 4990, 'standard'),
      item('book', 1200, 'book'),
      item('font', 2000, 'download', { requiresShipping: false }),
    ],
    slug,
  )
  const [row] = await shop.query('select id from stores where slug = $1', [slug])
  const storeId = String(row?.id)
  await shop.database.transaction(async (tx) => {
    const rates = more.rates.map((rate) => ({ country, region: null, code: 'vat', name: { en: 'VAT' }, ...rate }))
    saveTaxRates(tx, storeId, rates as TaxRate[])
    saveTaxScheme(tx, { storeId, country, kind: 'destination' })
    const parcel = {
      methodId: shop.ids.next('shp'),
      name: { en: 'Parcel' },
      basis: 'subtotal' as const,
      minDays: 1,
      maxDays: 3,
      taxCategory: shippingCategory,
      rates: [{ currency, from: 0n, upTo: null, amount: 590n }],
    }
    const places = sellsTo.map((each) => ({ country: each, region: null }))
    saveShippingZones(tx, storeId, [{ zoneId: shop.ids.next('shp'), name: 'All', places, methods: [parcel] }])
  })
  await saveSeller(shop, { storeId, country, ...more.seller })
  await shop.refresh()
  return { slug, currency, storeId }
}

type Store = Awaited<ReturnType<typeof setUp>>

/** Buys units of each item for an address. @returns the order's totals and taxes, and its invoice */
async function buy(store: Store, units: Readonly<Record<string, number>>, shipping: { countryCode: string }) {
  const { slug, currency } = store
  const lines = await Promise.all(
    Object.entries(units).map(async ([id, quantity]) => {
      const [row] = await shop.query('select id from skus where code = $1', [`${slug}-${id}`.toUpperCase()])
      return { skuId: String(row?.id), quantity }
    }),
  )
  const cart = await cartOf(shop, client, {}, { currency, country: shipping.countryCode, lines })
  const addressed = await client.put(`${CARTS}/${cart.id}/address`, { shipping, contact: { email: 'ada@example.com' } })
  assert.equal(addressed.status, 200, addressed.text)
  const begun = await checkout(client, cart.id)
  assert.equal(begun.status, 200, begun.text)
  const { orderId } = await paid(shop, client, begun.body.data)
  const [invoice] = await invoicesOfOrder(shop.database.reader, orderId!)
  const { totals } = begun.body.data.snapshot
  return { orderId: orderId!, total: totals.total.amount, tax: totals.tax.amount.amount, invoice: invoice! }
}

/** Category, rate, net amount and tax of an invoice, the highest rate first. */
const sumsOf = ({ lines }: Awaited<ReturnType<typeof buy>>['invoice']) =>
  vatSumsOf(lines).map(({ category, percent, net, tax }) => [category, percent, Number(net), Number(tax)])

/** The credit note of a whole refund. */
async function refundAll({ orderId, total }: Awaited<ReturnType<typeof buy>>) {
  await decide(shop, (tx, by) => refundByOperator(tx, { orderId, amount: BigInt(total) }, by))
  const documents = await invoicesOfOrder(shop.database.reader, orderId)
  return documents.find(({ kind }) => kind === 'credit_note')!
}

/** The rows of the store's tax report of the quarter. */
async function reportOf({ slug }: Store) {
  const { origin } = await operatorClient(shop)
  const query = new URLSearchParams({ from: '2026-04-01', to: '2026-06-30', environment: 'test' })
  const answer = await fetch(`${origin}/operator/v1/stores/${slug}/tax-report?${query}`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  const [, ...rows] = (await answer.text()).trim().split('\r\n')
  return rows.map((row) => row.replaceAll('"', ''))
}

const address = (countryCode: string, city: string, postalCode: string, more: object = {}) => {
  return { recipientName: 'Ada Example', line1: '1 Example Street', city, postalCode, countryCode, ...more }
}

describe('a German seller with prices that include VAT', () => {
  let store: Store
  before(async () => {
    store = await setUp({
      slug: 'berlin',
      currency: 'EUR',
      pricesIncludeTax: true,
      country: 'DE',
      sellsTo: ['DE', 'AT', 'CH'],
      shippingCategory: 'standard',
      rates: [
        { category: 'standard', rate: '0.19' },
        { category: 'book', rate: '0.07' },
        { category: 'download', rate: '0.19' },
        { country: 'AT', category: 'standard', rate: '0.20' },
        { country: 'AT', category: 'book', rate: '0.10' },
        { country: 'AT', category: 'download', rate: '0.20' },
        { country: 'CH', category: 'standard', rate: '0' },
      ],
      seller: { legalName: 'Berlin Lamps GmbH', vatIds: [{ country: 'DE', id: 'DE136695976' }] },
    })
  })

  /*
   * 2 lamps   99.80 at 19 %: VAT 99.80 × 19/119 = 15.934 → 15.93, net 83.87
   * 3 books   36.00 at  7 %: VAT 36.00 ×  7/107 =  2.355 →  2.36, net 33.64
   * 1 font    20.00 at 19 %: VAT 20.00 × 19/119 =  3.193 →  3.19, net 16.81
   * parcel     5.90 at 19 %: VAT  5.90 × 19/119 =  0.942 →  0.94, net  4.96
   * total    161.70. 19 %: net 105.64, VAT 20.06. 7 %: net 33.64, VAT 2.36. Together 105.64 + 20.06 + 33.64 + 2.36 = 161.70.
   */
  test('charges 19 and 7 percent at home, and credits all of it', async () => {
    const order = await buy(store, { lamp: 2, book: 3, font: 1 }, address('DE', 'Berlin', '10969'))
    assert.deepEqual([order.total, order.tax], [16170, 2242])
    assert.deepEqual(sumsOf(order.invoice), [
      ['S', '19', 10564, 2006],
      ['S', '7', 3364, 236],
    ])
    assert.deepEqual(sumsOf(await refundAll(order)), sumsOf(order.invoice))
  })

  /*
   * One Stop Shop: an Austrian consumer pays the same prices with Austrian VAT inside.
   * 1 lamp 49.90 at 20 %: 49.90/6 = 8.317 → 8.32, net 41.58. 1 book 12.00 at 10 %: 12.00/11 = 1.091 → 1.09, net 10.91.
   * parcel 5.90 at 20 %: 5.90/6 = 0.983 → 0.98, net 4.92. Total 67.80: 20 %: net 46.50, VAT 9.30. 10 %: net 10.91, VAT 1.09.
   */
  test('charges the VAT of Austria to a consumer there', async () => {
    const order = await buy(store, { lamp: 1, book: 1 }, address('AT', 'Wien', '1010'))
    assert.deepEqual([order.total, order.tax], [6780, 1039])
    assert.deepEqual(sumsOf(order.invoice), [
      ['S', '20', 4650, 930],
      ['S', '10', 1091, 109],
    ])
  })

  /*
   * A business in Austria pays the price as net amount: 49.90 + 5.90 = 55.80 of goods (Article 138), and 20.00 for the font, which
   * is a service (Article 196). Both VAT numbers are in the XML.
   */
  test('charges no VAT to a business in Austria, with goods and services separated', async () => {
    const vienna = address('AT', 'Wien', '1010', { company: 'Example GmbH', vatId: 'ATU13585627' })
    const order = await buy(store, { lamp: 1, font: 1 }, vienna)
    assert.deepEqual([order.total, order.tax], [7580, 0])
    assert.deepEqual(sumsOf(order.invoice).toSorted(), [
      ['AE', '0', 2000, 0],
      ['K', '0', 5580, 0],
    ])
    const xml = xmlOf(order.invoice)
    assert.match(xml, /DE136695976[\s\S]*ATU13585627/)
  })

  // Goods that leave the Union are an export (Article 146): 49.90 + 5.90 = 55.80, with the reason on the invoice.
  test('charges no VAT on goods that are shipped to Switzerland', async () => {
    const order = await buy(store, { lamp: 1 }, address('CH', 'Zürich', '8001'))
    assert.deepEqual([order.total, order.tax], [5580, 0])
    assert.deepEqual(sumsOf(order.invoice), [['G', '0', 5580, 0]])
    assert.match(xmlOf(order.invoice), /<ram:ExemptionReason>VAT exempt export/)
  })

  /*
   * The quarter: at home 105.64 and 33.64 net, refunded in full, so 0.00 remains; Austria as above.
   * Goods, services and exports without VAT in rows of their own: boxes 41, 21 and 43 of the German return.
   */
  test('reports the quarter by country, exemption and rate', async () => {
    assert.deepEqual(await reportOf(store), [
      'AT,EUR,VAT,0.1,book,,10.91,1.09,0.00,0.00,10.91,1.09,tables',
      'AT,EUR,VAT,0.2,standard,,46.50,9.30,0.00,0.00,46.50,9.30,tables',
      'AT,EUR,VAT 0 %, intra-Community supply,0,standard,intra_community_supply,55.80,0.00,0.00,0.00,55.80,0.00,tables',
      'AT,EUR,VAT 0 %, reverse charge,0,download,reverse_charge,20.00,0.00,0.00,0.00,20.00,0.00,tables',
      'CH,EUR,VAT 0 %, export,0,standard,export,55.80,0.00,0.00,0.00,55.80,0.00,tables',
      'DE,EUR,VAT,0.07,book,,33.64,2.36,33.64,2.36,0.00,0.00,tables',
      'DE,EUR,VAT,0.19,download,,16.81,3.19,16.81,3.19,0.00,0.00,tables',
      'DE,EUR,VAT,0.19,standard,,88.83,16.87,88.83,16.87,0.00,0.00,tables',
    ])
  })
})

/** The rows of the seller's invoices of the quarter, without dates and order numbers. */
async function invoicesOf({ slug }: Pick<Store, 'slug'>) {
  const { origin } = await operatorClient(shop)
  const query = new URLSearchParams({ from: '2026-04-01', to: '2026-06-30', environment: 'test' })
  const answer = await fetch(`${origin}/operator/v1/stores/${slug}/invoices?${query}`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  const [, ...rows] = (await answer.text()).trim().split('\r\n')
  return rows.map((row) =>
    row
      .replaceAll('"', '')
      .replace(/,2026-\d\d-\d\d,/, ',')
      .replace(/,T-1\d{4},/, ','),
  )
}

describe('a French seller with prices that include VAT', () => {
  /*
   * Normal rate 20 %, reduced rate 5.5 % for books.
   * 1 lamp  49.90: VAT 49.90/6 = 8.317 → 8.32, net 41.58
   * 2 books 24.00: VAT 24.00 × 5.5/105.5 = 1.251 → 1.25, net 22.75
   * 2 fonts 40.00: VAT 40.00/6 = 6.667 → 6.67, net 33.33
   * parcel   5.90: VAT 5.90/6 = 0.983 → 0.98, net 4.92
   * total  119.80. 20 %: net 79.83, VAT 15.97. 5.5 %: net 22.75, VAT 1.25.
   */
  test('charges 20 and 5.5 percent, and reports the remainder after a refund', async () => {
    const store = await setUp({
      slug: 'lyon',
      currency: 'EUR',
      pricesIncludeTax: true,
      country: 'FR',
      sellsTo: ['FR'],
      shippingCategory: 'standard',
      rates: [
        { category: 'standard', rate: '0.2' },
        { category: 'book', rate: '0.055' },
        { category: 'download', rate: '0.2' },
      ],
      seller: { legalName: 'Lampes de Lyon SARL', vatIds: [{ country: 'FR', id: 'FR40303265045' }] },
    })
    const order = await buy(store, { lamp: 1, book: 2, font: 2 }, address('FR', 'Lyon', '69001'))
    assert.deepEqual([order.total, order.tax], [11980, 1722])
    assert.deepEqual(sumsOf(order.invoice), [
      ['S', '20', 7983, 1597],
      ['S', '5.5', 2275, 125],
    ])
    assert.match(xmlOf(order.invoice), /FR40303265045/)
    const whole = await buy(store, { book: 1 }, address('FR', 'Lyon', '69001'))
    await refundAll(whole)
    // The book of 12.00: VAT 12.00 × 5.5/105.5 = 0.626 → 0.63, net 11.37; its parcel as above. Both were refunded.
    assert.deepEqual(await reportOf(store), [
      'FR,EUR,VAT,0.055,book,,34.12,1.88,11.37,0.63,22.75,1.25,tables',
      'FR,EUR,VAT,0.2,download,,33.33,6.67,0.00,0.00,33.33,6.67,tables',
      'FR,EUR,VAT,0.2,standard,,51.42,10.28,4.92,0.98,46.50,9.30,tables',
    ])
  })
})

describe('the invoices of a period', () => {
  // As above: the order at home and its credit note, the consumer and the business in Austria, the export.
  test('are exported with a line for each rate, and negative credit notes', async () => {
    assert.deepEqual((await invoicesOf({ slug: 'berlin' })).toSorted(), [
      'T-2026-00001,invoice,,Ada Example,DE,,EUR,S,19,105.64,20.06,125.70',
      'T-2026-00001,invoice,,Ada Example,DE,,EUR,S,7,33.64,2.36,36.00',
      'T-2026-00002,invoice,,Ada Example,AT,,EUR,S,10,10.91,1.09,12.00',
      'T-2026-00002,invoice,,Ada Example,AT,,EUR,S,20,46.50,9.30,55.80',
      'T-2026-00003,invoice,,Example GmbH,AT,ATU13585627,EUR,AE,0,20.00,0.00,20.00',
      'T-2026-00003,invoice,,Example GmbH,AT,ATU13585627,EUR,K,0,55.80,0.00,55.80',
      'T-2026-00004,invoice,,Ada Example,CH,,EUR,G,0,55.80,0.00,55.80',
      'T-C2026-00001,credit_note,T-2026-00001,Ada Example,DE,,EUR,S,19,-105.64,-20.06,-125.70',
      'T-C2026-00001,credit_note,T-2026-00001,Ada Example,DE,,EUR,S,7,-33.64,-2.36,-36.00',
    ])
  })
})

describe('an American seller with prices without tax', () => {
  /*
   * California: 7.25 % state tax, and 3 % of the district in Oakland by postal code. Downloads and separately stated shipping are
   * not taxed.
   * 2 lamps 99.80: 10.25 % = 10.2295 → 10.23, of which 99.80 × 7.25 % = 7.2355 and 99.80 × 3 % = 2.994:
   *                whole cents 7.23 and 2.99, and the last one to the larger remainder: 0.55 to 0.40, so 7.24 and 2.99
   * 1 book  12.00: 10.25 % = 1.23, of which 0.87 and 0.36
   * 1 font  20.00 and the parcel 5.90: none
   * total  137.70 + 11.46 = 149.16. 10.25 %: net 111.80, tax 11.46. Untaxed: 25.90.
   */
  test('adds state and district tax to goods only', async () => {
    const store = await setUp({
      slug: 'oakland',
      currency: 'USD',
      pricesIncludeTax: false,
      country: 'US',
      sellsTo: ['US'],
      shippingCategory: 'shipping',
      rates: [
        ...['standard', 'book'].flatMap((category) => [
          { region: 'CA', category, code: 'state', name: { en: 'California' }, rate: '0.0725' },
          {
            region: 'CA',
            category,
            code: 'district',
            name: { en: 'Oakland' },
            rate: '0.03',
            postalCodes: { from: '94601', to: '94621' },
          },
        ]),
        { region: 'CA', category: 'download', code: 'state', name: { en: 'California' }, rate: '0' },
        { region: 'CA', category: 'shipping', code: 'state', name: { en: 'California' }, rate: '0' },
      ],
      seller: { legalName: 'Oakland Lamps Inc.', vatIds: [], taxNumber: '12-3456789' },
    })
    const oakland = address('US', 'Oakland', '94607', { region: 'CA' })
    const order = await buy(store, { lamp: 2, book: 1, font: 1 }, oakland)
    assert.deepEqual([order.total, order.tax], [14916, 1146])
    assert.deepEqual(sumsOf(order.invoice), [
      ['S', '10.25', 11180, 1146],
      ['Z', '0', 2590, 0],
    ])
    // Outside the district: 12.00 × 7.25 % = 0.87, and the parcel.
    const elsewhere = await buy(store, { book: 1 }, address('US', 'Fresno', '93721', { region: 'CA' }))
    assert.deepEqual([elsewhere.total, elsewhere.tax], [1877, 87])
    await refundAll(elsewhere)
    assert.deepEqual(await reportOf(store), [
      'US,USD,California,0,download,,20.00,0.00,0.00,0.00,20.00,0.00,tables',
      'US,USD,California,0,shipping,,11.80,0.00,5.90,0.00,5.90,0.00,tables',
      'US,USD,Oakland,0.03,book,,12.00,0.36,0.00,0.00,12.00,0.36,tables',
      'US,USD,Oakland,0.03,standard,,99.80,2.99,0.00,0.00,99.80,2.99,tables',
      'US,USD,California,0.0725,book,,24.00,1.74,12.00,0.87,12.00,0.87,tables',
      'US,USD,California,0.0725,standard,,99.80,7.24,0.00,0.00,99.80,7.24,tables',
    ])
  })
})
