import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { countSearchStatistics } from '../index.ts'
import { editDistance } from '../search/spelling.ts'

describe('a search', () => {
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    catalog = catalogOn((await testDatabase()).database)
    await catalog.has(
      [
        storeLine('shop', { locales: ['en', 'de'] }),
        productLine('mouse', {
          names: { en: 'Wireless mouse', de: 'Kabellose Maus' },
          brand: 'Logi',
          skus: [{ code: 'CZ-103/A', prices: [{ currency: 'EUR', amount: 1 }] }],
        }),
        productLine('pad', {
          names: { en: 'Pad', de: 'Unterlage' },
          descriptions: { en: { format: 'plain', text: 'For a mouse on every desk.' } },
        }),
        productLine('lamp', {
          names: { en: 'Café lamp', de: 'Caféleuchte' },
          attributes: [
            { key: 'color', value: 'Crimson' },
            { key: 'dimmable', labels: { en: 'Dimmable' }, value: true },
          ],
        }),
        productLine('laptop', { names: { en: 'Laptops for travel' }, categories: [['computers', 'notebooks']] }),
      ],
      'shop',
    )
  })
  const search = async (q: string, languages = ['en'], filters: object = {}) => {
    const { data, meta } = await catalog.call('searchCatalogProducts', { query: { q, ...filters }, languages })
    return {
      slugs: data.map((product: { slug: string }) => product.slug),
      corrected: meta.correctedQuery,
      sort: meta.sort,
    }
  }

  test('ranks matches in the name above matches in the description', async () => {
    assert.deepEqual(await search('mouse'), { slugs: ['wireless-mouse', 'pad'], corrected: null, sort: 'relevance' })
  })
  test('finds by brand, code with or without punctuation, category and attribute, ignoring accents and plural', async () => {
    const expected = {
      logi: 'wireless-mouse',
      'cz-103/a': 'wireless-mouse',
      CZ103A: 'wireless-mouse',
      notebooks: 'laptops-for-travel',
      crimson: 'cafe-lamp',
      dimmable: 'cafe-lamp',
      'CAFE lamp': 'cafe-lamp',
      laptop: 'laptops-for-travel',
    }
    for (const [q, slug] of Object.entries(expected)) assert.deepEqual((await search(q)).slugs, [slug], q)
  })
  test('uses the language of the request', async () => {
    assert.deepEqual((await search('mäuse', ['de'])).slugs, ['wireless-mouse'])
    assert.deepEqual((await search('maus', ['de'])).slugs, ['wireless-mouse'])
    assert.deepEqual((await search('logi', ['de'])).slugs, ['wireless-mouse'])
  })
  test('falls back to the other languages, and finds each product once', async () => {
    assert.deepEqual(await search('wireless', ['de']), {
      slugs: ['wireless-mouse'],
      corrected: null,
      sort: 'relevance',
    })
    assert.deepEqual((await search('unterlage')).slugs, ['pad'])
    assert.deepEqual((await search('travel', ['de'])).slugs, ['laptops-for-travel'])
  })
  test('corrects a misspelled word, and returns the correction', async () => {
    assert.deepEqual(await search('wirless mouze'), {
      slugs: ['wireless-mouse', 'pad'],
      corrected: 'wireless mouse',
      sort: 'relevance',
    })
    assert.deepEqual(await search('qqqqq'), { slugs: [], corrected: null, sort: 'relevance' })
  })
  test('corrects a misspelled word of another language too', async () => {
    for (const [q, languages, corrected, slug] of [
      ['unterlagge', ['en'], 'unterlage', 'pad'],
      ['wirless', ['de'], 'wireless', 'wireless-mouse'],
      ['zzzz trvel', ['de'], 'zzzz travel', 'laptops-for-travel'],
    ] as const) {
      assert.deepEqual(await search(q, [...languages]), { slugs: [slug], corrected, sort: 'relevance' })
    }
  })
  test('returns no correction that finds nothing', async () => {
    const nothing = { slugs: [], corrected: null, sort: 'relevance' }
    assert.deepEqual(await search('wirless', ['en'], { category: ['computers'] }), nothing)
  })
  test('falls back to any of the words if no product has all', async () => {
    assert.deepEqual((await search('crimson mouse')).slugs.toSorted(), ['cafe-lamp', 'pad', 'wireless-mouse'])
  })
  test('finds products with all the words first, then those with most of them', async () => {
    assert.deepEqual((await search('wireless mouse')).slugs, ['wireless-mouse', 'pad'])
  })
  test('finds a synonym, and a word that is written as two', async () => {
    assert.deepEqual((await search('notebook')).slugs, ['laptops-for-travel'])
    assert.deepEqual((await search('lap top')).slugs, ['laptops-for-travel'])
  })
  test('treats any text as words', async () => {
    for (const q of [`' & | ! ( ) : * <-> "`, '%', '\\', '!!!', 'a:*b', '日本語', '😀', `';drop table products;--`])
      await search(q)
  })
})

describe('a search by meaning', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    await catalog.has(
      [
        storeLine('shop', { locales: ['en', 'de'] }),
        storeLine('vault', { accessMode: 'password' }),
        ...['one', 'two'].map((id) =>
          productLine(`secret-${id}`, {
            store: 'vault',
            names: { en: `Secret ${id}` },
            descriptions: { en: { format: 'plain', text: 'Of zephyrite, hand-hammeret.' } },
          }),
        ),
        productLine('wall', { names: { en: 'Mug for a wall that was not there' }, price: 900 }),
        productLine('there', { names: { en: 'A mug that was not there' }, price: 1500 }),
        productLine('mugs', { names: { en: 'Blue thing' }, categories: [['mugs-and-cups']], price: 2500 }),
        ...[0, 9, 0, 9].map((stock, index) =>
          productLine(`bowl-${index}`, {
            slug: `of-clay-${index}`,
            names: { en: 'Bowl' },
            price: 1000 * (index + 1),
            stock,
          }),
        ),
        productLine('bowls', { names: { en: 'Soup bowl of clay' }, price: 800 }),
        ...['one', 'two'].map((id) =>
          productLine(id, {
            names: { en: `Thinkbox TX450 ${id}` },
            descriptions: { en: { format: 'plain', text: 'Hammered magnesium.' } },
          }),
        ),
      ],
      'shop',
    )
  })
  const search = (q: string, query: object = {}) => catalog.call('searchCatalogProducts', { query: { q, ...query } })
  const namesOf = async (q: string, query: object = {}) =>
    (await search(q, query)).data.map(({ name }: { name: string }) => name)
  const priced = (max: number) => ({ understood: { text: `under ${max}`, query: 'bowl', priceMax: max * 100 } })

  test('applies a price in the query as a filter, returns it, and keeps it on later pages', async () => {
    const { data, meta } = await search('bowl under 25', { limit: 1 })
    assert.deepEqual([meta.page.totalCount, meta.understood], [3, priced(25).understood])
    assert.deepEqual(meta.appliedFilters, { q: 'bowl under 25', priceMax: 2500 })
    const walked = await catalog.walk('searchCatalogProducts', { query: { q: 'bowl under 25', limit: 1 } })
    assert.deepEqual([walked.length, walked[0]?.slug], [3, data[0].slug])
    assert.equal((await search('bowll unter 25 €')).meta.correctedQuery, 'bowl unter 25 €')
  })
  test('takes a price as words if the rest finds nothing or the caller asks for it; a price filter replaces it', async () => {
    assert.equal((await search('zebra under 25')).meta.understood, null)
    assert.equal((await search('bowl under 2')).meta.understood, null)
    const { meta: filtered } = await search('bowl under 25', { priceMin: 3500 })
    assert.deepEqual([filtered.understood, filtered.page.totalCount], [null, 1])
    assert.deepEqual(filtered.appliedFilters, { q: 'bowl under 25', priceMin: 3500 })
    const { meta } = await search('bowll under 25', { match: 'literal' })
    assert.deepEqual([meta.understood, meta.correctedQuery], [null, null])
    const { meta: listed } = await catalog.call('listCatalogProducts', { query: { q: 'bowl under 25' } })
    assert.deepEqual(listed.appliedFilters, { q: 'bowl under 25' })
  })
  test('finds a whole name first, with or without its articles', async () => {
    for (const q of ['mug that was not there', 'a mug that was not there', 'The mug that was not there'])
      assert.equal((await namesOf(q))[0], 'A mug that was not there')
  })
  test('finds a category by its name, and a product of that name before it', async () => {
    assert.ok((await namesOf('mugs')).includes('Blue thing'))
    assert.ok((await namesOf('cup')).includes('Blue thing'))
  })
  test('ranks sold-out products behind equally good ones, and before worse ones', async () => {
    const { data } = await search('bowl')
    assert.deepEqual(
      data.map(({ availability, name }: { availability: string; name: string }) => [name, availability]),
      [
        ['Bowl', 'in_stock'],
        ['Bowl', 'in_stock'],
        ['Bowl', 'out_of_stock'],
        ['Bowl', 'out_of_stock'],
        ['Soup bowl of clay', 'in_stock'],
      ],
    )
  })
  test('corrects letters but never digits, also in words that only descriptions have', async () => {
    await database.transaction(countSearchStatistics)
    for (const [q, corrected] of [
      ['thinkbxo', 'thinkbox'],
      ['xt450', 'tx450'],
      ['hammered magnesimu', 'hammered magnesium'],
      ['tx451', null],
      // A gated store has a closer word.
      ['hammereet magnesium', 'hammered magnesium'],
    ] as const) {
      const { data, meta } = await search(q)
      assert.deepEqual([meta.correctedQuery, data.length], [corrected, corrected === null ? 0 : 2], q)
    }
    for (const q of ['mug zephyrte', 'zephyrte', 'mug zephyrite'])
      assert.equal((await search(q)).meta.correctedQuery, null, q)
  })
})

describe('a search in other words than those of the products', () => {
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    const { database } = await testDatabase()
    catalog = catalogOn(database)
    const of = (category: string, ...names: string[]) =>
      names.map((name) => productLine(name, { names: { en: name }, categories: [[category]] }))
    await catalog.has(
      [
        storeLine('shop', { locales: ['en', 'de'] }),
        productLine('bag', { names: { en: 'Bag', de: 'Tasche für Kinder' } }),
        productLine('cup', { names: { en: 'Cup', de: 'Espressotasse' } }),
        ...of('headphones', 'Headphones red', 'Headphones blue', 'Headphones green', 'Headphones black'),
        ...of('toothbrushes', 'Toothbrush kids', 'Toothbrush mint'),
        ...of('mice', 'Gaming mouse left', 'UHP mouse'),
        ...of('paper', 'Paper A4 white', 'Paper A3 white', 'Paper 4 sheets'),
        ...of('screens', 'Screen 68.6 cm (27")', 'Screen 24 inch', 'Hub USB 3.0'),
        ...of('ovens', 'Western oven', 'Tester oven', 'Backyard oven without timer'),
        ...of('machines', 'Coffee\u00ADmaker steel', 'Coffee\u00ADmaker brass'),
        ...of('mills', 'Zoltar steel', 'Zoltan brass'),
      ],
      'shop',
    )
    await catalog.has([productLine('Zoltan brass', { names: { en: 'Zoltan brass' }, status: 'archived' })], 'shop')
    await database.transaction(countSearchStatistics)
  })
  const search = async (q: string, language = 'en') => {
    const { data, meta } = await catalog.call('searchCatalogProducts', { query: { q }, languages: [language] })
    return { names: data.map(({ name }: { name: string }) => name), corrected: meta.correctedQuery }
  }
  const firstOf = async (q: string) => (await search(q)).names[0]

  test('finds two words that are written as one', async () => {
    const { names, corrected } = await search('gamingmouse')
    assert.deepEqual([names[0], corrected], ['Gaming mouse left', 'gaming mouse'])
    assert.deepEqual(await search('mousegaming'), { names: [], corrected: null })
  })
  test('corrects no short word, no first letter and no word that a product has', async () => {
    const { names, corrected } = await search('hp mouse')
    assert.deepEqual([names.toSorted(), corrected], [['Gaming mouse left', 'UHP mouse'], null])
    assert.equal((await search('packard oven')).corrected, null)
    assert.equal((await search('western mouse')).corrected, null)
    assert.equal((await search('wsetern oven')).corrected, 'western oven')
  })
  test('corrects no word to one that only archived products have, and such a word like any other', async () => {
    for (const q of ['zolta', 'zoltan'])
      assert.deepEqual(await search(q), { names: ['Zoltar steel'], corrected: 'zoltar' }, q)
  })
  test('ignores invisible characters, in names and in queries', async () => {
    for (const q of ['coffeemaker steel', 'coffee\u00ADmaker\u200E st\u2060eel']) {
      const { names, corrected } = await search(q)
      assert.deepEqual([names[0], corrected], ['Coffee\u00ADmaker steel', null], q)
    }
    assert.equal((await search('coffee\u00ADmkaer')).corrected, 'coffeemaker')
    const { meta } = await catalog.call('searchCatalogProducts', { query: { q: 'coffeem' } })
    assert.equal(meta.suggestions[0].text, 'coffeemaker')
  })
  test('ignores words that no product has, and prefers the thing itself to its attributes', async () => {
    assert.equal((await search('qxz headphones')).names.length, 4)
    for (const q of ['kids headphones', 'headphones for kids']) assert.match((await firstOf(q)) ?? '', /^Headphones/, q)
  })
  test('finds the parts of a compound in any order, and most of one that no product has', async () => {
    assert.deepEqual(await search('Kindertasche', 'de'), { names: ['Tasche für Kinder'], corrected: null })
    const { names, corrected } = await search('Kaffeetasse', 'de')
    assert.deepEqual([names[0], corrected], ['Espressotasse', 'kaffee tasse'])
  })
  test('leaves out products with the unwanted word, unless they say that they are without it', async () => {
    assert.deepEqual((await search('headphones without red')).names.toSorted(), [
      'Headphones black',
      'Headphones blue',
      'Headphones green',
    ])
    assert.equal((await search('oven without timer')).names[0], 'Backyard oven without timer')
  })
  test('ignores stop words, alone or joined with the next word', async () => {
    assert.deepEqual(await search('the gaming mouse of left'), { names: ['Gaming mouse left'], corrected: null })
  })
  test('keeps a number together with its letter, and understands inches and versions', async () => {
    assert.deepEqual((await search('a4')).names, ['Paper A4 white'])
    for (const q of ['27 inch screen', '27" screen', 'screen 27 inches'])
      assert.match((await firstOf(q)) ?? '', /27"/, q)
    assert.match((await firstOf('24" screen')) ?? '', /24 inch/)
    for (const q of ['usb 3 hub', 'usb3.0 hub', 'usb 3.0']) assert.equal(await firstOf(q), 'Hub USB 3.0', q)
  })
})

describe('a search of a store in many languages', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  const name = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima'
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    await catalog.has(
      [
        storeLine('shop', {
          locales: ['en', 'fr', ...'de es it nl pt sv da fi nb pl cs sk hu ro bg el tr et lv lt hr sl'.split(' ')],
        }),
        ...[1, 2, 3].map((n) => productLine(`p${n}`, { names: { en: `${n}`, de: `${name} ${n}` } })),
        ...[1, 5].map((n) => productLine(`cable${n}`, { names: { en: 'Cable', fr: `Câble ${n} m` } })),
      ],
      'shop',
    )
    await database.transaction(countSearchStatistics)
  })

  test('goes on from page to page, until its words are counted again', async () => {
    const query = { q: name, limit: 1 }
    assert.equal((await catalog.walk('searchCatalogProducts', { query })).length, 3)
    const { meta } = await catalog.call('searchCatalogProducts', { query })
    await catalog.has(
      [1, 2, 3].map((n) => productLine(`more${n}`, { names: { de: 'golf hotel' } })),
      'shop',
    )
    await database.transaction(countSearchStatistics)
    const next = catalog.call('searchCatalogProducts', { query: { ...query, cursor: meta.page.nextCursor } })
    await assert.rejects(next, /invalid_cursor/)
  })
  test('finds a number with a unit that is a stop word of the language', async () => {
    const query = { q: 'câble 5 m' }
    const { data } = await catalog.call('searchCatalogProducts', { query, languages: ['fr'] })
    assert.deepEqual(
      data.map((product: { name: string }) => product.name),
      ['Câble 5 m'],
    )
  })
})

describe('a search with filters', () => {
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    catalog = catalogOn((await testDatabase()).database)
    await catalog.has(
      [
        storeLine('shop', { locales: ['en', 'de'] }),
        productLine('both', { names: { en: 'Table bottle', de: 'Krug' }, brand: 'Loom' }),
        productLine('one', { names: { en: 'Bottle', de: 'Kanne' }, brand: 'Kiln' }),
        productLine('other', { names: { en: 'Vase', de: 'Table bottle' }, brand: 'Kiln', price: 9900 }),
        productLine('fifty', { names: { en: 'Under 50 table bottle caps' }, brand: 'Kiln', price: 9900 }),
        ...[
          { name: 'in-english', brand: 'Fern', names: { en: 'Lantern', de: 'Licht' } },
          { name: 'in-german', brand: 'Fern', names: { en: 'Light', de: 'Lantern' } },
          { name: 'other-brand', brand: 'Moss', names: { en: 'Light', de: 'Lantern' } },
        ].map(({ name, ...product }) => productLine(name, { ...product, categories: [['lights']], price: 5000 })),
      ],
      'shop',
    )
  })

  test('lists as many products as a facet has counted, also where few products have all words', async () => {
    const search = async (query: object) =>
      (await catalog.call('searchCatalogProducts', { query: { q: 'table bottle', ...query } })).meta
    const { facets } = await search({})
    const values = facets.find(({ key }: { key: string }) => key === 'brand').values
    for (const { value, count } of values)
      assert.equal((await search({ brand: [value] })).page.totalCount, count, value)
  })
  test('lists as many products as a facet has counted, also where the other filters leave only another language', async () => {
    const search = async (brand: string) =>
      (await catalog.call('searchCatalogProducts', { query: { q: 'lantern', category: ['lights'], brand: [brand] } }))
        .meta
    const facets = (await search('Moss')).facets.find(({ key }: { key: string }) => key === 'brand')
    for (const { value, count } of facets.values) assert.equal((await search(value)).page.totalCount, count, value)
    assert.deepEqual(
      facets.values.map(({ value, count }: { value: string; count: number }) => [value, count]),
      [['Fern', 1]],
    )
  })
  test('keeps a price in the query if only a filter leaves no products in it', async () => {
    const search = async (brand: string) =>
      (await catalog.call('searchCatalogProducts', { query: { q: 'table bottle under 50', brand: [brand] } })).meta
    assert.equal((await search('Loom')).understood?.priceMax, 5000)
    const { understood, page } = await search('Fern')
    assert.deepEqual([understood?.priceMax, page.totalCount], [5000, 0])
  })
  test('lists as many products as a range of prices has counted, also with another price in the query', async () => {
    const search = async (query: object) =>
      (await catalog.call('searchCatalogProducts', { query: { q: 'table bottle under 50', ...query } })).meta
    const ranges = (await search({})).facets.find(({ key }: { key: string }) => key === 'price').values
    assert.equal(ranges.length, 2)
    for (const { value, count } of ranges) {
      const [priceMin, priceMax] = value.split('-').map((each: string) => (each === '' ? undefined : Number(each)))
      const { page, understood, appliedFilters } = await search({ priceMin, priceMax })
      assert.deepEqual([page.totalCount, understood, appliedFilters.priceMax], [count, null, priceMax], value)
    }
  })
  test('offers no range of prices without products', async () => {
    const { meta } = await catalog.call('searchCatalogProducts', { query: { q: 'vase' } })
    const prices = meta.facets.find(({ key }: { key: string }) => key === 'price')
    assert.deepEqual(
      prices.values.map(({ count }: { count: number }) => count),
      [1],
    )
  })
})

describe('the edit distance', () => {
  test('counts insertions, deletions, substitutions and transpositions', () => {
    const cases: readonly (readonly [string, string, number])[] = [
      ['mouse', 'mouse', 0],
      ['mouze', 'mouse', 1],
      ['mose', 'mouse', 1],
      ['mousse', 'mouse', 1],
      ['muose', 'mouse', 1],
      ['', 'abc', 3],
      ['kitten', 'sitting', 3],
    ]
    for (const [from, to, slips] of cases) assert.equal(editDistance(from, to), slips, `${from} ${to}`)
  })
})

describe('a search in a script without spaces', () => {
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    catalog = catalogOn((await testDatabase()).database)
    await catalog.has(
      [
        storeLine('shop', { locales: ['ja', 'zh', 'en'] }),
        productLine('mug', { names: { en: 'Mug', ja: '陶器のマグカップ', zh: '陶瓷马克杯' } }),
        productLine('glass', { names: { en: 'Glass', ja: 'ガラスコップ', zh: '玻璃杯' } }),
        productLine('kettle', { names: { en: 'Kettle', ja: 'ケトル 1.2L', zh: '电热水壶' } }),
        productLine('cable', { names: { en: 'Cable', ja: 'USBケーブル 2m', zh: 'USB数据线 2米' } }),
      ],
      'shop',
    )
  })
  const slugsOf = async (q: string, language: string) => {
    const { data } = await catalog.call('searchCatalogProducts', { query: { q }, languages: [language] })
    return data.map(({ slug }: { slug: string }) => slug).sort()
  }

  for (const [language, expected] of [
    [
      'ja',
      {
        マグ: ['mug'],
        カップ: ['mug'],
        マグカップ: ['mug'],
        ﾏｸﾞ: ['mug'],
        陶器: ['mug'],
        コップ: ['glass'],
        'ケトル 1.2l': ['kettle'],
        USBケーブル: ['cable'],
        '２mのUSBケーブル': ['cable'],
      },
    ],
    [
      'zh',
      {
        马克: ['mug'],
        马克杯: ['mug'],
        杯: ['glass', 'mug'],
        水壶: ['kettle'],
        陶瓷: ['mug'],
        电: ['kettle'],
        usb数据线: ['cable'],
      },
    ],
  ] as const) {
    test(`finds any part of a name: ${language}`, async () => {
      for (const [q, slugs] of Object.entries(expected)) assert.deepEqual(await slugsOf(q, language), slugs, q)
    })
  }
  test('finds nothing that has none of the parts', async () => {
    assert.deepEqual(await slugsOf('自転車', 'ja'), [])
  })
})
