// test: long
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Order } from '@vitrine/contract'
import type { Page } from 'playwright-core'
import {
  approveAfterSales,
  expireOverdueAfterSales,
  withdrawAfterSales,
} from '../../server/src/features/after-sales/index.ts'
import { ship } from '../../server/src/features/fulfillment/index.ts'
import { invoicesOfOrder, orderLinkOf, refundByOperator } from '../../server/src/features/orders/index.ts'
import { bought, decide, markArrived, postAfterSales, readOrder, setPolicy } from '../support/commerce/after-sales.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { saveSeller } from '../support/commerce/sellers.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { assertFitsWithoutScript, openPage } from '../support/pages/browser.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'
import { siteOf, TERMS } from '../support/pages/site.ts'
import type { InstallationClient } from '../support/world.ts'

const DAY_MS = 86_400_000

let shop: Shop
let client: InstallationClient
let origin: string
before(async () => {
  shop = await startShop()
  origin = await shop.openPages()
  client = await checkoutClient(shop)
})

/** The link in the newest mail about an order. */
async function linkOf({ number }: Pick<Order, 'number'>, kind = 'orders.confirmed'): Promise<string> {
  const mail = (await shop.mails()).find((each) => each.kind === kind && each.subject.includes(number))
  const [, link] = /(https?:\/\/\S+\/order\/\S+)$/m.exec(mail?.text ?? '') ?? assert.fail(`no link in ${kind}`)
  return link!
}

async function statusAt(url: string): Promise<number> {
  return (await pageVisitor(origin).open(url)).status
}

const heading = async (page: Page) => (await page.textContent('h1')) ?? ''

describe('with the link in a mail, in a browser without script', () => {
  test('a shopper sees the order, cancels a part of it and returns the rest', async () => {
    const order = await bought(shop, client, { MUG: 2, BOWL: 1 })
    const page = await openPage()
    await page.goto(await linkOf(order))
    assert.equal(await heading(page), `Order ${order.number}`)
    const text = await page.innerText('main')
    assert.match(text, /This is a test order/)
    assert.match(text, /2 × |Quantity 2/)
    assert.doesNotMatch(text, /ada@example\.com|Lindenstraße/)
    assert.match(text, /a…@example\.com/)
    await assertFitsWithoutScript(page)

    await page.click('text=Cancel items')
    await assertFitsWithoutScript(page)
    await page.selectOption('#u1', '1')
    await page.selectOption('#u2', '0')
    await page.click('button')
    assert.equal(await heading(page), 'Cancel these items?')
    assert.match(await page.innerText('main'), /You’ll be refunded €12\.54/)
    await assertFitsWithoutScript(page)
    await page.click('button')
    assert.match(await page.innerText('main'), /We have updated your order/)
    assert.match(await page.innerText('main'), /1 canceled/)
    await assertFitsWithoutScript(page)
    assert.equal((await readOrder(client, order.id)).cancellations[0]?.status, 'completed')

    const parcel = { orderId: order.id, reference: 'parcel', carrier: 'DHL', trackingNumber: '0034' }
    await decide(shop, (tx, by) => ship(tx, { ...parcel, trackingUrl: 'https://track.example/0034' }, by))
    await page.goto(await linkOf(order, 'orders.parcel'))
    assert.equal(await page.getAttribute('text=Track parcel', 'href'), 'https://track.example/0034')
    await page.click('text=Return items')
    await page.selectOption('#u1', '0')
    await page.selectOption('#u2', '0')
    await page.click('button')
    assert.match(await page.innerText('.summary'), /Select at least one item/)
    await assertFitsWithoutScript(page)
    await page.selectOption('#u2', '1')
    await page.selectOption('#reasonCode', 'size_or_fit')
    await page.click('button')
    assert.match(await page.innerText('main'), /We have updated your order/)
    await assertFitsWithoutScript(page)
    const [request] = (await readOrder(client, order.id)).afterSales
    assert.equal(request?.kind, 'return')
    assert.deepEqual(request?.lines, [{ lineId: order.lines[1]!.id, quantity: 1 }])
  })
})

describe('the page of an order', () => {
  test('says until when it can be canceled, and until when its items can be returned', async () => {
    await setPolicy(shop, 'ceramics', { cancellation: { windowMinutes: 45 } })
    const order = await bought(shop, client, { MUG: 1 })
    const facts = async () => {
      const { text } = await pageVisitor(origin).open(await linkOf(order))
      return [...text.matchAll(/<dt>(Cancellation|Return)<\/dt><dd>([^<]+)/g)].map(([, of, until]) => [of, until])
    }
    assert.deepEqual(await facts(), [['Cancellation', 'Possible for another 45 minutes']])
    await setPolicy(shop, 'ceramics', { cancellation: { windowMinutes: 7 * 24 * 60 } })
    const [[, until] = []] = await facts()
    assert.match(until ?? '', /^Possible until \w+ \d+, 20\d\d$/)
    await setPolicy(shop, 'ceramics', {})
    assert.deepEqual(await facts(), [], 'there is no deadline before it is shipped')
    await decide(shop, (tx, by) => ship(tx, { orderId: order.id, reference: 'parcel' }, by))
    const [[of] = []] = await facts()
    assert.equal(of, 'Return')
  })
})

describe('invoices', () => {
  test('are listed with their credit notes, and downloaded without script, in English and in German', async () => {
    await saveSeller(shop)
    const order = await bought(shop, client, { MUG: 2, NOVEL: 1 })
    await decide(shop, (tx, by) => refundByOperator(tx, { orderId: order.id, amount: 250n }, by))
    const mail = (await shop.mails()).find(({ subject }) => subject.includes(order.number))
    assert.match(mail?.text ?? '', /^Download your invoice as a PDF: \S+#invoices$/m)
    const page = await openPage()
    await page.goto(await linkOf(order))
    const list = page.locator('#invoices + dl')
    assert.match(
      await list.innerText(),
      /Invoice\n.*2026\nT-2026-\d{5} \(PDF\)\n€45\.88\nCredit note\n.*\nT-C2026-\d{5} \(PDF\)\n[-−]€2\.50/,
    )
    await assertFitsWithoutScript(page)
    const [download] = await Promise.all([page.waitForEvent('download'), list.locator('a').first().click()])
    assert.match(download.suggestedFilename(), /^T-2026-\d{5}\.pdf$/)
    assert.match(await readFile(await download.path(), 'latin1'), /^%PDF-1\.7/)
    await page.goto(`${await linkOf(order)}?locale=de`)
    assert.match(await list.innerText(), /Rechnung\n[\s\S]*Rechnungskorrektur\n/)
  })

  test('of another order look exactly like absent ones', async () => {
    const [one, other] = [await bought(shop, client, { MUG: 1 }), await bought(shop, client, { MUG: 1 })]
    const link = await linkOf(one)
    const [own, foreign] = await Promise.all([one, other].map(({ id }) => invoicesOfOrder(shop.database.reader, id)))
    assert.equal(await statusAt(`${link}/invoices/${own![0]!.id}`), 200)
    const [seen, absent] = await Promise.all(
      [foreign![0]!.id, 'inv_00000000000000000000000000'].map((id) =>
        pageVisitor(origin).open(`${link}/invoices/${id}`),
      ),
    )
    assert.deepEqual([seen!.status, textOf(seen!.text)], [404, textOf(absent!.text)])
    const ended = await pageVisitor(origin).open(`${link.slice(0, -1)}/invoices/${own![0]!.id}`)
    assert.equal(ended.status, 404)
  })
})

describe('the link to an order', () => {
  test('does not open the order after it expired, and explains how to get a new one', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const link = await linkOf(order)
    const { id, environment } = { ...order, environment: 'test' } as const
    const made = await orderLinkOf(shop.database.reader, { id, environment }, shop.clock.now())
    assert.deepEqual(made, { url: link, expiresAt: new Date(shop.clock.now().getTime() + 60 * DAY_MS) })
    shop.clock.advance(60 * DAY_MS - 1000)
    assert.equal(await statusAt(link), 200)
    shop.clock.advance(1000)
    const visitor = pageVisitor(origin)
    const expired = await visitor.open(link)
    assert.equal(expired.status, 404)
    assert.match(expired.text, /no longer valid/)
    assert.match(expired.text, /href="\/order"/)
    assert.doesNotMatch(expired.text, new RegExp(order.number))
    for (const below of ['/cancel', '/return']) assert.equal(await statusAt(`${link}${below}`), 404)

    await visitor.open('/order')
    const asked = await visitor.send('/order', { number: order.number.toLowerCase(), email: 'ADA@example.com' })
    assert.equal(asked.location, '/order/sent')
    await shop.work()
    assert.equal(await statusAt(await linkOf(order, 'orders.link')), 200)
  })

  test('opens only its own order: a link with any changed character opens nothing', async () => {
    const [one, other] = [await bought(shop, client, { MUG: 1 }), await bought(shop, client, { MUG: 1 })]
    const link = await linkOf(one)
    const absent = await pageVisitor(origin).open(`${new URL(link).origin}/order/nothing`)
    const forged = [
      link.replace(one.id.slice(4), other.id.slice(4)),
      link.replace('/order/t', '/order/l'),
      link.slice(0, -1),
      `${link}A`,
    ]
    for (const each of forged) {
      const seen = await pageVisitor(origin).open(each)
      assert.deepEqual([seen.status, textOf(seen.text)], [absent.status, textOf(absent.text)], each)
    }
  })

  test('is requested with the same answer and the same work, whether or not number and address match', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const visitor = pageVisitor(origin)
    const answers: string[] = []
    for (const fields of [
      { number: order.number, email: 'ada@example.com' },
      { number: order.number, email: 'eve@example.com' },
      { number: 'V-99999999', email: 'ada@example.com' },
    ]) {
      await visitor.open('/order')
      const { status, location } = await visitor.send('/order', fields)
      answers.push(`${status} ${location}`)
    }
    assert.equal(new Set(answers).size, 1)
    const before = (await shop.mails()).length
    await shop.work()
    assert.equal((await shop.mails()).length, before + 1)
  })

  test('is sent at most three times an hour to an address', async () => {
    const limited = await startShop({ environment: { RATE_LIMITS: '{}' } })
    const visitor = pageVisitor(await limited.openPages())
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) {
      await visitor.open('/order')
      statuses.push((await visitor.send('/order', { number: `V-${count}`, email: 'often@example.com' })).status)
    }
    assert.deepEqual(statuses, [303, 303, 303, 429])
  })

  test('cancels once, even if the form is sent again', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    const link = new URL(await linkOf(order)).pathname
    const visitor = pageVisitor(origin)
    await visitor.open(`${link}/cancel?u1=1&reason=other`)
    const fields = { u1: '1', reason: 'other', version: String((await readOrder(client, order.id)).version) }
    const first = await visitor.send(`${link}/cancel`, fields)
    const secondClick = await visitor.send(`${link}/cancel`, fields)
    assert.deepEqual([first.status, secondClick.status], [303, 303])
    assert.equal(secondClick.location, first.location)
    shop.clock.advance(11_000)
    const again = await visitor.send(`${link}/cancel`, fields)
    assert.equal(again.status, 409)
    assert.match(again.text, /changed in the meantime/)
    assert.equal((await readOrder(client, order.id)).lines[0]?.quantity.canceled, 1)
  })

  test('asks to select an item if none is selected to cancel, in English and in German', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    const link = new URL(await linkOf(order)).pathname
    const visitor = pageVisitor(origin)
    await visitor.open(`${link}/cancel`)
    const { location } = await visitor.send(`${link}/cancel/preview`, { u1: '0', reason: 'other' })
    const english = await visitor.open(location)
    assert.equal(english.status, 400)
    assert.match(english.text, /class="summary"[\s\S]*Select at least one item to cancel/)
    const german = await visitor.open(`${link}/cancel?locale=de&u1=0&reason=other`)
    assert.match(german.text, /class="summary"[\s\S]*Wähle mindestens einen Artikel aus/)
  })

  test('of a delivered order offers a return, but no cancellation', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    const { text } = await pageVisitor(origin).open(await linkOf(order))
    assert.match(text, /was delivered/)
    assert.match(text, /Return items/)
    assert.doesNotMatch(text, /Cancel items/)
  })

  test('offers the only item for a return with one unit selected, and none of several', async () => {
    const selected = async (units: Readonly<Record<string, number>>) => {
      const order = await bought(shop, client, units)
      await markArrived(shop, order)
      const { text } = await pageVisitor(origin).open(`${await linkOf(order)}/return`)
      return [...text.matchAll(/<select id="u\d"[\s\S]*?<\/select>/g)].map(
        ([each]) => /value="(\d)" selected/.exec(each)?.[1],
      )
    }
    assert.deepEqual(await selected({ MUG: 2 }), ['1'])
    assert.deepEqual(await selected({ MUG: 2, BOWL: 1 }), [undefined, undefined])
  })

  test('says that a part was delivered while nothing is on its way', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    await markArrived(shop, order, [{ lineId: order.lines[0]!.id, quantity: 1 }])
    const visitor = pageVisitor(origin)
    const link = await linkOf(order)
    assert.match((await visitor.open(link)).text, /Part of your order was delivered\./)
    assert.match((await visitor.open(`${link}?locale=de`)).text, /Ein Teil deiner Bestellung wurde zugestellt\./)
  })

  test('announces no refund and asks for no items once a return was withdrawn or has expired', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    await markArrived(shop, order)
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
    const approved = async () => {
      const { id } = (await postAfterSales(client, order.id, { lines })).body.data
      const texts = { instructions: 'Print the label.', returnAddress: 'Loom Returns' }
      await decide(shop, (tx, by) => approveAfterSales(tx, id, texts, by))
      const { text } = await pageVisitor(origin).open(await linkOf(order))
      assert.match(text, /Print the label[\s\S]*Send the items to:[\s\S]*Refund: €12\.54/)
      return id
    }
    const ended = async (state: string) => {
      const { text } = await pageVisitor(origin).open(await linkOf(order))
      assert.ok(text.includes(state))
      assert.doesNotMatch(text, /Print the label|Send the items|Refund:/)
    }
    const withdrawn = await approved()
    await decide(shop, (tx, by) => withdrawAfterSales(tx, withdrawn, 'operator', by))
    await ended('Withdrawn.')
    await approved()
    shop.clock.advance(15 * DAY_MS)
    await expireOverdueAfterSales(shop.database, { ids: shop.ids, now: shop.clock.now() })
    await ended('The items were not sent back in time.')
  })

  test('shows instructions and deadline of a return, the accepted documents and the contact of the store', async () => {
    await shop.run(`update stores set contact = '{"email":"help@ceramics.example","phone":"+49301234567"}'
      where slug = 'ceramics'`)
    const order = await bought(shop, client, { MUG: 1 })
    // From here on, each checkout has to accept these documents.
    await siteOf(shop).publish({ title: 'Our terms' })
    await shop.run('update orders set accepted_documents = $2 where id = $1', [
      order.id,
      JSON.stringify([{ type: TERMS.type, version: TERMS.version }]),
    ])
    await shop.run('update order_lines set image = $2 where order_id = $1', [
      order.id,
      JSON.stringify({ url: '/media/mug.svg', alt: 'A mug', width: 100, height: 100 }),
    ])
    await markArrived(shop, order)
    const asked = await postAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
    const { text: before } = await pageVisitor(origin).open(await linkOf(order))
    assert.match(before, /We have received your request\.[\s\S]*You’ll get an answer by \w+ \d+, 2026/)
    const instructions = 'Print the label and bring the parcel to a shop.'
    const returnAddress = 'Loom Returns\n10115 Berlin'
    await decide(shop, (tx, by) => approveAfterSales(tx, asked.body.data.id, { instructions, returnAddress }, by))
    const { text, headers } = await pageVisitor(origin).open(await linkOf(order, 'orders.approved'))
    assert.match(
      text,
      /Print the label[\s\S]*Send the items to:[\s\S]*Loom Returns<br>10115 Berlin[\s\S]*Send the items by /,
    )
    assert.match(text, /href="mailto:help@ceramics\.example"[\s\S]*href="tel:\+49301234567"/)
    assert.match(text, /<a href="[^"]+\/legal\?document=[^"]+">Our terms<\/a>/)
    assert.match(
      headers.get('content-security-policy') ?? '',
      new RegExp(`img-src[^;]*${new URL(shop.publicUrl).origin}`),
    )
    const german = await pageVisitor(origin).open(`${await linkOf(order)}?locale=de`)
    assert.match(german.text, /Bitte sende die Artikel zurück\.[\s\S]*Sende die Artikel bis zum/)
  })
})

/** The text of a page, without values that differ in each visit. */
function textOf(page: string): string {
  return /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? ''
}
