import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutSecrets } from './shown-once.ts'

const kept = (data: object) => {
  const answer = Buffer.from(JSON.stringify({ data }))
  return JSON.parse(withoutSecrets(answer, { token: 'tokenState' }).toString())
}

describe('what is kept of an answer that showed a secret', () => {
  test('lacks it, says that it was shown, and has everything else as it was', () =>
    assert.deepEqual(kept({ id: 'a', token: 'the secret', tokenState: 'shown', at: 'noon' }), {
      data: { id: 'a', tokenState: 'already_shown', at: 'noon' },
    }))

  test('says nothing of the kind where none was shown', () =>
    assert.deepEqual(kept({ id: 'a', tokenState: 'unchanged' }), { data: { id: 'a', tokenState: 'unchanged' } }))
})
