import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAcceptLanguage } from './accept-language.ts'

describe('Accept-Language', () => {
  const cases: readonly (readonly [string | undefined, readonly string[], string])[] = [
    [undefined, [], 'is optional'],
    ['', [], 'may be empty'],
    ['de', ['de'], 'is a list of one'],
    ['da, en-GB;q=0.8, en;q=0.7', ['da', 'en-GB', 'en'], 'is ordered by weight'],
    ['en;q=0.5, de', ['de', 'en'], 'is ordered by weight and not by place'],
    ['fr, de, en', ['fr', 'de', 'en'], 'keeps its order among equal weights'],
    ['en;q=0, de', ['de'], 'omits what the caller refuses'],
    ['*', ['*'], 'accepts the wildcard'],
    ['en ; q = 0.5,de', ['de', 'en'], 'allows spaces'],
    ['EN-us;Q=0.9', ['EN-us'], 'ignores case'],
    ['zh-Hans-CN', ['zh-Hans-CN'], 'accepts scripts and regions'],
    ['../../etc, <b>, de', ['de'], 'omits what is not a language range'],
    ['ü, de', ['de'], 'omits what is not ASCII'],
    [', ,de', ['de'], 'omits empty members'],
  ]
  for (const [header, ranges, what] of cases) {
    test(`${what}: ${JSON.stringify(header)}`, () => assert.deepEqual(readAcceptLanguage(header), ranges))
  }

  test('is read up to ten ranges', () => {
    const header = Array.from({ length: 5000 }, (_, index) => `de-x${index}`).join(',')
    assert.equal(readAcceptLanguage(header).length, 10)
  })
})
