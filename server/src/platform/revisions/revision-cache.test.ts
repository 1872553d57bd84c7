import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { RevisionCache } from './revision-cache.ts'

const revisions = new Map<string, bigint>()
let loads: string[]
let cache: RevisionCache<string>
beforeEach(() => {
  revisions.clear()
  loads = []
  cache = new RevisionCache({ of: (subject) => revisions.get(subject) ?? 0n })
})

const get = (key: string, subjects: readonly string[] = ['site']) =>
  cache.get(key, subjects, async () => {
    loads.push(key)
    return `${key} at ${subjects.map((subject) => revisions.get(subject) ?? 0n)}`
  })

describe('a cache by revision', () => {
  test('loads a value once, until a subject of it changes', async () => {
    await get('en', ['site', 'legal'])
    await get('en', ['site', 'legal'])
    assert.deepEqual(loads, ['en'])
    revisions.set('contact', 1n)
    await get('en', ['site', 'legal'])
    assert.deepEqual(loads, ['en'])
    revisions.set('legal', 1n)
    assert.equal(await get('en', ['site', 'legal']), 'en at 0,1')
    assert.deepEqual(loads, ['en', 'en'])
  })

  test('drops the oldest of more than a thousand values, and no other', async () => {
    for (let each = 0; each <= 1000; each += 1) await get(`store ${each}`)
    loads = []
    await get('store 1')
    await get('store 1000')
    assert.deepEqual(loads, [])
    await get('store 0')
    assert.deepEqual(loads, ['store 0'])
  })

  test('does not cache a load that failed', async () => {
    const failing = cache.get('en', ['site'], () => Promise.reject(new Error('away')))
    await assert.rejects(failing, /away/)
    assert.equal(await get('en'), 'en at 0')
  })
})
