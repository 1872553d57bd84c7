import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
before(async () => {
  world = await startWorld()
})

describe('getStore', () => {
  before(async () => {
    await world.import([
      storeLine('loom', {
        names: { en: 'Linen & Loom', de: 'Leinen & Webstuhl' },
        locales: ['en', 'de'],
        policies: [{ type: 'returns', titles: { en: 'Returns within 30 days' } }],
        contact: { email: 'hello@loom.example' },
      }),
      storeLine('vault', { accessMode: 'password' }),
      storeLine('gone', { status: 'suspended' }),
    ])
  })
  const get = (slug: string, query = '') => world.anonymous.get(`/api/v1/catalog/merchants/${slug}${query}`)

  test('200 returns name, countries, currencies and policies', async () => {
    const { status, body } = await get('loom', '?locale=de')
    assert.equal(status, 200)
    assert.equal(body.data.name, 'Leinen & Webstuhl')
    assert.equal(body.data.locale, 'de')
    assert.deepEqual(body.data.defaults, { country: 'DE', currency: 'EUR', locale: 'en' })
    assert.deepEqual(body.data.policies, [{ type: 'returns', title: 'Returns within 30 days' }])
  })
  test('200 returns a gated store, with its access mode', async () => {
    const { status, body } = await get('vault')
    assert.deepEqual([status, body.data.access], [200, { mode: 'password' }])
  })
  test('404 not_found: unknown or suspended', async () => {
    for (const slug of ['gone', 'never-was']) {
      const { status, body } = await get(slug)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
  })
  test('400 unsupported_locale: the store does not offer the requested locale', async () => {
    const { status, body } = await get('loom', '?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
})
