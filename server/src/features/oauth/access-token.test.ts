import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { client as clientOf, proofKey } from '../../../../test/support/client.ts'
import { CARTS, type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import {
  type AppOptions,
  type CodeOptions,
  codeFor,
  posterOf,
  registerApp,
} from '../../../../test/support/pages/oauth.ts'

let shop: Shop
let exchange: ReturnType<typeof posterOf>['exchange']
let revoke: ReturnType<typeof posterOf>['revoke']
before(async () => {
  shop = await startShop()
  ;({ exchange, revoke } = posterOf(shop))
})

const IDENTITY = '/api/v1/open/installation/identity'
const CART = { currency: 'EUR', country: 'DE' }

async function withToken(options: AppOptions = {}, code: CodeOptions = {}) {
  const app = await registerApp(shop, options)
  const { body } = await exchange(app, await codeFor(shop, app, code))
  const connection = { origin: shop.origin, publicUrl: shop.publicUrl, clock: shop.clock }
  const token = String(body.access_token)
  return {
    app,
    token,
    refreshToken: body.refresh_token,
    connection,
    client: clientOf({ ...connection, key: token, proof: app.proof }),
  }
}

describe('an access token', () => {
  test('returns its installation, type and expiry as its identity', async () => {
    const { app, client, token } = await withToken({}, { scopes: ['catalog:read'] })
    const { data } = (await client.get(IDENTITY)).body
    assert.equal(data.installationId, app.installationId)
    assert.deepEqual(data.scopes, ['catalog:read'])
    assert.deepEqual(data.credential, {
      type: 'access_token',
      senderConstrained: true,
      jkt: app.proof.jkt,
      expiresAt: new Date(shop.clock.now().getTime() + 600_000).toISOString(),
    })
    const identity = (await client.get('/api/v1/open/identity')).body.data
    assert.match(identity.keyId, /^tok_/)
    assert.equal(identity.display, `${token.slice(0, 9)}…${token.slice(-4)}`)
  })

  test("writes data of its installation, which the installation's API key can read", async () => {
    const { app, client } = await withToken()
    const made = await client.post(CARTS, CART)
    assert.equal(made.status, 200, made.text)
    const key = await shop.client({ installationId: app.installationId })
    assert.equal((await key.get(`${CARTS}/${made.body.data.id}`)).status, 200)
  })

  test('is limited to its scopes', async () => {
    const { client } = await withToken({}, { scopes: ['checkout:quote'] })
    const { status, body } = await client.post(CARTS, CART)
    assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
  })

  test('is limited to the store of its installation', async () => {
    const { client } = await withToken({ storeSlug: 'ceramics' })
    assert.equal((await client.get(IDENTITY)).body.data.store.slug, 'ceramics')
  })

  test("is refused as a Bearer token, without a proof and with another key's proof", async () => {
    const { token, connection, client } = await withToken()
    const codeOf = async (answer: Promise<{ body: { code: string } }>) => (await answer).body.code
    assert.equal(await codeOf(clientOf({ ...connection, key: token }).get(IDENTITY)), 'credential_invalid')
    assert.equal(
      await codeOf(clientOf({ ...connection, key: token, proof: await proofKey() }).get(IDENTITY)),
      'invalid_dpop_proof',
    )
    const bare = { authorization: `DPoP ${token}` }
    assert.equal(await codeOf(clientOf(connection).get(IDENTITY, { headers: bare })), 'dpop_proof_required')
    assert.equal((await client.get(IDENTITY)).status, 200)
  })

  test('costs no query if mistyped', async () => {
    const { token, connection } = await withToken()
    const before = shop.database.counters().queries
    const answer = await clientOf({ ...connection, key: `${token.slice(0, -1)}0` }).get(IDENTITY)
    assert.equal(answer.body.code, 'credential_invalid')
    assert.equal(shop.database.counters().queries, before)
  })

  test('expires after 600 seconds with credential_expired', async () => {
    const { client } = await withToken()
    shop.clock.advance(599_999)
    assert.equal((await client.get(IDENTITY)).status, 200)
    shop.clock.advance(1)
    assert.equal((await client.get(IDENTITY)).body.code, 'credential_expired')
  })

  test('is refused while its installation is suspended', async () => {
    const { app, client } = await withToken()
    await shop.run(`update installations set status = 'suspended' where id = $1`, [app.installationId])
    const { status, body } = await client.get(IDENTITY)
    assert.deepEqual([status, body.code], [403, 'installation_suspended'])
  })

  test('of a live installation is blocked before production is activated', async () => {
    const { client } = await withToken({ environment: 'live' })
    assert.equal((await client.get(IDENTITY)).body.code, 'capability_blocked')
  })

  test('is refused after its revocation', async () => {
    const { app, client, token } = await withToken()
    await revoke(app, token)
    assert.equal((await client.get(IDENTITY)).body.code, 'credential_revoked')
  })
})
