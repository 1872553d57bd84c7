import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderOfUnits } from '../../../../test/support/commerce/orders.ts'
import type { CommandContext, Order, OrderMail } from '../orders/index.ts'
import { composeOrderMail } from '../orders/mail/compose.ts'
import { type AfterSales, approve, decline, requestAfterSales, review } from './after-sales.ts'
import { mailsOfRequest, shippedMail } from './mails.ts'

const context: CommandContext = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'operator' }

/** An order with three blue mugs. */
function bought(more: Partial<Order> = {}): Order {
  const order = orderOfUnits([3])
  const optionLabels = [{ name: 'Color', value: 'blue' }]
  const lines = order.lines.map((line) => ({ ...line, name: 'Mug', optionLabels }))
  return { ...order, environment: 'live', number: 'V-10001', locale: 'en', lines, ...more }
}

const textOf = (order: Order, mail: OrderMail) =>
  composeOrderMail(order, mail, { siteName: 'Market & Sons', timeZone: 'UTC', link: null }).bodies.text

describe('the mails about an after-sales request', () => {
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
      refundByStore: null,
      policyVersions: {},
      decideBy: new Date('2026-05-12T12:00:00.000Z'),
    },
    context,
  )
  const approval = {
    instructions: 'Put the label\non the parcel.',
    returnAddress: 'Loom Returns\n10115 Berlin',
    returnBy: new Date('2026-06-04T12:00:00.000Z'),
  }
  const approved = approve(review(requested, context), approval, context)
  const declined = decline(review(requested, context), 'The window is closed.', context)
  const only = (before: AfterSales | null, after: AfterSales) => {
    const [mail, ...more] = mailsOfRequest(before, after)
    assert.deepEqual(more, [])
    return mail!
  }

  test('confirm the request, with the decision deadline', () => {
    const mail = only(null, requested)
    const english = textOf(bought(), mail)
    assert.match(english, /^We have received your request about order V-10001\n\nYou requested a return\./m)
    assert.match(english, /^You will get an answer by May 12, 2026\.$/m)
    assert.match(english, /^Items:\n2 × Mug \(Color: blue\)$/m)
    const german = textOf(bought({ locale: 'de' }), mail)
    assert.match(german, /^Deine Anfrage zur Bestellung V-10001 ist eingegangen\n\nDu hast eine Rückgabe angefragt\./m)
    assert.match(german, /^Du erhältst bis zum 12\. Mai 2026 eine Antwort\.$/m)
  })

  test('report the approval, with instructions, the return address and the deadline', () => {
    const mail = only(requested, approved)
    const english = textOf(bought(), mail)
    assert.match(english, /^Your request about order V-10001 was approved$/m)
    assert.match(english, /^Put the label\non the parcel\.\n\nPlease send the goods by June 4, 2026\./m)
    assert.match(english, /^Send the goods to:\nLoom Returns\n10115 Berlin$/m)
    const german = textOf(bought({ locale: 'de' }), mail)
    assert.match(german, /^Adresse für die Rücksendung:\nLoom Returns\n10115 Berlin$/m)
    assert.match(german, /^Deine Anfrage zur Bestellung V-10001 wurde angenommen$/m)
    assert.match(german, /^Bitte sende die Ware bis zum 4\. Juni 2026 ab\./m)
  })

  test('report that it was declined, with the reason', () => {
    const mail = only(requested, declined)
    assert.match(textOf(bought(), mail), /for this reason:\n\nThe window is closed\.$/m)
    assert.match(
      textOf(bought({ locale: 'de' }), mail),
      /abgelehnt[\s\S]*aus folgendem Grund ablehnen:\n\nThe window is closed\.$/m,
    )
  })

  test('report the shipment of an exchange or a repair, with carrier and tracking', () => {
    const carriage = { carrier: 'DHL', trackingNumber: '00340', trackingUrl: 'https://dhl.example/00340' }
    const exchange = { ...approved, kind: 'exchange' as const }
    const english = textOf(bought(), shippedMail(exchange, carriage, []))
    assert.match(english, /^Your shipment for order V-10001 is on its way$/m)
    assert.match(english, /^You requested an exchange\. The goods are on their way to you\.$/m)
    assert.match(english, /^Carrier: DHL\nTracking number: 00340$/m)
    assert.match(english, /https:\/\/dhl\.example\/00340/)
    const untracked = { carrier: null, trackingNumber: null, trackingUrl: null }
    const german = textOf(bought({ locale: 'de' }), shippedMail(exchange, untracked, []))
    assert.match(german, /^Du hast einen Umtausch angefragt\. Die Ware ist unterwegs zu dir\.$/m)
    assert.doesNotMatch(german, /Dein Paket/)
  })

  test('are one for a request that is approved at once, and none for a review', () => {
    assert.equal(only(null, approved).kind, 'orders.approved')
    assert.deepEqual(mailsOfRequest(requested, review(requested, context)), [])
    assert.deepEqual(mailsOfRequest(approved, approved), [])
  })
})
