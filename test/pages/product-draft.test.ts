import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeOf, type Draft, draftOf, renamedAttribute, withStockOf } from '../../console/src/pages/products/draft.ts'
import { moved } from '../../console/src/ui/list/moved.ts'

const saved = [{ key: 'material', labels: { en: 'Material' }, value: 'Linen' }]
const added = { key: 'attribute-2', value: { en: '' } }

describe('the key of an attribute', () => {
  test('stays once it is saved, because filters and imports use it', () => {
    const renamed = renamedAttribute(saved[0]!, 'en', 'Fabric', { attributes: saved, saved })
    assert.deepEqual(renamed, { labels: { en: 'Fabric' } })
  })

  test('follows the label until then, also past the key of a saved one', () => {
    let attribute: Parameters<typeof renamedAttribute>[0] = added
    for (const label of ['Materia', 'Material', 'Material care']) {
      attribute = {
        ...attribute,
        ...renamedAttribute(attribute, 'en', label, { attributes: [...saved, attribute], saved }),
      }
    }
    assert.deepEqual([attribute.key, attribute.labels], ['material-care', { en: 'Material care' }])
    const german = renamedAttribute(attribute, 'de', 'Pflege', { attributes: [...saved, attribute], saved })
    assert.deepEqual(german, { labels: { en: 'Material care', de: 'Pflege' } })
  })
})

describe('an attribute that is a number', () => {
  const product = { names: {}, subtitles: {}, descriptions: {}, categories: [], images: [], options: [], skus: [] }
  const width = { key: 'width', labels: { en: 'Width' }, value: 2 }
  const saved = draftOf({ ...product, slug: 'a', status: 'published', attributes: [width] } as never)
  const valueAfter = (value: string) => {
    const { attributes = [width] } = changeOf({ ...saved, attributes: [{ ...width, value }] }, saved) as Partial<Draft>
    return attributes[0]?.value
  }

  test('stays a number as long as a number is typed, with a point or a comma', () => {
    assert.deepEqual(['2', '2.5', '2,50', '-3'].map(valueAfter), [2, 2.5, 2.5, -3])
  })

  test('becomes a text if a text is typed', () => {
    assert.deepEqual(['2.', '2 cm', ''].map(valueAfter), ['2.', '2 cm', ''])
  })
})

describe('the draft after only the product was saved, and not its stock', () => {
  const variant = (id: string | undefined, price: string, stock: string) => ({
    ...(id && { id }),
    options: {},
    cells: { 'price.EUR': price, 'stock.live': stock, 'out.live': 'deny' },
    image: null,
  })
  const draftWith = (...variants: Draft['variants']) => ({ brand: '', variants }) as unknown as Draft

  test('has the stock as typed, and everything else as saved, such as the id of a new variant', () => {
    const draft = draftWith(variant('sku_1', '5', '7'), variant(undefined, '6', '0'))
    const saved = draftWith(variant('sku_1', '5.00', '3'), variant('sku_2', '6.00', '0'))
    const left = draftWith(variant('sku_1', '5.00', '7'), variant('sku_2', '6.00', '0'))
    assert.deepEqual(withStockOf(draft, saved), left)
  })
})

test('a moved picture changes its place, and none moves past an end of the list', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b'])
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c'])
  for (const to of [-1, 3]) assert.deepEqual(moved(['a', 'b', 'c'], 1, to), ['a', 'b', 'c'])
})
