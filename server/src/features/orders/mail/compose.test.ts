import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Totals } from '@vitrine/contract'
import { orderOfUnits } from '../../../../../test/support/orders.ts'
import { wireMoney } from '../../../kernel/money.ts'
import type { AfterSales } from '../../after-sales/after-sales.ts'
import { approve, decline, requestAfterSales, review } from '../../after-sales/after-sales.ts'
import type { Occasion, Order } from '../order/order.ts'
import { recordCancelled, recordDelivered, recordParcel } from '../order/goods.ts'
import { newsOfChange, newsOfRequest, type OrderNews } from './notifications.ts'
import { orderMail } from './compose.ts'
import { refundBegun, refundSettled } from '../order/money.ts'
import { refundFor } from '../order/refund-amounts.ts'

const occasion: Occasion = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'operator' }
const BERLIN = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}

function totalsOf(currency: string, tax = { added: 0, included: 639 }): Totals {
  const money = (amount: number) => wireMoney(BigInt(amount), currency)
  const { added, included } = tax
  return {
    itemsSubtotal: money(4000),
    itemsDiscount: money(600),
    shipping: money(490),
    shippingDiscount: money(490),
    tax: { amount: money(added + included), added: money(added), included: added === 0, status: 'final' },
    total: money(3400 + added),
  } as Totals
}

/** Three units of one thing and one of another. */
function bought(more: Partial<Order> = {}): Order {
  const order = orderOfUnits([3, 1])
  const discount = (title: string, amount: bigint) => [{ promotionId: 'prm_1', code: null, title, amount }]
  return {
    ...order,
    environment: 'live',
    number: 'V-10001',
    locale: 'en',
    shippingAddress: BERLIN,
    billingAddress: BERLIN,
    totals: totalsOf(order.currency),
    lines: order.lines.map((line, index) => ({
      ...line,
      name: ['Mug', 'Bowl'][index]!,
      optionLabels: index === 0 ? [{ name: 'Color', value: 'blue' }] : [],
      discountAllocations: index === 0 ? discount('Summer', 600n) : [],
    })),
    shipping: order.shipping.map((each) => ({ ...each, discountAllocations: discount('Free shipping', 490n) })),
    ...more,
  }
}

const documents = [{ title: 'Terms <of use>', url: 'https://pages.example/legal?document=leg_1' }]
const mail = (order: Order, news: OrderNews) => orderMail(order, news, 'Market & Sons')
const textOf = (order: Order, news: OrderNews) => mail(order, news).bodies.text

describe('the mail that confirms an order', () => {
  test('says everything in English: number, lines, discounts, shipping, tax, total, address and documents', () => {
    const { subject, bodies, kind, recipient, locale } = mail(bought(), { kind: 'confirmed', documents })
    assert.deepEqual([kind, recipient, locale], ['orders.confirmed', 'ada@example.com', 'en'])
    assert.equal(subject, 'Your order V-10001 is confirmed')
    assert.equal(
      bodies.text,
      `Your order V-10001 is confirmed

Thank you for your order with Market & Sons. It is paid, and we will get it ready.

What you have bought:
3 × Mug (Color: blue): €30.00
1 × Bowl: €10.00

What it comes to:
Goods: €40.00
Summer: −€6.00
Shipping: €4.90
Free shipping: −€4.90
Total: €34.00
Tax included: €6.39

Where it goes:
Ada Example
Lindenstraße 9
10969 Berlin
Germany

What you have accepted:
Terms <of use>: https://pages.example/legal?document=leg_1

-- 
Market & Sons
`,
    )
  })

  test('says it in German, as amounts and places are written there', () => {
    const { subject, bodies, locale } = mail(bought({ locale: 'de-AT' }), { kind: 'confirmed', documents })
    assert.deepEqual([subject, locale], ['Deine Bestellung V-10001 ist bestätigt', 'de'])
    assert.match(bodies.text, /^Danke für deine Bestellung bei Market & Sons\./m)
    assert.match(bodies.text, /^Summe: €\s34,00$/m)
    assert.match(bodies.text, /^Enthaltene Steuer: €\s6,39$/m)
    assert.match(bodies.text, /^Deutschland$/m)
  })

  test('says the same as HTML, in which nothing of a shopper or a store is markup', () => {
    const order = bought({ shippingAddress: { ...BERLIN, recipientName: '<b>Ada</b>' } })
    const { html } = mail(order, { kind: 'confirmed', documents }).bodies
    assert.match(html, /<html lang="en">/)
    assert.match(html, /&lt;b&gt;Ada&lt;\/b&gt;/)
    assert.match(html, /<a href="https:\/\/pages\.example\/legal\?document=leg_1">Terms &lt;of use&gt;<\/a>/)
    assert.match(html, /Total<\/th><td[^>]*>€34\.00<\/td>/)
    assert.doesNotMatch(html, /<img|<script|<link/)
  })

  test('is English where we do not speak the language of the order', () => {
    const { subject, locale } = mail(bought({ locale: 'fr-FR' }), { kind: 'confirmed', documents: [] })
    assert.deepEqual([subject, locale], ['Your order V-10001 is confirmed', 'en'])
  })

  test('names a tax that comes on top, another address for the bill, and free shipping', () => {
    const totals = totalsOf('EUR', { added: 290, included: 0 })
    const order = bought({
      totals: { ...totals, shipping: wireMoney(0n, 'EUR') },
      shipping: [],
      billingAddress: { ...BERLIN, recipientName: 'Bob Example' },
    })
    const text = textOf(order, { kind: 'confirmed', documents: [] })
    assert.match(text, /^Shipping: free\nTax: €2\.90\nTotal: €36\.90$/m)
    assert.match(text, /^Billed to:\nBob Example$/m)
    assert.doesNotMatch(text, /accepted/)
  })

  test('of what is not shipped has neither an address nor shipping', () => {
    const { shipping: _, ...totals } = totalsOf('EUR')
    const order = bought({ shippingAddress: null, billingAddress: null, shipping: [], totals })
    assert.doesNotMatch(textOf(order, { kind: 'confirmed', documents: [] }), /Shipping|goes/)
  })

  for (const { currency, locale, total } of [
    { currency: 'JPY', locale: 'en', total: '¥3,400' },
    { currency: 'JPY', locale: 'de', total: '3.400 ¥' },
    { currency: 'KWD', locale: 'en', total: 'KWD 3.400' },
    { currency: 'KWD', locale: 'de', total: '3,400 KWD' },
  ]) {
    test(`writes amounts in ${currency} with its own digits, in ${locale}`, () => {
      const text = textOf(bought({ currency, locale, totals: totalsOf(currency) }), {
        kind: 'confirmed',
        documents: [],
      })
      assert.ok(text.replaceAll(/\s/g, ' ').includes(`: ${total} `), text)
    })
  }
})

describe('a test order', () => {
  test('says so in the subject and below, in each language', () => {
    const news: OrderNews = { kind: 'refunded', amount: 100n }
    const [english, german] = ['en', 'de'].map((locale) => mail(bought({ environment: 'test', locale }), news))
    assert.equal(english!.subject, '[Test] A refund for your order V-10001 was paid out')
    assert.match(english!.bodies.text, /This is a test order: nothing is delivered, and no money moves\./)
    assert.equal(german!.subject, '[Test] Eine Erstattung zu deiner Bestellung V-10001 ist ausgezahlt')
    assert.match(german!.bodies.text, /Das ist eine Testbestellung/)
  })
})

const left = (order: Order, quantity = 2) =>
  recordParcel(
    order,
    {
      id: 'ful_1',
      carrier: 'DHL',
      trackingNumber: '0034 0434',
      trackingUrl: 'https://carrier.example/0034',
      lines: [{ lineId: 'oli_1', quantity }],
    },
    occasion,
  )

describe('the mail of a parcel', () => {
  test('says who has it, its number, where to follow it, and what is in it', () => {
    const before = bought()
    const [news, ...more] = newsOfChange(before, left(before))
    assert.deepEqual(more, [])
    const { subject, bodies } = mail(before, news!)
    assert.equal(subject, 'A parcel of your order V-10001 is on its way')
    assert.equal(
      bodies.text,
      `A parcel of your order V-10001 is on its way

We have handed over a parcel for you to DHL.

The rest of your order follows.

In this parcel:
2 × Mug (Color: blue)

Your parcel:
Carrier: DHL
Tracking number: 0034 0434

Track the parcel:
https://carrier.example/0034

-- 
Market & Sons
`,
    )
  })

  test('says it in German', () => {
    const before = bought({ locale: 'de' })
    const [news] = newsOfChange(before, left(before))
    const text = textOf(before, news!)
    assert.match(text, /^Ein Paket deiner Bestellung V-10001 ist unterwegs$/m)
    assert.match(text, /^Sendungsnummer: 0034 0434$/m)
    assert.match(text, /^Der Rest deiner Bestellung folgt\.$/m)
  })

  test('without a carrier and a number says what is in it, and that nothing follows where nothing does', () => {
    const before = bought()
    const parcel = { id: 'ful_1', carrier: null, trackingNumber: null, trackingUrl: null }
    const lines = before.lines.map(({ id, units }) => ({ lineId: id, quantity: units.ordered }))
    const [news] = newsOfChange(before, recordParcel(before, { ...parcel, lines }, occasion))
    assert.doesNotMatch(textOf(before, news!), /follows|Carrier|Tracking|http/)
  })

  test('is not written when it arrives, nor of what was sent by mail', () => {
    const sent = left(bought())
    assert.deepEqual(newsOfChange(sent, recordDelivered(sent, 'ful_1', occasion)), [])
    assert.deepEqual(newsOfChange(bought(), recordDelivered(left(bought()), 'ful_1', occasion)), [])
  })
})

describe('the mail of a cancellation', () => {
  const canceled = (order: Order, units: { lineId: string; quantity: number }[]) => {
    const refund = refundFor(order, { units, shippingOf: [] })
    const after = recordCancelled(order, units, occasion)
    return refundBegun(after, { reference: 'can_1', kind: 'cancellation', refund }, occasion)
  }
  const whole = (order: Order) => order.lines.map(({ id, units }) => ({ lineId: id, quantity: units.ordered }))

  test('of the whole order says what is given back', () => {
    const before = bought()
    const after = canceled(before, whole(before))
    const [news, ...more] = newsOfChange(before, after)
    assert.deepEqual(more, [])
    const text = textOf(after, news!)
    assert.match(
      text,
      /^Your order V-10001 was canceled\n\nYour order was canceled\. Nothing more will be delivered\.$/m,
    )
    assert.match(text, /^We are giving you back €40\.00, and will write again once it has been paid out\.$/m)
    assert.match(text, /^Canceled:\n3 × Mug \(Color: blue\)\n1 × Bowl$/m)
  })

  test('of units names them, in German too', () => {
    const before = bought({ locale: 'de' })
    const after = canceled(before, [{ lineId: 'oli_1', quantity: 1 }])
    const [news] = newsOfChange(before, after)
    const { subject, bodies } = mail(after, news!)
    assert.equal(subject, 'Ein Teil deiner Bestellung V-10001 wurde storniert')
    assert.match(bodies.text, /^Wir erstatten dir 10,00\s€ und schreiben dir, sobald das Geld ausgezahlt ist\.$/m)
    assert.match(bodies.text, /^Storniert:\n1 × Mug \(Color: blue\)$/m)
  })

  test('promises no money where none goes back', () => {
    const before = bought()
    const [news] = newsOfChange(before, recordCancelled(before, [{ lineId: 'oli_1', quantity: 1 }], occasion))
    assert.doesNotMatch(textOf(before, news!), /giving/)
  })
})

describe('the mail of a refund', () => {
  const begun = (order: Order) => {
    const refund = { amount: 1500n, lines: [], shipping: [] }
    return refundBegun(order, { reference: 'rfd_1', kind: 'correction', refund }, occasion)
  }

  test('is written when it was paid, whatever was tried before, and says how much', () => {
    const asked = begun(bought())
    const failed = refundSettled(asked, { reference: 'rfd_1', outcome: 'failed' }, occasion)
    const paid = refundSettled(failed, { reference: 'rfd_1', outcome: 'succeeded' }, occasion)
    assert.deepEqual([newsOfChange(bought(), asked), newsOfChange(asked, failed)], [[], []])
    assert.deepEqual(newsOfChange(failed, paid), [{ kind: 'refunded', amount: 1500n }])
    assert.match(
      textOf(paid, { kind: 'refunded', amount: 1500n }),
      /^We have paid out €15\.00 to you for your order V-10001\.$/m,
    )
    const german = textOf(bought({ locale: 'de' }), { kind: 'refunded', amount: 1500n })
    assert.match(german, /^Wir haben dir 15,00\s€ zu deiner Bestellung V-10001 ausgezahlt\.$/m)
  })
})

describe('the mails of a request after the sale', () => {
  const requested = requestAfterSales(
    {
      id: 'asr_1',
      orderId: 'ord_1',
      kind: 'return',
      reasonCode: 'defective',
      lines: [{ lineId: 'oli_1', quantity: 2 }],
      description: 'The handle is broken.',
      evidence: [],
      refundEstimate: 2000n,
      policyVersions: {},
      decideBy: new Date('2026-05-12T12:00:00.000Z'),
    },
    occasion,
  )
  const approval = { instructions: 'Put the label\non the parcel.', returnBy: new Date('2026-06-04T12:00:00.000Z') }
  const approved = approve(review(requested, occasion), approval, occasion)
  const declined = decline(review(requested, occasion), 'The window is closed.', occasion)
  const only = (before: AfterSales | null, after: AfterSales) => {
    const [news, ...more] = newsOfRequest(before, after)
    assert.deepEqual(more, [])
    return news!
  }

  test('say that it was received, and by when it is answered', () => {
    const news = only(null, requested)
    const english = textOf(bought(), news)
    assert.match(english, /^We have received your request about order V-10001\n\nYou have asked for a return\./m)
    assert.match(english, /^You will have an answer by May 12, 2026\.$/m)
    assert.match(english, /^What it is about:\n2 × Mug \(Color: blue\)$/m)
    const german = textOf(bought({ locale: 'de' }), news)
    assert.match(german, /^Deine Anfrage zur Bestellung V-10001 ist angekommen\n\nDu möchtest eine Rückgabe\./m)
    assert.match(german, /^Du bekommst bis zum 12\. Mai 2026 eine Antwort\.$/m)
  })

  test('say that it was approved, with instructions and by when the goods are to be sent', () => {
    const news = only(requested, approved)
    const english = textOf(bought(), news)
    assert.match(english, /^Your request about order V-10001 was approved$/m)
    assert.match(english, /^Put the label\non the parcel\.\n\nPlease send the goods by June 4, 2026\./m)
    const german = textOf(bought({ locale: 'de' }), news)
    assert.match(german, /^Deine Anfrage zur Bestellung V-10001 ist genehmigt$/m)
    assert.match(german, /^Bitte sende die Ware bis zum 4\. Juni 2026 ab\./m)
  })

  test('say that it was declined, and why', () => {
    const news = only(requested, declined)
    assert.match(textOf(bought(), news), /for this reason:\n\nThe window is closed\.$/m)
    assert.match(
      textOf(bought({ locale: 'de' }), news),
      /abgelehnt[\s\S]*aus diesem Grund:\n\nThe window is closed\.$/m,
    )
  })

  test('say that the goods of an exchange or a repair have left, with whom and how to follow them', () => {
    const carriage = { carrier: 'DHL', trackingNumber: '00340', trackingUrl: 'https://dhl.example/00340' }
    const exchange = { ...approved, kind: 'exchange' as const }
    const english = textOf(bought(), { kind: 'sent', request: exchange, carriage })
    assert.match(english, /^The goods of your request about order V-10001 are on their way$/m)
    assert.match(english, /^You have asked for an exchange\. The goods are on their way to you with DHL\.$/m)
    assert.match(english, /^Carrier: DHL\nTracking number: 00340$/m)
    assert.match(english, /https:\/\/dhl\.example\/00340/)
    const nobody = { carrier: null, trackingNumber: null, trackingUrl: null }
    const german = textOf(bought({ locale: 'de' }), { kind: 'sent', request: exchange, carriage: nobody })
    assert.match(german, /^Du wolltest einen Umtausch\. Die Ware ist unterwegs zu dir\.$/m)
    assert.doesNotMatch(german, /Dein Paket/)
  })

  test('are one where it is approved as it is made, and none where somebody only looks at it', () => {
    assert.equal(only(null, approved).kind, 'approved')
    assert.deepEqual(newsOfRequest(requested, review(requested, occasion)), [])
    assert.deepEqual(newsOfRequest(approved, approved), [])
  })
})
