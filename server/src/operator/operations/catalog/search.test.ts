import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { statement } from '@vitrine/server'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
let operator: OperatorClient
/** The ids of the products, by slug. */
let ids: Readonly<Record<string, string>>
const SHIRTS = ['shirt-a', 'shirt-b', 'shirt-c', 'shirt-d']

before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  const named = (slug: string, name: string, more: object = {}) =>
    productLine(slug, { slug, names: { en: name, de: `${name} de` }, ...more })
  await world.import(
    [
      storeLine('loom', { locales: ['en', 'de'], countries: ['DE', 'AT'] }),
      { type: 'category', path: ['hats'], names: { en: 'Hats' } },
      ...SHIRTS.map((slug, index) => named(slug, 'Shirt', { price: 1000 + index })),
      named('beanie', 'Beanie', { categories: [['hats']], stock: 0 }),
      named('wrench', 'Wrench'),
      named('draft', 'Shirt in the making', { status: 'draft' }),
    ],
    'loom',
  )
  await world.import(
    [
      storeLine('vault', { accessMode: 'password' }),
      productLine('secret', { slug: 'secret', names: { en: 'Secret' } }),
    ],
    'vault',
  )
  const { items } = (await operator.get('/products?limit=100')).body.data
  ids = Object.fromEntries(items.map(({ id, slug }: { id: string; slug: string }) => [slug, id]))
})
const clear = ['search_rules', 'search_synonyms', 'search_shipped_off'].map((table) =>
  statement(`test.clear_${table}`, `delete from ${table}`),
)
beforeEach(() =>
  world.database.transaction(async (tx) => {
    for (const each of clear) tx.write(each, [])
  }),
)

interface Found {
  readonly slugs: readonly string[]
  readonly redirect: string | null
  readonly corrected: string | null
  readonly total: number
}
interface Meta {
  readonly redirect: string | null
  readonly correctedQuery: string | null
  readonly page: { readonly totalCount: number }
}
const foundIn = (data: readonly { slug: string }[], { redirect, correctedQuery, page }: Meta): Found => ({
  slugs: data.map(({ slug }) => slug),
  redirect,
  corrected: correctedQuery,
  total: page.totalCount,
})
async function search(q: string, query = ''): Promise<Found> {
  await world.refresh()
  const { body } = await world.anonymous.get(`/api/v1/search?q=${encodeURIComponent(q)}${query}`)
  assert.ok(body.data, JSON.stringify(body))
  return foundIn(body.data, body.meta)
}
const of = (...slugs: string[]) => slugs.map((slug) => ids[slug]!)
const rule = (query: string, more: object = {}) => ({
  query,
  language: null,
  pins: [],
  hidden: [],
  redirect: null,
  ...more,
})
const save = (query: string, more: object) => operator.change('PUT', '/search/rules', rule(query, more))

describe('a rule of a query', () => {
  test('pins products in their order, found or not, and hides others, however the query is written', async () => {
    const plain = await search('shirt')
    assert.deepEqual([...plain.slugs].sort(), SHIRTS)
    const saved = await save('Shirts', { language: 'en', pins: of('beanie', 'shirt-c'), hidden: of('shirt-a') })
    assert.deepEqual([saved.query, saved.version], ['Shirts', 1])
    const edited = await search('SHIRT')
    assert.deepEqual(edited.slugs.slice(0, 2), ['beanie', 'shirt-c'])
    assert.deepEqual([edited.slugs.toSorted(), edited.total], [['beanie', 'shirt-b', 'shirt-c', 'shirt-d'], 4])
    assert.deepEqual((await search('shirts', '&locale=de')).slugs.includes('beanie'), false, 'in its language alone')
  })

  test('hides products from the suggestions of its query too', async () => {
    const suggested = async () => {
      await world.refresh()
      const { body } = await world.anonymous.get('/api/v1/search?q=wrench')
      return body.meta.suggestions.flatMap(({ slug }: { slug?: string }) => slug ?? [])
    }
    assert.deepEqual(await suggested(), ['wrench'])
    await save('wrench', { hidden: of('wrench') })
    assert.deepEqual(await suggested(), [])
  })

  test('shows pinned products only where they are sold and visible, and lets filters and orders apply', async () => {
    await save('shirt', { pins: of('secret', 'draft', 'beanie') })
    assert.equal((await search('shirt')).slugs[0], 'beanie')
    assert.equal((await search('shirt')).slugs.length, 5)
    assert.ok(!(await search('shirt', '&availability=in_stock')).slugs.includes('beanie'))
    assert.deepEqual((await search('shirt', '&category=hats')).slugs, ['beanie'])
    const cheapest = await search('shirt', '&sort=price_asc')
    assert.deepEqual(
      cheapest.slugs.filter((slug) => slug !== 'beanie'),
      SHIRTS,
    )
    const list = await world.anonymous.get('/api/v1/catalog/merchants/loom/products?q=shirt')
    assert.equal(list.body.data[0].slug, 'beanie', 'lists with a query too')
    const facets = (await world.anonymous.get('/api/v1/search?q=shirt&facets=category')).body.meta.facets
    assert.deepEqual(facets[0].values[0].count, 1)
  })

  test('keeps the correction of a misspelled query, and is also found by the corrected query', async () => {
    await save('beanie', { pins: of('shirt-a') })
    assert.deepEqual(await search('beanei'), {
      slugs: ['shirt-a', 'beanie'],
      redirect: null,
      corrected: 'beanie',
      total: 2,
    })
    await save('beanei', { pins: of('shirt-b') })
    assert.deepEqual((await search('beanei')).slugs, ['shirt-b', 'beanie'])
    await save('qqqqq', { pins: of('shirt-d') })
    assert.deepEqual(await search('qqqqq'), { slugs: ['shirt-d'], redirect: null, corrected: null, total: 1 })
  })

  test('pages through each product once; a walk begins again if its query is edited in between', async () => {
    await save('shirt', { pins: of('beanie', 'shirt-d'), hidden: of('shirt-b') })
    await world.refresh()
    const walked: string[] = []
    let next = '/api/v1/search?q=shirt&limit=1'
    while (next) {
      const { body } = await world.anonymous.get(next)
      walked.push(...body.data.map(({ slug }: { slug: string }) => slug))
      next = body.meta.next
    }
    assert.deepEqual(walked.slice(0, 2), ['beanie', 'shirt-d'])
    assert.deepEqual(walked.toSorted(), ['beanie', 'shirt-a', 'shirt-c', 'shirt-d'])

    const first = await world.anonymous.get('/api/v1/search?q=shirt&limit=2')
    await save('other', { redirect: '/other' })
    await world.refresh()
    assert.equal((await world.anonymous.get(first.body.meta.next)).status, 200, 'a rule of another query')
    await save('shirt', { pins: of('shirt-d', 'beanie') })
    await world.refresh()
    const { status, body } = await world.anonymous.get(first.body.meta.next)
    assert.deepEqual([status, body.code, body.details[0].code], [400, 'invalid_cursor', 'expired'])
  })

  test('redirects, and changes the ETag of what was cached', async () => {
    const before = await world.anonymous.get('/api/v1/search?q=sale')
    assert.equal(before.body.meta.redirect, null)
    await save('sale', { redirect: '/pages/sale' })
    await world.refresh()
    const after = await world.anonymous.get('/api/v1/search?q=sale')
    assert.equal(after.body.meta.redirect, '/pages/sale')
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
  })

  test('is shown by every node', async () => {
    const other = await startWorld({ sharedWith: world })
    const redirectOf = async () => (await other.anonymous.get('/api/v1/search?q=node')).body.meta.redirect
    assert.equal(await redirectOf(), null)
    await save('node', { redirect: '/node' })
    await other.refresh()
    assert.equal(await redirectOf(), '/node')
  })

  test('is replaced by its version, listed and deleted; 400 for mistakes, 409 for another version', async () => {
    const { id } = await save('boxes', { language: 'en', redirect: '/boxes' })
    const again = await operator.change(
      'PUT',
      '/search/rules',
      rule('box', { language: 'en', redirect: '/b', expectedVersion: 1 }),
    )
    assert.deepEqual([again.id, again.version, again.query], [id, 2, 'box'])
    const stale = await operator.send(
      'PUT',
      '/search/rules',
      rule('box', { language: 'en', redirect: '/', expectedVersion: 1 }),
    )
    assert.equal(stale.body.code, 'version_conflict')
    const wrong = await operator.send('PUT', '/search/rules', rule('x', { pins: ['prod_00000000000000000000000000'] }))
    assert.deepEqual([wrong.status, wrong.body.details[0].pointer], [400, '/pins/0'])
    const off = await operator.send('PUT', '/search/rules', rule('x', { redirect: '//evil.example' }))
    assert.equal(off.status, 400)
    world.clock.advance(1)
    await save('newer', { redirect: '/newer' })
    const page = (await operator.get('/search/rules?limit=1')).body.data
    assert.equal(page.items[0].query, 'newer')
    const rest = (await operator.get(`/search/rules?limit=1&cursor=${page.nextCursor}`)).body.data
    assert.deepEqual([rest.items[0].query, rest.nextCursor], ['box', null])
    assert.equal((await operator.get('/search/rules?q=BO')).body.data.items.length, 1)
    assert.equal((await operator.send('DELETE', `/search/rules/${id}?expectedVersion=1`)).body.code, 'version_conflict')
    await operator.change('DELETE', `/search/rules/${id}`)
    assert.equal((await operator.send('DELETE', `/search/rules/${id}`)).body.code, 'not_found')
    assert.equal((await search('box')).redirect, null)
  })
})

describe('synonyms', () => {
  const body = { language: 'en', source: null, words: ['beanie', 'bobble cap'] }
  test('are found by each other at once, or one way, and no longer once deleted', async () => {
    assert.deepEqual((await search('bobble cap')).slugs, [])
    const { id } = await operator.change('POST', '/search/synonyms', body)
    assert.deepEqual((await search('bobble caps')).slugs, ['beanie'])
    const replaced = { language: null, source: 'tuque', words: ['beanie'], expectedVersion: 1 }
    const updated = await operator.change('PUT', `/search/synonyms/${id}`, replaced)
    assert.deepEqual([updated.version, (await search('tuque')).slugs], [2, ['beanie']])
    assert.deepEqual((await search('bobble cap')).slugs, [])
    assert.equal((await operator.send('PUT', `/search/synonyms/${id}`, replaced)).body.code, 'version_conflict')
    assert.equal((await operator.get('/search/synonyms?q=tuq')).body.data.items[0].source, 'tuque')
    await operator.change('DELETE', `/search/synonyms/${id}`)
    assert.deepEqual((await search('tuque')).slugs, [])
    assert.equal((await operator.send('PUT', `/search/synonyms/${id}`, body)).body.code, 'not_found')
    assert.equal((await operator.send('DELETE', `/search/synonyms/${id}`)).body.code, 'not_found')
  })
  test('400 validation_failed: a phrase of more than three words', async () => {
    const { status, body: answer } = await operator.send('POST', '/search/synonyms', {
      ...body,
      words: ['a b c d', 'e'],
    })
    assert.deepEqual([status, answer.details[0].pointer], [400, '/words/0'])
  })
})

describe('shipped synonyms', () => {
  const wrenches = { language: 'en', word: 'wrench' }
  test('are found by each other until they are switched off, one by one or all, on every node', async () => {
    assert.deepEqual((await search('spanner')).slugs, ['wrench'])
    const { items } = await operator.change('PUT', '/search/shipped-synonyms', { on: false, names: [wrenches] })
    assert.deepEqual(
      items.filter(({ on }: { on: boolean }) => !on),
      [{ language: 'en', words: ['wrench', 'spanner'], on: false }],
    )
    assert.deepEqual((await search('spanner')).slugs, [])
    await operator.change('PUT', '/search/shipped-synonyms', { on: true, names: [wrenches] })
    assert.deepEqual((await search('spanner')).slugs, ['wrench'])
    const all = items.map(({ language, words: [word] }: { language: string; words: string[] }) => ({ language, word }))
    await operator.change('PUT', '/search/shipped-synonyms', { on: false, names: all })
    assert.ok((await operator.get('/search/shipped-synonyms')).body.data.items.every(({ on }: { on: boolean }) => !on))
    assert.deepEqual((await search('spanner')).slugs, [])
  })
  test('400 validation_failed: no such synonyms ship', async () => {
    const names = [wrenches, { language: 'en', word: 'spanner' }]
    const { status, body } = await operator.send('PUT', '/search/shipped-synonyms', { on: false, names })
    assert.deepEqual([status, body.details[0].pointer], [400, '/names/1'])
  })
})

describe('the number of edits', () => {
  test('409 state_conflict: there are too many rules or synonyms', async () => {
    const many = (text: string, name: string) => statement(`test.many_${name}`, text)
    await world.database.transaction(async (tx) => {
      tx.write(
        many(
          `insert into search_rules (id, query, words, pins, hidden, redirect, created_at, updated_at)
           select 'srl_' || n, n, n, '{}', '{}', '/', now(), now() from generate_series(1, 5000) as n`,
          'rules',
        ),
        [],
      )
      tx.write(
        many(
          `insert into search_synonyms (id, source, words, created_at, updated_at)
           select 'syn_' || n, n, '{x}', now(), now() from generate_series(1, 2000) as n`,
          'synonyms',
        ),
        [],
      )
    })
    assert.equal(
      (await operator.send('PUT', '/search/rules', rule('x', { redirect: '/' }))).body.code,
      'state_conflict',
    )
    const body = { language: null, source: 'x', words: ['y'] }
    assert.equal((await operator.send('POST', '/search/synonyms', body)).body.code, 'state_conflict')
  })
})

describe('a preview', () => {
  const preview = async (body: object) => {
    const { status, body: answer } = await operator.send('POST', '/search/preview', body)
    assert.equal(status, 200, JSON.stringify(answer))
    const { edited, unedited, ...rest } = answer.data
    const foundOf = ({ items, totalCount, ...meta }: Meta & { items: { slug: string }[]; totalCount: number }) =>
      foundIn(items, { ...meta, page: { totalCount } })
    return { ...rest, edited: foundOf(edited), unedited: foundOf(unedited) }
  }

  test('of a draft equals the result after it is saved, next to the result without edits', async () => {
    const plain = await search('bobble', '&locale=en&currency=EUR')
    const draft = { pins: of('shirt-b', 'shirt-a'), hidden: of('shirt-c'), redirect: '/hats' }
    const synonyms = { language: 'en', source: 'bobble', words: ['shirt', 'beanie'] }
    const market = { q: 'bobble', locale: 'en', currency: 'EUR' }
    const drafted = await preview({ ...market, rule: rule('bobble', draft), synonyms: [synonyms] })
    assert.deepEqual(drafted.unedited, plain)
    assert.deepEqual(drafted.rule, null)
    assert.deepEqual(drafted.placed.map(({ slug }: { slug: string }) => slug).sort(), ['shirt-a', 'shirt-b', 'shirt-c'])
    assert.deepEqual(await search('bobble', '&locale=en&currency=EUR'), plain, 'nothing is saved')

    await operator.change('POST', '/search/synonyms', synonyms)
    const { id } = await save('bobble', draft)
    assert.deepEqual(await search('bobble', '&locale=en&currency=EUR'), drafted.edited)
    assert.deepEqual(drafted.edited.slugs.slice(0, 2), ['shirt-b', 'shirt-a'])
    const saved = await preview(market)
    assert.deepEqual([saved.edited, saved.rule.id], [drafted.edited, id])
    assert.deepEqual((await preview({ ...market, rule: rule('bobble') })).edited.redirect, null, 'without its rule')
  })
  test('of switching off a shipped synonym equals the result after it is switched off', async () => {
    const market = { q: 'red spanners', locale: 'en', currency: 'EUR' }
    const plain = await preview(market)
    assert.deepEqual(plain.shipped, [{ language: 'en', words: ['wrench', 'spanner'], on: true }])
    const off = { language: 'en', word: 'wrench', on: false }
    const drafted = await preview({ ...market, q: 'spanner', shipped: [off] })
    assert.deepEqual([drafted.edited.slugs, drafted.unedited.slugs, drafted.shipped[0].on], [[], ['wrench'], false])
    const { on, ...name } = off
    await operator.change('PUT', '/search/shipped-synonyms', { on, names: [name] })
    assert.deepEqual((await preview({ ...market, q: 'spanner' })).edited, drafted.edited)
  })
  test('400 for a language or currency that no store offers', async () => {
    const codeOf = async (body: object) => (await operator.send('POST', '/search/preview', body)).body.code
    assert.equal(await codeOf({ q: 'x', locale: 'ja' }), 'unsupported_locale')
    assert.equal(await codeOf({ q: 'x', currency: 'JPY' }), 'unsupported_currency')
  })
})

describe('search statistics', () => {
  const get = (query: string) => world.anonymous.get(`/api/v1/search?${query}`)
  const insight = async (query = '') => {
    await world.app.writeCounts()
    return (await operator.get(`/search/insight${query}`)).body.data
  }
  const namesOf = (queries: readonly { query: string }[]) => queries.map(({ query }) => query)

  test('count searches per day, with cached answers, and name a query after three searches', async () => {
    world.clock.advance(86_400_000)
    const day = world.clock.now().toISOString().slice(0, 10)
    await save('shirt', { redirect: '/shirts' })
    await world.refresh()
    for (const q of [
      'Shirt',
      'shirt',
      'SHIRT',
      'shirt',
      'beanei',
      'beanei',
      'beanei',
      'zzzzz',
      'zzzzz',
      'zzzzz',
      'rare',
    ]) {
      assert.equal((await get(`q=${q}`)).status, 200)
    }
    const { days, top, foundNothing, corrected } = await insight(`?from=${day}`)
    const counts = { searches: 11, foundNothing: 4, corrected: 3, edited: 4 }
    assert.deepEqual(days, [{ day, ...counts }])
    assert.deepEqual(top[0], {
      query: 'shirt',
      searches: 4,
      foundNothing: 0,
      corrected: 0,
      edited: 4,
      correctedTo: null,
    })
    assert.deepEqual(namesOf(top), ['shirt', 'beanei', 'zzzzz'], 'not the rare one')
    assert.deepEqual(namesOf(foundNothing), ['zzzzz'])
    assert.deepEqual([namesOf(corrected), corrected[0].correctedTo], [['beanei'], 'beanie'])
    await get('q=shirt')
    assert.equal((await insight(`?from=${day}`)).days[0].searches, 12, 'added to what was written')
    assert.deepEqual((await insight(`?from=${day}&locale=de`)).days, [])
  })

  test('leave out suggestions, later pages, filters, other orders and previews', async () => {
    world.clock.advance(86_400_000)
    const query = `?from=${world.clock.now().toISOString().slice(0, 10)}`
    for (const more of [
      'limit=6',
      'sort=newest',
      'category=hats',
      'priceMin=1',
      'availability=in_stock',
      'option.size=m',
    ]) {
      assert.equal((await get(`q=shirt&${more}`)).status, 200, more)
    }
    const next = (await get('q=shirt&limit=2')).body.meta.next
    assert.equal((await world.anonymous.get(next)).status, 200)
    await operator.send('POST', '/search/preview', { q: 'shirt' })
    assert.deepEqual((await insight(query)).days, [])
  })

  test('400 validation_failed: no such day, or a period that ends before it begins or is too long', async () => {
    for (const query of ['from=2026-02-30', 'from=2026-05-02&to=2026-05-01', 'from=2024-01-01&to=2026-01-01']) {
      const { status, body } = await operator.get(`/search/insight?${query}`)
      assert.deepEqual([status, body.details[0].pointer], [400, '/from'], query)
    }
  })
})
