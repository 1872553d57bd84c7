import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Attempt, type Facts, type History, violationsOf, type Write } from './history.ts'

const attempt = (outcome: Attempt['outcome'], more: Partial<Attempt> = {}): Attempt => ({
  outcome,
  startedAt: 0,
  endedAt: 10,
  status: outcome === 'done' ? 200 : 503,
  ...more,
})
const cart = (key: string, ...attempts: Attempt[]): Write => ({ kind: 'cart', key, attempts })
const done = attempt('done', { effectId: 'cart_1', text: 'a cart' })

const NOTHING: Facts = { effects: [], orders: [], strayMoney: [], stock: [], events: [], arrivals: [] }
const effect = (key: string, id = 'cart_1') => ({ kind: 'cart', key, id }) as const

function found(writes: readonly Write[], facts: Partial<Facts>, more: Partial<History> = {}): string[] {
  return violationsOf({ writes, reads: [], versions: [], ...more }, { ...NOTHING, ...facts })
}

describe('the history checker for writes', () => {
  test('accepts one effect for an acknowledged write, none for a refused one, at most one for an unknown one', () => {
    const writes = [
      cart('done', done),
      cart('retried', attempt('unknown'), attempt('not_applied'), done),
      cart('refused', attempt('refused', { status: 409 })),
      cart('not applied', attempt('not_applied')),
      cart('unknown', attempt('unknown')),
      cart('lost', attempt('unknown')),
    ]
    const effects = ['done', 'retried', 'unknown'].map((key) => effect(key))
    assert.deepEqual(found(writes, { effects }), [])
  })

  test('finds a lost acknowledged write', () => {
    assert.deepEqual(found([cart('k', done)], {}), ['cart k: acknowledged, and absent (done)'])
  })

  test('finds a lost write that was acknowledged to a retry', () => {
    assert.equal(found([cart('k', attempt('unknown'), done)], {}).length, 1)
  })

  test('finds an effect that happened twice', () => {
    const effects = [effect('k'), effect('k', 'cart_2')]
    assert.deepEqual(found([cart('k', done)], { effects }), ['cart k: 2 effects, at most 1 allowed (done)'])
    assert.equal(found([cart('k', attempt('unknown'))], { effects }).length, 1)
  })

  test('finds the effect of a refused request', () => {
    const refused = cart('k', attempt('refused', { status: 409 }))
    assert.equal(found([refused], { effects: [effect('k')] }).length, 1)
    const late = cart('k', attempt('unknown'), attempt('refused', { status: 409 }))
    assert.equal(found([late], { effects: [effect('k')] }).length, 1)
  })

  test('finds the effect of a request that was answered not_applied', () => {
    const effects = [effect('k')]
    assert.equal(found([cart('k', attempt('not_applied'))], { effects }).length, 1)
    assert.equal(found([cart('k', attempt('not_applied'), attempt('unknown'))], { effects }).length, 0)
  })

  test('finds an effect without a request', () => {
    assert.deepEqual(found([], { effects: [effect('k')] }), ['cart k: an effect without a request'])
  })

  test('finds a key with two different answers', () => {
    const other = attempt('done', { effectId: 'cart_1', text: 'another cart' })
    assert.equal(found([cart('k', done, other)], { effects: [effect('k')] }).length, 1)
  })

  test('finds an answer with the id of another effect', () => {
    assert.deepEqual(found([cart('k', done)], { effects: [effect('k', 'cart_9')] }), [
      'cart k: made cart_9, and said cart_1',
    ])
  })

  test('finds a 500, and an answer that took more than a minute', () => {
    assert.equal(found([cart('k', attempt('not_applied', { status: 500 }))], {}).length, 1)
    assert.equal(found([cart('k', attempt('not_applied', { endedAt: 60_001 }))], {}).length, 1)
  })
})

describe('the history checker for reads', () => {
  const versions = [{ cartId: 'cart_1', version: 3, at: 100 }]
  const read = (startedAt: number, version: number) => ({
    status: 200,
    startedAt,
    endedAt: startedAt + 5,
    cart: { id: 'cart_1', version },
  })

  test('finds a read that misses a write acknowledged before it', () => {
    assert.deepEqual(found([], {}, { versions, reads: [read(90, 2), read(110, 3), read(110, 4)] }), [])
    assert.equal(found([], {}, { versions, reads: [read(110, 2)] }).length, 1)
  })

  test('finds a 500', () => {
    assert.equal(found([], {}, { reads: [{ status: 500, startedAt: 0, endedAt: 1 }] }).length, 1)
    assert.equal(found([], {}, { reads: [{ status: 503, startedAt: 0, endedAt: 1 }] }).length, 0)
  })
})

describe('the history checker for money, stock and events', () => {
  const order = { orderId: 'ord_1', total: 500n, refunded: 200n, captures: [500n], refunds: [200n] }
  const created = { id: 'evt_1', subject: 'ord_1', kind: 'order.created', sequence: 1 }
  const told = { events: [created], arrivals: [{ eventId: 'evt_1', body: 'a body' }] }
  const stock = { skuId: 'sku_1', initial: 10, onHand: 8, held: 1, holds: 1, ordered: 3, canceled: 1 }

  test('accepts facts that add up', () => {
    const again = { ...told, arrivals: [...told.arrivals, ...told.arrivals] }
    assert.deepEqual(found([], { orders: [order], stock: [stock], ...again }), [])
  })

  test('finds an order that was captured twice, never, or with another amount', () => {
    for (const captures of [[500n, 500n], [], [499n]]) {
      assert.notEqual(found([], { orders: [{ ...order, captures }], ...told }).length, 0)
    }
  })

  test('finds refunds that differ from the recorded ones, and money without an order', () => {
    assert.equal(found([], { orders: [{ ...order, refunds: [200n, 200n] }], ...told }).length, 1)
    assert.equal(found([], { strayMoney: ['capture of pay_1'] }).length, 1)
  })

  test('finds units that are held without a hold, and units that are missing', () => {
    assert.equal(found([], { stock: [{ ...stock, held: 2 }] }).length, 1)
    assert.equal(found([], { stock: [{ ...stock, onHand: 7 }] }).length, 1)
  })

  test('finds an event that was not delivered, does not exist, or arrived with two bodies', () => {
    const orders = [order]
    assert.equal(found([], { ...told, orders, arrivals: [] }).length, 1)
    assert.equal(found([], { arrivals: told.arrivals }).length, 1)
    assert.equal(
      found([], { ...told, orders, arrivals: [...told.arrivals, { eventId: 'evt_1', body: 'another' }] }).length,
      1,
    )
  })

  test('finds an effect without its event, an effect with two events, and a gap in a sequence', () => {
    assert.deepEqual(found([], { orders: [order] }), ['order.created of ord_1: 0 events'])
    const twice = [created, { ...created, id: 'evt_2', sequence: 2 }]
    const arrivals = twice.map(({ id }) => ({ eventId: id, body: id }))
    assert.deepEqual(found([], { orders: [order], events: twice, arrivals }), ['order.created of ord_1: 2 events'])
    assert.equal(found([], { ...told, orders: [order], events: [{ ...created, sequence: 2 }] }).length, 1)
  })
})
