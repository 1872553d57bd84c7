import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  allPictures,
  type Both,
  type CategoryNode,
  categories,
  contactChannels,
  decorations,
  legalDocuments,
  licenceKeys,
  mailedProducts,
  promotions,
  shippingZones,
  stores,
  taxRates,
} from './index.ts'

const products = stores.flatMap((store) =>
  store.products.map((product) => ({ ...product, store, facts: store.families[product.family]! })),
)

const leaves = (nodes: readonly CategoryNode[], depth = 1): { slug: string; depth: number }[] =>
  nodes.flatMap((node) => (node.children ? leaves(node.children, depth + 1) : [{ slug: node.slug, depth }]))
const allNodes = (nodes: readonly CategoryNode[]): CategoryNode[] =>
  nodes.flatMap((node) => [node, ...allNodes(node.children ?? [])])

function assertUnique(values: readonly string[]): void {
  assert.deepEqual(
    values.filter((value, index) => values.indexOf(value) !== index),
    [],
  )
}

/** Names may be the same in both languages; whole sentences may not. */
function assertTranslated([en, de]: Both, where: string): void {
  assert.ok(en.length > 12 && de.length > 12, `${where} is a sentence in both languages`)
  assert.notEqual(en, de, `${where} is translated`)
  assert.doesNotMatch(de, /\b(the|and|with|for|your)\b(?! Boat)/, `${where} is German`)
}

describe('the demo', () => {
  test('has about two hundred products in three stores, each with an address of its own', () => {
    assert.equal(stores.length, 3)
    assert.ok(products.length > 185 && products.length < 215)
    assertUnique(products.map(({ slug }) => slug))
    assertUnique(products.map(({ code }) => code))
  })

  test('says everything in English and in German', () => {
    for (const { slug, name, text } of products) {
      assert.ok(name[0] && name[1], slug)
      assertTranslated(text, slug)
    }
    for (const { slug, description, policies, families } of stores) {
      assertTranslated(description, slug)
      for (const { type, text } of policies) assertTranslated(text, `${slug} ${type}`)
      for (const [name, { details }] of Object.entries(families)) assertTranslated(details, `${slug} ${name}`)
    }
  })

  test('has legal documents, contact and decorations in both languages', () => {
    assertUnique(legalDocuments.map(({ type }) => type))
    assert.equal(legalDocuments.length, 6)
    for (const { type, text } of legalDocuments) assertTranslated(text, type)
    for (const { id, label } of contactChannels) assert.ok(label[0] && label[1], id)
    assert.deepEqual(
      Object.keys(decorations),
      stores.map(({ slug }) => slug),
    )
    for (const [slug, { pages }] of Object.entries(decorations)) {
      for (const block of pages.flatMap(({ blocks }) => blocks)) {
        if ('text' in block) assertTranslated(block.text, `${slug} ${block.type}`)
        if ('heading' in block) assert.notEqual(block.heading[0], block.heading[1], slug)
      }
    }
  })

  test('mails keys of which no two are the same, for everything that weighs nothing and for nothing else', () => {
    const mailed = stores.flatMap((store) => mailedProducts(store))
    const weightless = products.filter(({ facts, weightGrams }) => (weightGrams ?? facts.weightGrams) === 0)
    assert.deepEqual(
      mailed,
      weightless.map(({ slug }) => slug),
    )
    const keys = products.flatMap((product) => licenceKeys(product.store, product, product.code))
    assertUnique(keys)
    assert.equal(keys.length, mailed.length * 50)
    for (const key of keys) assert.match(key, /^([A-Z]{3}-[A-Z]{4}(-\w{4}){3}|https:\/\/downloads\.\S+\.example\/\S+)$/)
  })

  test('repeats no description', () => {
    assertUnique(products.flatMap(({ text }) => text))
  })

  test('has prices in both currencies, and what a thing cost before was more', () => {
    for (const { slug, price, was } of products) {
      assert.ok(
        price.every((amount) => Number.isInteger(amount) && amount > 0),
        slug,
      )
      if (was) assert.ok(was[0] > price[0] && was[1] > price[1], slug)
    }
    assert.ok(products.filter(({ was }) => was).length >= 12)
  })

  test('has categories three deep, each of which holds products', () => {
    const found = leaves(categories)
    assertUnique(allNodes(categories).map(({ slug }) => slug))
    assert.ok(found.every(({ depth }) => depth === 3))
    const used = new Set(products.map(({ facts }) => facts.category))
    assert.deepEqual(new Set(found.map(({ slug }) => slug)), used)
  })

  test('counts the stock of each SKU, and has some that is low, out, backordered, preordered and endless', () => {
    for (const { slug, colours, facts, stock } of products) {
      const skus = (colours?.length ?? 1) * (facts.choice?.values.length ?? 1)
      if (Array.isArray(stock)) assert.equal(stock.length, skus, slug)
      if (colours) assert.ok(facts.colour, `${slug} calls its colours something`)
    }
    const counts = products.flatMap(({ stock }) => stock ?? [])
    assert.ok(counts.includes(0) && counts.includes(3) && counts.includes('endless'))
    const beyond = new Set(products.map(({ whenOutOfStock }) => whenOutOfStock))
    assert.deepEqual(beyond, new Set([undefined, 'backorder', 'preorder']))
  })

  test('draws each picture as a well-formed document without script', () => {
    const pictures = [...allPictures()]
    assert.ok(pictures.length > 300)
    for (const { path, svg } of pictures) {
      assert.match(path, /^\/media\/[0-9a-f]{32}\.svg$/)
      assertWellFormed(svg)
      assert.doesNotMatch(svg, /<script|<foreignObject|<image|\bon\w+=|href|style=|javascript:|NaN|undefined/i)
      assert.ok(svg.length < 40_000)
    }
  })

  test('draws the same bytes each time', () => {
    assert.deepEqual([...allPictures()], [...allPictures()])
  })

  test('has promotions of each kind, limited in each way', () => {
    const kinds = new Set(
      promotions.map(({ effect }) => ('target' in effect ? `${effect.kind} ${effect.target}` : effect.kind)),
    )
    const named = ['percentage', 'fixed_amount'].flatMap((kind) =>
      ['line', 'order', 'shipping'].map((phase) => `${kind} ${phase}`),
    )
    assert.deepEqual(kinds, new Set([...named, 'buy_x_get_y', 'free_shipping']))
    const some = (which: (promotion: (typeof promotions)[number]) => unknown) => assert.ok(promotions.some(which))
    some(({ code }) => code)
    some(({ code }) => !code)
    some(({ store }) => store)
    some(({ stores }) => stores)
    some(({ lines }) => lines?.products)
    some(({ lines }) => lines?.categories)
    some(({ minimum }) => minimum)
    some(({ endsInDays }) => endsInDays !== undefined && endsInDays < 0)
    some(({ startsInDays }) => startsInDays !== undefined && startsInDays > 0)
    some(({ usageLimit }) => usageLimit)
    some(({ usageLimitPerCustomer }) => usageLimitPerCustomer)
    some(({ knownCustomers }) => knownCustomers)
  })

  test('taxes and ships everything that a store sells in each of its countries', () => {
    for (const { slug, countries } of stores) {
      const rates = taxRates[slug]!
      const sold = new Set([
        'shipping',
        ...products.filter(({ store }) => store.slug === slug).map(({ facts }) => facts.taxCategory ?? 'standard'),
      ])
      const shipped = shippingZones[slug]!.flatMap((zone) => zone.countries)
      assert.equal(countries.length, 6)
      assertUnique(shipped)
      for (const country of countries) {
        assert.ok(shipped.includes(country), `${slug} ships to ${country}`)
        for (const category of sold) {
          assert.ok(
            rates.some((rate) => rate.country === country && rate.category === category),
            `${slug} ${country} ${category}`,
          )
        }
      }
    }
    const american = taxRates['quire-and-crema']!.filter(({ country }) => country === 'US')
    assert.equal(new Set(american.map(({ region }) => region)).size, 51)
  })
})

/** Each element is closed by its own name, attributes are quoted, ids are used once, and what is referred to is there. */
function assertWellFormed(svg: string): void {
  const open: string[] = []
  const tag = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>/g
  assert.equal(svg.replaceAll(tag, ''), '', 'nothing stands outside of elements')
  for (const [, closing, name, , alone] of svg.matchAll(tag)) {
    if (closing) assert.equal(open.pop(), name)
    else if (!alone) open.push(name!)
  }
  assert.deepEqual(open, [])
  const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  assertUnique(ids)
  for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) assert.ok(ids.includes(id!), id)
}
