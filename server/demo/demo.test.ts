import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LEGAL_DOCUMENT_TYPES } from '@vitrine/contract'
import type { CategoryLine, ProductLine, StoreLine } from '../src/features/catalog/index.ts'
import type { DecorationContent } from '../src/features/storefront/index.ts'
import type { DemoLicenses } from '../src/operator/demo/demo-licenses.ts'
import type { DemoPromotion, DemoShippingZone, DemoTaxes } from '../src/operator/demo/demo-rules.ts'
import { demoReturns, readDemoFile, readDemoLines, readPictures } from './index.ts'

const linesOf = <Line>(file: string) => readDemoLines(file).map((line) => JSON.parse(line) as Line)
const stores = linesOf<StoreLine>('stores.jsonl')
const categories = linesOf<CategoryLine>('categories.jsonl')
const products = stores.flatMap(({ slug }) => linesOf<Required<ProductLine>>(`products/${slug}.jsonl`))
const skus = products.flatMap((product) => product.skus)
const promotions = linesOf<DemoPromotion>('promotions.jsonl')
const licenses = linesOf<DemoLicenses>('licenses.jsonl')
const decorations = stores.map(({ slug }) => JSON.parse(readDemoFile(`decorations/${slug}.json`)) as DecorationContent)

const PICTURE = /"(\/pictures\/[^"]+)"/g

function assertUnique(values: readonly string[]): void {
  assert.deepEqual(
    values.filter((value, index) => values.indexOf(value) !== index),
    [],
  )
}

type Texts = Readonly<Record<string, string>> | undefined

/** Names may be the same in both languages; whole sentences may not. */
function assertTranslated(texts: Texts, where: string): void {
  const { en = '', de = '' } = texts ?? {}
  assert.ok(en.length > 12 && de.length > 12, `${where} is a sentence in both languages`)
  assert.notEqual(en, de, `${where} is translated`)
  assert.doesNotMatch(de, /\b(the|and|with|for|your)\b(?! Boat)/, `${where} is German`)
}

/** All strings of a value in order, to compare the two languages of a page. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

describe('the demo', () => {
  test('returns shoppers to the URL of the shop, to 127.0.0.1 and to localhost', () => {
    const { returnUrl, cancelUrl, returnUrls } = demoReturns('https://shop.example', 8083)
    assert.deepEqual([returnUrl, cancelUrl], returnUrls.slice(0, 2))
    const hosts = returnUrls.map((url) => new URL(url).host)
    assert.deepEqual([...new Set(hosts)], ['shop.example', '127.0.0.1:8083', 'localhost:8083'])
    assert.equal(demoReturns('http://127.0.0.1:8083', 8083).returnUrls.length, 6)
  })

  test('has about two hundred products in four stores, each with its own slug', () => {
    assert.equal(stores.length, 4)
    assert.ok(products.length > 185 && products.length < 215)
    assertUnique(products.map(({ slug }) => slug))
    assertUnique(products.map(({ id }) => id))
    assertUnique(skus.map(({ code }) => code))
  })

  test('has all texts in English and in German', () => {
    for (const { slug, names, descriptions, seo } of products) {
      assert.ok(names.en && names.de, slug)
      assertTranslated({ en: descriptions.en!.text, de: descriptions.de!.text }, slug)
      assertTranslated(seo.descriptions, slug)
    }
    for (const { slug, descriptions, policies } of stores) {
      assertTranslated(descriptions, slug)
      for (const { type, texts } of policies!) assertTranslated(texts, `${slug} ${type}`)
    }
    for (const { path, names } of categories) assert.ok(names.en && names.de, path.join('/'))
  })

  test('has legal documents, contact and decorations in both languages', () => {
    for (const type of LEGAL_DOCUMENT_TYPES) {
      const [en, de] = ['en', 'de'].map((locale) => readDemoFile(`legal/${type}.${locale}.md`))
      for (const page of [en, de]) assert.match(page!, /^# \S.*\n\n\S/)
      assertTranslated({ en: en!, de: de! }, type)
    }
    const contact = JSON.parse(readDemoFile('contact.json')) as Record<'en' | 'de', { id: string; label: string }[]>
    assert.deepEqual(
      contact.en.map(({ id }) => id),
      contact.de.map(({ id }) => id),
    )
    for (const { id, label } of [...contact.en, ...contact.de]) assert.ok(label, id)
    for (const { pages } of decorations) {
      const [en, de] = [pages.en!, pages.de!]
      const blocksOf = (each: typeof en) =>
        each.map(({ slug, blocks }) => [slug, blocks.map(({ id, type }) => [id, type])])
      assert.deepEqual(blocksOf(en), blocksOf(de))
      const texts = textsOf(de)
      for (const [index, text] of textsOf(en).entries()) {
        if (text.split(' ').length > 4) assertTranslated({ en: text, de: texts[index]! }, text)
      }
    }
  })

  test('has unique license keys for all SKUs without weight, and only for these', () => {
    const weightless = products.flatMap((product) =>
      product.skus.filter(({ weightGrams }) => weightGrams === 0).map(({ code }) => `${product.slug} ${code}`),
    )
    assert.deepEqual(
      licenses.map(({ product, sku }) => `${product} ${sku}`),
      weightless,
    )
    const keys = licenses.flatMap((each) => each.keys)
    assertUnique(keys)
    assert.equal(keys.length, licenses.length * 50)
    for (const key of keys) {
      assert.match(key, /^https:\/\/downloads\.\S+\.example\/\S+$/)
    }
  })

  test('repeats no description', () => {
    assertUnique(products.flatMap(({ seo }) => Object.values(seo.descriptions!)))
  })

  test('has prices in three currencies, and compare-at prices above them', () => {
    for (const { code, prices } of skus) {
      assert.deepEqual(
        prices.map(({ currency }) => currency),
        ['EUR', 'USD', 'GBP'],
        code,
      )
      for (const { amount, compareAt } of prices) {
        assert.ok(amount > 0, code)
        if (compareAt !== undefined) assert.ok(compareAt > amount, code)
      }
    }
    const reduced = products.filter((product) => product.skus.some(({ prices }) => prices[0]!.compareAt !== undefined))
    assert.ok(reduced.length >= 12)
  })

  test('has categories of three levels, and products in each leaf', () => {
    const paths = categories.map(({ path }) => path.join('/'))
    const leaves = categories.filter(({ path }) => !paths.some((other) => other.startsWith(`${path.join('/')}/`)))
    assertUnique(categories.map(({ path }) => path.at(-1)!))
    assert.ok(leaves.every(({ path }) => path.length === 3))
    const used = products.flatMap((product) => product.categories.map((path) => path.join('/')))
    assert.deepEqual(new Set(leaves.map(({ path }) => path.join('/'))), new Set(used))
  })

  test('has one SKU for each combination, and stock that is low, sold out, on backorder, on preorder and unlimited', () => {
    for (const { slug, options, skus: own } of products) {
      const combinations = (options ?? []).reduce((count, { values }) => count * values.length, 1)
      assert.equal(own.length, combinations, slug)
      assertUnique(own.map((sku) => JSON.stringify(sku.options)))
    }
    const counts = skus.map(({ stock }) => stock)
    assert.ok(counts.includes(0) && counts.includes(3) && counts.includes(undefined))
    const beyond = new Set(skus.map(({ whenOutOfStock }) => whenOutOfStock))
    assert.deepEqual(beyond, new Set([undefined, 'backorder', 'preorder']))
  })

  test('has only well-formed pictures without scripts', () => {
    const pictures = readPictures()
    assert.ok(pictures.length > 300)
    for (const { path, svg } of pictures) {
      const text = svg.toString()
      assert.match(path, /^\/media\/[0-9a-f]{32}\.svg$/)
      assertWellFormed(text)
      assert.doesNotMatch(text, /<script|<foreignObject|<image|\bon\w+=|href|style=|javascript:|NaN|undefined/i)
      assert.ok(text.length < 40_000)
    }
  })

  test('has every picture that it uses, and uses every picture that it has', () => {
    const files = [
      'stores.jsonl',
      ...stores.flatMap(({ slug }) => [`products/${slug}.jsonl`, `decorations/${slug}.json`]),
    ]
    const shown = files.flatMap((file) => [...readDemoFile(file).matchAll(PICTURE)].map(([, picture]) => picture!))
    assert.deepEqual(new Set<string>(readPictures().map(({ file }) => file)), new Set(shown))
  })

  test('has promotions of each kind, with each kind of limit', () => {
    const kinds = new Set(
      promotions.map(({ effect }) => ('target' in effect ? `${effect.kind} ${effect.target}` : effect.kind)),
    )
    const named = ['percentage', 'fixed_amount'].flatMap((kind) =>
      ['line', 'order', 'shipping'].map((phase) => `${kind} ${phase}`),
    )
    assert.deepEqual(kinds, new Set([...named, 'buy_x_get_y', 'free_shipping']))
    const some = (which: (promotion: DemoPromotion) => unknown) => assert.ok(promotions.some(which))
    some(({ code }) => code)
    some(({ code }) => !code)
    some(({ storeId }) => storeId)
    some(({ storeIds }) => storeIds)
    some(({ lines }) => lines?.productIds.length)
    some(({ lines }) => lines?.categoryIds.length)
    some(({ minimumSubtotal }) => minimumSubtotal)
    some(({ endsInDays }) => endsInDays !== undefined && endsInDays < 0)
    some(({ startsInDays }) => startsInDays !== undefined && startsInDays > 0)
    some(({ usageLimit }) => usageLimit)
    some(({ usageLimitPerCustomer }) => usageLimitPerCustomer)
    some(({ audience }) => audience?.kind === 'known_customers')
  })

  test('has tax rates and shipping for everything that a store sells, in each of its countries', () => {
    const taxes = linesOf<DemoTaxes>('taxes.jsonl')
    const zones = linesOf<DemoShippingZone>('shipping.jsonl')
    for (const { slug, countries } of stores) {
      const sold = new Set([
        'shipping',
        ...products
          .filter(({ store }) => store === slug)
          .flatMap((product) => product.skus.map((sku) => sku.taxCategory!)),
      ])
      const shipped = zones.filter(({ store }) => store === slug).flatMap((zone) => zone.countries)
      assert.equal(countries.length, 6)
      assertUnique(shipped)
      for (const country of countries) {
        assert.ok(shipped.includes(country), `${slug} ships to ${country}`)
        const rows = taxes.filter((each) => each.country === country && each.stores.includes(slug))
        for (const category of sold) {
          assert.ok(rows.length > 0 && rows.every(({ rates }) => rates[category]), `${slug} ${country} ${category}`)
        }
      }
    }
    const american = taxes.filter(({ country, stores: owing }) => country === 'US' && owing.includes('quire-and-crema'))
    assert.equal(new Set(american.map(({ region }) => region)).size, 51)
  })
})

/** Each element is closed, attributes are quoted, and IDs are unique and exist where they are referenced. */
function assertWellFormed(svg: string): void {
  const open: string[] = []
  const tag = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>/g
  assert.equal(svg.replaceAll(tag, ''), '', 'there is nothing outside of elements')
  for (const [, closing, name, , alone] of svg.matchAll(tag)) {
    if (closing) assert.equal(open.pop(), name)
    else if (!alone) open.push(name!)
  }
  assert.deepEqual(open, [])
  const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  assertUnique(ids)
  for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) assert.ok(ids.includes(id!), id)
}
