import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { HostedCheckoutSession } from '@vitrine/contract'
import {
  accessOf,
  BERLIN,
  begunSession,
  CANCEL_URL,
  checkout,
  checkoutClient,
  pressPay,
  readSession,
  stockOf,
} from '../../../../test/support/checkout.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { CARTS, cartOf, type Shop, startShop } from '../../../../test/support/shop.ts'
import { siteOf } from '../../../../test/support/site.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import type { CheckoutForPages, GivenOnPage, PageAccess } from './index.ts'

let shop: Shop
let client: InstallationClient
let page: CheckoutForPages
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  page = shop.app.checkoutForPages
})

const VIENNA = { recipientName: 'Ada Example', line1: 'Ring 1', city: 'Wien', postalCode: '1010', countryCode: 'AT' }

const context = () => ({ ids: shop.ids, now: shop.clock.now() })
const show = (access: PageAccess) => page.sessionForPage(shop.database.reader, access, shop.clock.now())
const give = (access: PageAccess, given: GivenOnPage) =>
  shop.database.transaction((tx) => page.giveAddress(tx, access, given, context()))
const choose = (access: PageAccess, optionId: string) =>
  shop.database.transaction((tx) => page.chooseShipping(tx, access, optionId, context()))
const giveUp = (access: PageAccess) => shop.database.transaction((tx) => page.cancelFromPage(tx, access, context()))

/** A session of a cart that knows no address. */
async function addressless(units: Readonly<Record<string, number>> = { MUG: 2 }, code?: string) {
  const cart = await cartOf(shop, client, units)
  if (code) await client.put(`${CARTS}/${cart.id}/promotion`, { code })
  const answer = await checkout(client, cart.id)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data as HostedCheckoutSession
}

describe('the page of a session', () => {
  test('shows it to whoever has its address, and to nobody else', async () => {
    const session = await begunSession(shop, client)
    const access = accessOf(session)
    const shown = await show(access)
    assert.deepEqual(shown?.session, session)
    assert.deepEqual(
      [shown?.stores, shown?.countries],
      [[{ id: shop.storeId('ceramics'), name: 'Ceramics' }], ['DE', 'AT', 'US']],
    )
    assert.deepEqual([shown?.installationName, shown?.chargeId], ['A test installation', null])
    assert.equal(shown?.wayBack, `${CANCEL_URL}?sessionId=${session.id}&status=open`)

    const other = accessOf(await begunSession(shop, client))
    const { key } = access
    for (const wrong of [
      { ...access, key: other.key },
      { ...access, key: `${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}` },
      { ...access, key: key.slice(0, -1) },
      { ...access, key: `${key}A` },
      { ...access, key: '' },
      { sessionId: shop.ids.next('cks'), key },
    ]) {
      assert.equal(await show(wrong), null)
      await refuses('not_found', () => give(wrong, { contact: { email: 'eve@example.com' } }))
      await refuses('not_found', () => giveUp(wrong))
    }
  })

  test('ships only where all stores sell that are bought from', async () => {
    const shown = await show(accessOf(await begunSession(shop, client, { MUG: 1, NOVEL: 1 })))
    assert.deepEqual(shown?.countries, ['DE'])
    assert.equal(shown?.shippingOptions.length, 4)
  })
})

describe('an address that is given on the page', () => {
  test('takes the blockers away, and a new signed quote the place of the first', async () => {
    const session = await addressless()
    const given = await give(accessOf(session), { shippingAddress: BERLIN, contact: { email: 'ada@example.com' } })
    const after = await readSession(client, session.id)
    assert.deepEqual(given.session, after)
    assert.deepEqual([after.blockers, after.version, after.snapshot.address], [[], 2, BERLIN])
    assert.notEqual(after.quoteId, session.quoteId)
    assert.deepEqual([session.snapshot.totals.tax.status, after.snapshot.totals.tax.status], ['estimated', 'final'])
    const [row] = await shop.query('select cart_id from quotes where id = $1', [after.quoteId])
    assert.equal(row?.cart_id, session.cartId)
  })

  test('leaves items and their discounts as they were quoted, and brings shipping and tax of the place', async () => {
    const session = await addressless({ BOWL: 1, MUG: 2 }, 'SUMMER15')
    await shop.setPrice('BOWL', 9900)
    await shop.run('update promotions set ends_at = $2 where id = $1', [
      shop.promotionId('SUMMER15'),
      new Date(shop.clock.now().getTime() - 1000),
    ])
    await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
    await shop.refresh()

    const given = await give(accessOf(session), { shippingAddress: VIENNA })

    const [before, after] = [session.snapshot, given.session.snapshot]
    assert.deepEqual(
      after.lines.map(({ taxLines: _, ...line }) => line),
      before.lines.map(({ taxLines: _, ...line }) => line),
    )
    assert.deepEqual(
      [after.totals.itemsSubtotal, after.totals.itemsDiscount],
      [before.totals.itemsSubtotal, before.totals.itemsDiscount],
    )
    assert.deepEqual([after.lines[0]?.taxLines[0]?.rate, before.lines[0]?.taxLines[0]?.rate], ['0.2', '0.19'])
    assert.equal(given.promotion.status, 'applied')
    await shop.setPrice('BOWL', 2200)
  })

  test('is kept, with the bill, where prices do not depend on it: the promise stays the same', async () => {
    const session = await begunSession(shop, client)
    const moved = { ...BERLIN, line1: 'Lindenstraße 10' }
    const given = await give(accessOf(session), { shippingAddress: moved, billingAddress: VIENNA })
    assert.deepEqual([given.session.quoteId, given.shippingAddress], [session.quoteId, moved])
    assert.deepEqual(given.billingAddress, VIENNA)
    assert.equal((await give(accessOf(session), { billingAddress: null })).billingAddress, null)
  })

  test('is refused where it cannot be right, or lacks what its country requires, and nothing changes', async () => {
    const session = await addressless()
    const access = accessOf(session)
    await refuses('address_invalid', () => give(access, { shippingAddress: { ...BERLIN, postalCode: '1' } }))
    const { postalCode: _, ...lacking } = BERLIN
    const refusal = await refuses('cart_incomplete', () => give(access, { shippingAddress: lacking }))
    assert.equal(refusal.facts.details?.[0]?.pointer, '/shippingAddress/postalCode')
    assert.equal((await readSession(client, session.id)).version, 1)
  })

  test('where nobody ships to is kept, and stands in the way', async () => {
    const session = await addressless()
    const california = { ...BERLIN, city: 'Fresno', region: 'CA', postalCode: '93650', countryCode: 'US' }
    const given = await give(accessOf(session), { shippingAddress: california, contact: { email: 'a@example.com' } })
    assert.deepEqual(
      given.session.blockers.map(({ code }) => code),
      ['shipping_unavailable'],
    )
    await refuses('cart_incomplete', () => pressPay(shop, given.session))
  })
})

describe('a way to ship', () => {
  test('that is chosen is charged, and stays chosen for another address', async () => {
    const session = await begunSession(shop, client)
    const access = accessOf(session)
    const shown = await show(access)
    const [, dearer] = shown?.shippingOptions ?? []
    assert(dearer)
    const chosen = await choose(access, dearer.id)
    assert.deepEqual(chosen.session.snapshot.totals.shipping, dearer.price)
    assert.deepEqual([chosen.selectedShipping[0]?.optionId, chosen.selectedShipping[0]?.chosen], [dearer.id, true])
    const moved = await give(access, { shippingAddress: VIENNA })
    assert.deepEqual(moved.selectedShipping[0]?.optionId, dearer.id)
  })

  test('that is not offered is refused', async () => {
    const session = await begunSession(shop, client)
    await refuses('cart_incomplete', () => choose(accessOf(session), 'shp_other'))
  })
})

describe('the button', () => {
  test('charges what was shown: after another change it is refused', async () => {
    const session = await begunSession(shop, client)
    await give(accessOf(session), { shippingAddress: VIENNA })
    const refusal = await refuses('version_conflict', () => pressPay(shop, session))
    assert.equal(refusal.facts.conflict?.currentVersion, 2)
    const { chargeId } = await pressPay(shop, await readSession(client, session.id))
    const [charge] = await shop.query(
      'select amount, currency, status, return_url from payment_intents where id = $1',
      [chargeId],
    )
    const { total } = (await readSession(client, session.id)).snapshot.totals
    assert.deepEqual([Number(charge?.amount), charge?.currency, charge?.status], [total.amount, 'EUR', 'created'])
    assert.equal(charge?.return_url, session.url)
  })

  test('pressed twice begins one charge', async () => {
    const session = await begunSession(shop, client)
    const presses = await Promise.allSettled([pressPay(shop, session), pressPay(shop, session)])
    assert.equal(presses.filter(({ status }) => status === 'fulfilled').length, 1)
    const charges = await shop.query('select id from payment_intents where subject_id = $1', [session.id])
    assert.equal(charges.length, 1)
  })

  test('is refused while something is missing, and names it', async () => {
    const refusal = await refuses('cart_incomplete', async () => pressPay(shop, await addressless()))
    assert.deepEqual(
      refusal.facts.details?.map(({ code }) => code),
      ['email_missing', 'address_missing'],
    )
  })

  test('is refused for a provider that is not offered', async () => {
    const session = await begunSession(shop, client)
    const refusal = await refuses('validation_failed', () => pressPay(shop, session, 'gold'))
    assert.equal(refusal.facts.details?.[0]?.pointer, '/provider')
  })

  test('makes the order at once where there is nothing to pay', async () => {
    const session = await addressless({ BOWL: 1 })
    await shop.run('update shipping_rates set amount = 0')
    await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
    await shop.refresh()
    await shop.setPrice('BOWL', 0)
    await giveUp(accessOf(session))
    const bowls = await stockOf(shop, 'BOWL')
    const free = await addressless({ BOWL: 1 })
    const given = await give(accessOf(free), { shippingAddress: BERLIN, contact: { email: 'ada@example.com' } })
    assert.deepEqual(await pressPay(shop, given.session), { chargeId: null, claim: null })
    const after = await readSession(client, free.id)
    assert.deepEqual([after.status, after.payment.status], ['completed', 'succeeded'])
    assert.match(String(after.orderId), /^ord_/)
    assert.deepEqual(await stockOf(shop, 'BOWL'), { onHand: bowls.onHand - 1, held: bowls.held })
  })

  test('wants the documents accepted that are in force, and their versions go on the order', async () => {
    await siteOf(shop).publish()
    const session = await begunSession(shop, client)
    const refusal = await refuses('validation_failed', () => pressPay(shop, session))
    assert.match(String(refusal.facts.details?.[0]?.pointer), /^\/acceptedDocuments/)
    const accepted = [{ type: 'terms_of_use', version: '2026-03-01' }] as const
    const { chargeId } = await shop.database.transaction((tx) =>
      page.acceptAndPay(
        tx,
        accessOf(session),
        { acceptedDocuments: [...accepted], provider: 'manual', expectedVersion: session.version },
        context(),
      ),
    )
    await shop.app.payments.advance(String(chargeId))
    await shop.app.payments.confirmManual(String(chargeId), { isDone: true })
    const { orderId } = await readSession(client, session.id)
    const answer = await client.get(`/api/v1/open/storefront/orders/${orderId}`)
    assert.deepEqual(answer.body.data.acceptedDocuments, accepted)
  })
})

describe('a session that is over', () => {
  test('takes nothing from its page any more, and says so', async () => {
    const canceled = await begunSession(shop, client)
    assert.equal(await giveUp(accessOf(canceled)), `${CANCEL_URL}?sessionId=${canceled.id}&status=canceled`)
    await refuses('session_not_cancelable', () => giveUp(accessOf(canceled)))
    await refuses('version_conflict', () => give(accessOf(canceled), { shippingAddress: VIENNA }))
    const expired = await begunSession(shop, client)
    shop.clock.advance(3_600_000)
    await refuses('session_expired', () => give(accessOf(expired), { shippingAddress: VIENNA }))
    await refuses('session_expired', () => pressPay(shop, expired))
    const shown = await show(accessOf(expired))
    assert.deepEqual([shown?.session.status, shown?.shippingOptions], ['expired', []])
  })
})
