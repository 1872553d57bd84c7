import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Client, makeProof } from '../../../../../test/support/client.ts'
import { CARTS, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'

let shop: Shop
before(async () => {
  shop = await startShop()
})

const CART = { currency: 'EUR', country: 'DE' }

/** A client whose credential this process has cached. */
async function knownClient() {
  const client = await shop.client()
  assert.equal((await client.post(CARTS, CART)).status, 200)
  return client
}

async function cartsOf({ installationId }: { readonly installationId: string }): Promise<number> {
  return (await shop.query('select id from carts where installation_id = $1', [installationId])).length
}

const codeOf = async (client: Client, body: unknown) => (await client.post(CARTS, body)).body.code

describe('an outdated cached credential', () => {
  const changes: readonly (readonly [string, string, string])[] = [
    ['credential_revoked', 'update api_keys set revoked_at = $2 where id = $1', 'a revoked credential'],
    ['credential_expired', 'update api_keys set expires_at = $2 where id = $1', 'an expired credential'],
    [
      'insufficient_scope',
      "update api_keys set scopes = '{webhooks:read}', last_used_at = $2 where id = $1",
      'a credential with fewer scopes',
    ],
    [
      'invalid_dpop_proof',
      "update api_keys set jkt = repeat('x', 43), last_used_at = $2 where id = $1",
      'a credential bound to another key',
    ],
    [
      'installation_suspended',
      `update installations set status = 'suspended', updated_at = $2
       where id = (select installation_id from api_keys where id = $1)`,
      'a credential of a suspended installation',
    ],
  ]
  for (const [code, change, what] of changes) {
    test(`a write by ${what} is refused at once and has no effect: ${code}`, async () => {
      const client = await knownClient()
      await shop.run(change, [client.keyId, shop.clock.now()])

      assert.equal(await codeOf(client, CART), code)
      assert.equal(await codeOf(client, CART), code)
      assert.equal(await cartsOf(client), 1)
    })

    test(`a write by ${what} is refused for that before its body is parsed: ${code}`, async () => {
      const client = await knownClient()
      await shop.run(change, [client.keyId, shop.clock.now()])

      assert.equal(await codeOf(client, { nonsense: true }), code)
    })
  }

  for (const [code, change, what] of changes) {
    test(`a read by ${what} is refused at once: ${code}`, async () => {
      const client = await knownClient()
      const path = `${CARTS}/${(await client.post(CARTS, CART)).body.data.id}`
      assert.equal((await client.get(path)).status, 200)
      await shop.run(change, [client.keyId, shop.clock.now()])

      for (const each of [path, `${CARTS}/cart_00000000000000000000000000`]) {
        const { body } = await client.get(each)
        assert.deepEqual([body.code, body.data], [code, undefined])
      }
    })
  }

  test('lets a write succeed once if the change does not matter', async () => {
    const client = await knownClient()
    await shop.run("update installations set origins = '{https://shop.example}' where id = $1", [client.installationId])

    const answer = await client.post(CARTS, CART, { headers: { origin: 'https://shop.example' } })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example')
    assert.equal(await cartsOf(client), 2)
  })

  test('lets a write succeed if the change permits it', async () => {
    const client = await knownClient()
    await shop.run("update api_keys set scopes = '{webhooks:read}' where id = $1", [client.keyId])
    assert.equal(await codeOf(client, CART), 'insufficient_scope')
    await shop.run("update api_keys set scopes = '{catalog:read,checkout:quote}' where id = $1", [client.keyId])

    assert.equal((await client.post(CARTS, CART)).status, 200)
  })
})

describe('a current cached credential', () => {
  test('lets a write be refused for its own fault', async () => {
    const client = await knownClient()

    assert.equal(await codeOf(client, { nonsense: true }), 'unknown_field')
    assert.equal(await codeOf(client, { currency: 'XXX', country: 'DE' }), 'unsupported_currency')
  })

  test('costs a write two round trips: claim and load, save and commit', async () => {
    const client = await knownClient()
    const { body } = await client.post(CARTS, CART)
    const add = () => client.post(`${CARTS}/${body.data.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
    // The first takes leases of the limits, and reads the rules of the store.
    await add()
    const before = shop.database.counters()

    assert.equal((await add()).status, 200)

    assert.equal(shop.database.counters().roundTrips - before.roundTrips, 2)
  })
})

describe('a script of a registered origin', () => {
  const origin = 'https://spa.example'
  const headers = { origin }
  const IDENTITY = '/api/v1/open/installation/identity'
  before(async () => {
    await shop.installation({ origins: [origin] })
  })

  test('reads why its credential was refused, and the scheme to use', async () => {
    const client = await shop.client({ origins: [origin] })
    for (const [code, change] of [
      ['credential_expired', 'update api_keys set expires_at = $2 where id = $1'],
      ['credential_revoked', 'update api_keys set revoked_at = $2 where id = $1'],
    ] as const) {
      await shop.run(change, [client.keyId, shop.clock.now()])
      const answer = await client.get(IDENTITY, { headers })
      assert.deepEqual([answer.status, answer.body.code], [401, code])
      assert.equal(answer.headers.get('access-control-allow-origin'), origin)
      assert.match(String(answer.headers.get('access-control-expose-headers')), /WWW-Authenticate/)
      assert.match(String(answer.headers.get('www-authenticate')), /^DPoP [^,]*, error="invalid_token", algs="/)
    }
    const unbound = await shop.client({ origins: [origin], bound: false })
    await shop.run('update api_keys set revoked_at = $2 where id = $1', [unbound.keyId, shop.clock.now()])
    const { headers: sent } = await unbound.get(IDENTITY, { headers })
    assert.equal(sent.get('www-authenticate'), 'Bearer realm="vitrine", error="invalid_token"')
  })

  test('reads every other refusal before authentication', async () => {
    for (const authorization of ['', 'Basic x', `Bearer ${'x'.repeat(40)}`]) {
      const answer = await shop.anonymous.get(IDENTITY, { headers: { ...headers, authorization } })
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [401, origin])
    }
    const elsewhere = await shop.anonymous.get(IDENTITY, { headers: { origin: 'https://evil.example' } })
    assert.equal(elsewhere.headers.get('access-control-allow-origin'), null)
  })

  test('learns the missing scope in the scheme that it used', async () => {
    for (const [bound, challenge] of [
      [true, /^DPoP realm="vitrine", error="insufficient_scope", scope="webhooks:read", algs="/],
      [false, /^Bearer realm="vitrine", error="insufficient_scope", scope="webhooks:read"$/],
    ] as const) {
      const client = await shop.client({ origins: [origin], scopes: ['catalog:read'], bound })
      const answer = await client.get('/api/v1/open/webhooks/events', { headers })
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [403, origin])
      assert.match(String(answer.headers.get('www-authenticate')), challenge)
    }
  })

  test('reads the answers of account operations', async () => {
    const path = '/api/v1/auth/password/reset/request'
    const answer = await shop.anonymous.post(path, { email: 'ada@example.com' }, { headers })
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, origin])
  })
})

test('the same bytes again, as a proxy may send them, are refused with the advice to retry with the same key', async () => {
  const client = await shop.client()
  const { key, proof } = client
  const { headers: sent } = await client.get('/api/v1/open/identity')
  const dpop = await makeProof(proof!, {
    method: 'POST',
    url: shop.publicUrl + CARTS,
    token: String(key),
    nonce: String(sent.get('dpop-nonce')),
    now: shop.clock.now(),
  })
  const options = { headers: { dpop }, key: 'one-key' }
  assert.equal((await client.post(CARTS, CART, options)).status, 200)
  const again = await client.post(CARTS, CART, options)
  assert.deepEqual(
    [again.status, again.body.code, again.body.outcome, again.body.retry.advice],
    [401, 'invalid_dpop_proof', 'not_applied', 'same_key'],
  )
  const other = await client.post(CARTS, { ...CART, locale: 'de' }, options)
  assert.deepEqual([other.body.outcome, other.body.retry.advice], ['not_applied', 'reauthenticate'])
  assert.equal((await client.post(CARTS, CART, { key: 'one-key' })).headers.get('idempotent-replayed'), 'true')
  assert.equal(await cartsOf(client), 1)

  await shop.run('update api_keys set revoked_at = $2 where id = $1', [client.keyId, shop.clock.now()])
  const revoked = await client.post(CARTS, CART, { key: 'one-key' })
  assert.deepEqual(
    [revoked.status, revoked.body.code, revoked.body.outcome],
    [401, 'credential_revoked', 'not_applied'],
    'a stored answer needs a credential as well',
  )
})
