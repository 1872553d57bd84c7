import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { holdStock } from '../../../features/inventory/index.ts'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  await world.import(
    [
      storeLine('loom', { locales: ['en', 'de'], currencies: ['EUR', 'USD'] }),
      productLine('shirt', { names: { en: 'Linen shirt' }, brand: 'Loom' }),
      productLine('sold-out', { names: { en: 'Sold out scarf' }, stock: 0 }),
      productLine('hidden', { names: { en: 'Hidden hat' }, status: 'draft' }),
    ],
    'loom',
  )
  await world.import([storeLine('books'), productLine('novel', { names: { en: 'A novel' } })], 'books')
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
async function products(query: string): Promise<any[]> {
  return (await operator.get(`/products?${query}`)).body.data.items
}
const slugs = async (query: string) => (await products(query)).map(({ slug }) => slug)
const shirt = async () => (await operator.get(`/products/${(await products('q=shirt'))[0].id}`)).body.data
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
async function shown(path: string): Promise<any> {
  await world.refresh()
  return (await fetch(`${world.origin}/api/v1${path}`)).json()
}

describe('products', () => {
  test('are listed newest first, in pages, by store, status and stock, and found by name and code', async () => {
    assert.deepEqual(await slugs('store=books'), ['a-novel'])
    assert.deepEqual(await slugs('status=draft'), ['hidden-hat'])
    assert.deepEqual(await slugs('store=loom&sellable=false'), ['sold-out-scarf'])
    assert.deepEqual(await slugs('q=SHIRT'), ['linen-shirt'])
    const first = (await operator.get('/products?limit=3')).body.data
    const second = (await operator.get(`/products?limit=3&cursor=${first.nextCursor}`)).body.data
    assert.equal(new Set([...first.items, ...second.items].map(({ id }) => id)).size, 4)
    const elsewhere = await operator.get(`/products?q=a&cursor=${first.nextCursor}`)
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_cursor'])
  })

  test('are updated through the same writes as an import: name, price and picture are visible at once', async () => {
    const held = await shirt()
    world.clock.advance(1000)
    const changed = await operator.change('PATCH', `/products/${held.id}`, {
      names: { en: 'Washed shirt', de: 'Gewaschenes Hemd' },
      descriptions: { de: { format: 'plain', text: 'Leinen.' } },
      images: [{ url: '/images/shirt.svg', width: 8, height: 10, alt: { en: 'A shirt' } }],
      skus: [{ id: held.skus[0].id, prices: [{ currency: 'EUR', amount: 800, compareAt: 1000 }] }],
      expectedVersion: held.version,
    })
    assert.deepEqual([changed.version, changed.slug, changed.brand], [held.version + 1, 'linen-shirt', 'Loom'])
    assert.deepEqual(changed.skus[0].prices, [{ currency: 'EUR', amount: 800, compareAt: 1000 }])
    const { data } = await shown('/catalog/products/linen-shirt?locale=de')
    assert.deepEqual([data.name, data.description.text, data.images[0].alt], ['Gewaschenes Hemd', 'Leinen.', 'A shirt'])
    const [listed] = (await shown('/catalog/products?q=washed')).data
    assert.equal(listed.priceRange.min.amount, 800)
    const [entry] = (await operator.get(`/audit-log?subject=${held.id}&limit=1`)).body.data.items
    assert.deepEqual(entry.before.names, { en: 'Linen shirt' })
    assert.equal(entry.after.skus[0].prices[0].amount, 800)
    const without = await operator.change('PATCH', `/products/${held.id}`, { descriptions: {}, brand: null })
    assert.deepEqual([without.descriptions, without.brand], [{}, null])
  })

  test('are published and unpublished', async () => {
    const [{ id }] = await products('q=hidden')
    await operator.change('PATCH', `/products/${id}`, { status: 'published' })
    assert.equal((await shown('/catalog/products/hidden-hat')).data.name, 'Hidden hat')
    await operator.change('PATCH', `/products/${id}`, { status: 'draft' })
    assert.equal((await shown('/catalog/products/hidden-hat')).code, 'not_found')
  })

  test('changed meanwhile by another operator stay unchanged: version_conflict', async () => {
    const [{ id }] = await products('q=linen')
    const stale = await operator.send('PATCH', `/products/${id}`, { status: 'draft', expectedVersion: 99 })
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict'])
  })

  test('name the invalid field of a change, and are not_found if unknown', async () => {
    const held = (await products('q=washed'))[0]
    const { skus } = (await operator.get(`/products/${held.id}`)).body.data
    const prices = [{ currency: 'XQX', amount: 1 }]
    const wrong = await operator.send('PATCH', `/products/${held.id}`, { skus: [{ id: skus[0].id, prices }] })
    assert.equal(wrong.status, 400)
    assert.match(wrong.body.details[0].message, /XQX is not a supported/)
    const absent = 'prod_01k5b7m2q8e9rtv3w4x5y6z7a8'
    const foreign = 'sku_01k5b7m2q8e9rtv3w4x5y6z7a8'
    const stock = { skuId: foreign, environment: 'live', onHand: 1, whenOutOfStock: 'deny' }
    assert.equal((await operator.get(`/products/${absent}`)).body.code, 'not_found')
    assert.equal((await operator.send('PATCH', `/products/${absent}`, { status: 'draft' })).body.code, 'not_found')
    assert.equal((await operator.send('POST', `/products/${absent}/stock`, stock)).body.code, 'not_found')
    assert.equal((await operator.send('POST', `/products/${held.id}/stock`, stock)).body.code, 'not_found')
  })

  test('are created in a simple form, once: name_taken for a duplicate, not_found for an unknown store', async () => {
    const body = {
      store: 'loom',
      externalId: 'mug',
      names: { en: 'Mug' },
      status: 'published',
      code: 'MUG',
      prices: [{ currency: 'EUR', amount: 1200 }],
      stock: 7,
      categories: [['kitchen']],
    }
    const made = await operator.change('POST', '/products', body)
    assert.deepEqual([made.slug, made.categories, made.skus[0].stock[0].onHand], ['mug', [['kitchen']], 7])
    assert.equal((await shown('/catalog/products/mug')).data.name, 'Mug')
    assert.equal((await operator.send('POST', '/products', body)).body.code, 'name_taken')
    const inDollars = { ...body, externalId: 'cup', code: 'CUP', prices: [{ currency: 'USD', amount: 900 }] }
    await operator.change('POST', '/products', { ...inDollars, names: { en: 'Dollar cup' } })
    const listed = await products('q=dollar')
    assert.deepEqual(
      listed[0].price,
      { amount: 900, currency: 'USD' },
      'a price in another currency is no missing price',
    )
    assert.equal((await operator.send('POST', '/products', { ...body, store: 'nowhere' })).body.code, 'not_found')
  })
})

describe('stock', () => {
  test('is set for each environment separately, and an import of the same number does not reset it', async () => {
    const [{ id }] = await products('q=sold-out')
    const { skus } = (await operator.get(`/products/${id}`)).body.data
    const live = { skuId: skus[0].id, environment: 'live', onHand: 4, whenOutOfStock: 'backorder' }
    const set = await operator.change('POST', `/products/${id}/stock`, live)
    assert.deepEqual(
      set.skus[0].stock.map(({ environment, onHand }: { environment: string; onHand: number }) => [
        environment,
        onHand,
      ]),
      [
        ['live', 4],
        ['test', 0],
      ],
    )
    assert.equal((await shown('/catalog/products/sold-out-scarf')).data.availability, 'low_stock')
    await world.import([productLine('sold-out', { names: { en: 'Scarf, sold out' }, stock: 0 })], 'loom')
    const after = (await operator.get(`/products/${id}`)).body.data
    assert.equal(after.skus[0].stock[0].onHand, 4)
    const uncounted = await operator.change('POST', `/products/${id}/stock`, { ...live, onHand: null })
    assert.equal(uncounted.skus[0].stock[0].onHand, null)
  })

  test('cannot be set below the reserved quantity: state_conflict', async () => {
    const [{ id }] = await products('q=novel')
    const { skus } = (await operator.get(`/products/${id}`)).body.data
    await world.database.transaction(async (tx) => {
      await holdStock(tx, { holder: 'cks_test', environment: 'live' }, [{ skuId: skus[0].id, quantity: 3 }])
    })
    const body = { skuId: skus[0].id, environment: 'live', onHand: 2, whenOutOfStock: 'deny' }
    const refused = await operator.send('POST', `/products/${id}/stock`, body)
    assert.deepEqual([refused.status, refused.body.code], [409, 'state_conflict'])
    assert.match(refused.body.details[0].message, /3 units are reserved/)
    const set = await operator.change('POST', `/products/${id}/stock`, { ...body, onHand: 3 })
    assert.deepEqual(set.skus[0].stock[0], { environment: 'live', onHand: 3, held: 3, whenOutOfStock: 'deny' })
  })
})
