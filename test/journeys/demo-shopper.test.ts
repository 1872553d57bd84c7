import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { loadDemo } from '@vitrine/server/demo'
import { dataOf } from '../support/client.ts'
import { BERLIN, terms } from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { CARTS } from '../support/commerce/shop.ts'
import { hiddenValue, pageVisitor } from '../support/pages/page-visitor.ts'
import { secretDeps } from '../support/secrets.ts'
import { type InstallationClient, startWorld, type World } from '../support/world.ts'

/*
 * The demo supports a whole purchase, including delivery: an e-book and a template arrive by email right after payment.
 */
let world: World
let database: World['database']
let ids: World['ids']
let clock: World['clock']
let client: InstallationClient
before(async () => {
  world = await startWorld({ simulator: true })
  ;({ database, ids, clock } = world)
  client = await world.client({ returnUrls: [terms.returnUrl, terms.cancelUrl] })
})

async function skuOf(slug: string): Promise<string> {
  const product = dataOf(await client.get(`/api/v1/open/catalog/products/${slug}`))
  return product.skus[0].id
}

describe('a demo shopper', () => {
  before(async () => {
    await loadDemo({ database, ids, now: clock.now(), ...secretDeps(), pagesUrl: 'https://pages.example' })
    await world.refresh()
  })

  test('buys an e-book and a template, and gets the links by email', async () => {
    const lines = [
      { skuId: await skuOf('ebook-the-bean'), quantity: 2 },
      { skuId: await skuOf('template-week'), quantity: 1 },
    ]
    const cart = dataOf(await client.post(CARTS, { currency: 'EUR', country: 'DE', locale: 'en', lines }))
    const address = { shipping: BERLIN, contact: { email: 'ada@example.com' } }
    const addressed = dataOf(await client.put(`${CARTS}/${cart.id}/address`, address))
    const shippingOptionId = addressed.shippingOptions[0]?.id
    if (shippingOptionId) dataOf(await client.put(`${CARTS}/${cart.id}/address`, { shippingOptionId }))
    const session = dataOf(await client.post(`${CARTS}/${cart.id}/checkout`, terms))

    const visitor = pageVisitor(await world.openPages())
    const path = new URL(session.url).pathname
    const { text } = await visitor.open(path)
    const [version, documents] = [hiddenValue({ text }, 'version'), hiddenValue({ text }, 'documents')]
    await visitor.send(`${path}/pay`, { provider: 'simulator', version, documents, accepted: 'yes' })
    assert.match((await visitor.open(path)).text, /Thank you for your order/)
    await world.work()

    const mail = (await world.mails()).find(({ kind }) => kind === 'fulfilment.keys')
    assert.equal(mail?.recipient, 'ada@example.com')
    assert.equal(
      mail.text.match(/^Download: https:\/\/downloads\.\S+\.example\/ebook-the-bean\/[2-9a-z]{12}$/gm)?.length,
      2,
    )
    assert.match(mail.text, /^Download: https:\/\/downloads\.\S+\.example\/template-week\/[2-9a-z]{12}$/m)
    const [{ status, fulfillmentStatus }] = dataOf(await client.get(ORDERS)).orders
    assert.deepEqual([status, fulfillmentStatus], ['completed', 'delivered'])
  })
})
