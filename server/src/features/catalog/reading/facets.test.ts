import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Facet, operations } from '@vitrine/contract'
import fc from 'fast-check'
import { catalogOn, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'

const COLORS = ['red', 'green', 'blue', 'black']
const SIZES = ['s', 'm', 'l']
const BRANDS = ['Loom', 'Forge', 'Kiln']
const PATHS = [['home'], ['home', 'lamps'], ['home', 'lamps', 'desk-lamps'], ['garden'], ['garden', 'lamps']]
const STORES = ['north', 'south', 'east']

/** A product with the values that facets count. */
interface Model {
  readonly id: string
  readonly store: string
  readonly brand: string
  readonly path: readonly string[]
  readonly skus: readonly {
    readonly color: string
    readonly size: string
    readonly price: number
    readonly stock: number
  }[]
}

const pick = <Value>(from: readonly Value[], index: number) => from[index % from.length]!

/** 120 deterministic products that differ in all values. */
const models: readonly Model[] = Array.from({ length: 120 }, (_, n) => ({
  id: `p${n}`,
  store: pick(STORES, n * 5 + (n >> 3)),
  brand: pick(BRANDS, n * 7 + (n >> 2)),
  path: pick(PATHS, n * 3 + (n >> 4)),
  skus: Array.from({ length: 1 + (n % 3) }, (_, k) => ({
    color: pick(COLORS, n + k),
    size: pick(SIZES, n + 2 * k + (n >> 5)),
    price: 100 + ((n * 37 + k * 211) % 900),
    stock: (n + k) % 4 === 0 ? 0 : (n % 9) + 1,
  })),
}))

function lineOf({ id, store, brand, path, skus }: Model) {
  const named = (name: string, all: readonly string[]) => ({ name, values: all.map((value) => ({ value })) })
  const distinct = skus.filter(
    (sku, index) => skus.findIndex((other) => other.color === sku.color && other.size === sku.size) === index,
  )
  return {
    id,
    store,
    brand,
    names: { en: `Thing ${id}` },
    categories: [path],
    options: [named('color', COLORS), named('size', SIZES)],
    skus: distinct.map(({ color, size, price, stock }) => ({
      code: `${id}-${color}-${size}`,
      options: { color, size },
      prices: [{ currency: 'EUR', amount: price }],
      stock,
    })),
  }
}

interface Filters {
  readonly category?: string[]
  readonly store?: string
  readonly brand?: string[]
  readonly priceMin?: number
  readonly priceMax?: number
  readonly availability?: 'in_stock' | 'any'
  readonly 'option.color'?: string[]
  readonly 'option.size'?: string[]
}

/** Each filter as a predicate, by facet. */
function predicates(filters: Filters): Record<string, (model: Model) => boolean> {
  const { category, store, brand, priceMin = 0, priceMax = Number.POSITIVE_INFINITY, availability } = filters
  const has = (name: 'color' | 'size') => (model: Model) => {
    const wanted = filters[`option.${name}`]
    return wanted === undefined || model.skus.some((sku) => wanted.includes(sku[name]))
  }
  return {
    category: ({ path }) => category === undefined || category.some((each) => isBelow(path, each)),
    store: (model) => store === undefined || model.store === store,
    brand: (model) => brand === undefined || brand.includes(model.brand),
    price: ({ skus }) =>
      Math.max(...skus.map((sku) => sku.price)) >= priceMin && Math.min(...skus.map((sku) => sku.price)) <= priceMax,
    availability: ({ skus }) => availability !== 'in_stock' || skus.some((sku) => sku.stock > 0),
    'option.color': has('color'),
    'option.size': has('size'),
  }
}

/** A slug matches each category that ends with it; a path matches one. */
function isBelow(path: readonly string[], name: string): boolean {
  return path.some((slug, depth) => slug === name || path.slice(0, depth + 1).join('/') === name)
}

function passing(filters: Filters, leftOut?: string): readonly Model[] {
  const all = Object.entries(predicates(filters)).filter(([key]) => key !== leftOut)
  return models.filter((model) => all.every(([, passes]) => passes(model)))
}

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const filtersOf: fc.Arbitrary<Filters> = fc
  .record({
    category: optional(
      fc.subarray(['home', 'lamps', 'home/lamps', 'desk-lamps', 'garden', 'nowhere'], { minLength: 1, maxLength: 2 }),
    ),
    store: optional(fc.constantFrom(...STORES)),
    brand: optional(fc.subarray(BRANDS, { minLength: 1 })),
    priceMin: optional(fc.integer({ min: 0, max: 800 })),
    priceMax: optional(fc.integer({ min: 200, max: 1200 })),
    availability: optional(fc.constantFrom('in_stock' as const, 'any' as const)),
    'option.color': optional(fc.subarray(COLORS, { minLength: 1 })),
    'option.size': optional(fc.subarray(SIZES, { minLength: 1 })),
  })
  .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Filters)

describe('facets', () => {
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    catalog = catalogOn((await testDatabase()).database)
    await catalog.has([...STORES.map((slug) => storeLine(slug)), ...models.map(lineOf)])
  })

  test('count the products that each value would show, with any filters, and the list shows exactly those that pass them', async () => {
    await fc.assert(
      fc.asyncProperty(filtersOf, async (filters) => {
        const { data, meta } = await catalog.call('listCatalogProducts', { query: { ...filters, limit: 100 } })
        const passed = passing(filters)
        assert.equal(meta.page.totalCount, passed.length)
        const expectedNames = passed.map((model) => `Thing ${model.id}`)
        if (passed.length <= 100) {
          assert.deepEqual(data.map((product: { name: string }) => product.name).sort(), expectedNames.sort())
        }
        assert.deepEqual(countsOf(meta.facets, 'store'), tally(passing(filters, 'store').map((model) => [model.store])))
        assert.deepEqual(countsOf(meta.facets, 'brand'), tally(passing(filters, 'brand').map((model) => [model.brand])))
        for (const name of ['color', 'size'] as const) {
          const expected = tally(
            passing(filters, `option.${name}`).map((model) => [...new Set(model.skus.map((sku) => sku[name]))]),
          )
          assert.deepEqual(countsOf(meta.facets, `option.${name}`), expected)
        }
        const inStock = passing({ ...filters, availability: 'in_stock' }).length
        const any = passing(filters, 'availability').length
        assert.deepEqual(
          countsOf(meta.facets, 'availability'),
          tally([...Array(any).fill(['All']), ...Array(inStock).fill(['In stock'])]),
        )
        for (const { value, count } of valuesOf(meta.facets, 'price')) {
          const [from, to] = value.split('-').map((each) => (each === '' ? undefined : Number(each)))
          const { priceMin: _min, priceMax: _max, ...others } = filters
          const within = {
            ...others,
            ...(from === undefined ? {} : { priceMin: from }),
            ...(to === undefined ? {} : { priceMax: to }),
          }
          assert.equal(count, passing(within).length)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('count categories with their descendants, ignoring the category filter', async () => {
    const { meta } = await catalog.call('listCatalogProducts', { query: { category: ['home/lamps'], store: 'north' } })
    const { data } = await catalog.call('listCatalogCategories')
    const paths = new Map<string, string>(
      data.map((each: { id: string; path: string[] }) => [each.id, each.path.join('/')]),
    )
    const counted = Object.fromEntries(
      valuesOf(meta.facets, 'category').map(({ value, count }) => [paths.get(value), count]),
    )
    const north = models.filter((model) => model.store === 'north')
    const below = (path: string) => north.filter((model) => isBelow(model.path, path)).length
    const expected = Object.fromEntries(PATHS.map((path) => [path.join('/'), below(path.join('/'))]))
    assert.deepEqual(counted, Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0)))
    assert.deepEqual(
      valuesOf(meta.facets, 'category')
        .filter(({ selected }) => selected)
        .map(({ value }) => paths.get(value)),
      ['home/lamps'],
    )
  })

  test('are the requested ones on any page; by default all on the first page and none on later ones', async () => {
    const keysOf = async (query: object) => {
      const { meta } = await catalog.call('listCatalogProducts', { query: { limit: 10, ...query } })
      return { keys: meta.facets.map((facet: { key: string }) => facet.key), cursor: meta.page.nextCursor }
    }
    const first = await keysOf({})
    assert.deepEqual(first.keys.slice(0, 5), ['category', 'store', 'brand', 'price', 'availability'])
    assert.deepEqual(first.keys.slice(5).sort(), ['option.color', 'option.size'])
    assert.deepEqual((await keysOf({ cursor: first.cursor })).keys, [])
    assert.deepEqual((await keysOf({ cursor: first.cursor, facets: ['price', 'option.size'] })).keys, [
      'price',
      'option.size',
    ])
    assert.deepEqual((await keysOf({ facets: ['none'] })).keys, [])
  })
})

describe('each facet', () => {
  const LISTS = [
    { operationId: 'listCatalogProducts', input: { query: {} }, keys: ['store'] },
    { operationId: 'searchCatalogProducts', input: { query: { q: 'thing' } }, keys: ['store'] },
    { operationId: 'listStoreProducts', input: { params: { slug: 'north' }, query: {} }, keys: [] },
  ] as const
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    catalog = catalogOn((await testDatabase()).database)
    await catalog.has([...STORES.map((slug) => storeLine(slug)), ...models.map(lineOf)])
  })

  for (const { operationId, input, keys } of LISTS) {
    test(`of ${operationId} names the parameters that filter by it, and each value shows as many products as it counts`, async () => {
      const list = async (filters: object) =>
        (await catalog.call(operationId, { ...input, query: { ...input.query, ...filters, limit: 1 } })).meta
      const { facets } = await list({})
      const found = facets.map(({ key }: Facet) => key).sort()
      const common = ['availability', 'brand', 'category', 'option.color', 'option.size', 'price']
      assert.deepEqual(found, [...common, ...keys].sort())

      for (const facet of facets as Facet[]) {
        for (const { value, count } of facet.values) {
          const { page, facets: narrowed } = await list(filterBy(operationId, facet, value))
          assert.equal(page.totalCount, count, `${facet.key}=${value}`)
          const selected = valuesOf(narrowed, facet.key).filter((each) => each.selected)
          assert.deepEqual(
            selected.map((each) => each.value),
            [value],
          )
        }
      }
    })
  }
})

/** The query that filters by a value of a facet, built only from the facet and the operation's row of the contract. */
function filterBy(operationId: keyof typeof operations, { type, parameters }: Facet, value: string): object {
  if (type === 'terms') {
    const [name = ''] = parameters
    const { properties } = operations[operationId].query as { properties: Record<string, { type?: string }> }
    return { [name]: properties[name]?.type === 'string' ? value : [value] }
  }
  const ends = value.split('-').map((end, index) => [parameters[index]!, end] as const)
  return Object.fromEntries(ends.filter(([, end]) => end !== '').map(([name, end]) => [name, Number(end)]))
}

interface FacetValue {
  readonly value: string
  readonly label: string
  readonly count: number
  readonly selected: boolean
}

function valuesOf(facets: readonly { key: string; values: FacetValue[] }[], key: string): readonly FacetValue[] {
  return facets.find((facet) => facet.key === key)?.values ?? []
}

function countsOf(facets: readonly { key: string; values: FacetValue[] }[], key: string): Record<string, number> {
  return Object.fromEntries(valuesOf(facets, key).map(({ label, count }) => [label, count]))
}

function tally(each: readonly (readonly string[])[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of each.flat()) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
