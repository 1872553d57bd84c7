import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { idfOf, type Term, UNCOUNTED, weightedByHead, withAll, withMost } from './ranking.ts'

const term = (word: string, idf: number): Term => ({ forms: [{ query: word, weight: 1 }], idf, kinds: `'=#${word}'` })

describe('the ranking', () => {
  test('weighs a rare word more than a frequent one, and all words alike before anything is counted', () => {
    const collection = { documents: 1000, lengths: [1, 1, 1, 1] as const }
    assert.ok(idfOf(collection, 1) > idfOf(collection, 10) && idfOf(collection, 10) > idfOf(collection, 900))
    assert.ok(idfOf(collection, 1000) > 0)
    assert.equal(idfOf(UNCOUNTED, 1), idfOf(UNCOUNTED, 500))
  })
  test('matches products that have all terms', () => {
    assert.equal(withAll([term('red', 1), term('shirt', 2)]), '((red)) & ((shirt))')
  })
  test('matches products that have most of the weight of the terms, by the smallest sets that suffice', () => {
    assert.equal(withMost([term('game', 1), term('laptop', 3)]), '(((laptop)))')
    assert.equal(withMost([term('a', 1), term('b', 1)]), '(((a))) | (((b)))')
    assert.equal(withMost([term('a', 1), term('b', 1), term('c', 1)]).split('|').length, 3)
  })
  test('gives the head of a query the weight of its rarest word, and no weight to a word that no product has', () => {
    const weightsOf = (terms: readonly Term[], facts: readonly [isThere: boolean, isKind: boolean][]) =>
      weightedByHead(
        terms,
        facts.map(([isThere, isKind]) => ({ isThere, isKind })),
      ).map(({ idf }) => idf)
    const [kids, headphones, pink] = [term('kids', 8), term('headphones', 4), term('pink', 6)]
    assert.deepEqual(
      weightsOf(
        [kids, headphones],
        [
          [true, false],
          [true, false],
        ],
      ),
      [8, 8],
      'the last word',
    )
    assert.deepEqual(
      weightsOf(
        [headphones, pink],
        [
          [true, true],
          [true, false],
        ],
      ),
      [6, 6],
      'the last that names a category',
    )
    assert.deepEqual(
      weightsOf(
        [headphones, kids],
        [
          [true, true],
          [false, false],
        ],
      ),
      [4, 0],
      'a word that nothing has',
    )
    const purpose = { ...kids, kinds: null }
    assert.deepEqual(
      weightsOf(
        [headphones, purpose],
        [
          [true, false],
          [true, false],
        ],
      ),
      [8, 8],
      'what comes before its purpose',
    )
  })
})
