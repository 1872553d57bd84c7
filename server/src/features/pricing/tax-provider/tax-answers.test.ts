import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import { checkout, checkoutClient, paid } from '../../../../../test/support/commerce/checkout.ts'
import { CARTS, type CartBody, cartOf, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import {
  startTaxServiceStandIn,
  TAX_SERVICE_SECRET,
  type TaxServiceStandIn,
} from '../../../../../test/support/network/tax-service-stand-in.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import { pageVisitor } from '../../../../../test/support/pages/page-visitor.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { askingFirst } from '../../../platform/postgres/ask-first.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { TaxProvider, TaxRequest } from './provider.ts'
import { TaxAnswers } from './tax-answers.ts'

const BERLIN = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}
const RATES = '/stores/ceramics/tax-rates'
const idleInTransaction = statement<{ readonly count: number }>(
  'test.idle_in_transaction',
  `select count(*)::integer as count from pg_stat_activity
   where datname = current_database() and state like 'idle in transaction%'`,
)

let service: TaxServiceStandIn
let shop: Shop
let client: InstallationClient
let operator: OperatorClient
before(async () => {
  service = await startTaxServiceStandIn()
  shop = await startShop({
    environment: {
      TAX_SERVICE_URL: service.url,
      TAX_SERVICE_SECRET,
      TAX_SERVICE_TIMEOUT_MS: '3000',
      PAYMENT_INSTRUCTIONS: 'IBAN',
    },
  })
  client = await checkoutClient(shop)
  operator = await operatorClient(shop)
  await taxedBy('service')
})
beforeEach(() => {
  service.fails(null)
  // An hour later, no earlier answer or failure counts.
  shop.clock.advance(3_600_000)
})

async function taxedBy(source: string): Promise<void> {
  const { rates } = (await operator.get(RATES)).body.data
  await operator.change('PUT', RATES, { rates, source })
  await shop.refresh()
}

const REQUEST: TaxRequest = {
  environment: 'test',
  storeId: 'sto_counted',
  currency: 'EUR',
  pricesIncludeTax: false,
  shipTo: { line1: null, line2: null, city: 'Berlin', region: null, postalCode: '10969', country: 'DE' },
  buyer: { vatId: null, billTo: null },
  lines: [{ id: 'a', kind: 'item', skuId: null, quantity: 1, taxCategory: 'standard', amount: 100n, isShipped: true }],
}

/** A provider that charges 19 percent and counts its calls. */
function countedProvider() {
  let asked = 0
  const provider: TaxProvider = {
    async calculate({ currency, lines }) {
      asked += 1
      const taxOf = (amount: bigint) => ({ name: 'VAT', rate: '0.19', amount: (amount * 19n) / 100n, country: 'DE' })
      const reply = { currency, lines: lines.map(({ id, amount }) => ({ id, taxes: [taxOf(amount)] })) }
      return { outcome: 'answered', reply }
    },
  }
  return { provider, asked: () => asked }
}

/** Creates a cart with an address. @returns the response of setPublicCartAddress */
async function addressed(address: object = BERLIN, quantity = 2): Promise<CartBody> {
  const cart = await cartOf(shop, client, { MUG: quantity })
  const contact = { email: 'ada@example.com' }
  return dataOf(await client.put(`${CARTS}/${cart.id}/address`, { shipping: address, contact }))
}

const read = async ({ id }: { readonly id: string }): Promise<CartBody> =>
  (await client.get(`${CARTS}/${id}`)).body.data
const sourcesOf = ({ lines }: CartBody) => lines[0].taxLines.map(({ source }: { source?: string }) => source)

describe('a store with a tax provider', () => {
  test('asks the provider once the address is complete, with the data that tax depends on', async () => {
    const asked = service.asked.length
    const cart = await cartOf(shop, client, { MUG: 2 })
    assert.deepEqual([service.asked.length - asked, cart.totals.tax.status], [0, 'estimated'])
    const answer = await client.put(`${CARTS}/${cart.id}/address`, { shipping: BERLIN })
    const { lines, totals } = answer.body.data
    assert.equal(service.asked.length - asked, 1)
    const question = service.asked.at(-1)!
    const { country, postalCode } = question.shipTo
    assert.deepEqual([question.storeId, country, postalCode], [shop.storeId('ceramics'), 'DE', '10969'])
    assert.deepEqual(
      question.lines.map(({ id }) => id),
      [lines[0].lineId, 'shipping'],
    )
    const taxes = lines[0].taxLines.map(({ jurisdiction, rate, source }: Record<string, string>) => {
      return [jurisdiction, rate, source]
    })
    assert.deepEqual(taxes, [
      ['California', '0.0725', 'provider'],
      ['Los Angeles County', '0.0225', 'provider'],
    ])
    assert.equal(totals.tax.status, 'final')
  })

  test('asks only once about the same cart, even concurrently', async () => {
    const asked = service.asked.length
    const cart = await addressed()
    await Promise.all([read(cart), read(cart), client.get(`${CARTS}/${cart.id}/checkout-quote`)])
    assert.equal(service.asked.length - asked, 1)
    assert.deepEqual(sourcesOf(await read(cart)), ['provider', 'provider'])
  })

  test('asks once for all processes, and again after an hour', async () => {
    const { provider, asked } = countedProvider()
    const { database, clock } = shop
    const inProcess = () =>
      new TaxAnswers({ database, providers: new Map([['counted', provider]]), log: { warn() {} } })
    for (const answers of [inProcess(), inProcess()]) {
      const reply = await askingFirst(async () => answers.replyTo('counted', REQUEST, clock.now()))
      assert.equal(reply?.lines[0]?.taxes[0]?.amount, 19n)
    }
    assert.equal(asked(), 1)
    const later = new Date(clock.now().getTime() + 3_600_000)
    const answers = inProcess()
    await askingFirst(async () => answers.replyTo('counted', REQUEST, later))
    assert.equal(asked(), 2)
  })

  test('asks another provider while one is left alone for a while because it does not answer', async () => {
    const silent: TaxProvider = { calculate: async () => ({ outcome: 'unanswered', reason: 'no answer in time' }) }
    const { provider, asked } = countedProvider()
    const providers = new Map([
      ['silent', silent],
      ['counted', provider],
    ])
    const answers = new TaxAnswers({ database: shop.database, providers, log: { warn() {} } })
    const request = { ...REQUEST, storeId: shop.storeId('ceramics') }
    const now = shop.clock.now()
    assert.equal(await askingFirst(async () => answers.replyTo('silent', request, now)), null)
    assert.equal(answers.replyTo('silent', { ...request, currency: 'USD' }, now), null)
    const reply = await askingFirst(async () => answers.replyTo('counted', request, now))
    assert.deepEqual([reply?.lines[0]?.taxes[0]?.amount, asked()], [19n, 1])
  })

  test('waits for the answer outside of any transaction', async () => {
    let waiting = -1
    service.fails(async (reply) => {
      waiting = (await shop.database.reader.row(idleInTransaction))!.count
      return reply
    })
    assert.deepEqual(sourcesOf(await addressed()), ['provider', 'provider'])
    assert.equal(waiting, 0)
  })

  test('charges the quoted tax: page and order do not ask again, whatever the provider would answer', async () => {
    const cart = await addressed()
    const quote = (await client.post(`${CARTS}/${cart.id}/quote`, {})).body.data
    const asked = service.asked.length
    service.fails('error')
    shop.clock.advance(20 * 60_000)
    const session = (await checkout(client, cart.id, { quoteId: quote.id })).body.data
    await pageVisitor(await shop.openPages()).open(new URL(session.url).pathname)
    const { orderId } = await paid(shop, client, session)
    const order = (await client.get(`/api/v1/open/storefront/orders/${orderId}`)).body.data
    assert.deepEqual(order.totals.total, quote.totals.total)
    assert.deepEqual(order.lines[0].taxLines, quote.lines[0].taxLines)
    assert.equal(service.asked.length, asked)
  })

  for (const [what, fault] of [
    ['answers with errors', 'error'],
    ['does not answer', 'silence'],
    ['sends invalid replies', (reply: object) => ({ ...reply, currency: 'XXX' })],
  ] as const) {
    test(`falls back to its tables while the provider ${what}, marks the tax lines, and shows operators the failure`, async () => {
      service.fails(fault)
      const cart = await addressed(BERLIN, 3)
      assert.deepEqual([sourcesOf(cart), cart.lines[0].taxLines[0].rate], [['fallback'], '0.19'])
      const { lastFailure, source, sources } = (await operator.get(RATES)).body.data
      assert.deepEqual([source, sources], ['service', ['tables', 'service']])
      assert.equal(lastFailure.failedAt, shop.clock.now().toISOString())
      assert.ok(lastFailure.reason)
      const asked = service.asked.length
      await read(cart)
      assert.equal(service.asked.length, asked, 'a failure is remembered for a while')
      service.fails(null)
      shop.clock.advance(60_000)
      assert.deepEqual(sourcesOf(await read(cart)), ['provider', 'provider'])
    })
  }

  test('blocks checkout if neither the provider nor the tables have the tax', async () => {
    const { rates } = (await operator.get(RATES)).body.data
    await operator.change('PUT', RATES, { rates: [] })
    await shop.refresh()
    service.fails('error')
    const cart = await addressed(BERLIN, 4)
    const { blockers } = (await client.get(`${CARTS}/${cart.id}/checkout-quote`)).body.data
    assert.deepEqual(
      blockers.map(({ code }: { code: string }) => code),
      ['tax_not_calculated'],
    )
    await operator.change('PUT', RATES, { rates })
    await shop.refresh()
  })

  test('names the source of each line in its report', async () => {
    const day = shop.clock.now().toISOString().slice(0, 10)
    const url = `${operator.origin}/operator/v1/stores/ceramics/tax-report?environment=test&from=2020-01-01&to=${day}`
    const text = await (await fetch(url, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })).text()
    assert.match(text, /,total_tax,source\r\n/)
    assert.match(text, /^DE,EUR,California state tax,0\.0725,standard,.*,provider\r$/m)
  })
})

test('a store with its own tables asks no provider, and a tax source has to be configured', async () => {
  await taxedBy('tables')
  const asked = service.asked.length
  assert.deepEqual(sourcesOf(await addressed()), [undefined])
  assert.equal(service.asked.length, asked)
  const { status, body } = await operator.send('PUT', RATES, { rates: [], source: 'nosuch' })
  assert.deepEqual([status, body.details[0].pointer], [400, '/source'])
})
