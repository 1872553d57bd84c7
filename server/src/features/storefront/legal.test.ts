import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACCEPTED_ON, faultsOfAcceptance, requestedLocale, servedLocale } from './legal.ts'

const TERMS = { type: 'terms_of_use', version: '2' }
const PRIVACY = { type: 'privacy_policy', version: '5' }
const COOKIES = { type: 'cookie_policy', version: '1' }

describe('the language of a document', () => {
  test('is the best match, else the site’s default, else English, else the first', () => {
    assert.equal(servedLocale(['de-AT', 'en'], ['de', 'en'], 'en'), 'de')
    assert.equal(servedLocale(['fr'], ['de', 'en'], 'de'), 'de')
    assert.equal(servedLocale(['fr'], ['de', 'en'], null), 'en')
    assert.equal(servedLocale(['fr'], ['de', 'it'], 'es'), 'de')
    assert.equal(servedLocale(['fr'], [], 'es'), undefined)
  })

  test('as requested is the first valid one', () => {
    assert.equal(requestedLocale(['*', 'de-AT'], 'en'), 'de-AT')
    assert.equal(requestedLocale(['*', 'abcdefgh'], 'en'), 'en')
    assert.equal(requestedLocale([], 'en'), 'en')
  })
})

describe('acceptance', () => {
  const faults = (accepted: object[], inForce: object[]) =>
    faultsOfAcceptance(accepted as [], inForce as [], ACCEPTED_ON.registering).map(({ field, code }) => [field, code])

  test('is complete with all required documents in force, with or without others', () => {
    assert.deepEqual(faults([TERMS, PRIVACY], [TERMS, PRIVACY, COOKIES]), [])
    assert.deepEqual(faults([COOKIES, PRIVACY, TERMS], [TERMS, PRIVACY, COOKIES]), [])
  })

  test('is empty if nothing is published, or nothing is required', () => {
    assert.deepEqual(faults([], []), [])
    assert.deepEqual(faults([], [COOKIES]), [])
  })

  test('is refused for an unknown document, or a version not in force', () => {
    assert.deepEqual(faults([TERMS], []), [['acceptedDocuments/0/type', 'unknown']])
    assert.deepEqual(faults([TERMS, { ...PRIVACY, version: '4' }], [TERMS, PRIVACY]), [
      ['acceptedDocuments/1/version', 'not_in_force'],
    ])
  })

  test('is incomplete if a required document is missing', () => {
    assert.deepEqual(faults([TERMS], [TERMS, PRIVACY]), [['acceptedDocuments', 'required']])
  })

  test('is required for each owner: the marketplace’s terms and those of a store', () => {
    assert.deepEqual(faults([TERMS], [TERMS, { ...TERMS, version: 'own' }]), [['acceptedDocuments', 'required']])
    assert.deepEqual(faults([TERMS, { ...TERMS, version: 'own' }], [TERMS, { ...TERMS, version: 'own' }]), [])
  })
})
