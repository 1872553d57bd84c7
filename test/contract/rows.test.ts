// test: long
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { exampleOf, type Operation, refusalsOf, SCOPES } from '@vitrine/contract'
import type { TSchema } from 'typebox'
import { recordParcel } from '../../server/src/features/orders/index.ts'
import { makeApiKey } from '../../server/src/platform/auth/api-key.ts'
import { withoutSecrets } from '../../server/src/platform/idempotency/idempotency.ts'
import { proofKey } from '../support/client.ts'
import { accountsOf } from '../support/commerce/accounts.ts'
import { begunSession, CANCEL_URL } from '../support/commerce/checkout.ts'
import { changeOrder, orderedBy } from '../support/commerce/orders.ts'
import { cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { logged, opened } from '../support/commerce/webhook-endpoints.ts'
import { send } from '../support/network/send.ts'
import { begun, carriedBack, LOGIN, RETURN_URL, returning } from '../support/pages/hosted-login.ts'
import { siteOf } from '../support/pages/site.ts'
import { testRandomness } from '../support/randomness.ts'
import {
  type Asking,
  askerOf,
  assertCode,
  type Credential,
  checkError,
  isGuarded,
  isGuardedWrite,
  pathOf,
  propertiesOf,
  requiredOf,
  rows,
  scopesOf,
} from '../support/rows.ts'

let shop: Shop
let ask: ReturnType<typeof askerOf>['ask']
let proofFor: ReturnType<typeof askerOf>['proofFor']
let mug: string
let endpoint: string
let delivery: string
type Client = Awaited<ReturnType<Shop['client']>>
let bound: Client
let unbound: Client
const kept = new Map<string, Credential>()

before(async () => {
  shop = await startShop()
  ;({ ask, proofFor } = askerOf(shop))
  const [product] = await shop.query(
    `select slug from products where id = (select product_id from skus where code = 'MUG')`,
  )
  mug = String(product?.slug)
  bound = await shop.client({ returnUrls: [RETURN_URL, CANCEL_URL] })
  await accountsOf(shop).customer(CUSTOMER)
  endpoint = (await opened(bound)).id
  delivery = (await logged(shop, { installationId: bound.installationId, endpointId: endpoint })).id
  const site = siteOf(shop)
  await site.publish()
  await site.draft(shop.storeId('ceramics'))
  await site.publishDecorationDraft(shop.storeId('ceramics'))
  unbound = await shop.client({ bound: false })

  const unknown = { key: makeApiKey('test', testRandomness('unknown')), proof: await proofKey() }
  const revoked = await shop.client()
  await shop.run('update api_keys set revoked_at = $2 where id = $1', [revoked.keyId, shop.clock.now()])
  const suspended = await shop.client()
  await shop.run(`update installations set status = 'suspended' where id = $1`, [suspended.installationId])
  const expired = await shop.client({ expiresAt: shop.clock.now() })
  const live = await shop.client({ environment: 'live' })
  for (const [name, { key, proof }] of Object.entries({ unknown, revoked, suspended, expired, live })) {
    kept.set(name, { key: String(key), proof })
  }
})

/** RFC 6749 has one code for every malformed request. */
function malformed(row: Operation, code: string): string {
  return row.auth.kind === 'oauth' ? 'oauth_invalid_request' : code
}

/** The credential of a client. */
function credential({ key, proof }: { key: string | null; proof?: Credential['proof'] }): Credential {
  return { key: String(key), proof: proof ?? null }
}

/** The credential that a row requires, if any. */
function asTaken(row: Operation): Asking {
  return isGuarded(row) ? { as: credential(bound) } : {}
}

const CUSTOMER = 'ada@example.com'
const NOT_OURS = ['expectedVersion', 'customerToken', 'shippingOptionId', 'quoteId']

/** The example of a body, with objects that exist in the shop. */
function sold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sold)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !NOT_OURS.includes(name))
  return Object.fromEntries(members.map(([name, each]) => [name, name === 'skuId' ? shop.sku('MUG') : sold(each)]))
}

/** A request of the row that succeeds, for a product on sale and a cart with it. */
async function succeeding(row: Operation): Promise<Asking> {
  const params: Record<string, string> = {}
  for (const name of Object.keys(propertiesOf(row.params))) {
    if (name === 'cartId') params.cartId = (await cartOf(shop, bound, { MUG: 2 })).id
    else if (name === 'sessionId') params.sessionId = (await begunSession(shop, bound)).id
    else if (name === 'orderId') params.orderId = (await orderOf(row)).id
    else if (name === 'skuId') params.skuId = shop.sku('MUG')
    else if (row.path.includes('/webhooks/endpoints/{id}')) params.id = endpoint
    else if (row.path.includes('/webhooks/deliveries/{id}')) params.id = delivery
    else if (name === 'productSlug' || row.path.includes('/products/{slug}')) params[name] = mug
    else params[name] = 'ceramics'
  }
  if (row.path === LOGIN.consume) {
    const carried = await carriedBack(shop, await begun(bound), CUSTOMER)
    return { ...asTaken(row), params, body: returning(carried) }
  }
  if (!row.body) return { ...asTaken(row), params }
  const body = sold(exampleOf(row.body)) as object
  if (params.orderId !== undefined) return { ...asTaken(row), params, body: await aboutLinesOf(params.orderId, body) }
  const cart = 'cartId' in body && { cartId: (await cartOf(shop, bound, { MUG: 2 })).id }
  return { ...asTaken(row), params, body: { ...body, ...cart } }
}

/** An imported order, so that no provider is needed; for after-sales it has shipped. */
async function orderOf(row: Operation) {
  const order = await orderedBy(shop, bound, { MUG: 2 }, { chargeId: null })
  if (!row.path.includes('/after-sales')) return order
  const lines = order.lines.map(({ id, units }) => ({ lineId: id, quantity: units.ordered }))
  const parcel = { id: shop.ids.next('ful'), carrier: null, trackingNumber: null, trackingUrl: null, lines }
  const context = { now: shop.clock.now(), actor: 'operator' } as const
  return changeOrder(shop, order.id, (each) => recordParcel(each, parcel, context))
}

/** The same body, with lines of the order. */
async function aboutLinesOf(orderId: string, body: { readonly lines?: readonly object[] }) {
  const [line] = await shop.query('select id from order_lines where order_id = $1', [orderId])
  return { ...body, ...(body.lines && { lines: body.lines.map((each) => ({ ...each, lineId: line?.id })) }) }
}

test('the contract has 59 rows', () => {
  assert.equal(rows.length, 59)
})

for (const [id, row] of rows) {
  const guarded = isGuarded(row)
  const writes = isGuardedWrite(row)

  describe(`${id}: ${row.method} ${row.path}`, () => {
    if (guarded) describeCredentials(row)
    if (writes) describeProofs(row)
    if (writes) describeOrder(row)
    describeParsing(row)
    if (row.body) describeBody(row, row.body)
    if (row.idempotency === 'required') describeKeys(row)
    test('200 with the schema of the row', async () => {
      const answer = await ask(row, await succeeding(row))
      const isPublicRead = row.auth.kind === 'public' && row.method === 'GET'
      // Public writes need a mailed code or a solved challenge, which their own tests have.
      const refused = !guarded && !isPublicRead && refusalsOf(row).includes(answer.body?.code)
      assert(answer.status === 200 || refused, answer.text)
      const freshness = isPublicRead ? /^public, max-age=\d+, stale-while-revalidate=\d+$/ : /^private, no-store$/
      assert.match(String(answer.headers['cache-control']), freshness)
    })

    if (row.refusals.includes('not_found')) {
      test('404 not_found for an unknown resource', async () => {
        assertCode(await ask(row, asTaken(row)), 404, 'not_found')
      })
    }

    if (row.method === 'GET') {
      test('200 to HEAD, with the same headers and no body', async () => {
        const asking = await succeeding(row)
        const get = await ask(row, asking)
        const head = await ask(row, { ...asking, method: 'HEAD' })
        assert.equal(head.status, 200)
        assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.text)))
        assert.equal(head.headers.etag, get.headers.etag)
      })
    }
    if (row.idempotency === 'required') describeReplays(row)
  })
}

function describeCredentials(row: Operation): void {
  test('401 credential_missing, with both schemes', async () => {
    const answer = await ask(row)
    assertCode(answer, 401, 'credential_missing')
    assert.match(
      String(answer.headers['www-authenticate']),
      /^Bearer realm="vitrine", DPoP realm="vitrine", algs="ES256 /,
    )
  })

  test('401 credential_malformed', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', String(bound.key)]) {
      assertCode(await ask(row, { headers: { authorization } }), 401, 'credential_malformed')
    }
  })

  test('401 credential_invalid: a wrong checksum, an unknown key, a bound key as Bearer', async () => {
    assertCode(await ask(row, { headers: { authorization: `Bearer ${unbound.key}x` } }), 401, 'credential_invalid')
    assertCode(await ask(row, { as: kept.get('unknown') ?? null, headers: { dpop: 'x' } }), 401, 'credential_invalid')
    assertCode(await ask(row, { as: { key: String(bound.key) } }), 401, 'credential_invalid')
  })

  for (const [state, status, code] of [
    ['revoked', 401, 'credential_revoked'],
    ['expired', 401, 'credential_expired'],
    ['suspended', 403, 'installation_suspended'],
    ['live', 403, 'capability_blocked'],
  ] as const) {
    test(`${status} ${code}`, async () => {
      const answer = await ask(row, { as: kept.get(state) ?? null, headers: { dpop: undefined } })
      assertCode(answer, status, code)
      if (state === 'live') {
        const blocker = 'external_readiness_not_proven'
        assert.deepEqual(answer.body.params, { capability: 'production_activation', blocker })
      }
    })
  }

  const needed = scopesOf(row)
  if (needed.length > 0) {
    test(`403 insufficient_scope, naming ${needed.join(', ')}, before proof and body are checked`, async () => {
      const scopes = SCOPES.filter((scope) => !needed.includes(scope))
      const other = await shop.client({ installationId: bound.installationId, scopes })
      const answer = await ask(row, { as: credential(other), headers: { dpop: undefined }, raw: '{' })
      assertCode(answer, 403, 'insufficient_scope')
      assert.deepEqual(answer.body.params, { scopes: needed })
    })
  }

  test('401 dpop_proof_required for a bound key', async () => {
    const answer = await ask(row, { as: credential(bound), headers: { dpop: undefined } })
    assertCode(answer, 401, 'dpop_proof_required')
    assert.match(String(answer.headers['www-authenticate']), /^DPoP .*error="invalid_dpop_proof"/)
  })

  test('401 invalid_dpop_proof: another method, another path, another key, two of them, nonsense', async () => {
    const as = credential(bound)
    const own = await proofFor(as, row)
    const thief = { ...as, proof: await proofKey() }
    for (const dpop of [
      await proofFor(as, row, { method: 'OPTIONS' }),
      await proofFor(as, { ...row, path: '/api/v1/open/other' }),
      await proofFor(thief, row),
      [own, own],
      'nonsense',
    ]) {
      assertCode(await ask(row, { as, headers: { dpop } }), 401, 'invalid_dpop_proof')
    }
  })

  test('401 use_dpop_nonce for a nonce that is too old, with the nonce to use', async () => {
    const as = credential(bound)
    const answer = await ask(row, { as, headers: { dpop: await proofFor(as, row, {}, 'old') } })
    assertCode(answer, 401, 'use_dpop_nonce')
    assert(answer.headers['dpop-nonce'])
  })
}

function describeProofs(row: Operation): void {
  test('403 sender_constraint_required for an unbound key', async () => {
    assertCode(await ask(row, { as: credential(unbound) }), 403, 'sender_constraint_required')
  })

  test('401 use_dpop_nonce without a nonce, with the nonce to use', async () => {
    const as = credential(bound)
    const answer = await ask(row, { as, headers: { dpop: await proofFor(as, row, {}, null) } })
    assertCode(answer, 401, 'use_dpop_nonce')
    const nonce = String(answer.headers['dpop-nonce'])
    const again = await ask(row, { as, headers: { dpop: await proofFor(as, row, {}, nonce) }, query: { zz: '1' } })
    assertCode(again, 400, 'unknown_parameter')
  })

  test('401 invalid_dpop_proof for a proof that was used before', async () => {
    const as = credential(bound)
    const headers = { dpop: await proofFor(as, row) }
    const first = await ask(row, { as, headers })
    assert.notEqual(first.status, 401)
    const second = await ask(row, { as, headers })
    assertCode(second, 401, 'invalid_dpop_proof')
    assert.equal(second.body.details[0].code, 'replayed')
  })
}

/** Each request also has all faults that are checked after the expected one. */
function describeOrder(row: Operation): void {
  test('refuses in the order of the row', async () => {
    const without = { installationId: bound.installationId, scopes: [] }
    const [bare, weak] = [credential(await shop.client({ ...without, bound: false })), credential(bound)]
    const wrongParams = Object.fromEntries(Object.keys(propertiesOf(row.params)).map((name) => [name, '-']))
    const hasParams = Object.keys(wrongParams).length > 0
    const worst: Asking = {
      params: wrongParams,
      query: { zz: '1' },
      headers: { 'content-type': 'text/plain', 'idempotency-key': undefined, dpop: undefined },
      raw: 'x'.repeat(1024 * 1024 + 1),
    }
    const noNonce = await proofFor(weak, row, { params: wrongParams }, null)
    const fine = { 'content-type': 'application/json', 'idempotency-key': undefined }
    const proven: Asking = {
      ...worst,
      as: weak,
      headers: { 'content-type': 'text/plain', 'idempotency-key': undefined },
    }
    const { raw: _, ...small } = { ...proven, body: { zz: 1 } }
    const ladder: readonly (readonly [string, Asking | false])[] = [
      ['credential_missing', worst],
      ['insufficient_scope', { ...worst, as: bare }],
      ['sender_constraint_required', { ...worst, as: credential(unbound) }],
      ['dpop_proof_required', { ...worst, as: weak }],
      ['use_dpop_nonce', { ...worst, as: weak, headers: { ...worst.headers, dpop: noNonce } }],
      ['payload_too_large', row.body !== null && proven],
      ['invalid_identifier', hasParams && small],
      ['unknown_parameter', { ...small, params: {} }],
      ['unsupported_media_type', row.body !== null && { ...small, params: {}, query: {}, raw: '{' }],
      ['invalid_json', row.body !== null && { ...small, params: {}, query: {}, raw: '{', headers: fine }],
      ['unknown_field', row.body !== null && { ...small, params: {}, query: {}, headers: fine }],
      ['idempotency_key_required', { as: weak, headers: { 'idempotency-key': undefined } }],
    ]
    const refused: string[] = []
    for (const [code, asking] of ladder) {
      if (!asking) continue
      const answer = await ask(row, asking)
      assert.equal(answer.body?.code, code, answer.text)
      refused.push(code)
    }
    const declared = refusalsOf(row).filter((code) => refused.includes(code))
    assert.deepEqual(refused, declared)
  })
}

function describeParsing(row: Operation): void {
  const query = row.undeclaredQuery ?? row.query
  for (const name of Object.keys(propertiesOf(row.params))) {
    test(`400 invalid_identifier for a malformed ${name}`, async () => {
      for (const value of ['-', '..%2f', 'cart_01k5b7m2q8e9rtv3w4x5y6z7a', '%00', '%F0%9F%8F%B7', 'x'.repeat(290)]) {
        const answer = await ask(row, { ...asTaken(row), params: { [name]: value } })
        assertCode(answer, 400, 'invalid_identifier')
        const [detail] = answer.body.details
        assert.deepEqual([detail.in, detail.pointer], ['path', `/${name}`])
      }
    })
  }

  if ((query as { additionalProperties?: unknown }).additionalProperties === false) {
    test('400 unknown_parameter, naming it', async () => {
      const answer = await ask(row, { ...asTaken(row), query: { zz: '1' } })
      assertCode(answer, 400, malformed(row, 'unknown_parameter'))
      assert.deepEqual([answer.body.details[0].in, answer.body.details[0].pointer], ['query', '/zz'])
    })
  }

  const single = Object.entries(propertiesOf(query)).find(
    ([, schema]) => (schema as { type?: string }).type !== 'array',
  )
  if (single) {
    test(`400 validation_failed for a parameter sent twice: ${single[0]}`, async () => {
      const example = String(exampleOf(single[1]))
      const answer = await ask(row, { ...asTaken(row), query: { [single[0]]: [example, example] } })
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.body.details[0].pointer, `/${single[0]}`)
    })
  }
}

function describeBody(row: Operation, schema: TSchema): void {
  const asking = (more: Asking): Asking => ({ ...asTaken(row), ...more })

  const withUnknown = { ...(exampleOf(schema) as object), 'z/z': 1 }
  if (row.auth.kind === 'oauth') {
    test('ignores an unknown field, as RFC 6749 requires', async () => {
      const [known, unknown] = [await ask(row, asking({})), await ask(row, asking({ body: withUnknown }))]
      assert.deepEqual([unknown.status, unknown.body.code], [known.status, known.body.code])
    })
  } else {
    test('400 unknown_field, naming it', async () => {
      const answer = await ask(row, asking({ body: withUnknown }))
      assertCode(answer, 400, 'unknown_field')
      assert(
        answer.body.details.some((detail: { pointer: string }) => detail.pointer === '/z~1z'),
        answer.text,
      )
    })
  }

  for (const name of requiredOf(schema)) {
    test(`400 without ${name}, naming it`, async () => {
      const { [name]: _, ...rest } = exampleOf(schema) as Record<string, unknown>
      const answer = await ask(row, asking({ body: rest }))
      assert.equal(answer.status, 400, answer.text)
      const [detail] = answer.body.details
      assert.deepEqual([detail.in, detail.pointer, detail.code], ['body', `/${name}`, 'required'])
    })
  }

  test('400 invalid_json: broken, empty, none', async () => {
    const code = malformed(row, 'invalid_json')
    for (const raw of ['{', '']) assertCode(await ask(row, asking({ raw })), 400, code)
    assertCode(await ask(row, asking({ body: null })), 400, code)
  })

  test('400 for JSON that is not an object', async () => {
    for (const body of [[], 'text', 5]) assert.equal((await ask(row, asking({ body }))).status, 400)
    assert.equal((await ask(row, asking({ raw: 'null' }))).status, 400)
  })

  test('400 unsupported_media_type', async () => {
    const code = malformed(row, 'unsupported_media_type')
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'x']) {
      assertCode(await ask(row, asking({ headers: { 'content-type': type } })), 400, code)
    }
    assertCode(await ask(row, asking({ headers: { 'content-type': undefined } })), 400, code)
    for (const coding of ['gzip', 'br', 'x']) {
      assertCode(await ask(row, asking({ headers: { 'content-encoding': coding } })), 400, code)
    }
  })

  test('400 payload_too_large beyond 1 MiB', async () => {
    const raw = JSON.stringify({ note: 'x'.repeat(1024 * 1024) })
    assertCode(await ask(row, asking({ raw })), 400, 'payload_too_large')
  })
}

function describeKeys(row: Operation): void {
  test('400 idempotency_key_required', async () => {
    const answer = await ask(row, { ...asTaken(row), headers: { 'idempotency-key': undefined } })
    assertCode(answer, 400, 'idempotency_key_required')
    assert.deepEqual([answer.body.details[0].in, answer.body.details[0].pointer], ['header', 'Idempotency-Key'])
  })

  test('400 idempotency_key_invalid: two, 256 characters, a space', async () => {
    for (const key of [['a', 'b'], 'k'.repeat(256), 'a b']) {
      assertCode(
        await ask(row, { ...asTaken(row), headers: { 'idempotency-key': key } }),
        400,
        'idempotency_key_invalid',
      )
    }
  })
}

function describeReplays(row: Operation): void {
  const withKey = (asking: Asking, key: string): Asking => ({ ...asking, headers: { 'idempotency-key': key } })

  test('200 again for the same key and request, with the same bytes except secrets, marked as a replay', async () => {
    const asking = withKey(await succeeding(row), randomUUID())
    const first = await ask(row, asking)
    const again = await ask(row, asking)
    const kept = withoutSecrets(Buffer.from(first.text), row.secrets ?? {}).toString()
    assert.deepEqual([again.status, again.text], [first.status, kept])
    assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true'])
  })

  test('409 idempotency_key_reused for the same key and another request', async () => {
    const asking = await succeeding(row)
    const key = randomUUID()
    assert.equal((await ask(row, withKey(asking, key))).status, 200)
    const params = { ...asking.params, ...(asking.params?.skuId && { skuId: shop.sku('BOWL') }) }
    const answer = await ask(
      row,
      withKey({ ...asking, params, ...(row.body && { body: another(row.body, asking.body) }) }, key),
    )
    assertCode(answer, 409, 'idempotency_key_reused')
    assert.equal(answer.body.retry.advice, 'new_key')
  })

  test('refused requests store nothing: the same key works for a valid one', async () => {
    const asking = withKey(await succeeding(row), randomUUID())
    assert.equal((await ask(row, { ...asking, query: { zz: '1' } })).status, 400)
    const unknown = await ask(row, { ...asking, params: {} })
    if (Object.keys(propertiesOf(row.params)).length > 0) assertCode(unknown, 404, 'not_found')
    if (unknown.status !== 200) assert.equal((await ask(row, asking)).headers['idempotent-replayed'], undefined)
  })
}

/** Another valid body. */
function another(schema: TSchema, body: unknown): unknown {
  if (propertiesOf(schema).expectedVersion) return { ...(body as object), expectedVersion: 999 }
  if (propertiesOf(schema).description) return { ...(body as object), description: 'Another' }
  if (propertiesOf(schema).state) return { ...(body as object), state: 'another' }
  const left = Object.entries(body as object).filter(([name]) => requiredOf(schema).includes(name))
  return Object.fromEntries(left)
}

describe('paths', () => {
  const methods = new Map<string, Operation[]>()
  for (const [, row] of rows) methods.set(row.path, [...(methods.get(row.path) ?? []), row])

  for (const [path, here] of methods) {
    const [row] = here as [Operation]
    test(`OPTIONS ${path} answers 204`, async () => {
      const answer = await send(shop.origin + pathOf(row), 'OPTIONS', { origin: 'https://anywhere.example' })
      assert.deepEqual([answer.status, answer.text], [204, ''])
      const isPublic = here.every((each) => each.auth.kind === 'public' && each.method === 'GET')
      assert.equal(answer.headers['access-control-allow-origin'], isPublic ? '*' : undefined)
    })

    test(`404 to every method that ${path} does not have`, async () => {
      const known: string[] = here.flatMap((each) => (each.method === 'GET' ? ['GET', 'HEAD'] : [each.method]))
      const other = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'].filter(
        (method) => !known.includes(method),
      )
      for (const method of other) {
        const answer = await send(shop.origin + pathOf(row), method)
        assertCode(answer, 404, 'not_found')
        checkError(answer.status, answer.headers, answer.body)
        assert.equal(answer.headers['access-control-allow-origin'], '*', 'a script may read that there is nothing')
      }
    })
  }

  test('404 with our error body for every other path', async () => {
    for (const path of [
      '/',
      '/api/v1',
      '/api/v2/bootstrap',
      '/api/v1/bootstrap/',
      '/API/v1/bootstrap',
      '/api/v1//bootstrap',
      '/api/v1/open/storefront/carts/',
      '/api/v1/open/storefront/carts/%zz',
      `/api/v1/open/storefront/carts/${'x'.repeat(5000)}`,
      '/favicon.ico',
      '/metrics',
      '/livez',
      '/.env',
      '/openapi.json',
      '/api/v1/bootstrap%2f..%2f',
      '/..%2f..%2fetc/passwd',
      '/%',
      '/?',
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await send(shop.origin + path, method)
        assert.equal(answer.status, 404, `${method} ${path} ${answer.text}`)
        checkError(answer.status, answer.headers, answer.body)
        assert.equal(answer.headers['access-control-allow-origin'], '*', path)
      }
    }
  })
})
