import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptedIn, documentVersions } from './acceptance.ts'

const TERMS = { type: 'terms_of_use', version: '2026-03-01' }
const PRIVACY = { type: 'privacy_policy', version: '2 & more = "all" of it' }

describe('what a form says was accepted', () => {
  test('is what stood beside the tick, whatever its versions are called', () =>
    assert.deepEqual(acceptedIn({ accepted: 'yes', documents: documentVersions([TERMS, PRIVACY]) }), [TERMS, PRIVACY]))

  test('is nothing without the tick', () => assert.deepEqual(acceptedIn({ documents: documentVersions([TERMS]) }), []))

  test('is nothing where nothing was shown', () =>
    assert.deepEqual([acceptedIn({ accepted: 'yes' }), documentVersions([])], [[], undefined]))

  test('is said once, however often a form repeats it', () => {
    const documents = `${documentVersions([TERMS])} ${documentVersions([TERMS])}`
    assert.deepEqual(acceptedIn({ accepted: 'yes', documents }), [TERMS])
  })
})
