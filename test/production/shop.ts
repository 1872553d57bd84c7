import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@vitrine/server'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { OperatorClient } from '../../cli/src/operator-client.ts'
import { type Client, client, type ProofKey, proofKey } from '../support/client.ts'
import { BERLIN, SESSIONS, terms } from '../support/commerce/checkout.ts'
import { CARTS } from '../support/commerce/shop.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'

/** A proof key from the file of `vitrine key create --generate-key`. */
export async function readProofKey(file: string): Promise<ProofKey> {
  const privateKey = createPrivateKey({ key: JSON.parse(await readFile(file, 'utf8')), format: 'jwk' })
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK
  return { privateKey, jwk, jkt: await calculateJwkThumbprint(jwk) }
}

const TERMS = {
  storeSlug: 'loom',
  type: 'terms_of_use',
  locale: 'en',
  version: '2026-11',
  title: 'Terms',
  content: { format: 'markdown', text: '# Terms\n\nLinen is **linen**.' },
} as const

/** Sets up an empty shop as described in docs/guides/going-live.md, with a live installation. */
export async function fillShop(
  operator: OperatorClient,
  { folder, publicUrl }: { folder: string; publicUrl: string },
): Promise<Client> {
  const params = { storeSlug: 'loom' }
  await operator.call('createStore', {
    body: {
      slug: 'loom',
      names: { en: 'Linen & Loom' },
      currencies: ['EUR'],
      locales: ['en'],
      countries: ['DE'],
      pricesIncludeTax: true,
    },
  })
  await operator.call('saveTaxRates', {
    params,
    body: { rates: [{ country: 'DE', category: 'standard', code: 'vat', name: { en: 'VAT' }, rate: '0.19' }] },
  })
  const parcel = {
    name: { en: 'Parcel' },
    basis: 'subtotal' as const,
    minDays: 1,
    maxDays: 3,
    taxCategory: 'standard',
    rates: [{ currency: 'EUR', from: 0, upTo: null, amount: 490 }],
  }
  await operator.call('saveShippingZones', {
    params,
    body: { zones: [{ name: 'Germany', places: [{ country: 'DE' }], methods: [parcel] }] },
  })
  await operator.call('publishLegalDocument', { body: TERMS })
  const towel = {
    id: 'towel',
    names: { en: 'Linen towel' },
    skus: [{ code: 'TOWEL', prices: [{ currency: 'EUR', amount: 2450 }], stock: 12 }],
  }
  const file = join(folder, 'towels.jsonl')
  await writeFile(file, JSON.stringify(towel))
  await operator.upload('importCatalog', file, { query: { format: 'jsonl', store: 'loom', name: 'towels.jsonl' } })
  const { id: installationId } = await operator.call('createInstallation', {
    body: { name: 'Looms on the web', environment: 'live', storeSlug: 'loom', returnUrls: Object.values(terms) },
  })
  const proof = await proofKey()
  const { key = '' } = await operator.call('createInstallationKey', {
    params: { installationId },
    body: { scopes: ['catalog:read', 'checkout:quote'], publicKey: publicPart(proof.jwk) },
  })
  return client({ origin: publicUrl, publicUrl, clock: systemClock, key, proof })
}

/** An EC key with the required members of a JWK only. */
function publicPart({ crv, x, y }: JWK) {
  return { kty: 'EC', crv: crv as 'P-256', x: String(x), y: String(y) } as const
}

const ok = async (answering: ReturnType<Client['post']>) => {
  const answer = await answering
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** A complete cart with a quote and a begun checkout. */
export async function beginCheckout(shop: Client, email: string) {
  const { data } = (await shop.get('/api/v1/open/catalog/products')).body
  const product = await ok(shop.get(`/api/v1/open/catalog/products/${data[0].slug}`))
  const lines = [{ skuId: product.skus[0].id, quantity: 2 }]
  const cart = await ok(shop.post(CARTS, { currency: 'EUR', country: 'DE', locale: 'en', lines }))
  const path = `${CARTS}/${cart.id}`
  await ok(shop.put(`${path}/address`, { shipping: BERLIN, contact: { email } }))
  const quote = await ok(shop.post(`${path}/quote`, {}))
  return ok(shop.post(`${path}/checkout`, { ...terms, quoteId: quote.id }))
}

/** Accepts the terms on the page, and chooses bank transfer. */
export async function payByTransfer(url: string): Promise<string> {
  const page = new URL(url)
  const visitor = pageVisitor(page.origin)
  const { status, text } = await visitor.open(page.pathname)
  assert.equal(status, 200, text)
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  const fields = { provider: 'manual', version: hidden('version'), documents: hidden('documents'), accepted: 'yes' }
  const headers = { origin: page.origin }
  const sent = await visitor.send(`${page.pathname}/pay`, fields, headers)
  assert.equal(sent.status, 303, sent.text)
  return (await visitor.open(page.pathname)).text
}

export const sessionOf = (shop: Client, id: string) => ok(shop.get(`${SESSIONS}/${id}`))
