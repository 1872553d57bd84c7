import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { intendedEmail } from './email-typo.ts'

describe('an email address with a slip', () => {
  test('is recognized by its domain: a letter missing, wrong, too much or in the wrong place', () => {
    for (const domain of ['gmial.com', 'gmail.con', 'gmal.com', 'gmaill.com', 'Gmail.co']) {
      assert.equal(intendedEmail(`ada@${domain}`), 'ada@gmail.com', domain)
    }
    assert.equal(intendedEmail('ada@wep.de'), 'ada@web.de')
  })

  test('is none where the domain is common, or like no common one', () => {
    for (const domain of ['gmail.com', 'gmx.net', 'GMX.de', 'example.com', 'mail.com', 'gml.cm']) {
      assert.equal(intendedEmail(`ada@${domain}`), null, domain)
    }
  })
})
