import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  bought,
  lineOf,
  loseOutcome,
  markArrived,
  postAfterSales,
  postCancellation,
  settleRefunds,
} from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'

let shop: Shop
let client: Awaited<ReturnType<typeof checkoutClient>>
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  operator = await operatorClient(shop)
})

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

/** An order that is being prepared, whose shopper wants to cancel it. */
async function askedToCancel() {
  shop.clock.advance(1000)
  const order = await bought(shop, client, { MUG: 1 })
  await operator.change('POST', `/orders/${order.id}/begin`, {})
  const { id } = (await postCancellation(client, order.id, { note: 'Bought twice.' })).body.data
  return { order, path: `/cancellations/${id}`, id }
}

/** A request of a kind for mugs that have arrived. */
async function asked(kind: string, more: object = {}) {
  shop.clock.advance(1000)
  const order = await bought(shop, client, { MUG: 1 })
  await markArrived(shop, order)
  const lines = [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 1, ...more }]
  const answer = await postAfterSales(client, order.id, { kind, lines })
  assert.equal(answer.status, 200, answer.text)
  return { order, path: `/after-sales/${answer.body.data.id}`, id: answer.body.data.id }
}

describe('cancellations', () => {
  test('that wait for a decision are listed oldest first, in pages', async () => {
    const [first, second] = [await askedToCancel(), await askedToCancel()]
    const { data } = (await operator.get('/cancellations?limit=1')).body
    assert.deepEqual(
      [data.items[0].cancellation.id, data.items[0].note, data.items[0].orderNumber],
      [first.id, 'Bought twice.', first.order.number],
    )
    const next = (await operator.get(`/cancellations?limit=1&cursor=${data.nextCursor}`)).body.data
    assert.deepEqual([next.items[0].cancellation.id, next.nextCursor], [second.id, null])
    const elsewhere = await operator.get(`/cancellations?status=declined&cursor=${data.nextCursor}`)
    assert.deepEqual(codeOf(elsewhere), [400, 'invalid_cursor'])
  })

  test('are approved or declined once, with an audit entry', async () => {
    const one = await askedToCancel()
    const approved = await operator.change('POST', `${one.path}/approve`, {})
    assert.deepEqual([approved.cancellation.status, approved.cancellation.order.status], ['approved', 'canceled'])
    assert.deepEqual(codeOf(await operator.send('POST', `${one.path}/approve`, {})), [409, 'version_conflict'])
    const other = await askedToCancel()
    const declined = await operator.change('POST', `${other.path}/decline`, { declineReason: 'It has left.' })
    assert.equal(declined.cancellation.declineReason, 'It has left.')
    const again = await operator.send('POST', `${other.path}/decline`, { declineReason: 'x' })
    assert.deepEqual(codeOf(again), [409, 'version_conflict'])
    const [entry] = (await operator.get(`/audit-log?subject=${other.id}`)).body.data.items
    assert.deepEqual([entry.before.status, entry.after.status], ['requested', 'declined'])
    for (const act of ['approve', 'decline']) {
      const body = act === 'decline' ? { declineReason: 'x' } : {}
      const absent = await operator.send('POST', `/cancellations/can_01k5b7m2q8e9rtv3w4x5y6z7a8/${act}`, body)
      assert.deepEqual(codeOf(absent), [404, 'not_found'])
    }
  })

  test('are not approved for shipped goods, nor while the outcome of a payment is unknown', async () => {
    const gone = await askedToCancel()
    await operator.change('POST', `/orders/${gone.order.id}/parcels`, {})
    const late = await operator.send('POST', `${gone.path}/approve`, {})
    assert.deepEqual([...codeOf(late), late.body.conflict.reasons], [409, 'order_not_cancelable', ['already_shipped']])
    const lost = await askedToCancel()
    await loseOutcome(shop, lost.order.id)
    const unknown = await operator.send('POST', `${lost.path}/approve`, {})
    assert.deepEqual(codeOf(unknown), [409, 'payment_outcome_unknown'])
  })
})

describe('after-sales requests', () => {
  test('for a return go from review to refund, each step if the state machine allows it', async () => {
    const { order, path, id } = await asked('return')
    const step = async (act: string, body: object = {}) => {
      const { request, allowed } = await operator.change('POST', `${path}/${act}`, body)
      return [request.status, ...allowed]
    }
    assert.deepEqual((await operator.get(path)).body.data.allowed, ['review', 'approve', 'decline', 'withdraw'])
    assert.deepEqual(await step('review'), ['under_review', 'approve', 'decline', 'withdraw'])
    const past = await operator.send('POST', `${path}/approve`, { returnBy: '2020-01-01T00:00:00.000Z' })
    assert.deepEqual([past.status, past.body.details[0].pointer], [400, '/returnBy'])
    assert.deepEqual(await step('approve', { instructions: 'Into its box.' }), [
      'awaiting_return',
      'mark_in_transit',
      'mark_received',
      'withdraw',
    ])
    assert.deepEqual(await step('in-transit'), ['in_transit', 'mark_received'])
    assert.deepEqual(await step('received'), ['received', 'inspect'])
    assert.deepEqual(await step('inspect', { accepted: true, restocks: true }), ['inspecting', 'decline', 'resolve'])
    const beyond = await operator.send('POST', `${path}/resolve`, { amount: 10_000_000 })
    assert.deepEqual([beyond.status, beyond.body.details[0].pointer], [400, '/amount'])
    assert.deepEqual(await step('resolve', { amount: 100 }), ['resolving'])
    await settleRefunds(shop, order.id, { isDone: true })
    const { data } = (await operator.get(path)).body
    assert.deepEqual([data.request.status, data.refunded.amount, data.inspection.restocks], ['completed', 100, true])
    const steps = (await operator.get(`/audit-log?subject=${id}&limit=20`)).body.data.items
    const changes = steps.filter(({ operation }: { operation: string }) => operation !== 'getAfterSales')
    assert.deepEqual([changes.length, steps.length], [6, 8], 'both readings are recorded as well')
    assert.equal((await operator.get('/after-sales?status=completed')).body.data.items.at(-1).request.id, id)
  })

  test('tell where the goods go: what the policy says, unless the operator says otherwise', async () => {
    const { path, order } = await asked('return')
    const before = (await operator.get(path)).body.data.usual
    assert.deepEqual([before.returnAddress, typeof before.returnBy], [undefined, 'string'])
    const policyPath = '/stores/ceramics/order-policy'
    const { policy } = (await operator.get(policyPath)).body.data
    const returnAddress = 'Loom Returns\nGate 4\n10115 Berlin'
    await operator.change('PUT', policyPath, {
      policy: { ...policy, afterSales: { ...policy.afterSales, returnAddress } },
    })
    const later = await asked('return')
    assert.equal((await operator.get(later.path)).body.data.usual.returnAddress, returnAddress)
    assert.equal((await operator.get(`/orders/${later.order.id}`)).body.data.stores[0].returnAddress, returnAddress)
    const approved = await operator.change('POST', `${later.path}/approve`, {})
    assert.equal(approved.request.returnAddress, returnAddress)
    assert.equal((await operator.get(later.path)).body.data.usual, undefined)
    const other = await operator.change('POST', `${path}/approve`, { returnAddress: 'Elsewhere' })
    assert.equal(other.request.returnAddress, 'Elsewhere')

    const sent = await operator.change('POST', `/orders/${order.id}/mails`, {
      kind: 'orders.approved',
      reference: other.request.id,
    })
    assert.equal(sent.history.at(-1).mail, 'orders.approved')
    const mails = (await shop.mails()).filter(({ kind, subject }) => {
      return kind === 'orders.approved' && subject.includes(order.number)
    })
    assert.equal(mails.length, 2)
    for (const { text } of mails) assert.match(text, /^Send the goods to:\nElsewhere$/m)
    for (const each of [path, later.path]) await operator.change('POST', `${each}/withdraw`, {})
  })

  test('that have ended are listed, the last one first', async () => {
    const [first, second] = [await asked('refund_only'), await asked('refund_only')]
    for (const { path } of [second, first]) {
      shop.clock.advance(1000)
      await operator.change('POST', `${path}/withdraw`, {})
    }
    const one = (await operator.get('/after-sales?closed=true&limit=1')).body.data
    const next = (await operator.get(`/after-sales?closed=true&limit=1&cursor=${one.nextCursor}`)).body.data
    assert.deepEqual([one.items[0].request.id, next.items[0].request.id], [first.id, second.id])
  })

  test('are listed oldest first until they end', async () => {
    const [first, second] = [await asked('refund_only'), await asked('refund_only')]
    const idsOf = (data: { items: { request: { id: string } }[] }) => data.items.map(({ request }) => request.id)
    const listed = (await operator.get('/after-sales?limit=1')).body.data
    assert.deepEqual(idsOf(listed), [first.id])
    assert.deepEqual(idsOf((await operator.get(`/after-sales?cursor=${listed.nextCursor}`)).body.data), [second.id])
    const elsewhere = await operator.get(`/after-sales?status=expired&cursor=${listed.nextCursor}`)
    assert.deepEqual(codeOf(elsewhere), [400, 'invalid_cursor'])
    const declined = await operator.change('POST', `${first.path}/decline`, { declineReason: 'It was worn.' })
    assert.deepEqual([declined.declineReason, declined.allowed], ['It was worn.', []])
    const withdrawn = await operator.change('POST', `${second.path}/withdraw`, {})
    assert.equal(withdrawn.request.status, 'withdrawn')
    assert.deepEqual((await operator.get('/after-sales')).body.data.items, [])
  })

  test('for an exchange deduct the replacement from stock, and are completed manually', async () => {
    const { path, order } = await asked('exchange', { exchangeSkuId: shop.sku('BOWL') })
    const { replacements } = (await operator.get(path)).body.data
    assert.deepEqual(
      replacements.map(({ productId, ...replacement }: { productId: string }) => replacement),
      [
        {
          lineId: order.lines[0]!.id,
          code: 'BOWL',
          name: 'Product bowl',
          optionLabels: [],
          price: { currency: 'EUR', amount: 2200 },
          paid: { currency: 'EUR', amount: 1254 },
        },
      ],
    )
    await operator.change('POST', `${path}/approve`, {})
    await operator.change('POST', `${path}/received`, {})
    const both = await operator.send('POST', `${path}/inspect`, { accepted: true, declineReason: 'x' })
    assert.deepEqual([both.status, both.body.details[0].pointer], [400, '/declineReason'])
    const neither = await operator.send('POST', `${path}/inspect`, { accepted: false })
    assert.deepEqual([neither.status, neither.body.details[0].pointer], [400, '/declineReason'])
    await operator.change('POST', `${path}/inspect`, { accepted: true })
    await shop.setStock('BOWL', 0)
    assert.deepEqual(codeOf(await operator.send('POST', `${path}/resolve`, {})), [409, 'out_of_stock'])
    await shop.setStock('BOWL', 5)
    await shop.setStock('MUG', 0)
    const sold = await operator.send('POST', `${path}/decline`, { declineReason: 'It was used.' })
    assert.deepEqual(codeOf(sold), [409, 'out_of_stock'])
    await shop.setStock('MUG', 50)
    assert.deepEqual((await operator.change('POST', `${path}/resolve`, {})).allowed, ['complete'])
    assert.equal((await operator.change('POST', `${path}/complete`, {})).request.status, 'completed')
  })

  test('refuse a step that their state does not allow, and are not_found if unknown', async () => {
    const { path, order } = await asked('refund_only')
    await operator.change('POST', `${path}/approve`, {})
    const bodies: Readonly<Record<string, object>> = {
      review: {},
      approve: {},
      decline: { declineReason: 'x' },
      'in-transit': {},
      received: {},
      inspect: { accepted: true },
      complete: {},
    }
    for (const [act, body] of Object.entries(bodies)) {
      const refused = await operator.send('POST', `${path}/${act}`, body)
      assert.deepEqual(
        [...codeOf(refused), refused.body.conflict.currentState],
        [409, 'version_conflict', 'approved'],
        act,
      )
    }
    await loseOutcome(shop, order.id)
    assert.deepEqual(codeOf(await operator.send('POST', `${path}/resolve`, {})), [409, 'payment_outcome_unknown'])
    await operator.change('POST', `${path}/withdraw`, {})
    assert.deepEqual(codeOf(await operator.send('POST', `${path}/withdraw`, {})), [409, 'version_conflict'])
    const absent = '/after-sales/asr_01k5b7m2q8e9rtv3w4x5y6z7a8'
    assert.deepEqual(codeOf(await operator.get(absent)), [404, 'not_found'])
    for (const [act, body] of Object.entries({ ...bodies, resolve: {}, withdraw: {} })) {
      assert.deepEqual(codeOf(await operator.send('POST', `${absent}/${act}`, body)), [404, 'not_found'], act)
    }
  })
})
