import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogOn, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { findStore } from './store-records.ts'

test('a store line keeps the status and access mode of its store, unless it has its own', async (t) => {
  const { database } = await testDatabase(t)
  const catalog = catalogOn(database)
  const after = async (more: object) => {
    await catalog.has([storeLine('loom', { ...more })])
    const store = await findStore(database.reader, 'loom')
    return [store?.status, store?.access_mode]
  }
  assert.deepEqual(await after({}), ['active', 'open'])
  assert.deepEqual(await after({ status: 'suspended', accessMode: 'password' }), ['suspended', 'password'])
  assert.deepEqual(await after({ names: { en: 'Loom' } }), ['suspended', 'password'])
  assert.deepEqual(await after({ status: 'active', accessMode: 'open' }), ['active', 'open'])
})
