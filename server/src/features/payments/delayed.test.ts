import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { EURO, type PaymentDeps, paymentsWorld } from '../../../../test/support/commerce/payments.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { DISPUTE_OPENED_JOB, disputedOf, disputesOf, intentOf, type PaymentProvider, requestVoid } from './index.ts'
import { returnKeyOf } from './provider-call.ts'

const DAY_MS = 86_400_000
const reports = statement<{ readonly count: number }>(
  'test.dispute_reports',
  `select count(*)::integer as count from jobs where kind = '${DISPUTE_OPENED_JOB}' and subject = $1`,
)

let world: PaymentDeps
before(async () => {
  world = await paymentsWorld()
})
beforeEach(() => {
  world.simulator.faults.length = 0
  world.settled.length = 0
})

const stand = async (id: string) => (await intentOf(world.database.reader, id))!
const settle = (id: string, isPaid: boolean) => world.simulator.settle(`${id}:authorize`, isPaid)
const inDays = (days: number) => world.clock.advance(days * DAY_MS)
const captures = (id: string) =>
  world.simulator.bank.books(`${id}:authorize`).flatMap(({ operation, amount }) => {
    return operation === 'capture' ? [BigInt(amount)] : []
  })

async function delayed(): Promise<string> {
  world.simulator.faults.push({ fault: 'settles', operation: 'authorize' })
  const id = await world.charge()
  assert.equal((await world.payments.advance(id)).status, 'pending')
  return id
}

async function authorized(): Promise<string> {
  const id = await world.charge({ capturesLater: true })
  assert.equal((await world.payments.advance(id)).status, 'authorized')
  return id
}

describe('a payment by a method that takes days', () => {
  test('is pending, looked up at growing intervals, and captured once it has settled on day three', async () => {
    const id = await delayed()
    assert.deepEqual(world.settled, [{ id, status: 'pending' }])
    for (let hour = 0; hour < 72; hour += 1) {
      world.clock.advance(DAY_MS / 24)
      await world.work()
    }
    const { status, lookups, dueAt } = await stand(id)
    assert.equal(status, 'pending')
    assert.ok(lookups < 30, `${lookups} lookups in three days`)
    assert.ok(dueAt!.getTime() - world.clock.now().getTime() <= DAY_MS / 4)
    settle(id, true)
    inDays(1)
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })

  test('fails when it has bounced', async () => {
    const id = await delayed()
    settle(id, false)
    inDays(1)
    await world.work()
    const { status, failureCode } = await stand(id)
    assert.deepEqual([status, failureCode, world.booked(id)], ['failed', 'payment_bounced', []])
  })

  test('stays pending while the provider does not answer', async () => {
    const id = await delayed()
    world.simulator.mode = { ...world.simulator.mode, dead: true }
    inDays(1)
    await world.work()
    assert.equal((await stand(id)).status, 'pending')
    world.simulator.mode = { ...world.simulator.mode, dead: false }
  })

  test('is voided on request, and cannot settle later', async () => {
    const id = await delayed()
    await world.database.transaction((tx) => requestVoid(tx, id, world.context()))
    assert.equal((await world.payments.advance(id)).status, 'canceled')
    assert.equal(settle(id, true), null)
    assert.deepEqual(captures(id), [])
  })
})

describe('a shopper who leaves a second tab of the provider after paying in the first', () => {
  const leave = async (id: string) => {
    const key = returnKeyOf(await stand(id))
    await world.payments.returnOf(id, key, true)
    await world.work()
    return stand(id)
  }

  test('keeps an authorization, and a payment that takes days: both have placed an order', async () => {
    for (const id of [await authorized(), await delayed()]) {
      const { status } = await stand(id)
      const after = await leave(id)
      assert.deepEqual([after.status, after.voidRequested], [status, false])
    }
  })
})

describe('an authorization that the shop captures', () => {
  test('stays authorized until the shop captures it, and is captured once', async () => {
    const id = await authorized()
    inDays(2)
    await world.work()
    assert.deepEqual([(await stand(id)).status, captures(id)], ['authorized', []])
    const answers = await Promise.all([world.payments.capture(id, null), world.payments.reconcileNow(id)])
    assert.equal(answers[0].status, 'succeeded')
    assert.deepEqual(captures(id), [EURO])
    await assert.rejects(world.payments.capture(id, null), { code: 'state_conflict' })
  })

  test('is captured in part, and refunded in parts up to exactly the captured amount', async () => {
    const id = await authorized()
    await assert.rejects(world.payments.capture(id, EURO + 1n), { code: 'validation_failed' })
    assert.equal((await world.payments.capture(id, EURO / 2n)).status, 'succeeded')
    for (const amount of [EURO / 4n, EURO / 4n]) {
      assert.equal((await world.payments.advance(await world.refund(id, { amount }))).status, 'succeeded')
    }
    await assert.rejects(world.refund(id, { amount: 1n }), /no more is refunded/)
    await assert.rejects(
      world.database.transaction((tx) =>
        tx.change({ name: 'test.beyond', text: 'update payment_intents set refund_asked = amount where id = $1' }, [
          id,
        ]),
      ),
      /payment_intents_refunds/,
    )
    assert.deepEqual(captures(id), [EURO / 2n])
  })

  test('is captured as a whole a day before the provider releases it', async () => {
    const id = await authorized()
    const { expiresAt } = await stand(id)
    assert.equal(expiresAt!.getTime() - world.clock.now().getTime(), 7 * DAY_MS)
    world.clock.advance(6 * DAY_MS - 1000)
    await world.work()
    assert.equal((await stand(id)).status, 'authorized')
    world.clock.advance(1000)
    await world.work()
    assert.deepEqual([(await stand(id)).status, captures(id)], ['succeeded', [EURO]])
  })

  test('is released by the shop, and cannot be captured after that', async () => {
    const id = await authorized()
    assert.equal((await world.payments.release(id)).status, 'canceled')
    await assert.rejects(world.payments.capture(id, null), { code: 'state_conflict' })
    assert.deepEqual(world.booked(id), ['authorize', 'void'])
  })

  test('is captured once, whatever happens to the answers of the capture and of its lookup', async () => {
    for (const fault of ['effect_without_answer', 'no_effect_no_answer', 'error_with_effect', 'late_effect'] as const) {
      const id = await authorized()
      world.simulator.faults.push({ fault, operation: 'capture' }, { fault, operation: 'lookup' })
      await world.payments.capture(id, EURO / 2n)
      for (const { act } of world.later.splice(0)) act()
      for (let hour = 0; hour < 3; hour += 1) {
        world.clock.advance(DAY_MS / 24)
        await world.payments.advance(id)
      }
      assert.deepEqual([(await stand(id)).status, captures(id)], ['succeeded', [EURO / 2n]], fault)
    }
  })

  test('is not captured by a notification, which only looks it up', async () => {
    const id = await authorized()
    await world.payments.receiveNotification('simulator', world.notification({ id: `n-${id}`, key: `${id}:authorize` }))
    await world.work()
    assert.deepEqual([(await stand(id)).status, captures(id)], ['authorized', []])
  })
})

describe('a dispute', () => {
  const notify = (id: string, status: 'open' | 'won' | 'lost', notification = status as string) => {
    assert.ok(world.simulator.dispute(`${id}:authorize`, status))
    const content = { id: `${id}/${notification}`, key: `${id}:authorize`, status: 'disputed' }
    return world.payments.receiveNotification('simulator', world.notification(content))
  }
  const statuses = async (id: string) => (await disputesOf(world.database.reader, id)).map(({ status }) => status)
  const paid = async () => {
    const id = await world.charge()
    assert.equal((await world.payments.advance(id)).status, 'succeeded')
    return id
  }

  test('is looked up after a notification, with its amount, reason and deadline, and applied once per change', async () => {
    const changes: (readonly string[])[] = []
    world.outcome.disputed = async (_tx, _charge, { after }) => void changes.push(after.map(({ status }) => status))
    const id = await paid()
    assert.equal(await notify(id, 'open'), 'taken')
    await world.work()
    const [dispute] = await disputesOf(world.database.reader, id)
    assert.deepEqual([dispute!.amount, dispute!.reason, dispute!.status], [EURO, 'product_not_received', 'open'])
    assert.equal(dispute!.respondBy!.getTime() - dispute!.openedAt.getTime(), 7 * DAY_MS)
    await world.payments.lookUpDisputes(id)
    await notify(id, 'won')
    await world.work()
    assert.deepEqual([await statuses(id), changes], [['won'], [['open'], ['won']]])
    assert.equal((await stand(id)).status, 'succeeded')
  })

  test('is looked up daily until it is decided, in case a notification is lost, and again soon if the provider does not answer', async (t) => {
    const id = await paid()
    await notify(id, 'open')
    world.simulator.mode = { ...world.simulator.mode, dead: true }
    const { mock } = t.mock.method(world.log, 'warn')
    await world.work()
    assert.deepEqual(await statuses(id), [])
    const about = { intent: id, provider: 'simulator', detail: 'the line was dropped' }
    assert.deepEqual(mock.calls[0]?.arguments, [about, 'payments: the disputes are not known'])
    world.simulator.mode = { ...world.simulator.mode, dead: false }
    world.clock.advance(300_000)
    await world.work()
    assert.deepEqual(await statuses(id), ['open'])
    world.simulator.dispute(`${id}:authorize`, 'lost')
    inDays(1)
    await world.work()
    assert.deepEqual(await statuses(id), ['lost'])
  })

  test('that is notified before the payment is known to have succeeded is looked up once it has', async () => {
    world.simulator.faults.push({ fault: 'effect_without_answer', operation: 'capture' })
    const id = await world.charge()
    assert.equal((await world.payments.advance(id)).status, 'unknown')
    world.simulator.mode = { ...world.simulator.mode, dead: true }
    await notify(id, 'open')
    await world.work()
    assert.deepEqual([(await stand(id)).status, await statuses(id)], ['unknown', []])
    world.simulator.mode = { ...world.simulator.mode, dead: false }
    for (let minute = 0; minute < 10; minute += 1) {
      world.clock.advance(60_000)
      await world.work()
    }
    assert.deepEqual([(await stand(id)).status, await statuses(id)], ['succeeded', ['open']])
  })

  test('in another currency than the payment is recorded and reported, but not added to its disputed amount', async () => {
    const id = await paid()
    await notify(id, 'open')
    const [provider] = world.providers
    assert.ok(provider?.disputes)
    const { disputes } = provider
    const foreign: PaymentProvider = {
      ...provider,
      async disputes(charge) {
        const found = await disputes(charge)
        assert.ok(!('kind' in found))
        return found.map((each) => ({ ...each, currency: 'USD' }))
      },
    }
    await world.another([foreign]).lookUpDisputes(id)
    const found = await disputesOf(world.database.reader, id)
    assert.deepEqual(
      found.map(({ status, currency, amount }) => [status, currency, amount]),
      [['open', 'USD', EURO]],
    )
    const [reported] = await world.database.reader.rows(reports, [id])
    assert.deepEqual([reported?.count, disputedOf(found, 'EUR'), disputedOf(found, 'USD')], [1, 0n, EURO])
  })

  test('is not recorded for a notification alone: the provider has to confirm it', async () => {
    const id = await paid()
    const content = { id: `${id}/false`, key: `${id}:authorize`, status: 'disputed' }
    await world.payments.receiveNotification('simulator', world.notification(content))
    await world.work()
    assert.deepEqual(await statuses(id), [])
  })
})
