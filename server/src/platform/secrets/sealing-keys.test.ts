import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { testRandomness } from '../../../../test/support/randomness.ts'
import { keyring } from './keyring.ts'
import { forgetOtherKeys, joinKeyring, SealingKeyError, sealingKeysIn, sealingKeysOf } from './sealing-keys.ts'

const randomness = testRandomness('sealing keys')
const key = () => randomness.bytes(32)
const now = testClock().now()

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'vitrine-keys-'))
  t.after(() => rm(made, { recursive: true, force: true }))
  return made
}

describe('configured keys', () => {
  test('are parsed in both alphabets of base64, the newest first', () => {
    const keys = [key(), key()]
    const [first = '', second = ''] = [keys[0]?.toString('base64'), keys[1]?.toString('base64url')]
    assert.deepEqual(sealingKeysIn(`${first}, ${second}\n`), keys)
  })

  test('are rejected in another format', () => {
    const one = key().toString('base64')
    for (const text of ['', ' , ', 'c2hvcnQ=', `${one}!`, `${one},short`]) assert.equal(sealingKeysIn(text), null)
  })
})

describe('the key in the data directory', () => {
  test('is created once, readable by this user only, even by concurrent starts', async (t) => {
    const directory = join(await folder(t), 'data')
    const made = await Promise.all([1, 2, 3].map(() => sealingKeysOf(directory, randomness)))
    const again = await sealingKeysOf(directory, randomness)
    for (const keys of made) assert.deepEqual(keys, again)
    const [file = '', ...others] = await readdir(directory)
    assert.deepEqual(others, [])
    assert.equal((await stat(join(directory, file))).mode & 0o777, 0o600)
  })

  test('fails with advice if it can be neither read nor created', async (t) => {
    const directory = await folder(t)
    await writeFile(join(directory, 'file'), 'not a folder')
    await assert.rejects(sealingKeysOf(join(directory, 'file'), randomness), /Set WEBHOOK_SECRET_KEY instead/)
    await writeFile(join(directory, 'webhook-secret-key'), 'nonsense')
    await assert.rejects(sealingKeysOf(directory, randomness), SealingKeyError)
  })
})

describe('a node', () => {
  test('learns which keys of other nodes it lacks, until nothing is sealed with them', async (t) => {
    const { database } = await testDatabase(t)
    const ring = (...keys: Buffer[]) => keyring(keys, randomness)
    const lacks = (...keys: Buffer[]) => database.transaction((tx) => joinKeyring(tx, ring(...keys), now))
    const [old, young] = [key(), key()]
    assert.deepEqual(await lacks(old), [])
    assert.deepEqual(await lacks(young), [ring(old).keyId])
    assert.deepEqual(await lacks(old), [ring(young).keyId])
    assert.deepEqual(await lacks(young, old), [])
    await database.transaction(async (tx) => forgetOtherKeys(tx, ring(young, old)))
    assert.deepEqual(await lacks(young), [])
  })
})
