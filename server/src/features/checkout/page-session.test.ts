import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { waitsForLock } from '../../../../test/support/before-commit.ts'
import { dataOf } from '../../../../test/support/client.ts'
import {
  accessOf,
  BERLIN,
  begunSession,
  CANCEL_URL,
  checkout,
  checkoutClient,
  pressPay,
  readSession,
  type Session,
  stockOf,
} from '../../../../test/support/commerce/checkout.ts'
import { CARTS, cartOf, type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { siteOf } from '../../../../test/support/pages/site.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import {
  type AddressInput,
  applyCode,
  cancelFromPage,
  findPageSession,
  type PageAccess,
  payFromPage,
  selectShipping,
  updateAddresses,
} from './index.ts'

let shop: Shop
let client: InstallationClient
let deps: Shop['app']['checkoutPage']
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  deps = shop.app.checkoutPage
})

const VIENNA = { recipientName: 'Ada Example', line1: 'Ring 1', city: 'Wien', postalCode: '1010', countryCode: 'AT' }

const context = () => ({ ids: shop.ids, now: shop.clock.now() })
const show = (access: PageAccess) => findPageSession(deps, shop.database.reader, access, shop.clock.now())
const update = (access: PageAccess, input: AddressInput) =>
  shop.database.transaction((tx) => updateAddresses(deps, tx, access, input, context()))
const select = (access: PageAccess, optionId: string) =>
  shop.database.transaction((tx) => selectShipping(deps, tx, access, optionId, context()))
const cancel = (access: PageAccess) => shop.database.transaction((tx) => cancelFromPage(deps, tx, access, context()))

/** A session of a cart without an address. */
async function withoutAddress(units: Readonly<Record<string, number>> = { MUG: 2 }, code?: string) {
  const cart = await cartOf(shop, client, units)
  if (code) await client.put(`${CARTS}/${cart.id}/promotion`, { code })
  return dataOf(await checkout(client, cart.id)) as Session
}

describe('the checkout page', () => {
  test('builds on the quote of the previous change, even if it had to wait for that change', async () => {
    const session = await begunSession(shop, client)
    const access = accessOf(session)
    const [option] = (await show(access))?.shippingOptions ?? []
    let second: ReturnType<typeof select> | undefined
    const first = await shop.database.transaction(async (tx) => {
      const changed = await updateAddresses(deps, tx, access, { shippingAddress: VIENNA }, context())
      second = select(access, option!.id)
      second.catch(() => {})
      while (!(await waitsForLock(shop.database))) await pause(5)
      return changed
    })
    const selected = await second!
    assert.equal(selected.session.version, first.session.version + 1)
    assert.equal(selected.shippingAddress?.countryCode, 'AT')
  })

  test('needs the key of the session', async () => {
    const session = await begunSession(shop, client)
    const access = accessOf(session)
    const shown = await show(access)
    assert.deepEqual(shown?.session, session)
    assert.deepEqual(
      [shown?.stores, shown?.countries],
      [[{ id: shop.storeId('ceramics'), name: 'Ceramics' }], ['DE', 'AT', 'US']],
    )
    assert.equal(shown?.chargeId, null)
    assert.equal(shown?.exitUrl, `${CANCEL_URL}?sessionId=${session.id}&status=open`)

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
      await refuses('not_found', () => update(wrong, { contact: { email: 'eve@example.com' } }))
      await refuses('not_found', () => cancel(wrong))
    }
  })

  test('offers only countries that all stores of the cart sell to', async () => {
    const shown = await show(accessOf(await begunSession(shop, client, { MUG: 1, NOVEL: 1 })))
    assert.deepEqual(shown?.countries, ['DE'])
    assert.equal(shown?.shippingOptions.length, 4)
  })
})

describe('an address entered on the page', () => {
  test('clears the blockers and replaces the quote', async () => {
    const session = await withoutAddress()
    const updated = await update(accessOf(session), { shippingAddress: BERLIN, contact: { email: 'ada@example.com' } })
    const after = await readSession(client, session.id)
    assert.deepEqual(updated.session, after)
    assert.deepEqual([after.blockers, after.version, after.snapshot.address], [[], 2, BERLIN])
    assert.notEqual(after.quoteId, session.quoteId)
    assert.deepEqual([session.snapshot.totals.tax.status, after.snapshot.totals.tax.status], ['estimated', 'final'])
    const [row] = await shop.query('select cart_id from quotes where id = $1', [after.quoteId])
    assert.equal(row?.cart_id, session.cartId)
  })

  test('keeps quoted items and discounts, and recalculates shipping and tax', async () => {
    const session = await withoutAddress({ BOWL: 1, MUG: 2 }, 'SUMMER15')
    await shop.setPrice('BOWL', 9900)
    await shop.run('update promotions set ends_at = $2 where id = $1', [
      shop.promotionId('SUMMER15'),
      new Date(shop.clock.now().getTime() - 1000),
    ])
    await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
    await shop.refresh()

    const updated = await update(accessOf(session), { shippingAddress: VIENNA })

    const [before, after] = [session.snapshot, updated.session.snapshot]
    assert.deepEqual(
      after.lines.map(({ taxLines: _, ...line }) => line),
      before.lines.map(({ taxLines: _, ...line }) => line),
    )
    assert.deepEqual(
      [after.totals.itemsSubtotal, after.totals.itemsDiscount],
      [before.totals.itemsSubtotal, before.totals.itemsDiscount],
    )
    assert.deepEqual([after.lines[0]?.taxLines[0]?.rate, before.lines[0]?.taxLines[0]?.rate], ['0.2', '0.19'])
    assert.equal(updated.promotion.status, 'applied')
    await shop.setPrice('BOWL', 2200)
  })

  test('keeps the quote if country and region are unchanged', async () => {
    const session = await begunSession(shop, client)
    const moved = { ...BERLIN, line1: 'Lindenstraße 10' }
    const updated = await update(accessOf(session), { shippingAddress: moved, billingAddress: VIENNA })
    assert.deepEqual([updated.session.quoteId, updated.shippingAddress], [session.quoteId, moved])
    assert.deepEqual(updated.billingAddress, VIENNA)
    assert.equal((await update(accessOf(session), { billingAddress: null })).billingAddress, null)
  })

  test('is refused if invalid or incomplete, and changes nothing', async () => {
    const session = await withoutAddress()
    const access = accessOf(session)
    await refuses('address_invalid', () => update(access, { shippingAddress: { ...BERLIN, postalCode: '1' } }))
    const { postalCode: _, ...incomplete } = BERLIN
    const refusal = await refuses('cart_incomplete', () => update(access, { shippingAddress: incomplete }))
    assert.equal(refusal.facts.faults?.[0]?.field, 'shippingAddress/postalCode')
    assert.equal((await readSession(client, session.id)).version, 1)
  })

  test('that no store ships to is saved and blocks payment', async () => {
    const session = await withoutAddress()
    const california = { ...BERLIN, city: 'Fresno', region: 'CA', postalCode: '93650', countryCode: 'US' }
    const updated = await update(accessOf(session), {
      shippingAddress: california,
      contact: { email: 'a@example.com' },
    })
    assert.deepEqual(
      updated.session.blockers.map(({ code }) => code),
      ['shipping_unavailable'],
    )
    await refuses('cart_incomplete', () => pressPay(shop, updated.session))
  })
})

describe('a shipping option', () => {
  test('is charged once selected, and stays selected for another address', async () => {
    const session = await begunSession(shop, client)
    const access = accessOf(session)
    const shown = await show(access)
    const [, expensive] = shown?.shippingOptions ?? []
    assert(expensive)
    const chosen = await select(access, expensive.id)
    assert.deepEqual(chosen.session.snapshot.totals.shipping, expensive.price)
    assert.deepEqual([chosen.selectedShipping[0]?.optionId, chosen.selectedShipping[0]?.chosen], [expensive.id, true])
    const moved = await update(access, { shippingAddress: VIENNA })
    assert.deepEqual(moved.selectedShipping[0]?.optionId, expensive.id)
  })

  test('that is no longer offered at the price less a new code is not in the new quote', async () => {
    const session = await begunSession(shop, client)
    const [, expensive] = (await show(accessOf(session)))?.shippingOptions ?? []
    assert(expensive)
    const chosen = await select(accessOf(session), expensive.id)
    const { amount } = chosen.session.snapshot.totals.itemsSubtotal
    const offerFrom = async (subtotal: number) => {
      await shop.run('update shipping_rates set from_value = $2 where method_id = $1', [expensive.id, subtotal])
      await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
      await shop.refresh()
    }
    await offerFrom(amount)
    const { session: after, ...page } = await shop.database.transaction((tx) =>
      applyCode(deps, tx, accessOf(session), 'SOON', context()),
    )
    await offerFrom(0)
    assert.deepEqual([page.promotion.status, page.selectedShipping[0]?.chosen], ['applied', false])
    const [quote] = (await shop.query('select payload from quotes where id = $1', [after.quoteId])) as [
      { payload: Buffer },
    ]
    assert.equal(JSON.parse(quote.payload.toString()).shippingOptionId, undefined)
  })

  test('is refused if it is not offered', async () => {
    const session = await begunSession(shop, client)
    await refuses('cart_incomplete', () => select(accessOf(session), 'shp_other'))
  })
})

describe('paying', () => {
  test('is refused if the session has changed since it was shown', async () => {
    const session = await begunSession(shop, client)
    await update(accessOf(session), { shippingAddress: VIENNA })
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

  test('twice starts one charge', async () => {
    const session = await begunSession(shop, client)
    const presses = await Promise.allSettled([pressPay(shop, session), pressPay(shop, session)])
    assert.equal(presses.filter(({ status }) => status === 'fulfilled').length, 1)
    const charges = await shop.query('select id from payment_intents where subject_id = $1', [session.id])
    assert.equal(charges.length, 1)
  })

  test('is refused with the blockers', async () => {
    const refusal = await refuses('cart_incomplete', async () => pressPay(shop, await withoutAddress()))
    assert.deepEqual(
      refusal.facts.faults?.map(({ code }) => code),
      ['email_missing', 'address_missing'],
    )
  })

  test('is refused for a provider that is not offered', async () => {
    const session = await begunSession(shop, client)
    const refusal = await refuses('validation_failed', () => pressPay(shop, session, 'gold'))
    assert.equal(refusal.facts.faults?.[0]?.field, 'provider')
  })

  test('places a free order at once', async () => {
    const session = await withoutAddress({ BOWL: 1 })
    await shop.run('update shipping_rates set amount = 0')
    await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
    await shop.refresh()
    await shop.setPrice('BOWL', 0)
    await cancel(accessOf(session))
    const bowls = await stockOf(shop, 'BOWL')
    const free = await withoutAddress({ BOWL: 1 })
    const updated = await update(accessOf(free), { shippingAddress: BERLIN, contact: { email: 'ada@example.com' } })
    assert.deepEqual(await pressPay(shop, updated.session), { chargeId: null, claim: null })
    const after = await readSession(client, free.id)
    assert.deepEqual([after.status, after.payment.status], ['completed', 'succeeded'])
    assert.match(String(after.orderId), /^ord_/)
    assert.deepEqual(await stockOf(shop, 'BOWL'), { onHand: bowls.onHand - 1, held: bowls.held })
  })

  test('needs the current documents accepted, and stores their versions on the order', async () => {
    await siteOf(shop).publish()
    const session = await begunSession(shop, client)
    const refusal = await refuses('validation_failed', () => pressPay(shop, session))
    assert.match(JSON.stringify(refusal.facts), /acceptedDocuments/)
    const accepted = [{ type: 'terms_of_use', version: '2026-03-01' }] as const
    const { chargeId } = await shop.database.transaction((tx) =>
      payFromPage(
        deps,
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

describe('a session that has ended', () => {
  test('refuses all changes', async () => {
    const canceled = await begunSession(shop, client)
    assert.equal(await cancel(accessOf(canceled)), `${CANCEL_URL}?sessionId=${canceled.id}&status=canceled`)
    await refuses('session_not_cancelable', () => cancel(accessOf(canceled)))
    await refuses('version_conflict', () => update(accessOf(canceled), { shippingAddress: VIENNA }))
    const expired = await begunSession(shop, client)
    shop.clock.advance(3_600_000)
    await refuses('session_expired', () => update(accessOf(expired), { shippingAddress: VIENNA }))
    await refuses('session_expired', () => pressPay(shop, expired))
    const shown = await show(accessOf(expired))
    assert.deepEqual([shown?.session.status, shown?.shippingOptions], ['expired', []])
  })

  test('is shown for an hour; then it is not found', async () => {
    const session = await begunSession(shop, client)
    await cancel(accessOf(session))
    shop.clock.advance(3_599_999)
    assert.equal((await show(accessOf(session)))?.session.status, 'canceled')
    shop.clock.advance(1)
    assert.equal(await show(accessOf(session)), null)
    await refuses('not_found', () => cancel(accessOf(session)))
  })
})
