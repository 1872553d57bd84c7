// test: long
import assert from 'node:assert/strict'
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { secretPurposes } from '@vitrine/contract/operator'
import { orderLinkOf } from '../../server/src/features/orders/index.ts'
import { LEAD_MS } from '../../server/src/platform/secrets/server-secrets.ts'
import { bought, eligibility, postCancellation } from '../support/commerce/after-sales.ts'
import { productLine, storeLine } from '../support/commerce/catalog.ts'
import { begunSession, checkoutClient, RETURN_URL, readyCart, type Session } from '../support/commerce/checkout.ts'
import { CARTS, type CartBody, type Shop, startShop } from '../support/commerce/shop.ts'
import { opened } from '../support/commerce/webhook-endpoints.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { type App, codeFor, type Poster, posterOf, registerApp } from '../support/pages/oauth.ts'
import { pageVisitor, type Visitor } from '../support/pages/page-visitor.ts'
import { temporaryFolder } from '../support/processes/command.ts'
import { SEALING_KEY } from '../support/secrets.ts'
import { gate, PASSWORD, wayInto } from '../support/store-access.ts'
import { type InstallationClient, startWorld, type World } from '../support/world.ts'

/**
 * Two nodes serve while an operator rotates each secret. Everything that one node has signed is sent to the other: before it knows
 * the new version, while both versions are accepted, and once the new one signs. No request is refused.
 */

const PRODUCTS = '/api/v1/catalog/products?limit=1'

interface Node {
  readonly world: World
  readonly client: InstallationClient
  readonly pages: string
  readonly poster: Poster
}

let shop: Shop
let nodes: readonly [Node, Node]
let operator: OperatorClient
let keyFile: string
let app: App
let refreshToken: string
let order: { readonly id: string; readonly number: string }
let endpointId: string
before(async () => {
  keyFile = join(await temporaryFolder(), 'keys')
  await writeFile(keyFile, SEALING_KEY.toString('base64'))
  const environment = { SEALING_KEY: '', SEALING_KEY_FILE: keyFile }
  const skus = [{ code: 'GAME', prices: [{ currency: 'EUR', amount: 1900 }], requiresShipping: false }]
  shop = await startShop({ environment, more: [productLine('game', { skus })] })
  const second = await startWorld({ sharedWith: shop, environment })
  const client = await checkoutClient(shop)
  const { installationId } = client
  nodes = [
    { world: shop, client, pages: await shop.openPages(), poster: posterOf(shop) },
    {
      world: second,
      client: await second.client({ installationId, returnUrls: [RETURN_URL] }),
      pages: await second.openPages(),
      poster: posterOf(second),
    },
  ]
  operator = await operatorClient(shop)
  await shop.import([storeLine('prints')])
  await gate(shop, { slug: 'prints', mode: 'password', password: PASSWORD }, [second])
  app = await registerApp(shop)
  refreshToken = (await nodes[0].poster.exchange(app, await codeFor(shop, app))).body.refresh_token
  await shop.setStock('NOVEL', 1000)
  order = await bought(shop, client, { MUG: 40 })
  endpointId = (await opened(client)).id
})

/** Signed values of a node. */
interface Signed {
  readonly quote: CartBody
  readonly cursor: string
  readonly eligibilityToken: string
  readonly session: Session
  readonly orderLink: string
  readonly visitor: Visitor
  readonly grant: string
  readonly nonce: string
}

async function signedBy({ world, client, pages, poster }: Node): Promise<Signed> {
  const cart = await readyCart(shop, client, { NOVEL: 1 })
  const visitor = pageVisitor(pages)
  await visitor.open(`${pages}/order`)
  const link = await orderLinkOf(world.database.reader, { id: order.id, environment: 'test' }, world.clock.now())
  return {
    quote: (await client.post(`${CARTS}/${cart.id}/quote`, {})).body.data,
    cursor: (await world.anonymous.get(PRODUCTS)).body.meta.page.nextCursor,
    eligibilityToken: (await eligibility(client, order.id, 'cancellation')).eligibilityToken!,
    session: await begunSession(shop, client, { NOVEL: 1 }),
    orderLink: new URL(link!.url).pathname,
    visitor,
    grant: await wayInto('prints', world).grant(),
    nonce: await poster.currentNonce(),
  }
}

/** Sends all of them to a node. @returns the refused ones */
async function refusedBy({ world, client, pages, poster }: Node, signed: Signed): Promise<string[]> {
  const refused: string[] = []
  const expect = (what: string, isAccepted: boolean, answer: unknown) => {
    if (!isAccepted) refused.push(`${what}: ${JSON.stringify(answer)}`)
  }
  const page = await world.anonymous.get(`${PRODUCTS}&cursor=${encodeURIComponent(signed.cursor)}`)
  expect('cursor', page.status === 200, page.body)

  const { signature } = signed.quote
  const published = (await world.anonymous.get('/api/v1/runtime-config')).body.data.quote.publicKeys
  const jwk = published.find(({ kid }: CartBody) => kid === signature.kid)
  const bytes = Buffer.from(signature.payload, 'base64url')
  const isVerified =
    jwk && verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature.value, 'base64url'))
  expect('quote', isVerified === true, published)

  const { eligibilityToken } = signed
  const eligible = await client.get(`/api/v1/open/storefront/orders/${order.id}`)
  const line = eligible.body.data.lines[0]
  const canceled = await postCancellation(client, order.id, {
    eligibilityToken,
    lines: [{ lineId: line.id, quantity: 1 }],
  })
  expect('eligibility', canceled.status === 200, canceled.body)

  const visitor = pageVisitor(pages)
  const checkoutPage = await visitor.open(pages + new URL(signed.session.url).pathname)
  expect('checkout page', checkoutPage.status === 200, checkoutPage.status)
  const orderPage = await visitor.open(pages + signed.orderLink)
  expect('order link', orderPage.status === 200, orderPage.status)
  const form = await signed.visitor.send(`${pages}/order`, { number: order.number, email: 'nobody@example.com' })
  expect('form', form.location === '/order/sent', form.status)

  const gated = await world.anonymous.get('/api/v1/catalog/products?store=prints', {
    headers: { 'x-store-access': signed.grant },
  })
  expect('grant', gated.status === 200, gated.body)

  // A retry of the other node's request, and a new request. A given nonce is not replaced.
  const next = await poster.refresh(app, refreshToken, {}, { nonce: signed.nonce })
  expect('refresh token', next.status === 200, next.body)
  const retried = await poster.refresh(app, refreshToken, {}, { nonce: signed.nonce })
  expect('retry', retried.body.refresh_token === next.body.refresh_token, retried.body)
  refreshToken = next.body.refresh_token ?? refreshToken

  const fixture = await client.get(`/api/v1/open/webhooks/endpoints/${endpointId}/signature-fixture`)
  expect('fixture', fixture.status === 200, fixture.body)
  return refused
}

/** Sends each node the signed values of the other, during a rotation. */
async function refusedWhile(rotate: () => Promise<unknown>): Promise<string[]> {
  const [one, other] = nodes
  const refused: string[] = []
  const signed = await signedBy(one)
  await rotate()
  // The other node still signs with the old version, and this one knows both.
  await one.world.refresh()
  const late = await signedBy(other)
  refused.push(...(await refusedBy(one, late)))
  await other.world.refresh()
  shop.clock.advance(LEAD_MS)
  refused.push(...(await refusedBy(other, signed)))
  refused.push(...(await refusedBy(other, await signedBy(one))))
  refused.push(...(await refusedBy(one, await signedBy(other))))
  return refused
}

const rotate = (purpose: string) => operator.change('POST', '/secrets/rotate', { purpose })

describe('while secrets are rotated', () => {
  test('no request is refused: each secret of the server', async () => {
    const refused = await refusedWhile(async () => {
      for (const purpose of secretPurposes) await rotate(purpose)
    })
    assert.deepEqual(refused, [])
    const { items } = (await operator.get('/secrets')).body.data
    for (const { purpose, versions } of items) assert.ok(versions.length >= 2, purpose)
  })

  test('no request is refused: the key that seals them, in a file of both nodes', async () => {
    const young = randomBytes(32).toString('base64')
    let done: { resealed: number; keyId: string } | null = null
    const refused = await refusedWhile(async () => {
      await writeFile(keyFile, `${young}\n${SEALING_KEY.toString('base64')}\n`)
      done = await operator.change('POST', '/secrets/rotate-sealing-key', {})
    })
    assert.deepEqual(refused, [])
    const { items, keyId } = (await operator.get('/secrets')).body.data
    const used = new Set(items.flatMap(({ versions }: CartBody) => versions.map((each: CartBody) => each.keyId)))
    assert.deepEqual([...used], [keyId])
    assert.equal(done!.keyId, keyId)
    assert.ok(done!.resealed > secretPurposes.length)

    // Both nodes keep working without the old key.
    await writeFile(keyFile, young)
    for (const { world } of nodes) await world.refresh()
    assert.deepEqual(await refusedWhile(() => rotate('cursor')), [])
  })

  test('both quote keys are published while the old one is still accepted', async () => {
    const { body } = await shop.anonymous.get('/api/v1/runtime-config')
    assert.equal(body.data.quote.publicKeys.length, 2)
  })
})
