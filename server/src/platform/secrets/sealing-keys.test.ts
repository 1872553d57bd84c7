import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { testRandomness } from '../../../../test/support/randomness.ts'
import { keyIdOf, keyring } from './keyring.ts'
import {
  addKeyToFile,
  forgetOtherKeys,
  joinKeyring,
  openKeyring,
  processKeyring,
  SealingKeyError,
  sealingKeyFile,
  sealingKeysIn,
} from './sealing-keys.ts'

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

const inFolder = (dataDirectory: string) => ({ sealing: { keys: null, file: null, command: null }, dataDirectory })

describe('the key in the data directory', () => {
  test('is created once, readable by this user only, even by concurrent starts', async (t) => {
    const directory = join(await folder(t), 'data')
    const made = await Promise.all([1, 2, 3].map(() => openKeyring(inFolder(directory), randomness, null)))
    assert.equal(new Set(made.map(({ keyId }) => keyId)).size, 1)
    const [file = '', ...others] = await readdir(directory)
    assert.deepEqual(others, [])
    assert.equal((await stat(join(directory, file))).mode & 0o777, 0o600)
  })

  test('is not created if something is sealed already: the lost one has to be restored', async (t) => {
    const directory = await folder(t)
    await assert.rejects(
      openKeyring(inFolder(directory), randomness, '0123456789abcdef'),
      /with the key 0123456789abcdef/,
    )
    assert.deepEqual(await readdir(directory), [])
  })

  test('may be in the file of the release before', async (t) => {
    const directory = await folder(t)
    const before = key()
    await writeFile(join(directory, 'webhook-secret-key'), before.toString('base64'))
    const ring = await openKeyring(inFolder(directory), randomness, keyIdOf(before))
    assert.equal(ring.keyId, keyIdOf(before))
  })

  test('is followed by a new one, which another process loads when it needs it', async (t) => {
    const directory = await folder(t)
    const here = await openKeyring(inFolder(directory), randomness, null)
    const there = await openKeyring(inFolder(directory), randomness, null)
    const old = here.seal(Buffer.from('old'), 'a')
    await addKeyToFile(directory, randomness)
    here.lookAgain()
    const young = here.seal(Buffer.from('young'), 'a')
    assert.notEqual(young.keyId, old.keyId)
    assert.deepEqual([there.open(young, 'a'), there.open(old, 'a')].map(String), ['young', 'old'])
    assert.equal((await stat(sealingKeyFile(directory))).mode & 0o777, 0o600)
  })

  test('is found although another keyring of the process has lost its file', async (t) => {
    const [lost, directory] = [await folder(t), await folder(t)]
    for (const each of [lost, directory]) await openKeyring(inFolder(each), randomness, null)
    await rm(sealingKeyFile(lost))
    await addKeyToFile(directory, randomness)
    const [young] = sealingKeysIn(await readFile(sealingKeyFile(directory), 'utf8'))!
    assert.equal(processKeyring(keyIdOf(young!)).keyId, keyIdOf(young!))
  })

  test('fails with advice if it can be neither read nor created', async (t) => {
    const directory = await folder(t)
    await writeFile(join(directory, 'file'), 'not a folder')
    await assert.rejects(openKeyring(inFolder(join(directory, 'file')), randomness, null), /Set SEALING_KEY instead/)
    await writeFile(join(directory, 'sealing-key'), 'nonsense')
    await assert.rejects(openKeyring(inFolder(directory), randomness, null), SealingKeyError)
  })
})

describe('a key that is kept elsewhere', () => {
  test('is read from a file, or printed by a command, and never written here', async (t) => {
    const directory = await folder(t)
    const file = join(directory, 'key')
    const own = key()
    await writeFile(file, `${own.toString('base64')}\n`)
    const data = { dataDirectory: join(directory, 'data') }
    for (const sealing of [
      { keys: null, file, command: null },
      { keys: null, file: null, command: `cat '${file}'` },
    ]) {
      assert.equal((await openKeyring({ sealing, ...data }, randomness, null)).keyId, keyIdOf(own))
    }
    assert.deepEqual(await readdir(directory), ['key'])
  })

  test('is an error if the command fails or prints something else, and its output is not shown', async (t) => {
    const dataDirectory = await folder(t)
    for (const command of ['echo hunter2', 'echo hunter2; exit 3']) {
      const opening = openKeyring({ sealing: { keys: null, file: null, command }, dataDirectory }, randomness, null)
      await assert.rejects(
        opening,
        (error: Error) => error instanceof SealingKeyError && !/^hunter2/m.test(error.message),
      )
    }
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
