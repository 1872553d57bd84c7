import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { catalogOn, storeLine } from '../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { type Database, statement } from '../../platform/postgres/index.ts'
import { prepareStoreAccess, type StoreAccessChange, setStoreAccess } from './index.ts'

const clock = testClock()
let database: Database
before(async () => {
  database = (await testDatabase()).database
  await catalogOn(database).has([storeLine('vault'), storeLine('open')])
})

async function set(change: StoreAccessChange) {
  const prepared = await prepareStoreAccess(change)
  return database.transaction((tx) => setStoreAccess(tx, prepared, clock.now()))
}
const settings = statement<{ access_mode: string; has_password: boolean; grant_purposes: readonly string[] }>(
  'test.access_settings',
  `select access_mode, access_password is not null as has_password, grant_purposes from stores where slug = 'vault'`,
)
const vault = () => database.reader.row(settings)
const stored = statement<{ access_password: string | null; access_version: number }>(
  'test.kept_access',
  `select access_password, access_version from stores where slug = 'vault'`,
)

describe('access settings of a store', () => {
  test('default to open, with no grants required', async () => {
    const store = await vault()
    assert.deepEqual([store?.access_mode, store?.has_password, store?.grant_purposes], ['open', false, []])
  })

  test('store the password as a hash and keep it when the mode changes', async () => {
    await set({ slug: 'vault', mode: 'password', password: 'open sesame', grantPurposes: ['register', 'register'] })
    const first = await database.reader.row(stored)
    assert.match(first?.access_password ?? '', /^\$argon2id\$/)
    await set({ slug: 'vault', mode: 'challenge' })
    await set({ slug: 'vault', mode: 'password' })
    const store = await vault()
    assert.deepEqual([store?.access_mode, store?.has_password, store?.grant_purposes], ['password', true, ['register']])
    const last = await database.reader.row(stored)
    assert.equal(last?.access_password, first?.access_password)
    assert.equal(last?.access_version, (first?.access_version ?? 0) + 2)
  })

  test('refuse a missing, short, long or common password', async () => {
    const invalid: readonly (readonly [StoreAccessChange, RegExp])[] = [
      [{ slug: 'open', mode: 'password' }, /has no password yet/],
      [{ slug: 'open', mode: 'password', password: 'sesame7' }, /8 to 128 characters/],
      [{ slug: 'open', mode: 'password', password: 'x'.repeat(129) }, /8 to 128 characters/],
    ]
    for (const [change, message] of invalid) {
      await assert.rejects(set(change), ({ code, facts: { faults: [fault] = [] } }: Refusal) => {
        assert.deepEqual([code, fault?.field], ['validation_failed', 'password'])
        assert.match(fault?.message ?? '', message)
        return true
      })
    }
    await assert.rejects(set({ slug: 'open', mode: 'password', password: 'password123' }), {
      code: 'password_too_weak',
    })
    await assert.rejects(set({ slug: 'never-was', mode: 'open' }), { code: 'not_found' })
  })

  test('stay as they are in an import without an access mode, and change in one with an access mode', async () => {
    const catalog = catalogOn(database)
    await set({ slug: 'vault', mode: 'password' })
    await catalog.has([storeLine('vault', { names: { en: 'The vault' } })])
    assert.equal((await vault())?.access_mode, 'password')
    await catalog.has([storeLine('vault', { accessMode: 'open' })])
    assert.equal((await vault())?.access_mode, 'open')
  })
})
