import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SELLER } from '../../../../test/operator/calls-of-stores.ts'
import { type Accounts, accountsOf } from '../../../../test/support/commerce/accounts.ts'
import { readOrder } from '../../../../test/support/commerce/after-sales.ts'
import { checkout, checkoutClient, paid, quoted, readyCart } from '../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../test/support/operator.ts'
import { customerTokenOf } from '../../../../test/support/pages/hosted-login.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { DEFAULT_RETENTION, previewRetention, sweepClosedAccounts, sweepOldOrders } from './retention.ts'

const DAY_MS = 86_400_000
/** The address of the contact in `readyCart`. */
const EMAIL = 'ada@example.com'

let shop: Shop
let client: InstallationClient
let accounts: Accounts
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  accounts = accountsOf(shop)
})

/** Completed by its status alone. */
async function completedOrder(more: object = {}): Promise<{ readonly id: string; readonly number: string }> {
  const cart = await readyCart(shop, client, { MUG: 1 }, more)
  await quoted(client, cart.id)
  const begun = await checkout(client, cart.id)
  assert.equal(begun.status, 200, begun.text)
  const { orderId } = await paid(shop, client, begun.body.data)
  await shop.run("update orders set status = 'completed' where id = $1", [orderId])
  const { id, number } = await readOrder(client, orderId!)
  return { id, number }
}

const close = (email: string) =>
  shop.run(
    `update customers set status = 'blocked', closed_at = $2, email_key = 'closed ' || id
     where email = $1 and closed_at is null`,
    [email, shop.clock.now()],
  )
const sweepClosed = () =>
  shop.database.transaction((tx) => {
    const retention = { ...DEFAULT_RETENTION, closedAccountDays: 30 }
    return sweepClosedAccounts(tx, { retention, now: shop.clock.now(), ids: shop.ids })
  })
const emailsOf = async (...orders: readonly { readonly id: string }[]) => {
  const rows = await shop.query('select id, email from orders where id = any ($1)', [orders.map(({ id }) => id)])
  return orders.map(({ id }) => rows.find((row) => row.id === id)?.email)
}

describe('the retention of closed accounts', () => {
  test('erases nothing of a new account with the same address', async () => {
    await accounts.customer(EMAIL)
    const old = await completedOrder({ customerToken: await customerTokenOf(shop, client, EMAIL) })
    await close(EMAIL)
    shop.clock.advance(31 * DAY_MS)
    await accounts.customer(EMAIL)
    const customerToken = await customerTokenOf(shop, client, EMAIL)
    const recent = await completedOrder({ customerToken })
    const guest = await completedOrder()
    const cart = await readyCart(shop, client, { MUG: 1 }, { customerToken })
    await sweepClosed()
    assert.deepEqual(await emailsOf(old, recent, guest), ['erased@erased.invalid', EMAIL, EMAIL])
    assert.equal((await shop.query('select from carts where id = $1', [cart.id])).length, 1)
    assert.equal((await shop.query('select from customers')).length, 1)

    await close(EMAIL)
    await shop.run('delete from carts where id = $1', [cart.id])
    shop.clock.advance(31 * DAY_MS)
    await sweepClosed()
    assert.deepEqual(await emailsOf(recent, guest), ['erased@erased.invalid', 'erased@erased.invalid'])
  })

  test('erases an account although five older ones have an open checkout', async () => {
    for (let count = 0; count < 6; count += 1) {
      const email = `closed-${count}@example.com`
      await accounts.customer(email)
      if (count < 5) {
        const customerToken = await customerTokenOf(shop, client, email)
        const cart = await readyCart(shop, client, { MUG: 1 }, { customerToken })
        await quoted(client, cart.id)
        assert.equal((await checkout(client, cart.id)).status, 200)
      }
      await close(email)
      shop.clock.advance(1000)
    }
    // The checkouts of the world end earlier than a retention.
    await shop.run("update customers set closed_at = closed_at - interval '31 days'")
    assert.equal(await sweepClosed(), false)
    const left = await shop.query('select email from customers order by email')
    assert.deepEqual(
      left.map(({ email }) => email),
      [0, 1, 2, 3, 4].map((count) => `closed-${count}@example.com`),
    )
  })
})

describe('the retention of orders', () => {
  test('searches the stored answers only for orders that changed while they are kept', async () => {
    const operator = await operatorClient(shop)
    const erasedAfter = async (days: number, beforehand: (orderId: string) => Promise<unknown> = async () => {}) => {
      const { id } = await completedOrder()
      await shop.run("update orders set placed_at = placed_at - interval '2 years' where id = $1", [id])
      shop.clock.advance(days * DAY_MS)
      await beforehand(id)
      const retention = { ...DEFAULT_RETENTION, orderYears: 1 }
      await shop.database.transaction((tx) => sweepOldOrders(tx, { retention, now: shop.clock.now(), ids: shop.ids }))
      const [order] = await shop.query('select erased_at from orders where id = $1', [id])
      const jobs = await shop.query("select from jobs where kind = 'privacy.erase_answers'")
      await shop.work()
      return { isErased: order!.erased_at !== null, searches: jobs.length }
    }
    await shop.work()
    assert.deepEqual(await erasedAfter(1), { isErased: true, searches: 1 })
    assert.deepEqual(await erasedAfter(32), { isErased: true, searches: 0 })
    const note = (id: string) => operator.change('POST', `/orders/${id}/notes`, { text: 'Asked for an invoice.' })
    assert.deepEqual(await erasedAfter(32, note), { isErased: true, searches: 1 })
  })

  test('counts from the year of the last invoice: one that was paid in the next year is kept for a year longer', async () => {
    const operator = await operatorClient(shop)
    await operator.change('PUT', '/seller-record', SELLER)
    const { id } = await completedOrder()
    await shop.run("update orders set placed_at = placed_at - interval '1 year' where id = $1", [id])
    const erased = async () => {
      const retention = { ...DEFAULT_RETENTION, orderYears: 10 }
      const { orders, invoices } = await previewRetention(shop.database.reader, retention, shop.clock.now())
      await shop.database.transaction((tx) => sweepOldOrders(tx, { retention, now: shop.clock.now(), ids: shop.ids }))
      const [invoice] = await shop.query('select erased_at from invoices where order_id = $1', [id])
      return { isPreviewed: orders > 0 && invoices > 0, isErased: invoice!.erased_at !== null }
    }
    const year = shop.clock.now().getUTCFullYear()
    shop.clock.advance(Date.UTC(year + 10, 11, 31) - shop.clock.now().getTime())
    assert.deepEqual(await erased(), { isPreviewed: false, isErased: false })
    shop.clock.advance(DAY_MS)
    assert.deepEqual(await erased(), { isPreviewed: true, isErased: true })
  })
})
