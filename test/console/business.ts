import type { Order } from '@vitrine/contract'
import { loadDemo } from '@vitrine/server/demo'
import { markArrived, postAfterSales, readOrder } from '../support/commerce/after-sales.ts'
import { begunSession, checkoutClient, pressPay, readSession } from '../support/commerce/checkout.ts'
import { draftOf } from '../support/commerce/orders.ts'
import { paidFor } from '../support/commerce/paid-orders.ts'
import { type Shop, shopOf } from '../support/commerce/shop.ts'
import { secretDeps } from '../support/secrets.ts'
import { type InstallationClient, startWorld } from '../support/world.ts'

const DAY_MS = 86_400_000
const DAYS = 40
/** What is bought, and by whom: a draft is paid many times. */
const BASKETS = [{ 'HAV-ESPR-SNO': 2 }, { 'HAV-VMOO': 1 }, { 'HAV-BREA-SAG': 4, 'HAV-CAKE': 1 }, { 'HAV-RAME-INK': 2 }]
const BUYERS = ['Ada', 'Bea', 'Cem', 'Dora', 'Emil', 'Fatma', 'Gil', 'Hanna', 'Ivo']

/** What shoppers search: some find nothing, or find it in spite of a slip. */
const SEARCHES = ['espresso', 'mug', 'espreso', 'teapot', 'samovar', 'mug', 'lamp', 'samovar']

type Placed = Pick<Order, 'id' | 'number'>

/** The demo after forty days: orders of each day, of which those of yesterday wait to be sent and one is to be returned. */
export interface Business {
  readonly shop: Shop
  /** The numbers of yesterday's orders. */
  readonly waiting: readonly string[]
}

export async function startBusiness(): Promise<Business> {
  const world = await startWorld()
  const { database, ids, clock } = world
  const pagesUrl = await world.openPages()
  await loadDemo({ database, ids, now: clock.now(), ...secretDeps(), pagesUrl })
  await world.refresh()
  const shop = await shopOf(world)
  const client = await checkoutClient(shop)
  for (const code of BASKETS.flatMap((basket) => Object.keys(basket))) await shop.setStock(code, 150)
  const sell = await seller(shop, client)
  for (let day = 1; day < DAYS; day += 1) {
    const orders = await sell(day)
    for (const q of SEARCHES.slice(day % 4, 2 + (day % 7))) await shop.anonymous.get(`/api/v1/search?q=${q}`)
    await shop.app.writeCounts()
    clock.advance(DAY_MS)
    for (const order of orders) await markArrived(shop, order)
    await world.work()
  }
  const [returned, ...others] = await sell(DAYS - 1)
  for (const order of [returned!, ...others]) await markArrived(shop, order)
  const { lines } = await readOrder(client, returned!.id)
  await postAfterSales(client, returned!.id, { lines: [{ lineId: lines[0]!.id, quantity: 1 }] })
  const waiting = (await sell(DAYS)).map(({ number }) => number)
  clock.advance(DAY_MS)
  await world.work()
  await world.refresh()
  return { shop, waiting }
}

/** Sells for a day: more at the end of a week, and more from week to week. The first order goes through the checkout. */
async function seller(shop: Shop, client: InstallationClient): Promise<(day: number) => Promise<readonly Placed[]>> {
  const drafts = await Promise.all(BASKETS.map((units) => draftOf(shop, client, units)))
  return async (day) => {
    const orders: Placed[] = [await buy(shop, client, { 'HAV-ESPR-SNO': 1 + (day % 2) })]
    for (let nth = 0; nth < 1 + ((day % 7) >> 2) + (day >> 4); nth += 1) {
      const [draft, name] = [drafts[(day + nth) % drafts.length]!, BUYERS[(day * 3 + nth) % BUYERS.length]!]
      const shippingAddress = { ...draft.shippingAddress!, recipientName: `${name} Example` }
      const buyer = { email: `${name.toLowerCase()}@example.com`, shippingAddress, placedAt: shop.clock.now() }
      orders.push(await paidFor(shop, { ...draft, ...buyer }))
    }
    return orders
  }
}

/** Goes through the checkout, accepts the documents, and pays by bank transfer. */
async function buy(shop: Shop, client: InstallationClient, units: Readonly<Record<string, number>>): Promise<Order> {
  const documents = (await shop.query('select type, version from legal_documents where store_id is null')) as never[]
  const session = await begunSession(shop, client, units)
  const { chargeId } = await pressPay(shop, session, 'manual', null, documents)
  await shop.app.payments.advance(chargeId!)
  await shop.app.payments.confirmManual(chargeId!, { isDone: true })
  return readOrder(client, (await readSession(client, session.id)).orderId!)
}
