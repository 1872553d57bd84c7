import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

interface Queue {
  shuffled<Each extends { readonly file: string }>(files: readonly Each[], seed: string): Each[]
  shardOf(files: readonly string[], shard: string): string[]
  directivesOf(source: string): { readonly isAlone: boolean; readonly isLong: boolean }
}
const source = new URL('../../scripts/test-queue.js', import.meta.url).href
const { shuffled, shardOf, directivesOf } = (await import(source)) as Queue

const names = Array.from({ length: 50 }, (_, index) => `${index}.test.ts`)
const files = names.map((file) => ({ file }))

describe('the queue of test files', () => {
  test('is shuffled by a seed: the same order for the same seed, each file once', () => {
    const order = (seed: string) => shuffled(files, seed).map(({ file }) => file)
    assert.deepEqual(order('1'), order('1'))
    assert.notDeepEqual(order('1'), order('2'))
    assert.deepEqual(new Set(order('1')), new Set(names))
  })

  test('is split into shards with each file once', () => {
    const shards = ['1/3', '2/3', '3/3'].map((shard) => shardOf(names, shard))
    assert.deepEqual(shards.flat().sort(), names.toSorted())
    assert.deepEqual(shardOf(names, '1/1'), names)
  })

  test('refuses a shard that does not exist', () => {
    for (const shard of ['0/3', '4/3', '1', 'half']) assert.throws(() => shardOf(names, shard), /--shard=1\/3/)
  })

  test('reads from the first line whether a file runs alone or early', () => {
    assert.deepEqual(directivesOf('// test: alone: it kills itself\n'), { isAlone: true, isLong: false })
    assert.deepEqual(directivesOf('// test: alone, long\n'), { isAlone: true, isLong: true })
    assert.deepEqual(directivesOf('// test: long: 40 s, not alone\n'), { isAlone: false, isLong: true })
    assert.deepEqual(directivesOf("import assert from 'node:assert'\n// test: alone\n"), {
      isAlone: false,
      isLong: false,
    })
  })
})
