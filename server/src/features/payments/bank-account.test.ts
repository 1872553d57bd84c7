import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bankAccountIn, epcText, spacedIban } from './bank-account.ts'

const IBAN = 'DE02120300000000202051'

describe('the account in the instructions for a transfer', () => {
  test('has a holder, an IBAN and an optional BIC, with or without labels', () => {
    for (const text of [
      'Ceramics GmbH\nIBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001',
      'IBAN: DE02120300000000202051\nBIC: BYLADEM1001\nKontoinhaber: Ceramics GmbH',
      'Ceramics GmbH\nIBAN DE02 1203 0000 0000 2020 51 BIC BYLADEM1001',
      'Ceramics GmbH\nDE02120300000000202051 SWIFT/BIC: BYLADEM1001',
    ]) {
      assert.deepEqual(bankAccountIn(text), { holder: 'Ceramics GmbH', iban: IBAN, bic: 'BYLADEM1001', rest: '' }, text)
    }
    const more = bankAccountIn('Ceramics\nDE02 1203 0000 0000 2020 51\nAt the bank of the village')
    assert.deepEqual([more?.bic, more?.rest], [null, 'At the bank of the village'])
  })

  test('is not found with a mistyped IBAN, without a holder, or for cash', () => {
    const none = [
      'Ceramics\nIBAN DE03 1203 0000 0000 2020 51',
      'IBAN DE02 1203 0000 0000 2020 51',
      'Pay at the counter.',
      '',
    ]
    for (const text of none) assert.equal(bankAccountIn(text), null, text)
  })

  test('is printed in groups of four, and gives the text of a QR code for banking apps', () => {
    const account = bankAccountIn(`Ceramics\nIBAN ${IBAN}`)!
    assert.equal(spacedIban(IBAN), 'DE02 1203 0000 0000 2020 51')
    const euros = { amount: 2905n, currency: 'EUR' }
    assert.equal(epcText(account, euros, 'AB12'), `BCD\n002\n1\nSCT\n\nCeramics\n${IBAN}\nEUR29.05\n\n\nAB12`)
    assert.match(epcText(account, { ...euros, amount: 99_999_999_999n }, 'AB12')!, /^EUR999999999\.99$/m)
    assert.equal(epcText(account, { ...euros, amount: 100_000_000_000n }, 'AB12'), null)
    assert.equal(epcText(account, { ...euros, currency: 'CHF' }, 'AB12'), null)
    assert.equal(epcText({ ...account, iban: 'TR330006100519786457841326' }, euros, 'AB12'), null)
  })
})
