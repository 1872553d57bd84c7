import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { secretDeps } from '../../../../test/support/secrets.ts'
import { type Database, statement } from '../postgres/index.ts'
import { isDerived, mac } from './rotating-secret.ts'
import { SECRET_COLUMNS } from './secret-columns.ts'
import {
  FADES,
  forgetPlainSecrets,
  LEAD_MS,
  loadSecrets,
  rotateSecret,
  SECRET_PURPOSES,
  sweepServerSecrets,
} from './server-secrets.ts'

const clock = testClock()
const deps = secretDeps(clock)
let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})
const load = () => database.transaction((tx) => loadSecrets(tx, deps))
const rotate = (dropsOld = false) => database.transaction((tx) => rotateSecret(tx, 'page-form', { dropsOld }, deps))

describe('server secrets', () => {
  test('are the same on nodes that start together and later', async () => {
    const together = await Promise.all([load(), load(), load(), load()])
    const later = await load()
    for (const { values } of together) {
      for (const purpose of SECRET_PURPOSES) assert.deepEqual(values[purpose].accepted, later.values[purpose].accepted)
    }
  })

  test('are 32 bytes, different per purpose', async () => {
    const secrets = Object.values((await load()).values).map(({ current }) => current)
    for (const secret of secrets) assert.equal(secret.length, 32)
    assert.equal(new Set(secrets.map(String)).size, secrets.length)
  })

  test('are those that an earlier release left as plain text, which it needs for a week', async (t) => {
    const { database: upgraded } = await testDatabase(t)
    const plain = Buffer.alloc(32, 9)
    await upgraded.transaction(async (tx) => {
      tx.write(statement('test.plain', `insert into server_secrets (purpose, secret) values ('cursor', $1)`), [plain])
    })
    const { values } = await upgraded.transaction((tx) => loadSecrets(tx, deps))
    assert.deepEqual(values.cursor.current, plain)

    const count = statement<{ left: bigint }>('test.plain_left', 'select count(*) as left from server_secrets')
    const sweepAfter = async (days: number) => {
      await upgraded.transaction((tx) => sweepServerSecrets(tx, new Date(clock.now().getTime() + days * 86_400_000)))
      return Number((await upgraded.reader.row(count))?.left)
    }
    assert.deepEqual([await sweepAfter(6.9), await sweepAfter(7.1)], [1, 0])
    assert.equal(await upgraded.transaction((tx) => forgetPlainSecrets(tx)), 0)
    assert.deepEqual((await upgraded.transaction((tx) => loadSecrets(tx, deps))).values.cursor.current, plain)
  })

  test('cannot be opened as another one', async (t) => {
    const { database: own } = await testDatabase(t)
    await own.transaction((tx) => loadSecrets(tx, deps))
    await own.transaction(async (tx) => {
      tx.write(
        statement(
          'test.swap',
          `update server_secret_versions set sealed = other.sealed from server_secret_versions as other
           where server_secret_versions.purpose = 'cursor' and other.purpose = 'page-form'`,
        ),
        [],
      )
    })
    await assert.rejects(own.transaction((tx) => loadSecrets(tx, deps)))
  })
})

const columns = statement<{ name: string }>(
  'test.columns',
  `select table_name || '.' || column_name as name from information_schema.columns
   where table_schema = current_schema() and (data_type = 'bytea' or column_name ~
     '(secret|token|hash|key|sealed|password|code|nonce|fingerprint|digest|totp|signature|credential)') order by 1`,
)

describe('each column that may hold a secret', () => {
  test('is declared as sealed, hashed, or not secret', async () => {
    const found = (await database.reader.rows(columns)).map(({ name }) => name)
    const { readable, ...byName } = SECRET_COLUMNS
    assert.deepEqual(Object.values(byName).flat().toSorted(), found.toSorted())
    assert.equal(readable.length, 3)
  })
})

describe('a secret that is rotated', () => {
  test('signs once every node knows it, and signatures of the old one are accepted until it has faded', async () => {
    const [here, there] = [await load(), await load()]
    const { 'page-form': secret } = there.values
    const old = secret.current
    const signed = mac(secret, 'a form')
    const { version } = await rotate()
    await here.refresh(database.reader)
    await there.refresh(database.reader)
    assert.equal(version, 2)
    assert.deepEqual([secret.current, secret.accepted.length], [old, 2])

    clock.advance(LEAD_MS)
    assert.notDeepEqual(secret.current, old)
    assert.deepEqual(here.values['page-form'].current, secret.current)
    const opens = () => isDerived(secret, signed, (each) => mac(each, 'a form'))
    assert.equal(opens(), true)
    clock.advance(FADES['page-form'] - 1)
    assert.equal(opens(), true)
    clock.advance(1)
    assert.equal(opens(), false)
  })

  test('after a leak accepts neither the old version nor earlier ones', async () => {
    await rotate()
    const { oldAcceptedUntil, signsFrom } = await rotate(true)
    assert.deepEqual(oldAcceptedUntil, signsFrom)
    clock.advance(LEAD_MS)
    assert.equal((await load()).values['page-form'].accepted.length, 1)
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
