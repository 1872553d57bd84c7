import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { accountsOf } from '../../../../../test/support/commerce/accounts.ts'
import { checkout, checkoutClient, paid, readyCart } from '../../../../../test/support/commerce/checkout.ts'
import { CARTS, cartOf, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { opened } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { customerTokenOf } from '../../../../../test/support/pages/hosted-login.ts'

let shop: Shop
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  operator = await operatorClient(shop)
})

const tenPercent = { kind: 'percentage', target: 'order', rate: '0.1' }
const make = (more: object) =>
  operator.change('POST', '/promotions', { store: 'ceramics', title: { en: 'Sale' }, effect: tenPercent, ...more })
const refused = (more: object) =>
  operator.send('POST', '/promotions', { store: 'ceramics', title: { en: 'Sale' }, effect: tenPercent, ...more })

interface Tried {
  readonly id: string
  readonly reason: string
  readonly amount: { readonly amount: number } | null
}
function attempt(more: object = {}) {
  const lines = [{ sku: 'MUG', quantity: 2 }]
  return operator.send('POST', '/promotions/try', { store: 'ceramics', lines, currency: 'EUR', country: 'DE', ...more })
}
async function reasonOf(id: string, more: object = {}): Promise<string | undefined> {
  const { body } = await attempt(more)
  return body.data.promotions.find((each: Tried) => each.id === id)?.reason
}

describe('promotions', () => {
  test('of each kind are created, read back unchanged, and updated', async () => {
    const effects = [
      tenPercent,
      { kind: 'fixed_amount', target: 'line', amounts: { EUR: 200, USD: 250 } },
      { kind: 'buy_x_get_y', buyQuantity: 2, getQuantity: 1, rate: '1', setsMax: 3 },
      { kind: 'free_shipping' },
    ]
    for (const effect of effects) {
      const made = await make({ effect, minimumSubtotal: { EUR: 100_000 }, combinesWith: ['shipping'] })
      assert.deepEqual([made.effect, made.store, made.status], [effect, 'ceramics', 'active'])
      assert.deepEqual((await operator.get(`/promotions/${made.id}`)).body.data, made)
    }
    const made = await make({ code: 'Change' })
    shop.clock.advance(1000)
    const changed = await operator.change('PATCH', `/promotions/${made.id}`, {
      status: 'paused',
      endsAt: '2030-01-01T00:00:00.000Z',
      expectedVersion: 1,
    })
    assert.deepEqual([changed.status, changed.code, changed.version], ['paused', 'Change', 2])
    const [entry] = (await operator.get(`/audit-log?subject=${made.id}&limit=1`)).body.data.items
    assert.deepEqual(entry.before, { status: 'active', endsAt: null })
    const stale = await operator.send('PATCH', `/promotions/${made.id}`, { status: 'active', expectedVersion: 1 })
    assert.equal(stale.body.code, 'version_conflict')
  })

  test('are refused with each fault and its field', async () => {
    const faults: readonly (readonly [object, string])[] = [
      [{ effect: { kind: 'percentage', target: 'order' } }, '/effect/rate'],
      [{ effect: { kind: 'percentage', target: 'order', rate: '1.5' } }, '/effect/rate'],
      [{ effect: { kind: 'fixed_amount', target: 'order', amounts: {} } }, '/effect/amounts'],
      [{ effect: { kind: 'fixed_amount', target: 'order', amounts: { XQX: 1 } } }, '/effect/amounts/XQX'],
      [{ startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' }, '/endsAt'],
      [{ audience: 'listed_customers' }, '/customerIds'],
      [{ stores: ['books'] }, '/stores'],
    ]
    for (const [more, pointer] of faults) {
      const { status, body } = await refused(more)
      assert.deepEqual([status, body.details?.[0]?.pointer], [400, pointer], JSON.stringify(more))
    }
  })

  test('of one owner have each code once: name_taken', async () => {
    await make({ code: 'SINGLE' })
    assert.deepEqual((await refused({ code: 'single' })).body.code, 'name_taken')
    const other = await make({ code: 'OTHER' })
    const renamed = await operator.send('PATCH', `/promotions/${other.id}`, { code: 'Single' })
    assert.equal(renamed.body.code, 'name_taken')
    const marketplace = await operator.change('POST', '/promotions', {
      code: 'single',
      title: { en: 'Ours' },
      effect: tenPercent,
      stores: ['books'],
    })
    assert.deepEqual([marketplace.store, marketplace.stores], [null, ['books']])
  })

  test('are listed newest first, in pages, and found by code and title', async () => {
    for (const code of ['PAGE-A', 'PAGE-B', 'PAGE-C']) {
      shop.clock.advance(1000)
      await make({ code })
    }
    const first = (await operator.get('/promotions?q=page-&limit=2')).body.data
    const second = (await operator.get(`/promotions?q=page-&limit=2&cursor=${first.nextCursor}`)).body.data
    assert.deepEqual(
      [...first.items, ...second.items].map(({ code }) => code),
      ['PAGE-C', 'PAGE-B', 'PAGE-A'],
    )
    assert.equal((await operator.get(`/promotions?cursor=${first.nextCursor}`)).body.code, 'invalid_cursor')
    assert.deepEqual((await operator.get('/promotions?store=books')).body.data.items, [])
  })

  test('that are archived apply to no cart, free their code, and can be listed and restored', async () => {
    const client = await shop.client()
    const cart = await cartOf(shop, client, { MUG: 1 })
    const apply = (code: string) => client.put(`${CARTS}/${cart.id}/promotion`, { code })
    const combinesWith = ['line', 'order', 'shipping']
    const old = await make({ code: 'AGAIN', combinesWith })
    const automatic = await make({ combinesWith })
    await shop.refresh()
    const first = await apply('AGAIN')
    assert.equal(first.status, 200, first.text)
    for (const { id } of [old, automatic]) await operator.change('PATCH', `/promotions/${id}`, { status: 'archived' })
    await shop.refresh()

    const { promotion, automaticPromotions } = (await client.get(`${CARTS}/${cart.id}`)).body.data
    assert.deepEqual([promotion.status, promotion.reasonCode], ['inapplicable', 'invalid'])
    assert.deepEqual(automaticPromotions, [])
    const [answer, listed] = [await apply('AGAIN'), await operator.get('/promotions?status=archived')]
    assert.deepEqual([answer.status, answer.body.code], [409, 'promotion_inapplicable'])
    assert.deepEqual(
      new Set(listed.body.data.items.map(({ id }: { id: string }) => id)),
      new Set([automatic.id, old.id]),
    )
    assert.equal(await reasonOf(old.id), undefined)

    const next = await make({ code: 'again' })
    const restored = await operator.send('PATCH', `/promotions/${old.id}`, { status: 'active' })
    assert.deepEqual([restored.status, restored.body.code], [409, 'name_taken'])
    await operator.change('PATCH', `/promotions/${next.id}`, { status: 'archived' })
    await operator.change('PATCH', `/promotions/${old.id}`, { status: 'active' })
    await shop.refresh()
    assert.equal((await apply('AGAIN')).status, 200)
  })

  test('count the uses from before a limit is set, those of each customer too, and each once', async () => {
    const client = await checkoutClient(shop)
    await opened(client)
    const customers: string[] = []
    for (const email of ['one@example.com', 'two@example.com']) {
      await accountsOf(shop).customer(email)
      customers.push(await customerTokenOf(shop, client, email))
    }
    const made = await make({ code: 'LATER' })
    await shop.refresh()
    const cartFor = async (customerToken: string) => {
      const cart = await readyCart(shop, client, { MUG: 1 }, { customerToken })
      return { cart, promotion: await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'LATER' }) }
    }
    const buys = async (customerToken: string) => {
      const { cart } = await cartFor(customerToken)
      return paid(shop, client, (await checkout(client, cart.id)).body.data)
    }
    const [one = '', two = ''] = customers
    await buys(one)
    await buys(two)
    const usesShown = async () => {
      const { items } = (await operator.get('/promotions?q=later')).body.data
      return [items[0].usedTest, (await operator.get(`/promotions/${made.id}`)).body.data.usedTest]
    }
    assert.deepEqual(await usesShown(), [2, 2], 'without a limit')
    const limit = (more: object) => operator.change('PATCH', `/promotions/${made.id}`, more)
    const refusalOf = async (customerToken: string) =>
      (await cartFor(customerToken)).promotion.body.conflict?.reasons?.[0]
    await limit({ usageLimit: 3 })
    assert.deepEqual(await usesShown(), [2, 2], 'with a limit')
    await limit({ usageLimit: null })
    await limit({ usageLimit: 3 })
    await shop.refresh()
    await buys(one)
    await shop.refresh()
    assert.equal(await refusalOf(two), 'usage_limit_reached')
    await limit({ usageLimit: null, usageLimitPerCustomer: 2 })
    assert.deepEqual(await usesShown(), [3, 3], 'with a limit for each customer')
    await shop.refresh()
    assert.deepEqual([await refusalOf(one), await refusalOf(two)], ['usage_limit_reached', undefined])
    await limit({ usageLimit: 2 })
    await shop.refresh()
    assert.equal(await refusalOf(two), 'usage_limit_reached', 'a limit that is already exceeded allows no more')
  })

  test('that do not exist, and stores that do not exist, are not_found', async () => {
    const absent = 'prm_01k5b7m2q8e9rtv3w4x5y6z7a8'
    assert.equal((await operator.get(`/promotions/${absent}`)).body.code, 'not_found')
    assert.equal((await operator.send('PATCH', `/promotions/${absent}`, { priority: 1 })).body.code, 'not_found')
    assert.equal((await refused({ store: 'nowhere' })).body.code, 'not_found')
    assert.equal((await attempt({ store: 'nowhere' })).body.code, 'not_found')
  })
})

describe('a trial of promotions', () => {
  test('prices a cart like any other, and returns for each promotion why it applies or not', async () => {
    const effect = { kind: 'percentage', target: 'line', rate: '0.5' }
    const half = await make({ code: 'HALF', effect, priority: -5 })
    const { body } = await attempt({ code: 'half' })
    const found = body.data.promotions.find((each: Tried) => each.id === half.id)
    assert.deepEqual([found.reason, found.amount.amount], ['applied', 1254])
    assert.deepEqual([body.data.itemsSubtotal.amount, body.data.lines[0].subtotal.amount], [2508, 2508])
    assert.equal(await reasonOf(half.id), 'code_not_given')

    const dear = await make({ effect, minimumSubtotal: { EUR: 5000 } })
    const again = (await attempt()).body.data.promotions.find((each: Tried) => each.id === dear.id)
    assert.deepEqual([again.reason, again.missing.amount], ['minimum_not_met', 2492])
    const known = await make({ effect, audience: 'known_customers', code: 'KNOWN' })
    assert.equal(await reasonOf(known.id, { code: 'KNOWN' }), 'customer_required')
    const later = await make({ effect, startsAt: '2099-01-01T00:00:00Z' })
    assert.equal(await reasonOf(later.id), 'not_started')
    await operator.change('PATCH', `/promotions/${later.id}`, { status: 'paused' })
    assert.equal(await reasonOf(later.id), 'paused')
    const alone = await make({ effect, code: 'ALONE', priority: 9 })
    await make({ effect, priority: -9 })
    assert.equal(await reasonOf(alone.id, { code: 'ALONE' }), 'combination_disallowed')
  })

  test('names the line without a SKU or a price', async () => {
    const unknown = await attempt({
      lines: [
        { sku: 'MUG', quantity: 1 },
        { sku: 'NOPE', quantity: 1 },
      ],
    })
    assert.deepEqual([unknown.status, unknown.body.details[0].pointer], [400, '/lines/1/sku'])
    const priceless = await attempt({ lines: [{ sku: 'BOWL', quantity: 1 }], currency: 'USD' })
    assert.match(priceless.body.details[0].message, /BOWL has no price in USD/)
  })

  test('stores nothing', async () => {
    const before = (await operator.get('/audit-log?operation=tryPromotions')).body.data.items
    assert.deepEqual(before, [])
  })
})
