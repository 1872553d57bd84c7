import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findCustomerByEmail } from '../../server/src/features/accounts/customer-store.ts'
import { readTimeZone } from '../../server/src/features/storefront/index.ts'
import { accountsOf } from '../support/commerce/accounts.ts'
import { bought } from '../support/commerce/after-sales.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { saveSeller } from '../support/commerce/sellers.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'

const DAY_MS = 86_400_000

let shop: Shop
let origin: string
before(async () => {
  shop = await startShop()
  origin = await shop.openPages()
})

/** Moves the clock to 22:30 UTC, which is 00:30 of the next day in Berlin in summer. @returns that day in Berlin and the day in UTC */
function lateInTheEvening(): { readonly berlin: string; readonly utc: string } {
  const now = shop.clock.now().getTime()
  shop.clock.advance(DAY_MS - (now % DAY_MS) + 22.5 * 3_600_000)
  const day = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(shop.clock.now())
  return { berlin: day('Europe/Berlin'), utc: day('UTC') }
}

describe('the days that a shopper sees', () => {
  test('are those that the sellers of the stores share, else those of the marketplace, else UTC', async () => {
    const [ceramics, books] = [shop.storeId('ceramics'), shop.storeId('books')]
    const zoneOf = (storeIds: readonly string[]) => readTimeZone(shop.database.reader, storeIds)
    assert.equal(await zoneOf([ceramics]), 'UTC')
    await saveSeller(shop, { storeId: ceramics, timeZone: 'America/New_York' })
    assert.equal(await zoneOf([ceramics]), 'America/New_York')
    assert.equal(await zoneOf([]), 'America/New_York', 'an account of the only seller')
    await saveSeller(shop, { timeZone: 'Europe/Berlin' })
    assert.deepEqual(await Promise.all([[ceramics], [books], [ceramics, books], []].map(zoneOf)), [
      'America/New_York',
      'Europe/Berlin',
      'Europe/Berlin',
      'Europe/Berlin',
    ])
    await saveSeller(shop, { storeId: books, timeZone: 'America/New_York' })
    assert.equal(await zoneOf([ceramics, books]), 'America/New_York')
    await shop.run('delete from seller_records')
  })

  test('are those of the sellers on the pages and in the mails of an order, as on its invoice', async () => {
    await saveSeller(shop, { timeZone: 'Europe/Berlin' })
    const { berlin, utc } = lateInTheEvening()
    assert.notEqual(berlin, utc)
    const order = await bought(shop, await checkoutClient(shop), { MUG: 1 })
    const mail = (await shop.mails()).find(({ subject }) => subject.includes(order.number)) ?? assert.fail('no mail')
    assert.match(mail.text, new RegExp(berlin))
    assert.doesNotMatch(mail.text, new RegExp(utc))

    const [, link] = /(https?:\/\/\S+\/order\/\S+)$/m.exec(mail.text) ?? assert.fail('no link')
    const { text } = await pageVisitor(origin).open(link!)
    assert.match(text, new RegExp(`<dt>Placed on</dt><dd>${berlin}</dd>`))
    assert.match(text, new RegExp(`<dt>Invoice<br><span class="small">${berlin}</span>`))
    assert.doesNotMatch(text, new RegExp(utc))
  })

  test('are those of the sellers in the account, where a time of day names its zone', async () => {
    await saveSeller(shop, { timeZone: 'Europe/Berlin' })
    const { berlin, utc } = lateInTheEvening()
    const order = await bought(shop, await checkoutClient(shop), { MUG: 1 })
    await accountsOf(shop).customer('late@example.com')
    const { id } = (await findCustomerByEmail(shop.database.reader, 'late@example.com')) ?? assert.fail()
    await shop.run('update orders set customer_id = $2 where id = $1', [order.id, id])
    const visitor = pageVisitor(origin)
    await visitor.open('/account')
    await visitor.send('/account', { email: 'late@example.com', password: 'the usual password here' })
    const list = (await visitor.open('/account/orders')).text
    assert.match(list, new RegExp(`<dt>${berlin}<br>`))
    const devices = (await visitor.open('/account/security')).text
    assert.match(devices, new RegExp(`Signed in on ${berlin} at 12:30\\sAM GMT\\+2`))
    assert.doesNotMatch(list + devices, new RegExp(utc))
  })
})
