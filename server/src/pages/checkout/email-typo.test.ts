import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { intendedEmail } from './email-typo.ts'

describe('a typo in an email address', () => {
  test('is found in the domain: one letter missing, wrong, added or swapped with the next', () => {
    for (const domain of ['gmial.com', 'gmail.con', 'gmal.com', 'gmaill.com', 'Gmail.co']) {
      assert.equal(intendedEmail(`ada@${domain}`), 'ada@gmail.com', domain)
    }
    assert.equal(intendedEmail('ada@wep.de'), 'ada@web.de')
  })

  test('is not assumed if the domain is valid, or not similar to a common one', () => {
    for (const domain of ['gmail.com', 'gmx.net', 'GMX.de', 'example.com', 'mail.com', 'gml.cm']) {
      assert.equal(intendedEmail(`ada@${domain}`), null, domain)
    }
  })
})
