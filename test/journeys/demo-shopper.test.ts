import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { loadDemo } from '@vitrine/server/demo'
import { BERLIN, terms } from '../support/checkout.ts'
import type { Answer } from '../support/client.ts'
import { ORDERS } from '../support/orders.ts'
import { pageVisitor } from '../support/page-visitor.ts'
import { testRandomness } from '../support/randomness.ts'
import { CARTS } from '../support/shop.ts'
import { startWorld } from '../support/world.ts'

/*
 * In order to see the whole of a purchase, somebody who tries the demo wants to get what they have bought, also where there
 * is nobody to ship it: a gift card and a course are there in the mail a moment after they were paid.
 */
const world = await startWorld({ simulator: true })
const { database, ids, clock } = world
const client = await world.client({ returnUrls: [terms.returnUrl, terms.cancelUrl] })

function data({ status, body, text }: Answer) {
  assert.equal(status, 200, text)
  return body.data
}

async function skuOf(slug: string): Promise<string> {
  const product = data(await client.get(`/api/v1/open/catalog/products/${slug}`))
  return product.skus[0].id
}

describe('a shopper of the demo', () => {
  before(async () => {
    await loadDemo({ database, ids, now: clock.now(), randomness: testRandomness(), pagesUrl: 'https://pages.example' })
    await world.refresh()
  })

  test('buys a gift card and a course on the page, and has a code and a link in the mail', async () => {
    const lines = [
      { skuId: await skuOf('havelton-gift-card'), quantity: 2 },
      { skuId: await skuOf('throwing-course'), quantity: 1 },
    ]
    const cart = data(await client.post(CARTS, { currency: 'EUR', country: 'DE', locale: 'en', lines }))
    const address = { shipping: BERLIN, contact: { email: 'ada@example.com' } }
    const addressed = data(await client.put(`${CARTS}/${cart.id}/address`, address))
    const shippingOptionId = addressed.shippingOptions[0]?.id
    if (shippingOptionId) data(await client.put(`${CARTS}/${cart.id}/address`, { shippingOptionId }))
    const session = data(await client.post(`${CARTS}/${cart.id}/checkout`, terms))

    const visitor = pageVisitor(await world.openPages())
    const path = new URL(session.url).pathname
    const { text } = await visitor.open(path)
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
    const [version, documents] = [hidden('version'), hidden('documents')]
    await visitor.send(`${path}/pay`, { provider: 'simulator', version, documents, accepted: 'yes' })
    assert.match((await visitor.open(path)).text, /Thank you for your order/)
    await world.work()

    const mail = (await world.mails()).find(({ kind }) => kind === 'fulfilment.keys')
    assert.equal(mail?.recipient, 'ada@example.com')
    assert.equal(mail.text.match(/^HAV-GIFT-25-[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/gm)?.length, 2)
    assert.match(mail.text, /^https:\/\/downloads\.\S+\.example\/throwing-course\/[2-9a-z]{12}$/m)
    const [{ status, fulfillmentStatus }] = data(await client.get(ORDERS)).orders
    assert.deepEqual([status, fulfillmentStatus], ['completed', 'delivered'])
  })
})
