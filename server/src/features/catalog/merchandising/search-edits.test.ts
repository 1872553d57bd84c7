import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { understand } from '../search/query.ts'
import { cachedSearchEdits } from './edit-store.ts'
import { ruleFaults, synonymFaults } from './editing.ts'
import { isRedirect, SearchEdits, type SearchRule } from './search-edits.ts'

const rule = (query: string, more: Partial<SearchRule> = {}): SearchRule => ({
  query,
  language: null,
  pins: [],
  hidden: [],
  redirect: `/${query}`,
  ...more,
})

describe('the rule of a query', () => {
  const edits = new SearchEdits(
    [rule('Café Lamps'), rule('boxes'), rule('gift', { language: 'de' }), rule('gift'), rule('lamp')],
    [],
    [],
  )
  const redirectOf = (query: string, locale = 'en') => edits.ruleOf(query, locale)?.redirect
  test('is found whatever the case, accents and punctuation, in singular and plural', () => {
    for (const query of ['cafe lamp', 'CAFÉ-LAMPS', ' café  lamps! '])
      assert.equal(redirectOf(query), '/Café Lamps', query)
    assert.equal(redirectOf('box'), '/boxes')
    assert.equal(redirectOf('cafe'), undefined)
    assert.equal(redirectOf('lamp cafe'), undefined)
  })
  test('is that for the language, else that for all languages', () => {
    assert.deepEqual(edits.ruleOf('gift', 'de-AT')?.language, 'de')
    assert.deepEqual(edits.ruleOf('gift', 'en')?.language, null)
  })
  test('does not exist for a query without words', () => {
    for (const query of ['', '!?', '🙂']) assert.equal(edits.ruleOf(query, 'en'), null, query)
  })
})

describe('synonyms of operators', () => {
  const edits = new SearchEdits(
    [],
    [
      { language: 'en', source: null, words: ['Beanies', 'Woolly hat'] },
      { language: null, source: 'hp', words: ['Hewlett Packard'] },
    ],
    [],
  )
  const wordsOf = (query: string, locale = 'en') =>
    understand(query, locale, edits.synonymsIn(locale)).concepts.map((forms) => forms.map(({ words }) => words))
  test('are added to the shipped ones, in singular and plural, in their language', () => {
    assert.deepEqual(wordsOf('beanie'), [['beanie', 'woolly hat']])
    assert.deepEqual(wordsOf('woolly hats'), [['woolly hats', 'beanies']])
    assert.deepEqual(wordsOf('laptop'), [['laptop', 'notebook']])
    assert.deepEqual(wordsOf('beanie', 'de'), [['beanie']])
  })
  test('with a source work in one direction, and without a language in all languages', () => {
    assert.deepEqual(wordsOf('hp', 'ja'), [['hp', 'hewlett packard']])
    assert.ok(!wordsOf('hewlett packard', 'ja').flat().includes('hp'))
  })
})

describe('an edit', () => {
  test('redirects to a path or an https URL, and nowhere else', () => {
    for (const target of ['/', '/sale?x=1#top', 'https://shop.example/a']) assert.ok(isRedirect(target), target)
    const refused = [
      '//evil.example',
      '/\\evil.example',
      'http://shop.example',
      'javascript:alert(1)',
      'sale',
      'https://',
    ]
    for (const target of [...refused, 'https://user:pass@shop.example', '/a b', '/a\n']) {
      assert.ok(!isRedirect(target), target)
    }
  })
  test('has existing products, each once, and an effect', () => {
    const known = new Set(['prod_a', 'prod_b'])
    const faultsOf = (more: Partial<SearchRule>) =>
      ruleFaults(rule('mug', { redirect: null, ...more }), known).map(({ field, code }) => `${field} ${code}`)
    assert.deepEqual(faultsOf({ pins: ['prod_a'], hidden: ['prod_b'] }), [])
    assert.deepEqual(faultsOf({ pins: ['prod_a', 'prod_a', 'prod_c'] }), ['pins/1 not_unique', 'pins/2 unknown'])
    assert.deepEqual(faultsOf({ pins: ['prod_a'], hidden: ['prod_a'] }), ['hidden not_possible'])
    assert.deepEqual(faultsOf({}), ['pins required'])
    assert.deepEqual(faultsOf({ query: '!', redirect: '//x' }), ['query not_possible', 'redirect not_possible'])
  })
  test('has words that are not the same when folded', () => {
    const faultsOf = (source: string | null, words: string[]) =>
      synonymFaults({ language: null, source, words }).map(({ field, code }) => `${field} ${code}`)
    assert.deepEqual(faultsOf(null, ['sofa', 'couch']), [])
    assert.deepEqual(faultsOf(null, ['sofa']), ['words required'])
    assert.deepEqual(faultsOf('sofa', ['Sofa', 'a b c d', '?']), [
      'words/1 not_possible',
      'words/2 not_possible',
      'words/0 not_unique',
    ])
  })
})

describe('the edits of a process', () => {
  test('are read again only after a change: a search needs no further query', async () => {
    let reads = 0
    let revision = '1'
    let isLost = false
    const rows = async () => {
      reads += 1
      if (isLost) throw new Error('lost')
      return []
    }
    const context = { dependsOn: () => {}, revisionOf: () => revision }
    const edits = cachedSearchEdits({ rows } as never)
    const [first, second] = await Promise.all([edits(context), edits(context)])
    assert.equal(second, first)
    assert.equal(await edits(context), first)
    assert.equal(reads, 3, 'rules, synonyms, and shipped synonyms that are off')
    revision = '2'
    assert.notEqual(await edits(context), first)
    assert.equal(reads, 6)
    revision = '3'
    isLost = true
    await assert.rejects(edits(context), /lost/)
    isLost = false
    assert.ok(await edits(context), 'a failed read is not kept')
  })
})
