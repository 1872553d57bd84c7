import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { LOOK } from '../../../../test/support/pages/site.ts'
import { canonicalJson } from '../../kernel/json.ts'
import { type DecorationContent, faultsOfDecoration, hashOfContent, presentDecoration } from './decoration.ts'

const [home] = LOOK.pages.en!
const both: DecorationContent = { ...LOOK, pages: { en: [home!], de: [{ ...home!, title: 'Willkommen' }] } }
const published = { storeId: 'store_x', version: 3, publishedAt: new Date(0) }

describe('a decoration', () => {
  test('is presented in the best matching language, else in the store’s default', () => {
    const view = (languages: string[], storeLocale: string | null) =>
      presentDecoration({ ...published, content: both }, languages, storeLocale)
    assert.deepEqual([view(['de-CH'], 'en').locale, view(['de-CH'], 'en').pages[0]!.title], ['de', 'Willkommen'])
    assert.equal(view(['fr'], 'de').locale, 'de')
    assert.equal(view(['fr'], 'it').locale, 'en')
  })

  test('has the hash of the presented content, which clients can compute', () => {
    const { theme, pages, contentHash } = presentDecoration({ ...published, content: LOOK }, [], null)
    assert.equal(contentHash, createHash('sha256').update(canonicalJson({ pages, theme })).digest('hex'))
  })

  test('has a hash independent of member order', () => {
    const turned = { pages: LOOK.pages, theme: Object.fromEntries(Object.entries(LOOK.theme).reverse()) }
    assert.deepEqual(hashOfContent(turned), hashOfContent(LOOK))
  })

  test('has unique page slugs and block ids, including blocks in columns', () => {
    const [hero, columns] = home!.blocks
    const twice: DecorationContent = {
      ...LOOK,
      pages: { en: [home!, { ...home!, blocks: [hero!, { ...columns!, id: 'hero' } as typeof columns & object] }] },
    }
    const found = faultsOfDecoration(twice).map(({ field, code }) => [field, code])
    assert.deepEqual(found, [
      ['pages/en/1/slug', 'not_unique'],
      ['pages/en/1/blocks/1/id', 'not_unique'],
    ])
  })

  test('contains no raw HTML, also in columns', () => {
    const content = { format: 'markdown', text: '<img src=x onerror=alert(1)>' } as const
    const text = { id: 'text', type: 'rich_text', props: { content } } as const
    const columns = {
      id: 'columns',
      type: 'columns',
      props: { columns: 2 },
      children: [{ ...text, id: 'inside' }],
    } as const
    const pages = { en: [{ ...home!, blocks: [text, columns] }] } as unknown as DecorationContent['pages']
    assert.deepEqual(
      faultsOfDecoration({ ...LOOK, pages }).map(({ field, code }) => [field, code]),
      [
        ['pages/en/0/blocks/0/props/content/text', 'raw_html'],
        ['pages/en/0/blocks/1/children/0/props/content/text', 'raw_html'],
      ],
    )
  })
})
