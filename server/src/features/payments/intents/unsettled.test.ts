import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PaymentDeps, paymentsWorld } from '../../../../../test/support/commerce/payments.ts'
import { countUnsettledPayments, listUnsettledPayments, paymentHistory, unsettledFigures } from '../index.ts'

let world: PaymentDeps
before(async () => {
  world = await paymentsWorld()
})

const list = (which: 'unknown' | 'waiting', more: object = {}) =>
  listUnsettledPayments(world.database.reader, { environment: 'test', which, limit: 10, ...more })

describe('operator payments', () => {
  test('lists unknown outcomes with their attempts, least recently updated first', async () => {
    world.simulator.mode = { ...world.simulator.mode, dead: true }
    const first = await world.charge()
    await world.payments.advance(first)
    world.clock.advance(2000)
    const second = await world.charge()
    await world.payments.advance(second)
    world.simulator.mode = { ...world.simulator.mode, dead: false }
    world.simulator.faults.push({ fault: 'error_without_effect', operation: 'lookup' })
    const before = await list('unknown')
    assert.deepEqual(
      before.map(({ intent }) => intent.id),
      [first, second],
    )
    world.clock.advance(1000)
    await world.payments.reconcileNow(first)
    const [, found] = await list('unknown')
    assert.equal(found?.intent.id, first)
    assert.deepEqual(
      found?.attempts.map(({ number, action, step, answer, detail }) => [number, action, step, answer, detail]),
      [
        [2, 'look', 'authorize', 'unknown', '500 error'],
        [1, 'send', 'authorize', 'unknown', 'the line was dropped'],
      ],
    )
    const next = await list('unknown', { limit: 1, after: before[0]!.intent })
    assert.deepEqual(
      next.map(({ intent }) => intent.id),
      [second],
    )
  })

  test('lists payments that wait for a confirmation', async () => {
    const id = await world.charge({ provider: 'manual' })
    await world.payments.advance(id)
    assert.deepEqual(
      (await list('waiting')).map(({ intent }) => intent.id),
      [id],
    )
    await world.payments.confirmManual(id, { isDone: true })
    assert.deepEqual(await list('waiting'), [])
    assert.equal((await paymentHistory(world.database.reader, id))?.attempts.length, 1)
  })

  test('counts what it lists: an authorized payment waits, and its outcome is not unknown', async () => {
    const counts = () => countUnsettledPayments(world.database.reader, 'test', 100)
    const before = await counts()
    const id = await world.charge({ capturesLater: true })
    assert.equal((await world.payments.advance(id)).status, 'authorized')
    assert.deepEqual(await counts(), { ...before, waiting: before.waiting + 1 })
    assert.deepEqual([(await list('unknown')).length, (await list('waiting')).length], Object.values(await counts()))
  })

  test('dates an unknown outcome from the first call of its step, days after the authorization', async () => {
    const { charge, clock, database, payments, simulator } = await paymentsWorld()
    const id = await charge({ capturesLater: true })
    await payments.advance(id)
    clock.advance(3 * 86_400_000)
    const capturedAt = clock.now()
    simulator.mode = { ...simulator.mode, dead: true }
    await payments.capture(id, null)
    clock.advance(5000)
    await payments.reconcileNow(id)
    assert.deepEqual(await unsettledFigures(database.reader), [
      { environment: 'test', status: 'unknown', count: 1, oldestBegunAt: capturedAt },
    ])
  })

  test('lists nothing of another environment, and finds no history of an unknown payment', async () => {
    assert.deepEqual(await list('unknown', { environment: 'live' }), [])
    assert.equal(await paymentHistory(world.database.reader, 'pay_none'), null)
  })

  test('looks a payment up on request, due or not', async () => {
    const [unknown] = await list('unknown')
    assert.equal((await world.payments.reconcileNow(unknown!.intent.id)).status, 'succeeded')
    await assert.rejects(world.payments.reconcileNow('pay_none'), { code: 'not_found' })
  })
})
