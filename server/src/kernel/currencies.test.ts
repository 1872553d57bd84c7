import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as theirs from 'dinero.js/bigint/currencies'
import { CURRENCIES, exponentOf, isCurrency, majorOf, minorOf } from './currencies.ts'

describe('the currencies', () => {
  test('have the digits of ISO 4217: JPY none, EUR two, KWD three, CLF four', () =>
    assert.deepEqual(['JPY', 'EUR', 'KWD', 'CLF'].map(exponentOf), [0, 2, 3, 4]))

  test('agree with dinero.js except for three currencies', () => {
    // The lev gave way to the euro in January 2026. Ariary and ouguiya split into fifths, which ISO 4217 writes with two
    // decimal digits and dinero.js as one digit of base 5.
    const exceptions = new Set(['BGN', 'MGA', 'MRU'])
    const comparable = Object.values(theirs).filter(({ code }) => !exceptions.has(code))
    for (const { code, exponent } of comparable) assert.equal(exponentOf(code), Number(exponent), code)
    assert.equal(CURRENCIES.length, comparable.length + 2)
  })

  test('are known by their upper-case codes only', () => {
    assert.ok(isCurrency('EUR'))
    for (const wrong of ['eur', 'EURO', 'XXX', 'XAU', '', 'toString']) assert.ok(!isCurrency(wrong))
  })
})

describe('a decimal amount', () => {
  test('has the digits of its currency', () => {
    assert.equal(majorOf(1364n, 'EUR'), '13.64')
    assert.equal(majorOf(1364n, 'JPY'), '1364')
    assert.equal(majorOf(1364n, 'KWD'), '1.364')
    assert.equal(majorOf(-5n, 'EUR'), '-0.05')
  })

  test('is parsed exactly, and rejected with more digits than its currency has', () => {
    assert.equal(minorOf('13.64', 'EUR'), 1364n)
    assert.equal(minorOf('13.6', 'EUR'), 1360n)
    assert.equal(minorOf('13', 'KWD'), 13000n)
    assert.equal(minorOf('-0.05', 'EUR'), -5n)
    assert.equal(minorOf('13.645', 'EUR'), null)
    assert.equal(minorOf('1.0', 'JPY'), null)
    assert.equal(minorOf('1e3', 'EUR'), null)
  })
})
