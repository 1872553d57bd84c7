import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import type { Database } from '../postgres/index.ts'
import { loadSecrets, mac } from './server-secrets.ts'

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})

describe('server secrets', () => {
  test('are the same on nodes that start together and later', async () => {
    const load = () => database.transaction((tx) => loadSecrets(tx, systemRandomness()))
    const together = await Promise.all([load(), load(), load(), load()])
    const later = await load()
    for (const secrets of together) assert.deepEqual(secrets, later)
  })

  test('are 32 bytes, different per purpose', async () => {
    const secrets = Object.values(await database.transaction((tx) => loadSecrets(tx, systemRandomness())))
    for (const secret of secrets) assert.equal(secret.length, 32)
    assert.equal(new Set(secrets.map(String)).size, secrets.length)
  })
})

describe('a MAC', () => {
  test('is HMAC-SHA256, as in RFC 4231 §4.3', () => {
    assert.equal(
      mac(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })
})
