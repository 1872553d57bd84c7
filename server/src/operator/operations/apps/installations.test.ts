import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { proofKey } from '../../../../../test/support/client.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
})

/** Registers an installation, later than the last one, so that their order is known. */
function register(name: string) {
  world.clock.advance(1000)
  return operator.change('POST', '/installations', { name, environment: 'test' })
}
const pointers = (body: { details: readonly { pointer: string }[] }) => body.details.map(({ pointer }) => pointer)

describe('installations', () => {
  test('are created, read and updated, and the audit log has the values before each update', async () => {
    const made = await operator.change('POST', '/installations', {
      name: 'Web shop',
      environment: 'test',
      origins: ['https://shop.example'],
      returnUrls: ['https://shop.example/return'],
    })
    assert.equal((await operator.get(`/installations/${made.id}`)).body.data.name, 'Web shop')
    world.clock.advance(1000)
    const changed = await operator.change('PATCH', `/installations/${made.id}`, {
      status: 'suspended',
      expectedVersion: 1,
    })
    assert.deepEqual([changed.status, changed.version, changed.origins], ['suspended', 2, ['https://shop.example']])
    const [entry] = (await operator.get(`/audit-log?subject=${made.id}&limit=1`)).body.data.items
    assert.deepEqual([entry.before, entry.after], [{ status: 'active' }, { status: 'suspended' }])
    const stale = await operator.send('PATCH', `/installations/${made.id}`, { name: 'Other', expectedVersion: 1 })
    assert.deepEqual([stale.status, stale.body.code, stale.body.conflict.currentVersion], [409, 'version_conflict', 2])
  })

  test('are listed newest first, in pages, and found by name', async () => {
    for (const name of ['Kiosk one', 'Kiosk two', 'Kiosk three']) await register(name)
    const names: string[] = []
    let cursor = ''
    do {
      const { body } = await operator.get(`/installations?q=kiosk&limit=2${cursor && `&cursor=${cursor}`}`)
      names.push(...body.data.items.map(({ name }: { name: string }) => name))
      cursor = body.data.nextCursor ?? ''
    } while (cursor)
    assert.deepEqual(names, ['Kiosk three', 'Kiosk two', 'Kiosk one'])
    const elsewhere = await operator.get('/installations?cursor=eyJ9.abc')
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_cursor'])
  })

  test('return live shoppers to encrypted pages, or to this machine', async () => {
    const live = { name: 'Live', environment: 'live' }
    const insecure = ['https://shop.example/return', 'http://shop.example/return']
    const refused = await operator.send('POST', '/installations', { ...live, returnUrls: insecure })
    assert.deepEqual([refused.status, pointers(refused.body)], [400, ['/returnUrls/1']])
    const { id } = await operator.change('POST', '/installations', { ...live, returnUrls: ['http://127.0.0.1:4000/'] })
    assert.equal((await operator.send('PATCH', `/installations/${id}`, { returnUrls: insecure })).status, 400)
    const keep = statement('test.insecure', 'update installations set return_urls = $2 where id = $1')
    await world.database.transaction((tx) => tx.change(keep, [id, insecure]))
    await operator.change('PATCH', `/installations/${id}`, { status: 'suspended' })
    await operator.change('POST', '/installations', { name: 'Try', environment: 'test', returnUrls: insecure })
  })

  test('refuse an invalid request with its reason', async () => {
    const empty = await operator.send('POST', '/installations', {})
    assert.deepEqual([empty.status, pointers(empty.body).sort()], [400, ['/environment', '/name']])
    const nowhere = await operator.send('POST', '/installations', {
      name: 'A',
      environment: 'test',
      storeSlug: 'nowhere',
    })
    assert.equal(nowhere.status, 400)
    assert.match(nowhere.body.details[0].message, /There is no store "nowhere"\./)
    const path = await operator.send('POST', '/installations', {
      name: 'A',
      environment: 'test',
      origins: ['https://a.example/x'],
    })
    assert.equal(path.status, 400)
    for (const absent of ['ins_01k5b7m2q8e9rtv3w4x5y6z7a8', 'ins_01k5b7m2q8e9rtv3w4x5y6z7a9']) {
      assert.equal((await operator.get(`/installations/${absent}`)).status, 404)
      assert.equal((await operator.send('PATCH', `/installations/${absent}`, { name: 'A' })).status, 404)
      assert.equal((await operator.get(`/installations/${absent}/keys`)).status, 404)
    }
  })
})

describe('keys', () => {
  test('are created once by a request that is repeated with its idempotency key, and shown once', async () => {
    const { id } = await register('With a lost answer')
    const create = () =>
      operator.send('POST', `/installations/${id}/keys`, { scopes: ['catalog:read'] }, { 'idempotency-key': 'lost' })
    const [first, again] = [await create(), await create()]
    const { key, ...shown } = first.body.data
    assert.match(key, /^sfk_test_/)
    assert.equal(shown.keyState, 'shown')
    assert.deepEqual(again.body.data, { ...shown, keyState: 'already_shown' })
    assert.equal((await operator.get(`/installations/${id}/keys`)).body.data.items.length, 1)
  })

  test('are shown once, work, are rotated and revoked', async () => {
    const { id } = await register('With keys')
    const path = `/installations/${id}/keys`
    const { jwk } = await proofKey()
    const made = await operator.change('POST', path, { scopes: ['catalog:read'], publicKey: jwk })
    assert.match(made.key, /^sfk_test_/)
    const listed = async () => (await operator.get(path)).body.data.items
    assert.deepEqual(
      (await listed()).map((key: { id: string }) => key.id),
      [made.keyId],
    )
    assert.ok(!JSON.stringify(await listed()).includes(made.key))

    world.clock.advance(1000)
    const successor = await operator.change('POST', `${path}/${made.keyId}/rotate`, {})
    assert.equal(successor.jkt, made.jkt)
    await operator.change('POST', `${path}/${successor.keyId}/revoke`, {})
    assert.deepEqual(
      (await listed()).map((key: { standing: string }) => key.standing),
      ['expiring', 'revoked'],
    )
    const log = JSON.stringify((await operator.get('/audit-log?limit=10')).body)
    assert.ok(!log.includes(made.key) && !log.includes(successor.key), 'the audit log contains no key')
  })

  test('that would already have expired are refused', async () => {
    const { id } = await register('With an old key')
    const body = { scopes: ['catalog:read'], expiresAt: world.clock.now().toISOString() }
    const { status, body: answer } = await operator.send('POST', `/installations/${id}/keys`, body)
    assert.deepEqual([status, answer.details[0].pointer, answer.details[0].code], [400, '/expiresAt', 'in_the_past'])
    assert.deepEqual((await operator.get(`/installations/${id}/keys`)).body.data.items, [])
  })

  test('of another installation are not_found', async () => {
    const [one, other] = [await register('One'), await register('Other')]
    const { keyId } = await operator.change('POST', `/installations/${one.id}/keys`, { scopes: ['catalog:read'] })
    for (const act of ['revoke', 'rotate']) {
      assert.equal((await operator.send('POST', `/installations/${other.id}/keys/${keyId}/${act}`, {})).status, 404)
    }
  })
})

describe('readiness proofs', () => {
  test('of the live payment provider are recorded once its key works: what is missing is named', async (t) => {
    const asked = t.mock.method(world.app.payments, 'problemsIn', async () => ['The key lacks Disputes: read.'])
    const proof = { code: 'payment_provider_live', note: 'Paid and refunded.' }
    const refused = await operator.send('POST', '/readiness-proofs', proof)
    assert.deepEqual([refused.status, refused.body.details[0].message], [400, 'The key lacks Disputes: read.'])
    assert.deepEqual(asked.mock.calls[0]?.arguments, ['live'])
  })

  test('lift the block on live keys once all are recorded', async () => {
    const { items, activated } = (await operator.get('/readiness-proofs')).body.data
    assert.equal(activated, false)
    for (const { code } of items) await operator.change('POST', '/readiness-proofs', { code, note: 'Seen.' })
    assert.equal((await operator.get('/readiness-proofs')).body.data.activated, true)
    const unknown = await operator.send('POST', '/readiness-proofs', { code: 'no_such_proof', note: 'Seen.' })
    assert.equal(unknown.status, 400)
    assert.match(unknown.body.details[0].message, /There is no proof "no_such_proof"/)
  })
})
