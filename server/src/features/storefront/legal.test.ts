import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACCEPTED_ON, faultsOfAcceptance, requestedLocale, servedLocale } from './legal.ts'

const TERMS = { type: 'terms_of_use', version: '2' }
const PRIVACY = { type: 'privacy_policy', version: '5' }
const COOKIES = { type: 'cookie_policy', version: '1' }

describe('the language of a document', () => {
  test('is the best for the reader, else the site’s own, else English, else the first', () => {
    assert.equal(servedLocale(['de-AT', 'en'], ['de', 'en'], 'en'), 'de')
    assert.equal(servedLocale(['fr'], ['de', 'en'], 'de'), 'de')
    assert.equal(servedLocale(['fr'], ['de', 'en'], null), 'en')
    assert.equal(servedLocale(['fr'], ['de', 'it'], 'es'), 'de')
    assert.equal(servedLocale(['fr'], [], 'es'), undefined)
  })

  test('that was asked for is the first that is one', () => {
    assert.equal(requestedLocale(['*', 'de-AT'], 'en'), 'de-AT')
    assert.equal(requestedLocale(['*', 'abcdefgh'], 'en'), 'en')
    assert.equal(requestedLocale([], 'en'), 'en')
  })
})

describe('what was accepted', () => {
  const faults = (accepted: object[], inForce: object[]) =>
    faultsOfAcceptance(accepted as [], inForce as [], ACCEPTED_ON.registering).map(({ pointer, code }) => [
      pointer,
      code,
    ])

  test('is enough where it is what is in force, with more or without', () => {
    assert.deepEqual(faults([TERMS, PRIVACY], [TERMS, PRIVACY, COOKIES]), [])
    assert.deepEqual(faults([COOKIES, PRIVACY, TERMS], [TERMS, PRIVACY, COOKIES]), [])
  })

  test('is nothing where nothing is published, or nothing that has to be accepted', () => {
    assert.deepEqual(faults([], []), [])
    assert.deepEqual(faults([], [COOKIES]), [])
  })

  test('is refused where it is no document, or another version than that in force', () => {
    assert.deepEqual(faults([TERMS], []), [['/acceptedDocuments/0/type', 'unknown']])
    assert.deepEqual(faults([TERMS, { ...PRIVACY, version: '4' }], [TERMS, PRIVACY]), [
      ['/acceptedDocuments/1/version', 'not_in_force'],
    ])
  })

  test('is too little where a document is missing that has to be accepted', () => {
    assert.deepEqual(faults([TERMS], [TERMS, PRIVACY]), [['/acceptedDocuments', 'required']])
  })

  test('is asked of each owner: the marketplace’s terms and those of a store', () => {
    assert.deepEqual(faults([TERMS], [TERMS, { ...TERMS, version: 'own' }]), [['/acceptedDocuments', 'required']])
    assert.deepEqual(faults([TERMS, { ...TERMS, version: 'own' }], [TERMS, { ...TERMS, version: 'own' }]), [])
  })
})
