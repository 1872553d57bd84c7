import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { holdOrder, releaseOrder } from '../../server/src/features/orders/index.ts'
import { type Saying, type ShopperTexts, say, textsIn } from '../../server/src/kernel/languages/texts.ts'
import { dataOf } from '../support/client.ts'
import { BERLIN, checkout, checkoutClient, readSession, readyCart } from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { hiddenValue, pageVisitor } from '../support/pages/page-visitor.ts'
import { siteOf } from '../support/pages/site.ts'
import type { InstallationClient } from '../support/world.ts'

/**
 * A shopper buys in German: catalog, cart, checkout, mails, order. Texts of the public interface are compared with the German
 * dictionary. On pages and in mails no text is the same as for a shopper who buys in English, except data of the shop.
 */
let shop: Shop
let client: InstallationClient
let origin: string
before(async () => {
  shop = await startShop({ simulator: true })
  client = await checkoutClient(shop)
  origin = await shop.openPages()
  const { publish } = siteOf(shop)
  await publish()
  await publish({ type: 'imprint', title: 'Imprint' })
  await publish({ locale: 'de', title: 'AGB', content: { format: 'markdown', text: '# AGB\n\nSeid nett.' } })
})

const german = textsIn('de')
const cartText = (saying: Saying<ShopperTexts['cart']>) => [saying.code, say(german.cart, saying)]
const orderText = (saying: Saying<ShopperTexts['orderTimeline']>) => [saying.code, say(german.orderTimeline, saying)]
const reason = (code: keyof ShopperTexts['eligibility']) => [code, german.eligibility[code]]
const said = (all: readonly { code: string; text?: string; message?: string }[]) =>
  all.map(({ code, text, message }) => [code, text ?? message])

/** The texts of a page or a mail, without numbers and punctuation around them. */
function textsOf(rendered: string): ReadonlySet<string> {
  const visible = rendered.replace(/<(style|script|svg)\b.*?<\/\1>/gs, '').replace(/<nav aria-label.*?<\/nav>/gs, '')
  const attributes = [...visible.matchAll(/(?:aria-label|alt|placeholder|title)="([^"]*)"/g)].map(([, text]) => text!)
  const texts = [...visible.split(/<[^>]*>|\n/), ...attributes]
  return new Set(
    texts.map((text) => text.replace(/&[#\w]+;/g, ' ').replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')).filter(Boolean),
  )
}

/** Data of the shop and the shopper, which are the same in each language. */
const DATA =
  /^(Vitrine|Shop|Test|Berlin|Lindenstraße|Ada.*|ada@example\.com|VAT|days?|DHL|EUR|SUMMER|[VT]|UTC|https?:.*)$/

async function buy(locale: string) {
  const cart = await readyCart(shop, client, { MUG: 2 }, { locale })
  const { shippingOptions } = cart
  dataOf(await client.put(`${CARTS}/${cart.id}/address`, { shippingOptionId: shippingOptions[0].id }))
  const session = dataOf(await checkout(client, cart.id))
  const visitor = pageVisitor(origin)
  const path = new URL(session.url).pathname
  const opened = await visitor.open(path)
  const fields = {
    provider: 'simulator',
    version: hiddenValue(opened, 'version'),
    documents: hiddenValue(opened, 'documents'),
  }
  const mistaken = await visitor.send(`${path}/pay`, fields)
  const paid = await visitor.send(`${path}/pay`, { ...fields, accepted: 'yes' })
  assert.equal(paid.status, 303, paid.text)
  const thanks = await visitor.open(path)
  const { orderId } = await readSession(client, session.id)
  await shop.work()
  const order = dataOf(await client.get(`${ORDERS}/${orderId}`))
  const mails = (await shop.mails()).filter(({ subject, text }) => `${subject} ${text}`.includes(order.number))
  return { order, pages: [opened, mistaken, thanks].map(({ text }) => text), mails }
}

describe('a shopper who buys in German', () => {
  test('reads the catalog in German', async () => {
    const { body } = await shop.anonymous.get('/api/v1/catalog/products?q=becher', {
      headers: { 'accept-language': 'de-AT, en;q=0.5' },
    })
    assert.deepEqual([body.meta.locale, body.data[0].name, body.data[0].locale], ['de', 'Becher', 'de'])
    const labels = body.meta.facets.map(({ key, label }: { key: string; label: string }) => [key, label])
    for (const [key, label] of labels) assert.equal(label, german.facets[key as keyof ShopperTexts['facets']], key)
    assert.ok(labels.length > 2)
  })

  test('reads the messages of the cart and the blockers of checkout in German', async () => {
    const cart = await cartOf(shop, client, { MUG: 1, VASE: 3, BOWL: 1 }, { locale: 'de', country: 'US' })
    await shop.setPrice('BOWL', 2500)
    await shop.setStock('VASE', 1)
    const { postalCode: _, ...address } = BERLIN
    const shipping = { ...address, countryCode: 'US' }
    const { messages } = dataOf(await client.put(`${CARTS}/${cart.id}/address`, { shipping }))
    const expected = [
      cartText({ code: 'insufficient_stock', facts: { units: 1 } }),
      cartText({ code: 'price_changed', facts: { isHigher: true } }),
      cartText({ code: 'shipping_unavailable' }),
      cartText({ code: 'address_incomplete', facts: { address: 'shipping', field: 'region' } }),
      cartText({ code: 'address_incomplete', facts: { address: 'shipping', field: 'postalCode' } }),
    ]
    assert.deepEqual(said(messages), expected)
    const { blockers } = dataOf(await client.get(`${CARTS}/${cart.id}/checkout-quote`))
    const blocking = expected.filter(([code]) => code !== 'price_changed')
    const rest = [cartText({ code: 'email_missing' }), cartText({ code: 'tax_not_calculated' })]
    assert.deepEqual(said(blockers), [...blocking, ...rest])
    await shop.setPrice('BOWL', 2200)

    const bare = await cartOf(shop, client, { MUG: 1 }, { locale: 'de' })
    const session = dataOf(await checkout(client, bare.id))
    assert.deepEqual(said(session.blockers), [
      cartText({ code: 'email_missing' }),
      cartText({ code: 'address_missing', facts: { address: 'shipping' } }),
    ])
  })

  test('reads pages, mails and the order in German, from checkout to cancellation', async () => {
    const [english, bought] = [await buy('en'), await buy('de')]
    const { order } = bought
    const context = { ids: shop.ids, now: shop.clock.now() }
    await shop.database.transaction((tx) => holdOrder(tx, order.id, null, context))
    const path = `${ORDERS}/${order.id}`
    assert.deepEqual(said(dataOf(await client.get(`${path}/cancellation-eligibility`)).reasons), [
      reason('order_on_hold'),
    ])
    const returning = dataOf(await client.get(`${path}/after-sales-eligibility`))
    assert.deepEqual(said(returning.reasons), [reason('order_not_completed')])
    for (const { reasons } of returning.kinds) assert.deepEqual(said(reasons), [reason('order_not_completed')])

    await shop.database.transaction((tx) => releaseOrder(tx, order.id, context))
    for (const { id } of [english.order, order])
      dataOf(await client.post(`${ORDERS}/${id}/cancellations`, { reason: 'customer_request' }))
    await shop.work()
    const { timeline } = dataOf(await client.get(path))
    assert.deepEqual(said(timeline), [
      orderText({ code: 'confirmed' }),
      orderText({ code: 'held', facts: { reason: null } }),
      orderText({ code: 'released' }),
      orderText({ code: 'units_canceled', facts: { units: 2 } }),
      orderText({ code: 'canceled' }),
      orderText({ code: 'refund_begun', facts: { isRetry: false } }),
      orderText({ code: 'refunded' }),
    ])

    const mailsOf = async ({ number }: { number: string }) =>
      (await shop.mails()).filter(({ subject, text }) => `${subject} ${text}`.includes(number))
    const [englishMails, germanMails] = [await mailsOf(english.order), await mailsOf(order)]
    assert.deepEqual(germanMails.map(({ kind }) => kind).sort(), [
      'orders.canceled',
      'orders.confirmed',
      'orders.refunded',
    ])
    const documents = new Set(germanMails.flatMap(({ text }) => text.match(/http\S+\/legal\?\S+/g) ?? []))
    assert.ok(documents.size > 1, 'the documents of the seller, and those that were accepted')
    for (const url of documents) {
      const { text } = await pageVisitor(origin).open(url, { 'accept-language': 'en' })
      assert.match(text, /<html lang="de">/, url)
    }
    const letters = (mails: typeof germanMails) => mails.flatMap(({ subject, text }) => [subject, text])
    const inEnglish = textsOf([...english.pages, ...letters(englishMails)].join('\n'))
    const inGerman = textsOf([...bought.pages, ...letters(germanMails)].join('\n'))
    assert.ok(inGerman.size > 60, `${inGerman.size} texts`)
    assert.deepEqual(
      [...inGerman].filter((text) => inEnglish.has(text) && !DATA.test(text)),
      [],
    )
  })
})
