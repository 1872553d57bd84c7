import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Client } from 'pg'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
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

const EUR_1 = { currency: 'EUR', amount: 100 }
const AUTHORIZED = { authorization: `Bearer ${OPERATOR_TOKEN}` }

interface Sku {
  readonly id: string
  readonly options: Readonly<Record<string, string>>
  readonly stock: readonly { readonly onHand: number | null }[]
}

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
    assert.deepEqual(await slugs(`sku=${(await shirt()).skus[0].id}`), ['linen-shirt'])
    const first = (await operator.get('/products?limit=3')).body.data
    const second = (await operator.get(`/products?limit=3&cursor=${first.nextCursor}`)).body.data
    assert.equal(new Set([...first.items, ...second.items].map(({ id }) => id)).size, 4)
    const elsewhere = await operator.get(`/products?q=a&cursor=${first.nextCursor}`)
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_cursor'])
  })

  test('are listed with all their units for sale, even if variants have two billion each', async () => {
    const stock = 2_000_000_000
    const values = ['red', 'blue'].map((value) => ({ value }))
    const skus = values.map(({ value }) => ({ code: value, options: { color: value }, prices: [EUR_1], stock }))
    await world.import([storeLine('bulk'), productLine('gift', { options: [{ name: 'color', values }], skus })], 'bulk')
    assert.deepEqual(
      (await products('store=bulk')).map(({ available }) => available),
      [2 * stock],
    )
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

  test('say of each SKU whether it is shipped; an import that does not say leaves it', async () => {
    const line = productLine('card', {
      store: 'loom',
      skus: [{ code: 'CARD', prices: [{ currency: 'EUR', amount: 2500 }] }],
    })
    await world.import([line], 'loom')
    const [{ id }] = await products('q=card')
    const card = (await operator.get(`/products/${id}`)).body.data
    assert.equal(card.skus[0].requiresShipping, true)
    const skus = [{ id: card.skus[0].id, requiresShipping: false }]
    const changed = await operator.change('PATCH', `/products/${id}`, { skus })
    assert.deepEqual([changed.skus[0].requiresShipping, changed.skus[0].prices], [false, card.skus[0].prices])
    const dearer = { ...line, skus: [{ code: 'CARD', prices: [{ currency: 'EUR', amount: 2600 }] }] }
    const saying = (requiresShipping?: boolean) => [
      { ...dearer, skus: [{ ...dearer.skus[0], ...(requiresShipping !== undefined && { requiresShipping }) }] },
    ]
    for (const [lines, expected] of [
      [saying(), false],
      [saying(true), true],
      [saying(false), false],
    ] as const) {
      await world.import(lines, 'loom')
      const { data } = await shown(`/catalog/products/${card.slug}`)
      assert.deepEqual([data.skus[0].requiresShipping, data.skus[0].price.amount], [expected, 2600])
    }
  })

  test('are published and unpublished', async () => {
    const [{ id }] = await products('q=hidden')
    await operator.change('PATCH', `/products/${id}`, { status: 'published' })
    assert.equal((await shown('/catalog/products/hidden-hat')).data.name, 'Hidden hat')
    await operator.change('PATCH', `/products/${id}`, { status: 'draft' })
    assert.equal((await shown('/catalog/products/hidden-hat')).code, 'not_found')
  })

  test('get variants: SKUs are added, changed and removed, and a SKU keeps its id and stock when its options change', async () => {
    const body = { store: 'loom', externalId: 'tee', names: { en: 'Tee' }, status: 'published', code: 'TEE', stock: 7 }
    const made = await operator.change('POST', '/products', { ...body, prices: [{ currency: 'EUR', amount: 2000 }] })
    const [{ id: first }] = made.skus
    const options = (...values: string[]) => [
      { name: 'color', labels: { en: 'Color' }, values: values.map((value) => ({ value })) },
    ]
    const added = (color: string, more: object = {}) => ({
      code: `TEE-${color}`,
      options: { color },
      prices: [{ currency: 'EUR', amount: 2100 }],
      ...more,
    })
    const facts = {
      barcode: '4006381333931',
      weightGrams: 140,
      taxCategory: 'reduced',
      minQuantity: 2,
      maxQuantity: 8,
      step: 2,
      image: { url: '/images/tee.svg', width: 8, height: 10 },
    }
    const wide = await operator.change('PATCH', `/products/${made.id}`, {
      options: options('red', 'blue'),
      skus: [
        { id: first, options: { color: 'red' } },
        added('blue', { ...facts, stock: 3, whenOutOfStock: 'backorder' }),
      ],
    })
    const [red, blue] = wide.skus
    assert.deepEqual([wide.skus.length, red.id, red.code, red.stock[0].onHand], [2, first, 'TEE', 7])
    assert.deepEqual({ ...blue, ...facts }, blue)
    assert.deepEqual([blue.stock[0].onHand, blue.stock[0].whenOutOfStock], [3, 'backorder'])
    const { data } = await shown('/catalog/products/tee')
    assert.deepEqual(data.options[0].name, 'Color')
    const sold = data.skus.find(({ id }: { id: string }) => id === blue.id)
    const { barcode, weightGrams, taxCategory, minQuantity, maxQuantity, step } = sold
    assert.deepEqual({ barcode, weightGrams, taxCategory, minQuantity, maxQuantity, step, image: facts.image }, facts)
    assert.deepEqual(sold.image, { ...facts.image, alt: 'Tee' })

    // The two trade their colors, and a third takes a color that none had.
    const traded = await operator.change('PATCH', `/products/${made.id}`, {
      options: options('red', 'blue', 'green'),
      skus: [
        { id: first, options: { color: 'blue' } },
        { id: blue.id, options: { color: 'red' }, barcode: null, weightGrams: null, image: null },
        added('green'),
      ],
    })
    assert.deepEqual(
      traded.skus.map((sku: Sku) => [sku.id, sku.options.color, sku.stock[0]?.onHand]),
      [
        [first, 'blue', 7],
        [blue.id, 'red', 3],
        [traded.skus[2].id, 'green', null],
      ],
    )
    assert.deepEqual([traded.skus[1].barcode, traded.skus[1].weightGrams, traded.skus[1].image], [null, null, null])

    const fewer = await operator.change('PATCH', `/products/${made.id}`, {
      options: options('red', 'blue'),
      removeSkus: [traded.skus[2].id],
    })
    assert.deepEqual(
      fewer.skus.map(({ id }: Sku) => id),
      [first, blue.id],
    )
    assert.deepEqual((await shown('/catalog/products/tee')).data.skus.length, 2)

    // A removed SKU does not keep its options from another.
    world.clock.advance(1000)
    const green = await operator.change('PATCH', `/products/${made.id}`, {
      options: options('green', 'blue'),
      skus: [{ id: blue.id, options: { color: 'green' } }],
    })
    assert.deepEqual(
      green.skus.map(({ id, options: { color } }: Sku) => [id, color]),
      [
        [first, 'blue'],
        [blue.id, 'green'],
      ],
    )
    const [entry] = (await operator.get(`/audit-log?subject=${made.id}&limit=1`)).body.data.items
    assert.deepEqual(entry.before.skus, [{ id: blue.id, options: { color: 'red' } }])
  })

  test('can be set to all values that an import can set, and an import of their export changes nothing', async () => {
    const [{ id }] = await products('q=hidden')
    const change = {
      slug: 'a-fine-hat',
      options: [],
      attributes: [
        { key: 'material', labels: { en: 'Material' }, value: { en: 'Felt', de: 'Filz' } },
        { key: 'pieces', value: 1 },
        { key: 'lined', value: false },
      ],
      seo: { titles: { en: 'A fine hat' }, descriptions: { en: 'Of felt.' } },
      rating: { average: 4.5, count: 12 },
      publishedAt: '2026-02-03T04:05:06.000Z',
      subtitles: { en: 'For the winter' },
      categories: [['clothing', 'hats']],
      status: 'published',
    }
    const changed = await operator.change('PATCH', `/products/${id}`, change)
    assert.deepEqual({ ...changed, ...change }, changed)
    const { data } = await shown('/catalog/products/a-fine-hat')
    assert.deepEqual([data.seo, data.rating], [{ title: 'A fine hat', description: 'Of felt.' }, change.rating])
    assert.deepEqual(
      data.attributes.map(({ label, value }: { label: string; value: unknown }) => [label, value]),
      [
        ['Material', 'Felt'],
        ['pieces', 1],
        ['lined', false],
      ],
    )
    assert.deepEqual(
      [data.version, data.createdAt, data.updatedAt],
      [changed.version, changed.createdAt, changed.updatedAt],
    )

    const exported = await (
      await fetch(`${operator.origin}/operator/v1/stores/loom/catalogue`, { headers: AUTHORIZED })
    ).text()
    await operator.upload('/imports?format=jsonl&store=loom', exported)
    await world.work()
    const [report] = (await operator.get('/imports?limit=1')).body.data.items
    assert.deepEqual([report.refused, report.created, report.updated], [0, 0, 0])

    const cleared = await operator.change('PATCH', `/products/${id}`, {
      seo: null,
      rating: null,
      attributes: [],
      categories: [],
    })
    assert.deepEqual([cleared.seo, cleared.rating, cleared.attributes, cleared.categories], [null, null, [], []])
  })

  test('are refused with the field of each mistake in their options and SKUs', async () => {
    const [{ id }] = await products('q=shirt')
    const { skus } = (await operator.get(`/products/${id}`)).body.data
    const prices = [{ currency: 'EUR', amount: 100 }]
    const sized = [{ name: 'size', values: [{ value: 's' }, { value: 'm' }] }]
    const small = { id: skus[0].id, options: { size: 's' } }
    const foreign = 'sku_01k5b7m2q8e9rtv3w4x5y6z7a8'
    for (const [change, status, pointer] of [
      [{ options: sized }, 400, '/options'],
      [{ options: sized, skus: [{ ...small, options: { size: 'xl' } }] }, 400, '/skus/0/options'],
      [{ options: sized, skus: [{ ...small, options: { size: 's', cut: 'a' } }] }, 400, '/skus/0/options/cut'],
      [{ options: sized, skus: [small, { code: 'B', prices, options: { size: 's' } }] }, 400, '/skus/1/options'],
      [{ skus: [{ prices }] }, 400, '/skus/0/code'],
      [{ skus: [{ code: 'B', options: {} }] }, 400, '/skus/0/prices'],
      [{ skus: [{ id: foreign, code: 'B' }] }, 404, '/skus/0/id'],
      [{ removeSkus: [foreign] }, 404, '/removeSkus/0'],
      [{ removeSkus: [skus[0].id] }, 400, '/removeSkus'],
      [{ skus: [small], removeSkus: [skus[0].id] }, 400, '/skus'],
      [{ skus: [{ id: skus[0].id, stock: 4 }] }, 400, '/skus/0/stock'],
      [{ skus: [{ id: skus[0].id, minQuantity: 9, maxQuantity: 8 }] }, 400, '/skus/0/minQuantity'],
      [{ skus: [{ id: skus[0].id, prices: [...prices, ...prices] }] }, 400, '/skus/0/prices/1/currency'],
      [{ slug: 'a-novel' }, 409, '/slug'],
    ] as const) {
      const { status: answered, body } = await operator.send('PATCH', `/products/${id}`, change)
      assert.deepEqual([answered, body.details?.[0]?.pointer], [status, pointer], JSON.stringify(change))
    }
    const fresh = { store: 'loom', externalId: 'fresh', names: { en: 'Fresh' }, status: 'draft' }
    for (const [more, pointer] of [
      [{}, '/code'],
      [{ code: 'F', prices: [{ currency: 'XQX', amount: 1 }] }, '/prices/0/currency'],
      [{ code: 'F', skus: [{ code: 'F', prices }] }, '/code'],
      [{ skus: [small] }, '/skus/0/id'],
      [{ skus: [{ code: 'F', prices, options: { size: 's' } }] }, '/skus/0/options/size'],
    ] as const) {
      const { status, body } = await operator.send('POST', '/products', { ...fresh, ...more })
      assert.deepEqual([status, body.details[0].pointer], [400, pointer], JSON.stringify(more))
    }
  })

  test('are created with variants', async () => {
    const sku = (size: string) => ({
      code: size,
      options: { size },
      prices: [{ currency: 'EUR', amount: 900 }],
      stock: 2,
    })
    const made = await operator.change('POST', '/products', {
      store: 'loom',
      externalId: 'sock',
      names: { en: 'Sock' },
      status: 'published',
      brand: 'Loom',
      options: [{ name: 'size', values: [{ value: 's' }, { value: 'm' }] }],
      skus: [sku('s'), sku('m')],
    })
    assert.deepEqual(
      made.skus.map(({ options, stock }: Sku) => [options.size, stock[0]?.onHand]),
      [
        ['s', 2],
        ['m', 2],
      ],
    )
    assert.equal((await shown('/catalog/products/sock')).data.brand, 'Loom')
  })

  test('that are archived are gone from every public read and from new carts, stay in old ones, and can be restored', async () => {
    const [{ id }] = await products('q=novel')
    const client = await world.client({ storeSlug: 'books' })
    const { data } = await shown('/catalog/products/a-novel')
    const terms = { currency: 'EUR', country: 'DE' }
    const line = { skuId: data.skus[0].id, quantity: 1 }
    const cart = (await client.post('/api/v1/open/storefront/carts', { ...terms, lines: [line] })).body.data
    const found = async () => {
      await world.refresh()
      const lists = ['/catalog/products', '/catalog/merchants/books/products', '/search?q=novel']
      const listed = await Promise.all(lists.map(async (path) => (await shown(path)).data))
      const own = (await client.get('/api/v1/open/catalog/products')).body.data
      const statuses = await Promise.all(
        ['/catalog/products/a-novel', '/catalog/merchants/books/products/a-novel'].map(
          async (path) => (await shown(path)).code ?? 'shown',
        ),
      )
      const counts = [...listed, own].map(
        (each) => each.filter(({ slug }: { slug: string }) => slug === 'a-novel').length,
      )
      return [...counts, ...statuses, (await client.get('/api/v1/open/catalog/products/a-novel')).status]
    }
    assert.deepEqual(await found(), [1, 1, 1, 1, 'shown', 'shown', 200])

    await operator.change('PATCH', `/products/${id}`, { status: 'archived' })
    assert.deepEqual(await found(), [0, 0, 0, 0, 'not_found', 'not_found', 404])
    assert.deepEqual(await slugs('status=archived'), ['a-novel'])
    assert.deepEqual(await slugs('status=published&store=books'), [])
    const another = await client.post('/api/v1/open/storefront/carts', { ...terms, lines: [line] })
    assert.deepEqual([another.status, another.body.code], [409, 'sku_unavailable'])
    const kept = (await client.get(`/api/v1/open/storefront/carts/${cart.id}`)).body.data
    assert.equal(kept.lines[0].name, 'A novel')

    await operator.change('PATCH', `/products/${id}`, { status: 'published' })
    assert.deepEqual(await found(), [1, 1, 1, 1, 'shown', 'shown', 200])
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

describe('related products', () => {
  const ids: Record<string, string> = {}
  const find = async (id: string) => (await operator.get(`/products/${id}`)).body.data
  const lines = ['tent', 'lamp', 'stove', 'rope'].map((id) =>
    productLine(id, { names: { en: `Camping ${id}`, de: `Camping-${id}` } }),
  )
  before(async () => {
    await world.import(lines, 'loom')
    for (const name of ['tent', 'lamp', 'stove', 'rope']) ids[name] = (await products(`q=Camping ${name}`))[0].id
    ids.novel = (await products('q=a-novel'))[0].id
  })

  test('are kept in their order, shown with names and pictures, and audited; a new product can have them at once', async () => {
    const images = [{ url: '/images/lamp.svg', width: 8, height: 10 }]
    await operator.change('PATCH', `/products/${ids.lamp}`, { images, status: 'draft' })
    const tent = await find(ids.tent!)
    assert.deepEqual([tent.relatedProductIds, tent.relatedProducts], [[], []])
    const relatedProductIds = [ids.stove, ids.lamp]
    const related = await operator.change('PATCH', `/products/${tent.id}`, { relatedProductIds })
    assert.deepEqual(related.relatedProductIds, relatedProductIds)
    assert.deepEqual(related.relatedProducts, [
      { id: ids.stove, names: { en: 'Camping stove', de: 'Camping-stove' }, image: null, status: 'published' },
      { id: ids.lamp, names: { en: 'Camping lamp', de: 'Camping-lamp' }, image: '/images/lamp.svg', status: 'draft' },
    ])
    assert.equal(related.version, tent.version + 1, 'is one change of the product')

    world.clock.advance(1000)
    const turned = await operator.change('PATCH', `/products/${tent.id}`, {
      relatedProductIds: [ids.lamp, ids.stove],
      brand: 'Loom',
    })
    assert.deepEqual([turned.relatedProductIds, turned.version], [[ids.lamp, ids.stove], related.version + 1])
    const [entry] = (await operator.get(`/audit-log?subject=${tent.id}&limit=1`)).body.data.items
    assert.deepEqual(entry.before, { brand: null, relatedProductIds })
    assert.deepEqual(entry.after, { brand: 'Loom', relatedProductIds: [ids.lamp, ids.stove] })

    const same = await operator.change('PATCH', `/products/${tent.id}`, { relatedProductIds: [ids.lamp, ids.stove] })
    assert.equal(same.version, turned.version, 'the same again is no change')
    const priced = await operator.change('PATCH', `/products/${tent.id}`, { brand: null })
    assert.deepEqual(priced.relatedProductIds, [ids.lamp, ids.stove], 'another change leaves them')

    const copy = await operator.change('POST', '/products', {
      ...{ store: 'loom', externalId: 'tent-2', names: { en: 'Second shelter' }, status: 'draft', code: 'T2' },
      prices: [{ currency: 'EUR', amount: 100 }],
      relatedProductIds: priced.relatedProductIds,
    })
    assert.deepEqual(copy.relatedProductIds, [ids.lamp, ids.stove])
  })

  test('are refused with the place of each that is unknown or of another store, of the product itself, twice or too many', async () => {
    const absent = 'prod_01k5b7m2q8e9rtv3w4x5y6z7a8'
    for (const [relatedProductIds, status, code, pointer] of [
      [[ids.lamp, absent], 404, 'not_found', '/relatedProductIds/1'],
      [[ids.novel, ids.lamp], 404, 'not_found', '/relatedProductIds/0'],
      [[ids.lamp, ids.tent], 400, 'validation_failed', '/relatedProductIds/1'],
      [[ids.lamp, ids.lamp], 400, 'validation_failed', '/relatedProductIds'],
      [
        Array.from({ length: 13 }, (_, n) => `${absent.slice(0, -2)}${n + 10}`),
        400,
        'validation_failed',
        '/relatedProductIds',
      ],
    ] as const) {
      const { status: answered, body } = await operator.send('PATCH', `/products/${ids.tent}`, { relatedProductIds })
      assert.deepEqual([answered, body.code, body.details[0].pointer], [status, code, pointer])
    }
    const answers = await Promise.all(
      [absent, ids.novel].map(async (id) => {
        const { body } = await operator.send('PATCH', `/products/${ids.tent}`, { relatedProductIds: [id] })
        return { ...body, requestId: '' }
      }),
    )
    assert.deepEqual(answers[0], answers[1], 'one of another store is like one that never was')
    const fresh = { store: 'loom', externalId: 'camp', names: { en: 'Camp' }, status: 'draft', code: 'C' }
    const prices = [{ currency: 'EUR', amount: 100 }]
    const made = await operator.send('POST', '/products', { ...fresh, prices, relatedProductIds: [ids.novel] })
    assert.deepEqual([made.status, made.body.details[0].pointer], [404, '/relatedProductIds/0'])
    assert.deepEqual(await slugs('q=Camp&store=loom&status=draft'), ['camping-lamp'], 'nothing was created')
  })

  test('are left by an import of the same and of another line', async () => {
    await operator.change('PATCH', `/products/${ids.rope}`, { relatedProductIds: [ids.tent] })
    const { version } = await find(ids.rope!)
    const rope = lines.filter(({ id }) => id === 'rope')
    await world.import(rope, 'loom')
    assert.equal((await find(ids.rope!)).version, version, 'they are no part of the line')
    await world.import([{ ...rope[0], names: { en: 'Long rope' } }], 'loom')
    const changed = await find(ids.rope!)
    assert.deepEqual([changed.version, changed.relatedProductIds], [version + 1, [ids.tent]])
  })

  test('are deleted with either product, and the database refuses invalid ones', async () => {
    await operator.change('PATCH', `/products/${ids.stove}`, { relatedProductIds: [ids.rope, ids.lamp] })
    const client = new Client({ connectionString: world.databaseUrl })
    await client.connect()
    try {
      const insert = (values: readonly unknown[]) =>
        client.query(
          `insert into related_products (product_id, related_product_id, position, store_id)
           select $1, $2, $3, store_id from products where id = $1`,
          [...values],
        )
      const wrong: readonly [readonly unknown[], string][] = [
        [[ids.stove, ids.stove, 5], '23514'],
        [[ids.stove, ids.tent, 12], '23514'],
        [[ids.stove, ids.tent, 0], '23505'],
        [[ids.stove, ids.lamp, 5], '23505'],
        [[ids.stove, ids.novel, 5], '23503'],
      ]
      for (const [values, code] of wrong) await assert.rejects(insert(values), { code }, values.join())
      await client.query('delete from products where id = $1', [ids.rope])
      assert.deepEqual((await find(ids.stove!)).relatedProductIds, [ids.lamp])
      await client.query('delete from products where id = $1', [ids.stove])
      assert.deepEqual(
        (await client.query('select from related_products where product_id = $1', [ids.stove])).rowCount,
        0,
      )
    } finally {
      await client.end()
    }
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
    assert.deepEqual(set.skus[0].stock[0], { environment: 'live', onHand: 3, held: 3, owed: 0, whenOutOfStock: 'deny' })
  })
})

describe('a search for products', () => {
  test('lists the best first, in pages: equal text, its beginning, a word in a name, a part of a word, a brand', async () => {
    const names = ['Lamp', 'Lamp shade', 'Lamp with a shade', 'Floor lamp', 'Clamp', 'Oven']
    const lines = names.map((name, index) =>
      productLine(`light-${index}`, { names: { en: name }, ...(name === 'Oven' && { brand: 'Lampert' }) }),
    )
    await world.import([storeLine('lights'), ...lines.toReversed()], 'lights')
    const found: string[] = []
    for (let next = ''; ; ) {
      const { items, nextCursor } = (await operator.get(`/products?store=lights&q=LAMP&limit=2${next}`)).body.data
      found.push(...items.map(({ name }: { name: string }) => name))
      if (nextCursor === null) break
      next = `&cursor=${nextCursor}`
    }
    assert.deepEqual(found, names)
    assert.equal((await slugs('q=light-3'))[0], 'floor-lamp', 'by its number')
  })
})
