import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptedIn, documentVersions } from './acceptance.ts'

const TERMS = { type: 'terms_of_use', version: '2026-03-01' }
const PRIVACY = { type: 'privacy_policy', version: '2 & more = "all" of it' }

describe('accepted documents in a form', () => {
  test('are the versions shown with the checkbox, whatever their names', () =>
    assert.deepEqual(acceptedIn({ accepted: 'yes', documents: documentVersions([TERMS, PRIVACY]) }), [TERMS, PRIVACY]))

  test('are none without the checkbox', () =>
    assert.deepEqual(acceptedIn({ documents: documentVersions([TERMS]) }), []))

  test('are none if none were shown', () =>
    assert.deepEqual([acceptedIn({ accepted: 'yes' }), documentVersions([])], [[], undefined]))

  test('are without duplicates', () => {
    const documents = `${documentVersions([TERMS])} ${documentVersions([TERMS])}`
    assert.deepEqual(acceptedIn({ accepted: 'yes', documents }), [TERMS])
  })
})
