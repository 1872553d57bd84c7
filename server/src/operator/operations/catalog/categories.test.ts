import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  await world.import(
    [
      storeLine('loom'),
      { type: 'category', path: ['clothing'], names: { en: 'Clothing' } },
      { type: 'category', path: ['clothing', 'shirts'], names: { en: 'Shirts' } },
      productLine('shirt', { categories: [['clothing', 'shirts', 'linen']] }),
      productLine('cap', { categories: [['clothing']] }),
    ],
    'loom',
  )
})

interface Seen {
  readonly id: string
  readonly path: readonly string[]
  readonly version: number
  readonly productCount: number
}
async function categories(): Promise<ReadonlyMap<string, Seen>> {
  const { items } = (await operator.get('/categories')).body.data
  return new Map(items.map((item: Seen) => [item.path.join('/'), item]))
}
async function at(path: string): Promise<Seen> {
  const found = (await categories()).get(path)
  assert.ok(found, path)
  return found
}
async function listedIn(category: string): Promise<string[]> {
  await world.refresh()
  const response = await fetch(`${world.origin}/api/v1/catalog/products?category=${category}`)
  const { data } = (await response.json()) as { data: { slug: string }[] }
  return data.map(({ slug }) => slug).sort()
}

describe('categories', () => {
  test('are found by a part of a name or of the path, or by their id, up to a limit', async () => {
    const found = async (query: string) => {
      const { items, hasMore } = (await operator.get(`/categories?${query}`)).body.data
      return [items.map(({ path }: Seen) => path.join('/')), hasMore]
    }
    const { id } = await at('clothing/shirts')
    assert.deepEqual(await found('q=Shir'), [['clothing/shirts', 'clothing/shirts/linen'], false])
    assert.deepEqual(await found('q=CLOTH&limit=1'), [['clothing'], true])
    assert.deepEqual(await found(`q=${id}`), [['clothing/shirts'], false])
    assert.deepEqual(await found('q=%25'), [[], false])
  })

  test('are listed with the number of products in each, and renamed', async () => {
    const shirts = await at('clothing/shirts')
    assert.deepEqual([shirts.productCount, (await at('clothing')).productCount], [1, 2])
    const renamed = await operator.change('PATCH', `/categories/${shirts.id}`, {
      names: { en: 'All shirts' },
      position: 4,
      expectedVersion: shirts.version,
    })
    assert.deepEqual([renamed.names.en, renamed.position, renamed.version], ['All shirts', 4, shirts.version + 1])
    const [entry] = (await operator.get(`/audit-log?subject=${shirts.id}`)).body.data.items
    assert.deepEqual(entry.before, { names: { en: 'Shirts' }, position: 0 })
    const described = { descriptions: { en: 'Of linen.' } }
    assert.deepEqual((await operator.change('PATCH', `/categories/${shirts.id}`, described)).descriptions, {
      en: 'Of linen.',
    })
    const plain = await operator.change('PATCH', `/categories/${shirts.id}`, { descriptions: {} })
    assert.deepEqual(plain.descriptions, {}, 'no descriptions remove those it had')
    const stale = await operator.send('PATCH', `/categories/${shirts.id}`, { position: 1, expectedVersion: 99 })
    assert.equal(stale.body.code, 'version_conflict')
  })

  test('are created for the marketplace or a store: name_taken for a duplicate, not_found for an unknown parent or store', async () => {
    const parent = await at('clothing')
    const made = await operator.change('POST', '/categories', {
      slug: 'hats',
      parentId: parent.id,
      names: { en: 'Hats' },
    })
    assert.deepEqual([made.path, made.store, made.parentId], [['clothing', 'hats'], null, parent.id])
    const own = await operator.change('POST', '/categories', { slug: 'ours', store: 'loom', names: { en: 'Ours' } })
    assert.equal(own.store, 'loom')
    const again = await operator.send('POST', '/categories', { slug: 'ours', store: 'loom', names: { en: 'Ours' } })
    assert.equal(again.body.code, 'name_taken')
    const mixed = await operator.send('POST', '/categories', { slug: 'x', parentId: own.id, names: { en: 'X' } })
    assert.equal(mixed.body.code, 'state_conflict')
    const nowhere = await operator.send('POST', '/categories', { slug: 'x', store: 'nowhere', names: { en: 'X' } })
    assert.equal(nowhere.body.code, 'not_found')
  })

  test('are archived with everything below them, restored with what went along, and kept by their products', async () => {
    const names = { names: { en: 'Any' } }
    const path = ['garden', 'tools', 'spades']
    await world.import(
      [
        { type: 'category', path: path.slice(0, 1), ...names },
        { type: 'category', path: path.slice(0, 2), ...names },
        { type: 'category', path, ...names },
        { type: 'category', path: ['garden', 'gloves'], ...names },
        productLine('spade', { categories: [path, ['outdoor']] }),
      ],
      'loom',
    )
    const read = async (address: string) => (await world.anonymous.get(`/api/v1/${address}`)).body
    const open = async () =>
      (await categories())
        .keys()
        .filter((each) => each.startsWith('garden'))
        .toArray()
    const shown = async () => {
      await world.refresh()
      const listed = (await read('catalog/categories')).data.map(({ path: each }: Seen) => each.join('/'))
      const inBootstrap = (await read('bootstrap')).data.categories.map(({ path: each }: Seen) => each.join('/'))
      assert.deepEqual(inBootstrap, listed)
      return listed.filter((each: string) => each.startsWith('garden'))
    }
    const [tools, gloves] = [await at('garden/tools'), await at('garden/gloves')]
    const set = async (each: Seen, status: string) => {
      world.clock.advance(1000)
      return operator.change('PATCH', `/categories/${each.id}`, { status })
    }
    const all = await shown()
    assert.equal(all.length, 4)

    assert.equal((await set(gloves, 'archived')).version, gloves.version + 1)
    await set(tools, 'archived')
    assert.deepEqual(await shown(), ['garden'])
    assert.deepEqual(await listedIn('spades'), [])
    assert.deepEqual(await listedIn('outdoor'), ['product-spade'])
    const { data, meta } = await read('catalog/products?q=spade')
    const facet = meta.facets.find(({ key }: { key: string }) => key === 'category')
    const [outdoor, garden] = [await at('outdoor'), await at('garden')]
    const counted = facet.values.map(({ value }: { value: string }) => value).sort()
    assert.deepEqual([data[0].categoryIds, counted], [[outdoor.id], [garden.id, outdoor.id].sort()])
    const product = (await read('catalog/products/product-spade')).data
    assert.deepEqual(product.categoryIds, [outdoor.id])
    const archived = (await operator.get('/categories?status=archived')).body.data.items
    assert.deepEqual(archived.map(({ path: each }: Seen) => each.join('/')).sort(), all.slice(1).sort())
    assert.equal((await open()).length, 4)

    const below = await operator.send('PATCH', `/categories/${(await at(path.join('/'))).id}`, { status: 'active' })
    assert.deepEqual([below.status, below.body.code, below.body.details[0].pointer], [409, 'state_conflict', '/status'])
    const inside = await operator.send('POST', '/categories', { slug: 'new', parentId: tools.id, ...names })
    assert.deepEqual([inside.status, inside.body.details[0].pointer], [409, '/parentId'])

    // An import that assigns a product to an archived category leaves it archived.
    await world.import([productLine('fork', { categories: [[...path, 'forks']] })], 'loom')
    assert.deepEqual(await shown(), ['garden'])

    await set(tools, 'active')
    assert.deepEqual(await shown(), ['garden', 'garden/tools', 'garden/tools/spades', 'garden/tools/spades/forks'])
    assert.deepEqual(await listedIn('spades'), ['product-fork', 'product-spade'])
    await set(gloves, 'active')
    assert.equal((await shown()).length, 5)
  })

  test('are archived also in the lists and products of a store that were read before', async () => {
    await world.import([productLine('scarf', { categories: [['wool', 'scarves']] })], 'loom')
    const shown = async () => {
      await world.refresh()
      const read = async (path: string) => (await world.anonymous.get(`/api/v1/catalog/merchants/loom/${path}`)).body
      const { data, meta } = await read('products?q=scarf')
      const facet = meta.facets.find(({ key }: { key: string }) => key === 'category')
      const { categoryIds } = (await read('products/product-scarf')).data
      return { counted: facet?.values.length ?? 0, listedIn: data[0].categoryIds.length, isIn: categoryIds.length }
    }
    assert.deepEqual(await shown(), { counted: 2, listedIn: 1, isIn: 1 })
    await operator.change('PATCH', `/categories/${(await at('wool')).id}`, { status: 'archived' })
    assert.deepEqual(await shown(), { counted: 0, listedIn: 0, isIn: 0 })
  })

  test('have a picture, and tell their version and times', async () => {
    const image = { url: '/images/clothing.svg', width: 40, height: 30, alt: { en: 'Clothes' } }
    const { id, version } = await at('clothing')
    world.clock.advance(1000)
    const changed = await operator.change('PATCH', `/categories/${id}`, { image })
    assert.deepEqual([changed.image, changed.version], [image, version + 1])
    await world.refresh()
    const { data } = (await world.anonymous.get('/api/v1/catalog/categories')).body
    const seen = data.find((each: Seen) => each.id === id)
    const { createdAt, updatedAt } = changed
    assert.deepEqual(
      { image: seen.image, version: seen.version, createdAt: seen.createdAt, updatedAt: seen.updatedAt },
      { image: { ...image, alt: 'Clothes' }, version: version + 1, createdAt, updatedAt },
    )
    assert(createdAt < updatedAt)
    assert.equal((await operator.change('PATCH', `/categories/${id}`, { image: null })).image, null)
  })

  test('are moved with all their contents, and their products are listed in the new place', async () => {
    const [shirts, clothing] = [await at('clothing/shirts'), await at('clothing')]
    const linen = await operator.change('POST', '/categories', { slug: 'linens', names: { en: 'Linens' } })
    const moved = await operator.change('POST', `/categories/${shirts.id}/move`, {
      parentId: linen.id,
      slug: 'tops',
      expectedVersion: shirts.version,
    })
    assert.deepEqual([moved.path, moved.parentId], [['linens', 'tops'], linen.id])
    await world.work()
    assert.equal((await at('linens/tops/linen')).productCount, 1)
    assert.deepEqual(await listedIn('linens'), ['product-shirt'])
    assert.deepEqual(await listedIn('clothing'), ['product-cap'])
    assert.equal((await at('clothing')).productCount, 1)

    const root = await operator.change('POST', `/categories/${shirts.id}/move`, { parentId: null })
    assert.deepEqual([root.path, root.parentId], [['tops'], null])
    await world.work()
    assert.deepEqual(await listedIn('tops'), ['product-shirt'])
    const back = await operator.change('POST', `/categories/${shirts.id}/move`, {
      parentId: clothing.id,
      slug: 'shirts',
    })
    assert.deepEqual(back.path, ['clothing', 'shirts'])
    await world.work()
    assert.deepEqual(await listedIn('clothing'), ['product-cap', 'product-shirt'])
  })

  test('cannot be moved into themselves, too deep, or to a taken name', async () => {
    const [clothing, shirts] = [await at('clothing'), await at('clothing/shirts')]
    const inItself = await operator.send('POST', `/categories/${clothing.id}/move`, { parentId: shirts.id })
    assert.deepEqual([inItself.body.code, inItself.body.details[0].pointer], ['state_conflict', '/parentId'])
    const taken = await operator.send('POST', `/categories/${shirts.id}/move`, { parentId: null, slug: 'clothing' })
    assert.equal(taken.body.code, 'name_taken')
    let parentId: string | null = null
    for (const slug of ['d1', 'd2', 'd3', 'd4', 'd5']) {
      parentId = (await operator.change('POST', '/categories', { slug, parentId, names: { en: slug } })).id
    }
    const tooDeep = await operator.send('POST', `/categories/${shirts.id}/move`, { parentId })
    assert.match(tooDeep.body.details[0].message, /at most 6 deep/)
    const stale = await operator.send('POST', `/categories/${shirts.id}/move`, { parentId: null, expectedVersion: 99 })
    assert.equal(stale.body.code, 'version_conflict')
  })

  test('that do not exist are not_found', async () => {
    const absent = 'cat_01k5b7m2q8e9rtv3w4x5y6z7a8'
    assert.equal((await operator.send('PATCH', `/categories/${absent}`, { position: 1 })).body.code, 'not_found')
    assert.equal((await operator.send('POST', `/categories/${absent}/move`, { parentId: null })).body.code, 'not_found')
  })
})

test('a list of more categories than one answer has says so, and a search finds each', async () => {
  const large = await startWorld()
  const { get } = await operatorClient(large)
  const add = statement(
    'test.add_categories',
    `insert into categories (id, path, lineage, names, created_at, updated_at)
     select id, array['n' || n], array[id], '{"en": "Aprons"}', $1, $1
     from (select n, 'cat_01k5b7m2q8e9rtv3w4' || lpad(n::text, 8, '0') as id from generate_series(1, $2::integer) as n) as made`,
  )
  await large.database.transaction(async (tx) => tx.write(add, [large.clock.now(), 20_000]))
  const { items, hasMore } = (await get('/categories')).body.data
  assert.deepEqual([items.length, hasMore], [20_000, false])
  await large.import([{ type: 'category', path: ['zips'], names: { en: 'Zips' } }])
  const more = (await get('/categories')).body.data
  assert.deepEqual([more.items.length, more.hasMore], [20_000, true])

  const paths = async (q: string) => {
    const answer = (await get(`/categories?q=${encodeURIComponent(q)}`)).body.data
    return answer.items.map((each: { path: readonly string[] }) => each.path.join('/'))
  }
  await large.import([
    { type: 'category', path: ['zips', 'metal'], names: { en: 'Of metal', de: 'Metallverschlüsse' } },
  ])
  const [found] = (await get('/categories?q=zips/metal')).body.data.items
  for (const q of ['VERSCHL', 'of metal', found.id]) assert.deepEqual(await paths(q), ['zips/metal'], q)
  assert.deepEqual(await paths('zips'), ['zips', 'zips/metal'])
  assert.deepEqual(await paths('%'), [])
})
