import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { statement, thumbprintOf } from '@vitrine/server'
import { keyIdOf } from '../../server/src/platform/secrets/keyring.ts'
import { client, type ProofKey } from '../support/client.ts'
import { storeLine } from '../support/commerce/catalog.ts'
import { command, launched, temporaryFolder } from '../support/processes/command.ts'
import { serveOperatorApi } from '../support/processes/operator-api.ts'
import { SEALING_KEY } from '../support/secrets.ts'
import { PASSWORD, wayInto } from '../support/store-access.ts'
import { startWorld, type World } from '../support/world.ts'

/** Commands next to a running server on the same database. */
let world: World
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let env: Record<string, string>
before(async () => {
  world = await startWorld()
  folder = await temporaryFolder()
  const settings = { DATABASE_URL: world.databaseUrl, DATA_DIR: folder }
  env = settings
  await serveOperatorApi(settings)
})

async function json(args: readonly string[]) {
  const { code, out, err } = await command([...args, '--json'], { env })
  assert.deepEqual([code, err], [0, ''])
  return JSON.parse(out)
}

async function fails(args: readonly string[], code: 1 | 2, input?: string) {
  const ran = await command(args, { env, ...(input !== undefined && { input }) })
  assert.deepEqual([ran.code, ran.out], [code, ''], ran.err)
  return ran.err
}

const DAY_MS = 86_400_000

/** Brings the clock of the server to that of the commands, which is the machine's. */
const catchUp = (moreMs = 0) => world.clock.advance(Date.now() + moreMs - world.clock.now().getTime())

describe('vitrine key', () => {
  let installationId: string
  before(async () => {
    catchUp()
    installationId = await world.installation()
  })
  const create = (...more: string[]) =>
    json(['key', 'create', '--installation', installationId, '--scopes', 'catalog:read', ...more])
  const identity = (key: string, proof?: ProofKey) =>
    client({ origin: world.origin, publicUrl: world.publicUrl, clock: world.clock, key, ...(proof && { proof }) }).get(
      '/api/v1/open/identity',
    )

  test('rotate creates a key with the same scopes; the old key works for another 24 hours', async () => {
    const old = await create()
    const made = await json(['key', 'rotate', old.keyId])
    assert.deepEqual(Object.keys(made), ['key', 'keyId', 'oldKeyExpiresAt'])
    const end = Date.parse(made.oldKeyExpiresAt) - Date.now()
    assert.ok(end > DAY_MS - 60_000 && end <= DAY_MS, `${end}`)
    for (const { key } of [old, made]) assert.equal((await identity(key)).status, 200)
    assert.deepEqual((await identity(made.key)).body.data.scopes, ['catalog:read'])
    catchUp(DAY_MS)
    assert.equal((await identity(old.key)).body.code, 'credential_expired')
    assert.equal((await identity(made.key)).status, 200)
    assert.match(await fails(['key', 'rotate', old.keyId], 1), /was rotated: its successor is "key_\w+"\.$/m)
  })

  test('rotate binds the new key to a new key pair, and leaves no private key behind if it fails', async () => {
    const old = await create()
    const file = join(folder, 'next.json')
    const made = await json(['key', 'rotate', old.keyId, '--generate-key', file])
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal(await thumbprintOf(JSON.parse(await readFile(file, 'utf8'))), made.jkt)
    await fails(['key', 'rotate', 'key_none', '--generate-key', join(folder, 'nobody.json')], 1)
    await assert.rejects(stat(join(folder, 'nobody.json')))
    assert.match(
      await fails(['key', 'rotate', made.keyId, '--generate-key', 'a.json', '--public-key', 'b.json'], 2),
      /not both/,
    )
  })

  test('revoke disables a key from the next request on, and prints the same when repeated', async () => {
    const { key, keyId } = await create()
    catchUp()
    assert.equal((await identity(key)).status, 200)
    const revoked = await json(['key', 'revoke', keyId])
    assert.equal(revoked.keyId, keyId)
    assert.equal((await identity(key)).body.code, 'credential_revoked')
    assert.deepEqual(await json(['key', 'revoke', keyId]), revoked)
    assert.match(await fails(['key', 'revoke', 'key_none'], 1), /There is no key "key_none"/)
  })

  test('list shows the status of each key, but no key', async () => {
    const own = await world.installation()
    const ofOwn = (...more: string[]) =>
      json(['key', 'create', '--installation', own, '--scopes', 'catalog:read,checkout:quote', ...more])
    const [rotated, revoked] = [await ofOwn(), await ofOwn('--generate-key', join(folder, 'list.json'))]
    const successor = await json(['key', 'rotate', rotated.keyId])
    await json(['key', 'revoke', revoked.keyId])
    const keys: Record<string, unknown>[] = await json(['key', 'list', '--installation', own])
    assert.deepEqual(
      keys.map(({ keyId, status, replacedBy, jkt }) => [keyId, status, replacedBy, jkt]),
      [
        [rotated.keyId, 'expiring', successor.keyId, null],
        [revoked.keyId, 'revoked', null, revoked.jkt],
        [successor.keyId, 'active', null, null],
      ],
    )
    const shown = await command(['key', 'list', '--installation', own], { env })
    assert.match(
      shown.out,
      /^KEY +DISPLAY +STATUS +SCOPES +BOUND +EXPIRES +LAST USED\nkey_\w+ +sfk_test_\w{4}…\w{4} +expiring/,
    )
    for (const { key } of [rotated, revoked, successor]) assert.ok(!shown.out.includes(key))
    assert.match(await fails(['key', 'list', '--installation', 'ins_none'], 1), /There is no installation "ins_none"/)
  })
})

describe('vitrine installation suspend and resume', () => {
  test('refuse its credentials from the next request on, and accept them again', async () => {
    catchUp()
    const mine = await world.client()
    const status = async () => (await mine.get('/api/v1/open/identity')).status
    assert.deepEqual(await json(['installation', 'suspend', mine.installationId]), {
      id: mine.installationId,
      status: 'suspended',
    })
    assert.equal(await status(), 403)
    await json(['installation', 'resume', mine.installationId])
    assert.equal(await status(), 200)
    assert.match(await fails(['installation', 'suspend', 'ins_none'], 1), /There is no installation "ins_none"/)
  })
})

describe('vitrine store', () => {
  before(() => world.import([storeLine('vault'), storeLine('open')]))
  const products = async (token?: string) =>
    (
      await world.anonymous.get('/api/v1/catalog/merchants/vault/products', {
        headers: { ...(token !== undefined && { 'x-store-access': token }) },
      })
    ).status

  test('access protects a store with a password from standard input, which then grants access', async () => {
    const access = ['store', 'access', 'vault', '--mode', 'password', '--password-stdin', '--json']
    const { code, out, err } = await launched(access, { env, input: `${PASSWORD}\n` })
    assert.deepEqual([code, err], [0, ''])
    const store = JSON.parse(out)
    assert.deepEqual([store.slug, store.mode, store.hasPassword, store.requireGrant], ['vault', 'password', true, []])
    await world.refresh()
    catchUp()
    assert.equal(await products(), 403)
    assert.equal(await products(await wayInto('vault', world).grant()), 200)
  })

  test('access requires grants for register and reset, keeps omitted settings, and requires nothing with ""', async () => {
    const access = ['store', 'access', 'open', '--mode']
    assert.deepEqual((await json([...access, 'open', '--require-grant', 'register,password_reset'])).requireGrant, [
      'register',
      'password_reset',
    ])
    assert.deepEqual((await json([...access, 'challenge'])).requireGrant, ['register', 'password_reset'])
    assert.deepEqual((await json([...access, 'open', '--require-grant', ''])).requireGrant, [])
  })

  test('access refuses invalid settings with a message', async () => {
    const access = ['store', 'access', 'open', '--mode']
    assert.match(await fails([...access, 'shut'], 2), /--mode must be one of open, password, challenge, not "shut"/)
    assert.match(await fails([...access, 'open', '--require-grant', 'looking'], 2), /not "looking"/)
    assert.match(await fails([...access, 'password'], 1), /has no password yet\.$/m)
    assert.match(await fails([...access, 'password', '--password-stdin'], 1, 'short'), /^vitrine: \/password: /)
    assert.match(await fails(['store', 'access', 'nowhere', '--mode', 'open'], 1), /There is no store "nowhere"/)
  })

  test('list shows the access mode of each store', async () => {
    const listed: { slug: string; mode: string }[] = await json(['store', 'list'])
    assert.deepEqual(
      listed.map(({ slug, mode }) => [slug, mode]),
      [
        ['open', 'open'],
        ['vault', 'password'],
      ],
    )
    const { out } = await command(['store', 'list'], { env })
    assert.match(out, /^STORE +STATUS +MODE +PASSWORD +GRANT REQUIRED FOR +ID\nopen +active +open +none +nothing else/)
  })
})

describe('vitrine secret', () => {
  test('list shows versions and no secret; rotate replaces one while the server runs', async () => {
    const rotated = await command(['secret', 'rotate', 'quote-signature'], { env })
    assert.match(
      rotated.out,
      /^Version 2 of quote-signature signs from \S+Z\. The previous version is accepted until \S+Z\.\n$/,
      rotated.err,
    )
    const { items, keyId, plain } = await json(['secret', 'list'])
    const { versions } = items.find(({ purpose }: { purpose: string }) => purpose === 'quote-signature')
    assert.deepEqual(Object.keys(versions[0]).toSorted(), 'acceptedUntil createdAt keyId signsFrom version'.split(' '))
    assert.deepEqual([versions[0].version, versions[0].keyId, plain], [2, keyId, 0])
    assert.ok(Date.parse(versions[1].acceptedUntil) > Date.parse(versions[0].signsFrom))

    const dropped = (await json(['secret', 'rotate', 'quote-signature', '--drop-old'])).items
    assert.equal(dropped[0].oldAcceptedUntil, dropped[0].signsFrom)
    const both: { purpose: string }[] = (await json(['secret', 'rotate', 'licence-keys'])).items
    assert.deepEqual(
      both.map(({ purpose }) => purpose),
      ['licence-keys', 'licence-fingerprint'],
    )
  })

  test('forget-plain deletes the unsealed copies of a release before sealing', async () => {
    await world.database.transaction(async (tx) => {
      tx.write(statement('test.plain', `insert into server_secrets values ('cursor', $1)`), [Buffer.alloc(32)])
    })
    assert.match((await command(['secret', 'list'], { env })).err, /^1 copies are not sealed/m)
    assert.match(await fails(['secret', 'rotate', 'cursor'], 1), /Nodes of an earlier release may still run/)
    assert.equal((await json(['secret', 'forget-plain'])).forgotten, 1)
    assert.equal((await json(['secret', 'list'])).plain, 0)
  })

  test('rotate sealing-key adds a key to the file of the data directory, where that has it', async () => {
    const own = await temporaryFolder()
    const file = join(own, 'sealing-key')
    await writeFile(file, SEALING_KEY.toString('base64'), { mode: 0o600 })
    const inFile = { DATABASE_URL: world.databaseUrl, DATA_DIR: own, SEALING_KEY: '' }
    const { code, out, err } = await command(['secret', 'rotate', 'sealing-key', '--json'], { env: inFile })
    assert.equal(code, 0, err)
    const { resealed, keyId } = JSON.parse(out)
    assert.ok(resealed >= 14, `${resealed} values`)
    const [young = '', old] = (await readFile(file, 'utf8')).trim().split('\n')
    assert.deepEqual([keyIdOf(Buffer.from(young, 'base64')), old], [keyId, SEALING_KEY.toString('base64')])

    const again = await command(['webhook', 'reseal'], { env: inFile })
    assert.match(again.out, /^Sealed \d+ values with /)
    const [youngest = ''] = (await readFile(file, 'utf8')).split('\n')
    await writeFile(file, youngest)
    assert.equal((await command(['secret', 'list'], { env: inFile })).code, 0)
    const without = await command(['secret', 'list'], { env: { ...inFile, DATA_DIR: await temporaryFolder() } })
    assert.deepEqual(
      [without.code, without.err.includes(`sealed with the key ${keyIdOf(Buffer.from(youngest, 'base64'))}, which`)],
      [1, true],
    )
  })
})
