import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saidToBeAccepted, shownDocuments } from './acceptance.ts'

const TERMS = { type: 'terms_of_use', version: '2026-03-01' }
const PRIVACY = { type: 'privacy_policy', version: '2 & more = "all" of it' }

describe('what a form says was accepted', () => {
  test('is what stood beside the tick, whatever its versions are called', () =>
    assert.deepEqual(saidToBeAccepted({ accepted: 'yes', documents: shownDocuments([TERMS, PRIVACY]) }), [
      TERMS,
      PRIVACY,
    ]))

  test('is nothing without the tick', () =>
    assert.deepEqual(saidToBeAccepted({ documents: shownDocuments([TERMS]) }), []))

  test('is nothing where nothing was shown', () =>
    assert.deepEqual([saidToBeAccepted({ accepted: 'yes' }), shownDocuments([])], [[], undefined]))

  test('is said once, however often a form repeats it', () => {
    const documents = `${shownDocuments([TERMS])} ${shownDocuments([TERMS])}`
    assert.deepEqual(saidToBeAccepted({ accepted: 'yes', documents }), [TERMS])
  })
})
