import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renamedAttribute } from '../../console/src/pages/products/draft.ts'

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
