import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstQuote } from '../../docs/guides/first-quote.ts'
import { startShop } from '../support/commerce/shop.ts'

test('the guide to a first quote ends with a binding price and a valid signature', async () => {
  const shop = await startShop()
  const { key, proof } = await shop.client()
  assert.ok(key && proof)
  const { product, quote, isGenuine } = await firstQuote({
    baseUrl: shop.publicUrl,
    key,
    privateKey: proof.privateKey.export({ format: 'jwk' }) as never,
    fetch: (url, init) => fetch(String(url).replace(shop.publicUrl, shop.origin), init),
  })
  assert.equal(product, 'Mug')
  assert.equal(quote.status, 'in_force')
  assert.deepEqual(quote.totals.total, { amount: 2 * 1254 + 490, currency: 'EUR' })
  assert.ok(isGenuine)
})
