import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Totals } from '@vitrine/contract'
import { orderOfUnits } from '../../../../../test/support/commerce/orders.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { recordCanceled, recordDelivered, recordParcel } from '../order/goods.ts'
import { refundBegun, refundSettled } from '../order/money.ts'
import type { CommandContext, Order } from '../order/order.ts'
import { refundFor } from '../order/refund-amounts.ts'
import { composeOrderMail, orderMail } from './compose.ts'
import { notificationsOfChange, type OrderNotification } from './notifications.ts'

const context: CommandContext = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'operator' }
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

/** Three units of one item and one of another. */
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
const mail = (order: Order, notification: OrderNotification) =>
  composeOrderMail(order, orderMail(notification), { siteName: 'Market & Sons', timeZone: 'UTC', link: null })
const textOf = (order: Order, notification: OrderNotification) => mail(order, notification).bodies.text

test('The mail about a payment links to the invoice, and that about a refund to the credit note, if the sellers issue any', () => {
  const link = { url: 'https://pages.example/order/1', expiresAt: context.now }
  const linksOf = (notification: OrderNotification, issuesInvoices: boolean) => {
    const frame = { siteName: 'Market', timeZone: 'UTC', link, issuesInvoices }
    const { text } = composeOrderMail(bought({ locale: 'de' }), orderMail(notification), frame).bodies
    return text.match(/^.*#invoices$/gm)
  }
  const url = 'https://pages.example/order/1#invoices'
  for (const notification of [
    { kind: 'confirmed', documents: [] },
    { kind: 'paid', amount: 100n },
  ] as const) {
    assert.deepEqual(linksOf(notification, true), [`Rechnung als PDF herunterladen: ${url}`])
    assert.equal(linksOf(notification, false), null)
  }
  const refund = { kind: 'refunded', amount: 100n, reference: 'rfd_1' } as const
  assert.deepEqual(linksOf(refund, true), [`Rechnungskorrektur als PDF herunterladen: ${url}`])
  assert.equal(linksOf({ kind: 'received', documents: [] }, true), null)
})

test('A mail to a business has the invoice or the credit note attached, if the sellers issue any', () => {
  const attachedTo = (order: Order, notification: OrderNotification, issuesInvoices = true) =>
    composeOrderMail(order, orderMail(notification), {
      siteName: 'Market',
      timeZone: 'UTC',
      link: null,
      issuesInvoices,
    }).attached
  const business = bought({ billingAddress: { ...BERLIN, company: 'Example GmbH' } })
  const confirmed = { kind: 'confirmed', documents: [] } as const
  assert.equal(attachedTo(business, confirmed), business.id)
  assert.equal(attachedTo(business, { kind: 'refunded', amount: 100n, reference: 'rfd_1' }), `${business.id}/rfd_1`)
  assert.equal(attachedTo(business, { kind: 'received', documents: [] }), undefined)
  assert.equal(attachedTo(business, confirmed, false), undefined)
  assert.equal(attachedTo(bought(), confirmed), undefined)
})

const VOID = new Set(['meta', 'br', 'img'])

/** Asserts that elements are closed in the reverse order of opening. */
function assertWellFormed(html: string): void {
  const open: string[] = []
  for (const [, end, name = ''] of html
    .replaceAll(/<!--.*?-->|<!doctype html>/g, '')
    .matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (end) assert.equal(open.pop(), name)
    else if (!VOID.has(name)) open.push(name)
  }
  assert.deepEqual(open, [])
}

describe('the mail that confirms an order', () => {
  test('is in English: number, lines, discounts, shipping, tax, total, address and documents', () => {
    const { subject, bodies, kind, recipient, locale } = mail(bought(), { kind: 'confirmed', documents })
    assert.deepEqual([kind, recipient, locale], ['orders.confirmed', 'ada@example.com', 'en'])
    assert.equal(subject, 'Your order V-10001 is confirmed')
    assert.equal(
      bodies.text,
      `Your order V-10001 is confirmed

Thank you for your order. It is paid, and we will get it ready.

Items:
3 × Mug (Color: blue): €30.00
1 × Bowl: €10.00

Summary:
Subtotal: €40.00
Summer: −€6.00
Shipping: €4.90
Free shipping: −€4.90
Total: €34.00
Tax included: €6.39

Order:
Order number: V-10001
Placed on: May 4, 2026

Shipping address:
Ada Example
Lindenstraße 9
10969 Berlin
Germany

Accepted documents:
Terms <of use>: https://pages.example/legal?document=leg_1

-- 
Market & Sons
`,
    )
  })

  test('is in German, with German formats', () => {
    const { subject, bodies, locale } = mail(bought({ locale: 'de-AT' }), { kind: 'confirmed', documents })
    assert.deepEqual([subject, locale], ['Deine Bestellung V-10001 ist bestätigt', 'de'])
    assert.match(bodies.text, /^Danke für deine Bestellung\./m)
    assert.match(bodies.text, /^Gesamtbetrag: €\s34,00$/m)
    assert.match(bodies.text, /^Enthaltene Steuern: €\s6,39$/m)
    assert.match(bodies.text, /^Deutschland$/m)
  })

  test('has the same content in HTML, with all inputs escaped', () => {
    const order = bought({ shippingAddress: { ...BERLIN, recipientName: '<b>Ada</b>' } })
    const { html } = mail(order, { kind: 'confirmed', documents }).bodies
    assert.match(html, /<html lang="en" dir="ltr">/)
    assert.match(html, /&lt;b&gt;Ada&lt;\/b&gt;/)
    assert.match(html, /href="https:\/\/pages\.example\/legal\?document=leg_1"[^>]*>Terms &lt;of use&gt;<\/a>/)
    assert.match(html, /Total<\/span><\/th><td[^>]*>€34\.00<\/td>/)
    assert.doesNotMatch(html, /<img|<script|<link/)
  })

  test('is in English if there are no texts in the language of the order', () => {
    const { subject, locale } = mail(bought({ locale: 'fr-FR' }), { kind: 'confirmed', documents: [] })
    assert.deepEqual([subject, locale], ['Your order V-10001 is confirmed', 'en'])
  })

  test('shows added tax, a separate billing address and free shipping', () => {
    const totals = totalsOf('EUR', { added: 290, included: 0 })
    const order = bought({
      totals: { ...totals, shipping: wireMoney(0n, 'EUR') },
      shipping: [],
      billingAddress: { ...BERLIN, recipientName: 'Bob Example' },
    })
    const text = textOf(order, { kind: 'confirmed', documents: [] })
    assert.match(text, /^Shipping: free\nTax: €2\.90\nTotal: €36\.90$/m)
    assert.match(text, /^Billing address:\nBob Example$/m)
    assert.doesNotMatch(text, /accepted/i)
  })

  test('has no address and no shipping for items that do not ship', () => {
    const { shipping: _, ...totals } = totalsOf('EUR')
    const order = bought({ shippingAddress: null, billingAddress: null, shipping: [], totals })
    assert.doesNotMatch(textOf(order, { kind: 'confirmed', documents: [] }), /Shipping/)
  })

  test('has one row per tax rate, before the total if it is added and after it if it is included', () => {
    const tax = (rate: string, amount: bigint, included: boolean) => ({
      name: 'VAT',
      rate,
      category: 'standard',
      taxable: 1000n,
      amount,
      included,
    })
    const taxed = (included: boolean, totals: Totals) => {
      const order = bought({ totals })
      const [mug, bowl] = order.lines
      return {
        ...order,
        lines: [
          { ...mug!, taxLines: [tax('0.19', 500n, included)] },
          { ...bowl!, taxLines: [tax('0.07', 65n, included)] },
        ],
        shipping: order.shipping.map((each) => ({ ...each, taxLines: [tax('0.19', 74n, included)] })),
      }
    }
    const included = textOf(taxed(true, totalsOf('EUR')), { kind: 'confirmed', documents: [] })
    assert.match(included, /^Total: €34\.00\nIncluding VAT 19%: €5\.74\nIncluding VAT 7%: €0\.65$/m)
    const added = taxed(false, totalsOf('EUR', { added: 639, included: 0 }))
    assert.match(
      textOf(added, { kind: 'confirmed', documents: [] }),
      /^VAT 19%: €5\.74\nVAT 7%: €0\.65\nTotal: €40\.39$/m,
    )
    assert.match(
      textOf({ ...added, locale: 'de' }, { kind: 'confirmed', documents: [] }),
      /^VAT 19\s%: 5,74\s€\nVAT 7\s%: 0,65\s€$/m,
    )
  })

  test('has a button to the page of the order, and says how long its link works', () => {
    const link = { url: 'https://pages.example/order/l123', expiresAt: new Date('2026-07-03T12:00:00.000Z') }
    const { text, html } = composeOrderMail(bought(), orderMail({ kind: 'confirmed', documents }), {
      siteName: 'Market & Sons',
      timeZone: 'UTC',
      link,
    }).bodies
    assert.match(text, /^View your order:\nhttps:\/\/pages\.example\/order\/l123$/m)
    assert.match(text, /^The link is valid until July 3, 2026\./m)
    assert.match(html, /<a class="on" href="https:\/\/pages\.example\/order\/l123"[^>]*>View your order<\/a>/)
  })

  test('has well-formed HTML, an alternative text for each picture, and isolates names of any length and script', () => {
    const name = `${'Großartige '.repeat(40)}<script>alert(1)</script> ספל`
    const order = bought({ locale: 'de' })
    const lines = order.lines.map((line) => ({
      ...line,
      name,
      image: { url: '/media/mug.webp', alt: '', width: 1, height: 1 },
    }))
    const { html } = mail({ ...order, lines }, { kind: 'confirmed', documents }).bodies
    assertWellFormed(html)
    assert.doesNotMatch(html, /<script/)
    assert.match(html, /<span dir="auto">3 × Großartige [^<]*&lt;script&gt;[^<]* ספל<\/span>/)
    assert.deepEqual([...html.matchAll(/<img(?![^>]* alt=)/g)], [])
  })

  for (const { currency, locale, total } of [
    { currency: 'JPY', locale: 'en', total: '¥3,400' },
    { currency: 'JPY', locale: 'de', total: '3.400 ¥' },
    { currency: 'KWD', locale: 'en', total: 'KWD 3.400' },
    { currency: 'KWD', locale: 'de', total: '3,400 KWD' },
  ]) {
    test(`formats amounts in ${currency} for ${locale}`, () => {
      const text = textOf(bought({ currency, locale, totals: totalsOf(currency) }), {
        kind: 'confirmed',
        documents: [],
      })
      assert.ok(text.replaceAll(/\s/g, ' ').includes(`: ${total} `), text)
    })
  }
})

describe('a test order', () => {
  test('is marked in the subject and the footer, in each language', () => {
    const notification: OrderNotification = { kind: 'refunded', amount: 100n, reference: 'rfd_1' }
    const [english, german] = ['en', 'de'].map((locale) => mail(bought({ environment: 'test', locale }), notification))
    assert.equal(english!.subject, '[Test] Refund for your order V-10001')
    assert.match(english!.bodies.text, /This is a test order\. Nothing is delivered and nothing is charged\./)
    assert.equal(german!.subject, '[Test] Erstattung zu deiner Bestellung V-10001')
    assert.match(german!.bodies.text, /Dies ist eine Testbestellung/)
  })
})

const dispatched = (order: Order, quantity = 2) =>
  recordParcel(
    order,
    {
      id: 'ful_1',
      carrier: 'DHL',
      trackingNumber: '0034 0434',
      trackingUrl: 'https://carrier.example/0034',
      lines: [{ lineId: 'oli_1', quantity }],
    },
    context,
  )

describe('the mail of a parcel', () => {
  test('shows carrier, tracking number, tracking link and contents', () => {
    const before = bought()
    const [notification, ...more] = notificationsOfChange(before, dispatched(before))
    assert.deepEqual(more, [])
    const { subject, bodies } = mail(before, notification!)
    assert.equal(subject, 'A parcel of your order V-10001 is on its way')
    assert.equal(
      bodies.text,
      `A parcel of your order V-10001 is on its way

Your parcel was handed over to DHL.

The rest of your order follows.

Track the parcel:
https://carrier.example/0034

In this parcel:
2 × Mug (Color: blue)

Your parcel:
Carrier: DHL
Tracking number: 0034 0434

-- 
Market & Sons
`,
    )
  })

  test('is in German', () => {
    const before = bought({ locale: 'de' })
    const [notification] = notificationsOfChange(before, dispatched(before))
    const text = textOf(before, notification!)
    assert.match(text, /^Ein Paket deiner Bestellung V-10001 ist unterwegs$/m)
    assert.match(text, /^Sendungsnummer: 0034 0434$/m)
    assert.match(text, /^Der Rest deiner Bestellung folgt\.$/m)
  })

  test('shows contents without a carrier, and announces no further parcel after the last one', () => {
    const before = bought()
    const parcel = { id: 'ful_1', carrier: null, trackingNumber: null, trackingUrl: null }
    const lines = before.lines.map(({ id, units }) => ({ lineId: id, quantity: units.ordered }))
    const [notification] = notificationsOfChange(before, recordParcel(before, { ...parcel, lines }, context))
    assert.doesNotMatch(textOf(before, notification!), /follows|Carrier|Tracking|http/)
  })

  test('is not sent on delivery, nor for license keys', () => {
    const sent = dispatched(bought())
    assert.deepEqual(notificationsOfChange(sent, recordDelivered(sent, 'ful_1', context)), [])
    assert.deepEqual(notificationsOfChange(bought(), recordDelivered(dispatched(bought()), 'ful_1', context)), [])
  })
})

describe('the mail of a cancellation', () => {
  const canceled = (order: Order, units: { lineId: string; quantity: number }[]) => {
    const refund = refundFor(order, { units, shippingOf: [] })
    const after = recordCanceled(order, units, context)
    return refundBegun(after, { reference: 'can_1', kind: 'cancellation', refund }, context)
  }
  const whole = (order: Order) => order.lines.map(({ id, units }) => ({ lineId: id, quantity: units.ordered }))

  test('for the whole order shows the refund', () => {
    const before = bought()
    const after = canceled(before, whole(before))
    const [notification, ...more] = notificationsOfChange(before, after)
    assert.deepEqual(more, [])
    const text = textOf(after, notification!)
    assert.match(
      text,
      /^Your order V-10001 was canceled\n\nYour order was canceled\. Nothing more will be delivered\.$/m,
    )
    assert.match(text, /^We are refunding €40\.00\. We will email you when the refund has been paid out\.$/m)
    assert.match(text, /^Canceled:\n3 × Mug \(Color: blue\)\n1 × Bowl$/m)
  })

  test('for units lists them, also in German', () => {
    const before = bought({ locale: 'de' })
    const after = canceled(before, [{ lineId: 'oli_1', quantity: 1 }])
    const [notification] = notificationsOfChange(before, after)
    const { subject, bodies } = mail(after, notification!)
    assert.equal(subject, 'Ein Teil deiner Bestellung V-10001 wurde storniert')
    assert.match(
      bodies.text,
      /^Wir erstatten dir 10,00\s€ und benachrichtigen dich, sobald der Betrag ausgezahlt ist\.$/m,
    )
    assert.match(bodies.text, /^Storniert:\n1 × Mug \(Color: blue\)$/m)
  })

  test('mentions no refund if there is none', () => {
    const before = bought()
    const [notification] = notificationsOfChange(
      before,
      recordCanceled(before, [{ lineId: 'oli_1', quantity: 1 }], context),
    )
    assert.doesNotMatch(textOf(before, notification!), /refund/i)
  })
})

describe('the mail of a refund', () => {
  const begun = (order: Order) => {
    const refund = { amount: 1500n, lines: [], shipping: [] }
    return refundBegun(order, { reference: 'rfd_1', kind: 'correction', refund }, context)
  }

  test('is sent when it is paid, also after failures, with the amount', () => {
    const asked = begun(bought())
    const failed = refundSettled(asked, { reference: 'rfd_1', outcome: 'failed' }, context)
    const paid = refundSettled(failed, { reference: 'rfd_1', outcome: 'succeeded' }, context)
    assert.deepEqual([notificationsOfChange(bought(), asked), notificationsOfChange(asked, failed)], [[], []])
    assert.deepEqual(notificationsOfChange(failed, paid), [{ kind: 'refunded', amount: 1500n, reference: 'rfd_1' }])
    assert.match(
      textOf(paid, { kind: 'refunded', amount: 1500n, reference: 'rfd_1' }),
      /^We have refunded €15\.00 for your order V-10001\.$/m,
    )
    const german = textOf(bought({ locale: 'de' }), { kind: 'refunded', amount: 1500n, reference: 'rfd_1' })
    assert.match(german, /^Wir haben dir 15,00\s€ für deine Bestellung V-10001 erstattet\.$/m)
  })
})
