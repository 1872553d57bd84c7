import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  bought,
  lineOf,
  loseOutcome,
  postCancellation,
  settleRefunds,
} from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'

const ABSENT = 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8'

let shop: Shop
let client: Awaited<ReturnType<typeof checkoutClient>>
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  operator = await operatorClient(shop)
})

const buy = (units: Readonly<Record<string, number>> = { MUG: 2 }) => bought(shop, client, units)
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

/** The name of the field on the wire. */
const PARCELS = 'fulfilments'

describe('orders', () => {
  test('are listed newest first, in pages, with filters', async () => {
    for (let made = 0; made < 3; made += 1) {
      await buy()
      shop.clock.advance(1000)
    }
    const numbers: string[] = []
    let cursor = ''
    do {
      const path = `/orders?environment=test&status=confirmed&limit=2${cursor && `&cursor=${cursor}`}`
      const { body } = await operator.get(path)
      numbers.push(...body.data.items.map(({ order }: { order: { number: string } }) => order.number))
      cursor = body.data.nextCursor ?? ''
    } while (cursor)
    assert.equal(new Set(numbers).size, 3)
    assert.deepEqual(numbers, [...numbers].sort().reverse())
    assert.deepEqual((await operator.get('/orders?environment=live')).body.data.items, [])
    assert.deepEqual(codeOf(await operator.get('/orders?cursor=eyJ9.abc')), [400, 'invalid_cursor'])
  })

  test('are found by number, address and id', async () => {
    const order = await buy()
    const idsOf = async (q: string) => {
      const { body } = await operator.get(`/orders?q=${encodeURIComponent(q)}`)
      return body.data.items.map((item: { order: { id: string } }) => item.order.id)
    }
    assert.deepEqual(await idsOf(order.number.toLowerCase()), [order.id])
    assert.deepEqual(await idsOf(order.id), [order.id])
    assert.ok((await idsOf('ADA@example.com')).includes(order.id))
    assert.deepEqual(await idsOf('T-1'), [])
  })

  test('are read whole and unmasked, with the allowed actions', async () => {
    const { id } = await buy()
    const { data } = (await operator.get(`/orders/${id}`)).body
    assert.equal(data.email, 'ada@example.com')
    assert.equal(data.order.addresses.shipping.line1, 'Lindenstraße 9')
    assert.deepEqual(data.allowed.toSorted(), ['begin', 'cancel', 'hold', 'refund', 'ship'])
    assert.deepEqual([data[PARCELS].length, data[PARCELS][0].status], [1, 'pending'])
    assert.deepEqual(codeOf(await operator.get(`/orders/${ABSENT}`)), [404, 'not_found'])
  })

  test('are held, released and started, each if their state allows it', async () => {
    const { id } = await buy()
    const held = await operator.change('POST', `/orders/${id}/hold`, { reason: 'The address looks wrong.' })
    assert.deepEqual([held.order.status, held.allowed], ['on_hold', ['release', 'refund']])
    const again = await operator.send('POST', `/orders/${id}/hold`, {})
    assert.deepEqual([...codeOf(again), again.body.conflict.currentState], [409, 'state_conflict', 'on_hold'])
    assert.deepEqual(codeOf(await operator.send('POST', `/orders/${id}/parcels`, {})), [409, 'state_conflict'])
    assert.equal((await operator.change('POST', `/orders/${id}/release`, {})).order.status, 'confirmed')
    assert.deepEqual(codeOf(await operator.send('POST', `/orders/${id}/release`, {})), [409, 'state_conflict'])
    assert.equal((await operator.change('POST', `/orders/${id}/begin`, {})).order.status, 'processing')
    assert.deepEqual(codeOf(await operator.send('POST', `/orders/${id}/begin`, {})), [409, 'state_conflict'])
    const [entry] = (await operator.get(`/audit-log?subject=${id}&operation=holdOrder`)).body.data.items
    assert.deepEqual(
      [entry.before.status, entry.after.status, entry.after.reason],
      ['confirmed', 'on_hold', 'The address looks wrong.'],
    )
    for (const act of ['begin', 'hold', 'release', 'parcels']) {
      assert.deepEqual(codeOf(await operator.send('POST', `/orders/${ABSENT}/${act}`, {})), [404, 'not_found'], act)
    }
  })
})

describe('additions by staff', () => {
  test('notes keep their author and time, and are only for staff', async () => {
    const { id } = await buy()
    const text = 'Leave it with the neighbor.'
    const { notes } = await operator.change('POST', `/orders/${id}/notes`, { text: `  ${text}\n` })
    assert.deepEqual(
      notes.map((note: { text: string; at: string }) => [note.text, note.at]),
      [[text, shop.clock.now().toISOString()]],
    )
    const [entry] = (await operator.get(`/audit-log?subject=${notes[0].id}`)).body.data.items
    assert.deepEqual([entry.after, entry.operator.email], [{ orderId: id }, notes[0].author])
    assert.ok(!JSON.stringify((await client.get(`/orders/${id}`)).body).includes('neighbor'))
    const empty = await operator.send('POST', `/orders/${id}/notes`, { text: '  ' })
    assert.deepEqual([empty.status, empty.body.details[0].pointer], [400, '/text'])
    assert.deepEqual(codeOf(await operator.send('POST', `/orders/${ABSENT}/notes`, { text })), [404, 'not_found'])
  })

  test('tags find their orders, each once in whatever case', async () => {
    const one = await buy()
    shop.clock.advance(1)
    const other = await buy()
    const tags = ['Fragile', ' gift ', 'GIFT', 'fragile']
    assert.deepEqual((await operator.change('PUT', `/orders/${one.id}/tags`, { tags })).tags, ['Fragile', 'gift'])
    await operator.change('PUT', `/orders/${other.id}/tags`, { tags: ['gift', 'wholesale'] })
    const tagged = async (tag: string) => {
      const { items } = (await operator.get(`/orders?tag=${tag}`)).body.data
      return items.map(({ order }: { order: { id: string } }) => order.id)
    }
    assert.deepEqual(await tagged('gift'), [other.id, one.id])
    assert.deepEqual((await operator.get('/orders?tag=wholesale')).body.data.items[0].tags, ['gift', 'wholesale'])
    assert.deepEqual((await operator.get('/order-tags')).body.data.items, ['Fragile', 'gift', 'wholesale'])
    assert.deepEqual((await operator.change('PUT', `/orders/${one.id}/tags`, { tags: ['gift'] })).tags, ['gift'])
    assert.deepEqual(await tagged('Fragile'), [])
    const blank = await operator.send('PUT', `/orders/${one.id}/tags`, { tags: ['ok', ' '] })
    assert.deepEqual([blank.status, blank.body.details[0].pointer], [400, '/tags/1'])
    assert.deepEqual(codeOf(await operator.send('PUT', `/orders/${ABSENT}/tags`, { tags })), [404, 'not_found'])
  })

  test('an email that is sent again is in the history, with who sent it', async () => {
    const order = await buy()
    const path = `/orders/${order.id}/mails`
    const shipped = await operator.change('POST', `/orders/${order.id}/parcels`, { trackingNumber: '0034' })
    const kinds = shipped.mails.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(kinds, ['orders.confirmed', 'orders.parcel'])
    shop.clock.advance(1000)
    const { reference } = shipped.mails[1]
    const { history } = await operator.change('POST', path, { kind: 'orders.parcel', reference })
    const { email } = (await operator.get(`/audit-log?subject=${order.id}&limit=1`)).body.data.items[0].operator
    const last = history.slice(-1).map(({ code, by, mail }: Record<string, string>) => [code, by, mail])
    assert.deepEqual(last, [['mail_resent', email, 'orders.parcel']])
    const dispatched = history.find(({ code }: { code: string }) => code === 'parcel_dispatched')
    assert.deepEqual([dispatched.actor, dispatched.by], ['operator', email])
    const mails = await shop.mails()
    const sent = mails.filter(({ kind, subject }) => kind === 'orders.parcel' && subject.includes(order.number))
    assert.deepEqual(
      sent.map(({ recipient }) => recipient),
      ['ada@example.com', 'ada@example.com'],
    )
    const unknown = await operator.send('POST', path, { kind: 'orders.refunded', reference: 'rfd_1' })
    assert.deepEqual(codeOf(unknown), [404, 'not_found'])
    const absent = await operator.send('POST', `/orders/${ABSENT}/mails`, { kind: 'orders.confirmed' })
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
  })

  test('the money of a cancellation and a refund is shown before it moves, and is what then moves', async () => {
    const order = await buy({ MUG: 3 })
    const path = `/orders/${order.id}/refund-preview`
    const preview = async (body: object) => (await operator.send('POST', path, body)).body.data
    const lineId = lineOf(shop, order, 'MUG').id
    const lines = [{ lineId, quantity: 1 }]
    const part = await preview({ lines })
    assert.deepEqual([part.shipping.amount, part.restock, part.paidWith], [0, lines, 'manual'])
    assert.ok(part.tax.amount > 0)
    const { totals } = order
    const whole = await preview({})
    assert.deepEqual(
      [whole.refund, whole.items.amount + whole.shipping.amount, whole.left.amount, whole.isVoided],
      [totals.total, totals.total.amount, 0, false],
    )
    const manual = await preview({ amount: 500 })
    assert.deepEqual([manual.refund.amount, manual.left.amount], [500, totals.total.amount - 500])
    assert.deepEqual((await operator.get(`/orders/${order.id}`)).body.data.adjustments, [])
    const canceled = await operator.change('POST', `/orders/${order.id}/cancellations`, { reason: 'other', lines })
    assert.deepEqual(canceled.cancellations[0].cancellation.refund.amount, part.refund)

    const tooMuch = await operator.send('POST', path, { amount: 10_000_000 })
    assert.deepEqual([tooMuch.status, tooMuch.body.details[0].pointer], [400, '/amount'])
    const tooMany = await operator.send('POST', path, { lines: [{ lineId, quantity: 9 }] })
    assert.deepEqual(codeOf(tooMany), [409, 'quantity_exceeded'])
    const absent = await operator.send('POST', `/orders/${ABSENT}/refund-preview`, {})
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
  })
})

describe('parcels', () => {
  test('ship an order whole or in part, and are tracked until delivery', async () => {
    const order = await buy({ MUG: 3 })
    const lines = [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 1 }]
    const body = { reference: 'P-1', carrier: 'DHL', trackingNumber: '0034', lines }
    const part = await operator.change('POST', `/orders/${order.id}/parcels`, body)
    assert.equal(part.order.fulfillmentStatus, 'partially_fulfilled')
    const rest = await operator.change('POST', `/orders/${order.id}/parcels`, {})
    assert.deepEqual([rest.order.status, rest.order.fulfillmentStatus], ['completed', 'fulfilled'])
    assert.ok(!rest.allowed.includes('ship'))

    const { id } = rest[PARCELS].find(({ reference }: { reference: string }) => reference === 'P-1')
    const corrected = await operator.change('POST', `/fulfilments/${id}/correct`, { carrier: 'UPS' })
    assert.deepEqual([corrected.carrier, corrected.trackingNumber], ['UPS', undefined])
    const failed = await operator.change('POST', `/fulfilments/${id}/failed`, { reason: 'It came back.' })
    assert.deepEqual(
      [failed.status, failed.note, failed.allowed],
      ['failed', 'It came back.', ['correct', 'send_again']],
    )
    assert.equal((await operator.change('POST', `/fulfilments/${id}/send-again`, {})).status, 'dispatched')
    assert.equal((await operator.change('POST', `/fulfilments/${id}/lost`, { reason: 'No scan.' })).status, 'unknown')
    assert.equal((await operator.change('POST', `/fulfilments/${id}/delivered`, {})).status, 'reconciled')
    for (const [act, said] of [
      ['delivered', {}],
      ['lost', { reason: 'x' }],
      ['failed', { reason: 'x' }],
      ['correct', {}],
      ['send-again', {}],
    ] as const) {
      const refused = await operator.send('POST', `/fulfilments/${id}/${act}`, said)
      assert.deepEqual([...codeOf(refused), refused.body.conflict.currentState], [409, 'state_conflict', 'reconciled'])
      const absent = await operator.send('POST', `/fulfilments/ful_01k5b7m2q8e9rtv3w4x5y6z7a8/${act}`, said)
      assert.deepEqual(codeOf(absent), [404, 'not_found'])
    }
  })

  test('cannot exceed the units left, which the message explains', async () => {
    const order = await buy()
    const lines = [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 9 }]
    const refused = await operator.send('POST', `/orders/${order.id}/parcels`, { lines })
    assert.equal(refused.status, 400)
    assert.match(refused.body.details[0].message, /has 2 units left, not 9/)
  })

  test('that are pending are listed, the longest waiting first', async () => {
    shop.clock.advance(1000)
    const { id } = await buy()
    const { items } = (await operator.get('/fulfilments?limit=100')).body.data
    assert.equal(items.at(-1).orderId, id)
    const { body } = await operator.get('/fulfilments?limit=1')
    assert.equal(typeof body.data.nextCursor, 'string')
    const next = await operator.get(`/fulfilments?limit=1&cursor=${body.data.nextCursor}`)
    assert.notEqual(next.body.data.items[0].id, body.data.items[0].id)
    const elsewhere = await operator.get(`/fulfilments?status=failed&cursor=${body.data.nextCursor}`)
    assert.deepEqual(codeOf(elsewhere), [400, 'invalid_cursor'])
  })
})

describe('an operator', () => {
  test('cancels units that were not shipped, whatever the state and the window of the store', async () => {
    const order = await buy({ MUG: 3 })
    await operator.change('POST', `/orders/${order.id}/begin`, {})
    const lineId = lineOf(shop, order, 'MUG').id
    const body = { reason: 'customer_request', lines: [{ lineId, quantity: 1 }], note: 'By telephone.' }
    const part = await operator.change('POST', `/orders/${order.id}/cancellations`, body)
    assert.deepEqual(
      [part.cancellations[0].cancellation.status, part.cancellations[0].cancellation.scope, part.cancellations[0].note],
      ['completed', 'partial', 'By telephone.'],
    )
    const path = `/orders/${order.id}/cancellations`
    const tooMany = await operator.send('POST', path, { reason: 'other', lines: [{ lineId, quantity: 5 }] })
    assert.deepEqual(codeOf(tooMany), [409, 'quantity_exceeded'])
    const twice = { reason: 'other', lines: [1, 1].map((quantity) => ({ lineId, quantity })) }
    assert.deepEqual(codeOf(await operator.send('POST', path, twice)), [400, 'quantity_invalid'])
    const whole = await operator.change('POST', path, { reason: 'other' })
    assert.equal(whole.order.status, 'canceled')
    assert.deepEqual(codeOf(await operator.send('POST', path, { reason: 'other' })), [409, 'order_not_cancelable'])
    const absent = await operator.send('POST', `/orders/${ABSENT}/cancellations`, { reason: 'other' })
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
  })

  test('refunds while money is left, retries a refund, or pays it another way', async () => {
    const { id, totals } = await buy()
    const path = `/orders/${id}/refunds`
    const begun = await operator.change('POST', path, { amount: 500 })
    assert.deepEqual(begun.order.money.refundPending, { amount: 500, currency: 'EUR' })
    assert.equal(begun.moneyLeft.amount, totals.total.amount - 500)
    const tooMuch = await operator.send('POST', path, { amount: totals.total.amount })
    assert.deepEqual([tooMuch.status, tooMuch.body.details[0].pointer], [400, '/amount'])

    const { reference, allowed } = begun.adjustments[0]
    assert.deepEqual(allowed, [])
    const early = await operator.send('POST', `${path}/${reference}/retry`, {})
    assert.deepEqual(codeOf(early), [409, 'version_conflict'])
    await settleRefunds(shop, id, { isDone: false })
    const failed = (await operator.get(`/orders/${id}`)).body.data.adjustments[0]
    assert.deepEqual([failed.state, failed.allowed], ['failed', ['retry', 'record_paid']])
    const listed = (await operator.get('/orders?refunds=failed')).body.data.items
    assert.deepEqual(
      listed.map(({ order }: { order: { id: string } }) => order.id),
      [id],
    )
    assert.equal((await operator.get('/work?environment=test')).body.data.refunds, 1)
    assert.equal((await operator.change('POST', `${path}/${reference}/retry`, {})).adjustments[0].state, 'pending')
    const waits = await operator.send('POST', `${path}/${reference}/paid`, {})
    assert.deepEqual(codeOf(waits), [409, 'version_conflict'])
    await settleRefunds(shop, id, { isDone: false })
    const paid = await operator.change('POST', `${path}/${reference}/paid`, {})
    assert.deepEqual([paid.adjustments[0].state, paid.order.money.refunded.amount], ['succeeded', 500])
    assert.deepEqual(paid.adjustments[0].allowed, ['record_returned'])
    const owed = await operator.change('POST', `${path}/${reference}/returned`, {})
    assert.deepEqual([owed.adjustments[0].state, owed.adjustments[0].allowed], ['failed', ['retry', 'record_paid']])
    assert.equal(owed.order.money.refundPending.amount, 500)
    const repeated = await operator.send('POST', `${path}/${reference}/returned`, {})
    assert.deepEqual(codeOf(repeated), [409, 'version_conflict'])
    await operator.change('POST', `${path}/${reference}/retry`, {})
    await settleRefunds(shop, id, { isDone: true })
    const last = (await operator.get(`/orders/${id}`)).body.data.adjustments[0]
    assert.deepEqual([last.state, last.allowed], ['succeeded', []], 'a refund of the payment is reversed there')

    const other = await buy()
    for (const act of ['retry', 'paid', 'returned']) {
      const foreign = await operator.send('POST', `/orders/${other.id}/refunds/${reference}/${act}`, {})
      assert.deepEqual(codeOf(foreign), [404, 'not_found'], act)
    }
    assert.deepEqual(codeOf(await operator.send('POST', `/orders/${ABSENT}/refunds`, { amount: 1 })), [
      404,
      'not_found',
    ])
  })

  test('refunds and cancels once with the version that was read, even if the answer is lost and it is sent again', async () => {
    const { id, lines } = await buy({ MUG: 3 })
    const { version: expectedVersion } = (await operator.get(`/orders/${id}`)).body.data.order
    const refund = { amount: 100, expectedVersion }
    const { order } = await operator.change('POST', `/orders/${id}/refunds`, refund)
    assert.deepEqual(codeOf(await operator.send('POST', `/orders/${id}/refunds`, refund)), [409, 'version_conflict'])
    const units = [{ lineId: lines[0]!.id, quantity: 1 }]
    const cancel = { reason: 'other', lines: units, expectedVersion: order.version }
    await operator.change('POST', `/orders/${id}/cancellations`, cancel)
    const again = await operator.send('POST', `/orders/${id}/cancellations`, cancel)
    assert.deepEqual(codeOf(again), [409, 'version_conflict'])
    const after = (await operator.get(`/orders/${id}`)).body.data
    assert.deepEqual([after.adjustments.length, after.order.lines[0].quantity.canceled], [2, 1])
  })

  test('requires a fresh proof of identity before a refund above the limit, in units of the currency', async () => {
    const { id } = await buy()
    const who = { email: 'refunds@operator.example', password: 'a long enough pass phrase' }
    await operator.change('POST', '/operators', { ...who, role: 'owner' })
    const { headers } = await operator.send('POST', '/sessions', who)
    const session = await operatorClient(shop, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
    await operator.change('PUT', '/operator-policy', { requiresSecondFactor: false, proofForRefundsOver: 3 })
    shop.clock.advance(600_000)

    const refund = (amount: number) => session.send('POST', `/orders/${id}/refunds`, { amount })
    assert.deepEqual(codeOf(await refund(301)), [401, 'fresh_proof_required'])
    assert.equal((await refund(200)).status, 200)
    assert.deepEqual(codeOf(await refund(101)), [401, 'fresh_proof_required'], 'small refunds of a day add up')
    assert.equal((await refund(100)).status, 200)
    await session.change('POST', '/session/proof', { password: who.password })
    assert.equal((await refund(301)).status, 200)
  })

  test('neither cancels nor refunds while the outcome of a payment is unknown, nor what waits for a decision', async () => {
    const { id } = await buy()
    await loseOutcome(shop, id)
    const unknown = await operator.send('POST', `/orders/${id}/refunds`, { amount: 1 })
    assert.deepEqual(codeOf(unknown), [409, 'payment_outcome_unknown'])
    const lost = await operator.send('POST', `/orders/${id}/cancellations`, { reason: 'other' })
    assert.deepEqual(codeOf(lost), [409, 'payment_outcome_unknown'])
    const asked = await buy()
    await operator.change('POST', `/orders/${asked.id}/begin`, {})
    await postCancellation(client, asked.id)
    const open = await operator.send('POST', `/orders/${asked.id}/cancellations`, { reason: 'other' })
    assert.deepEqual(codeOf(open), [409, 'cancellation_exists'])
    assert.ok(!(await operator.get(`/orders/${asked.id}`)).body.data.allowed.includes('cancel'))
  })
})
