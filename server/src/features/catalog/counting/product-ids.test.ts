import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { idSource } from '../../../kernel/ids.ts'
import { ProductIds } from './product-ids.ts'

test('products keep their places, and places their ids', () => {
  const ids = idSource({ now: () => new Date(1_700_000_000_000) }, testRandomness())
  const products = Array.from({ length: 5000 }, () => ids.next('prod'))
  const places = new ProductIds()
  for (const [place, id] of products.entries()) {
    assert.equal(places.find(id), -1)
    assert.equal(places.findOrAdd(id), place)
  }
  for (const [place, id] of products.entries()) {
    assert.equal(places.findOrAdd(id), place)
    assert.equal(places.at(place), id)
  }
  assert.equal(places.size, products.length)
})

test('any 128-bit id is stored without loss', () => {
  const letter = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz')
  const id = fc
    .tuple(fc.constantFrom(...'01234567'), fc.array(letter, { minLength: 25, maxLength: 25 }))
    .map(([first, rest]) => `prod_${first}${rest.join('')}`)
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 50 }), (all) => {
      const places = new ProductIds()
      assert.deepEqual(
        all.map((each) => places.at(places.findOrAdd(each))),
        all,
      )
    }),
  )
})

test('a text that is not a product id is not found, and gets no place', () => {
  const places = new ProductIds()
  for (const text of ['', 'prod_1', `prod_8${'0'.repeat(25)}`, `prod_0${'u'.repeat(25)}`, `prod_0${'é'.repeat(25)}`]) {
    assert.equal(places.find(text), -1)
    assert.throws(() => places.findOrAdd(text), /an id of a product/)
  }
})
