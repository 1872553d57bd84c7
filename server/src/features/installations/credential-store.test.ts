import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordingDatabase } from '../../../../test/support/recording-database.ts'
import { KeyUses } from './credential-store.ts'

test('the last uses of keys are kept if their write fails or is repeated', async () => {
  const uses = new KeyUses()
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute))
  const { database, written } = recordingDatabase('fails', 'repeats')
  uses.record('key_b', at(1))
  uses.record('key_a', at(2))
  const failing = uses.flush(database)
  uses.record('key_a', at(3))
  await assert.rejects(failing, /The commit has failed/)
  await uses.flush(database)
  await uses.flush(database)
  assert.deepEqual(written, [
    [
      ['key_a', 'key_b'],
      [at(3), at(1)],
    ],
  ])
})
