import assert from 'node:assert/strict'
import type { Order } from '@vitrine/contract'
import { hashNewPassword, openSession, register } from '../../server/src/features/accounts/index.ts'
import { ship } from '../../server/src/features/fulfillment/index.ts'
import type { Order as PlacedOrder } from '../../server/src/features/orders/index.ts'
import { accountsOf } from '../support/commerce/accounts.ts'
import {
  bought,
  decide,
  markArrived,
  postAfterSales,
  postCancellation,
  readOrder,
} from '../support/commerce/after-sales.ts'
import { productLine } from '../support/commerce/catalog.ts'
import { begunSession, checkoutClient, waitsForTransfer } from '../support/commerce/checkout.ts'
import { lineOfSku, paidBy } from '../support/commerce/paid-orders.ts'
import { manyProducts, type Shop, startShop } from '../support/commerce/shop.ts'
import { logged, opened } from '../support/commerce/webhook-endpoints.ts'
import { type OperatorAnswer, type OperatorClient, operatorClient } from '../support/operator.ts'
import { codeFor, registerApp } from '../support/pages/oauth.ts'
import { LOOK, siteOf, TERMS } from '../support/pages/site.ts'
import { testRandomness } from '../support/randomness.ts'

export const OWNER = { email: 'ada@operator.example', password: 'the pass phrase of ada' }

/** An operator with a session. */
export interface SignedInOperator {
  readonly id: string
  readonly email: string
  readonly cookie: string
}

/** A marketplace with data. Calls may read its objects, but create the ones that they consume. */
export interface Marketplace {
  readonly shop: Shop
  /** An installation of the test environment. Its orders, payments and webhooks are the ones below. */
  readonly app: Awaited<ReturnType<typeof checkoutClient>>
  /** Makes changes with the token of the command line. */
  readonly operator: OperatorClient
  readonly owner: SignedInOperator
  /** Manages a store without data. */
  readonly elsewhere: SignedInOperator
  /** Has a member of staff, legal documents, and a decoration that is published and drafted. */
  readonly storeSlug: string
  readonly legalDocumentId: string
  readonly importId: string
  /** Paid, with a requested cancellation. */
  readonly order: Order
  /** Paid, with enough units for a parcel per call; one is dispatched. */
  readonly packedOrder: PlacedOrder
  /** Delivered. A line has at most one open after-sales request, so each request uses a new line. */
  readonly deliveredOrder: DeliveredOrder
  readonly afterSalesId: string
  /** Waits for a bank transfer. */
  readonly paymentId: string
  /** All have a session, except the disabled one. */
  readonly customerIds: Readonly<Record<'kept' | 'toDisable' | 'disabled' | 'toSignOut' | 'toErase', string>>
  readonly oauthClientId: string
  readonly endpointId: string
  readonly deliveryId: string
}

interface DeliveredOrder extends Pick<Order, 'id'> {
  /** Returns a line without an after-sales request. */
  readonly takeLine: () => Order['lines'][number]
}

type Base = Pick<Marketplace, 'shop' | 'app' | 'operator'>

/** The products of the delivered order. */
const RETURNABLE_CODES = Array.from({ length: 16 }, (_, index) => `ITEM-${index + 1}`)

/** Starts a marketplace with an example of every listed or read object. */
export async function startMarketplace(): Promise<Marketplace> {
  const shop = await startShop({ simulator: true, more: manyProducts(RETURNABLE_CODES.length) })
  const base = { shop, app: await checkoutClient(shop), operator: await operatorClient(shop) }
  const owner = await setUp(shop)
  // Before a webhook endpoint exists, because work() would deliver to it.
  const customers = await seedCustomers(base)
  await newDeadJob(base)
  return {
    ...base,
    owner,
    elsewhere: await seedManagerElsewhere(base),
    ...customers,
    ...(await seedStore(base)),
    ...(await seedCatalog(base)),
    ...(await seedOrders(base)),
    ...(await seedApps(base)),
  }
}

/** Creates the first operator. */
async function setUp(shop: Shop): Promise<SignedInOperator> {
  const anonymous = await operatorClient(shop, {})
  return sessionIn(await anonymous.send('POST', '/setup', { ...OWNER, setupToken: await shop.app.setupToken() }))
}

/** Signs in at the operator door. */
export async function signIn(
  { shop }: Pick<Marketplace, 'shop'>,
  credentials: typeof OWNER,
): Promise<SignedInOperator> {
  const anonymous = await operatorClient(shop, {})
  return sessionIn(await anonymous.send('POST', '/sessions', credentials))
}

function sessionIn({ status, headers, body }: OperatorAnswer): SignedInOperator {
  assert.equal(status, 200, JSON.stringify(body))
  const [cookie = ''] = headers.getSetCookie().map((each) => each.split(';')[0]!)
  return { ...body.data.operator, cookie }
}

async function seedManagerElsewhere({ shop, operator }: Base): Promise<SignedInOperator> {
  const { slug: store } = await newStore({ operator }, 'elsewhere')
  const credentials = { email: 'eli@operator.example', password: 'the pass phrase of eli' }
  await operator.change('POST', '/operators', { ...credentials, role: 'manager', store })
  return signIn({ shop }, credentials)
}

async function seedStore({ shop, operator }: Base) {
  const { id: storeId, slug: storeSlug } = await newStore({ operator }, 'seeded')
  const site = siteOf(shop)
  await site.draft(storeId, LOOK)
  await site.publishDecorationDraft(storeId)
  const { document } = await operator.change('POST', '/legal-documents', { ...TERMS, storeSlug })
  await operator.change('POST', `/stores/${storeSlug}/staff`, {
    email: 'sam@store.example',
    password: 'a long sentence of sam',
  })
  await operator.change('PUT', '/contact-lists/de', {
    channels: [{ id: 'mail', type: 'email', label: 'Service', value: 'help@shop.example', languages: ['de'] }],
  })
  return { storeSlug, legalDocumentId: document.id }
}

async function seedCatalog({ shop, operator }: Base) {
  await newCategory({ operator }, 'seeded')
  await operator.upload(`/licence-pools/${shop.sku('CUP')}/keys?environment=test`, 'CUP-KEY-ONE\n')
  const line = JSON.stringify(productLine('saucer'))
  const { id: importId } = await operator.upload('/imports?format=jsonl&store=ceramics&name=saucers.jsonl', line)
  return { importId }
}

async function seedOrders(base: Base) {
  const { shop, app } = base
  const placed = await paidBy(shop, app, { MUG: 1 })
  const order = await readOrder(app, placed.id)
  await newCancellation(base, order)
  const packedOrder = await paidBy(shop, app, { MUG: 10 })
  await newParcel({ shop, packedOrder })
  const deliveredOrder = await newDeliveredOrder({ shop, app })
  const afterSalesId = await newAfterSales({ ...base, deliveredOrder })
  return { order, packedOrder, deliveredOrder, afterSalesId, paymentId: await newPayment(base) }
}

async function seedApps({ shop, app }: Base) {
  const client = await registerApp(shop)
  await codeFor(shop, client, { scopes: ['catalog:read'] })
  const { id: endpointId } = await opened(app)
  const { installationId } = app
  const { id: deliveryId } = await logged(shop, { installationId, endpointId, status: 'dead' })
  return { oauthClientId: client.clientId, endpointId, deliveryId }
}

export function newStore({ operator }: Pick<Marketplace, 'operator'>, slug: string) {
  const terms = { currencies: ['EUR'], locales: ['en'], countries: ['DE'], pricesIncludeTax: true }
  return operator.change('POST', '/stores', { slug, names: { en: 'Loom' }, ...terms })
}

export function newCategory({ operator }: Pick<Marketplace, 'operator'>, slug: string) {
  return operator.change('POST', '/categories', { slug, names: { en: 'A category' } })
}

async function newDeliveredOrder({ shop, app }: Pick<Base, 'shop' | 'app'>): Promise<DeliveredOrder> {
  const order = await bought(shop, app, Object.fromEntries(RETURNABLE_CODES.map((code) => [code, 1])))
  await markArrived(shop, order)
  const lines = [...order.lines]
  const takeLine = () => lines.pop() ?? assert.fail('RETURNABLE_CODES has too few products')
  return { id: order.id, takeLine }
}

/** An unpaid order's charge, which waits for a bank transfer. */
export async function newPayment({ shop, app }: Pick<Base, 'shop' | 'app'>): Promise<string> {
  return waitsForTransfer(shop, await begunSession(shop, app, { MUG: 1 }))
}

/** A requested cancellation, not decided yet because the order is being packed. */
export async function newCancellation(
  { app, operator }: Pick<Base, 'app' | 'operator'>,
  { id: orderId }: Pick<Order, 'id'>,
): Promise<string> {
  await operator.change('POST', `/orders/${orderId}/begin`, {})
  const answer = await postCancellation(app, orderId)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.id
}

/** A dispatched parcel with one unit. */
export async function newParcel({ shop, packedOrder }: Pick<Marketplace, 'shop' | 'packedOrder'>): Promise<string> {
  const lines = [{ lineId: lineOfSku(shop, packedOrder, 'MUG'), quantity: 1 }]
  const parcel = { orderId: packedOrder.id, reference: shop.ids.next('ful'), lines }
  return (await decide(shop, (tx, by) => ship(tx, parcel, by))).id
}

/** The steps of an after-sales request, in order, by the last part of their path. */
const STEPS = { approve: {}, received: {}, inspect: { accepted: true }, resolve: {} }

/** A request for one unit, after the steps up to `until`; without it, new. */
export async function newAfterSales(
  { shop, app, operator, deliveredOrder }: Base & Pick<Marketplace, 'deliveredOrder'>,
  { kind = 'return', until }: { readonly kind?: 'return' | 'exchange'; readonly until?: keyof typeof STEPS } = {},
): Promise<string> {
  const exchange = kind === 'exchange' && { exchangeSkuId: shop.sku('BOWL') }
  const lines = [{ lineId: deliveredOrder.takeLine().id, quantity: 1, ...exchange }]
  const answer = await postAfterSales(app, deliveredOrder.id, { kind, lines })
  assert.equal(answer.status, 200, answer.text)
  const { id } = answer.body.data
  const steps = Object.entries(STEPS)
  const count = steps.findIndex(([step]) => step === until) + 1
  for (const [step, body] of steps.slice(0, count)) await operator.change('POST', `/after-sales/${id}/${step}`, body)
  return id
}

/** Customers with a session each, by name. They share a password, because hashing one takes long. */
async function seedCustomers({ shop, operator }: Base) {
  const { database, ids, clock } = shop
  const [now, randomness] = [clock.now(), testRandomness()]
  const names = ['kept', 'toDisable', 'disabled', 'toSignOut', 'toErase'] as const
  const emailOf = (name: string) => `${name}@customers.example`
  const passwordHash = await hashNewPassword('the usual password here', emailOf('any'), '/password')
  await database.transaction(async (tx) => {
    for (const name of names) {
      const customer = { email: emailOf(name), passwordHash, firstName: null, lastName: null, locale: 'en' }
      register(tx, { ...customer, marketingConsent: false, acceptedDocuments: [] }, { ids, now })
    }
  })
  await shop.work()
  for (const { link } of await shop.mails()) await accountsOf(shop).confirm(link)
  const rows = await shop.query('select id, email, password_changed_at from customers')
  const customers = rows as unknown as { id: string; email: string; password_changed_at: Date }[]
  await database.transaction(async (tx) => {
    for (const each of customers) await openSession(tx, each, { now, randomness })
  })
  const idOf = (name: (typeof names)[number]) => customers.find(({ email }) => email === emailOf(name))!.id
  await operator.change('POST', `/customers/${idOf('disabled')}/disable`, {})
  return { customerIds: Object.fromEntries(names.map((name) => [name, idOf(name)])) as Marketplace['customerIds'] }
}

/** A job that has failed too often. */
export async function newDeadJob({ shop }: Pick<Base, 'shop'>): Promise<string> {
  const id = shop.ids.next('job')
  await shop.run(
    `insert into jobs (id, kind, subject, run_at, attempts, attempts_max, last_error, dead_at)
     values ($1, 'mail.deliver', $1, $2, 8, 8, 'no route to host', $2)`,
    [id, shop.clock.now()],
  )
  return id
}
