import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { EURO, type PaymentDeps, paymentHouse } from '../../../../test/support/payments.ts'
import { isCheckViolation, isUniqueViolation, statement } from '../../platform/postgres/index.ts'
import { chargeOf, intentOf, paymentHistory, requestVoid } from './index.ts'
import type { FaultKind } from './providers/simulator/faults.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

let house: PaymentDeps
before(async () => {
  house = await paymentHouse()
})
beforeEach(() => {
  house.simulator.faults.length = 0
  house.simulator.mode = { dead: false, notifiesAll: false, copies: 1, lateMs: 0 }
  for (const list of [house.requests, house.settled, house.told, house.later]) list.length = 0
})

const stand = async (id: string) => (await intentOf(house.database.reader, id))!
const misbehave = (...faults: readonly FaultKind[]) =>
  house.simulator.faults.push(...faults.map((fault) => ({ fault, delayMs: 1 })))
const requestReconciliation = async (id: string) => {
  house.clock.advance(HOUR_MS)
  return house.payments.advance(id)
}
const voided = (id: string) => house.database.transaction((tx) => requestVoid(tx, id, house.context()))
/** Jobs that wait for an intent. */
const jobs = statement<{ run_at: Date }>('test.payment_jobs', 'select run_at from jobs where subject = $1')

describe('a charge', () => {
  test('is authorized, captured and told once; its job is gone', async () => {
    const id = await house.charge()
    const charge = await house.payments.advance(id)
    assert.deepEqual([charge.status, charge.endedAt, charge.dueAt], ['succeeded', house.clock.now(), null])
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
    assert.deepEqual(house.settled, [{ id, status: 'succeeded' }])
    assert.deepEqual(house.requests, [`send ${id}:authorize`, `send ${id}:capture`, `look ${id}:capture`])
    assert.deepEqual(await house.database.reader.rows(jobs, [id]), [])
  })

  test('is seen through by its job where nobody else does it', async () => {
    const id = await house.charge()
    assert.equal((await stand(id)).status, 'created')
    await house.work()
    assert.equal((await stand(id)).status, 'succeeded')
    assert.deepEqual(await house.database.reader.rows(jobs, [id]), [])
  })

  test('that is declined has failed, with the reason, and its subject may be charged again', async () => {
    misbehave('decline')
    const subjectId = 'cks_declined'
    const first = await house.charge({ subjectId })
    const declined = await house.payments.advance(first)
    assert.deepEqual([declined.status, declined.failureCode], ['failed', 'card_declined'])

    const second = await house.charge({ subjectId })
    await house.payments.advance(second)
    assert.equal((await chargeOf(house.database.reader, subjectId))?.id, second)
    assert.deepEqual(house.booked(first), [])
    assert.deepEqual(house.booked(second), ['authorize', 'capture'])
  })

  test('stands alone for its subject as long as it has not come to nothing', async () => {
    const subjectId = 'cks_twice'
    await house.charge({ subjectId })
    await assert.rejects(house.charge({ subjectId }), (error) => isUniqueViolation(error, 'payment_intents_one_effect'))
  })

  test('that a page asks about waits for the shopper, and goes on when they have approved', async () => {
    misbehave('ask_shopper')
    const id = await house.charge()
    const waiting = await house.payments.advance(id)
    assert.equal(waiting.status, 'requires_action')
    assert.match(waiting.nextActionUrl!, /^https:\/\/simulator\.example\/actions\/sim_/)
    assert.deepEqual(house.settled, [{ id, status: 'requires_action' }])

    house.simulator.act(waiting.providerReference!, true)
    assert.equal((await house.payments.reconcileNow(id)).status, 'succeeded')
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
  })

  test('whose shopper declines on that page has failed', async () => {
    misbehave('ask_shopper')
    const id = await house.charge()
    const { providerReference } = await house.payments.advance(id)
    house.simulator.act(providerReference!, false)
    const { status, failureCode } = await house.payments.reconcileNow(id)
    assert.deepEqual([status, failureCode], ['failed', 'action_declined'])
  })

  test('whose notification got lost is looked up by its job', async () => {
    const id = await house.charge()
    house.simulator.faults.push({ fault: 'ask_shopper', key: id })
    await house.work()
    house.simulator.act((await stand(id)).providerReference!, true)
    house.clock.advance(4 * SECOND_MS)
    await house.work()
    assert.equal((await stand(id)).status, 'requires_action')
    house.clock.advance(SECOND_MS)
    await house.work()
    assert.equal((await stand(id)).status, 'succeeded')
  })
})

describe('a charge that is begun in the hands of who sends it', () => {
  test('is submitted and written down before it is sent, and told once; its job is gone', async () => {
    const claim = await house.heldCharge()
    const { id } = claim.intent
    const { intent, attempts } = (await paymentHistory(house.database.reader, id))!
    assert.deepEqual([intent, attempts.map(({ step }) => step)], [claim.intent, ['authorize']])
    assert.deepEqual(house.requests, [])

    assert.equal((await house.payments.send(claim)).status, 'succeeded')
    assert.deepEqual(house.requests, [`send ${id}:authorize`, `send ${id}:capture`, `look ${id}:capture`])
    assert.deepEqual(house.settled, [{ id, status: 'succeeded' }])
    assert.deepEqual(await house.database.reader.rows(jobs, [id]), [])
  })

  test('is left alone by everybody else as long as they hold it', async () => {
    const claim = await house.heldCharge()
    house.clock.advance(2 * SECOND_MS)
    assert.equal((await house.another().advance(claim.intent.id)).status, 'submitted')
    await house.work()
    assert.deepEqual(house.requests, [])
    assert.equal((await house.payments.send(claim)).status, 'succeeded')
  })

  test('is looked up, and sent, by its job where they never come back', async () => {
    const { id } = (await house.heldCharge()).intent
    await house.work()
    house.clock.advance(HOUR_MS)
    await house.work()
    assert.equal((await stand(id)).status, 'succeeded')
    assert.deepEqual(house.requests.slice(0, 2), [`look ${id}:authorize`, `send ${id}:authorize`])
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
  })

  test('is looked at again a second after its line was dropped, as any other', async () => {
    misbehave('effect_without_answer')
    const claim = await house.heldCharge()
    assert.equal((await house.payments.send(claim)).status, 'unknown')
    house.clock.advance(SECOND_MS)
    await house.work()
    assert.equal((await stand(claim.intent.id)).status, 'succeeded')
  })
})

describe('what the provider does and does not say', () => {
  const lost: readonly (readonly [FaultKind, 'effect' | 'no effect'])[] = [
    ['effect_without_answer', 'effect'],
    ['effect_without_end', 'effect'],
    ['error_with_effect', 'effect'],
    ['garbage', 'effect'],
    ['no_effect_no_answer', 'no effect'],
    ['error_without_effect', 'no effect'],
    ['late_effect', 'no effect'],
  ]
  for (const [fault, effect] of lost) {
    test(`${fault}: an authorization is unknown, and looked up before anything is sent again`, async () => {
      misbehave(fault)
      const id = await house.charge()
      const charge = await house.payments.advance(id)
      assert.deepEqual([charge.status, charge.step], ['unknown', 'authorize'])
      assert.deepEqual(charge.dueAt, new Date(house.clock.now().getTime() + SECOND_MS))

      assert.equal((await house.payments.advance(id)).status, 'unknown', 'nobody lookups before it is time to')
      assert.equal((await requestReconciliation(id)).status, 'succeeded')
      const again = effect === 'effect' ? [] : [`send ${id}:authorize`]
      assert.deepEqual(house.requests.slice(0, 2 + again.length), [
        `send ${id}:authorize`,
        `look ${id}:authorize`,
        ...again,
      ])
      for (const { act } of house.later) act()
      assert.deepEqual(house.booked(id), ['authorize', 'capture'])
    })

    test(`${fault}: a capture is unknown, and in the end there is one`, async () => {
      house.simulator.faults.push({ fault, operation: 'capture', delayMs: 1 })
      const id = await house.charge()
      assert.equal((await house.payments.advance(id)).status, 'unknown')
      assert.equal((await requestReconciliation(id)).status, 'succeeded')
      for (const { act } of house.later) act()
      assert.deepEqual(house.booked(id), ['authorize', 'capture'])
    })
  }

  test('an answer without an effect is not believed: the books are', async () => {
    house.simulator.faults.push({ fault: 'answer_without_effect', operation: 'capture' })
    const id = await house.charge()
    assert.equal((await house.payments.advance(id)).status, 'unknown')
    assert.deepEqual(house.booked(id), ['authorize'])
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
  })

  test('an authorization that was only said is found out by its capture, and sent again', async () => {
    misbehave('answer_without_effect')
    const id = await house.charge()
    const charge = await house.payments.advance(id)
    assert.deepEqual([charge.status, charge.step], ['unknown', 'authorize'])
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
  })

  test('a provider that is dead leaves it unknown, is asked more and more rarely, and nothing is lost', async () => {
    house.simulator.mode = { ...house.simulator.mode, dead: true }
    const id = await house.charge()
    await house.work()
    const waits: number[] = []
    for (let lookups = 0; lookups < 14; lookups += 1) {
      const { status, dueAt } = await stand(id)
      assert.equal(status, 'unknown')
      const wait = dueAt!.getTime() - house.clock.now().getTime()
      waits.push(wait / SECOND_MS)
      house.clock.advance(wait)
      await house.work()
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600])

    house.simulator.mode = { ...house.simulator.mode, dead: false }
    house.clock.advance(HOUR_MS)
    await house.work()
    assert.equal((await stand(id)).status, 'succeeded')
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
  })
})

describe('a charge that is not wanted any more', () => {
  test('is dropped where nothing was sent', async () => {
    const id = await house.charge()
    assert.equal((await voided(id)).status, 'canceled')
    assert.equal((await house.payments.advance(id)).status, 'canceled')
    assert.deepEqual([house.requests, house.booked(id)], [[], []])
  })

  test('is voided where a shopper was waited for, and their approval comes to nothing', async () => {
    misbehave('ask_shopper')
    const id = await house.charge()
    const { providerReference } = await house.payments.advance(id)
    assert.equal((await voided(id)).status, 'requires_action')
    assert.equal((await house.payments.advance(id)).status, 'canceled')
    assert.equal(house.simulator.act(providerReference!, true), null)
    assert.deepEqual(house.booked(id), ['void'])
    assert.deepEqual(house.settled.at(-1), { id, status: 'canceled' })
  })

  test('stays unknown until the provider has said what became of it, and is voided then', async () => {
    misbehave('effect_without_answer')
    const id = await house.charge()
    await house.payments.advance(id)
    assert.deepEqual([(await voided(id)).status, (await stand(id)).voidRequested], ['unknown', true])
    assert.equal((await house.payments.advance(id)).status, 'canceled')
    assert.deepEqual(house.booked(id), ['authorize', 'void'])
  })

  test('that never arrived is voided all the same, so that it comes to nothing if it arrives later', async () => {
    misbehave('late_effect')
    const id = await house.charge()
    await house.payments.advance(id)
    await voided(id)
    assert.equal((await requestReconciliation(id)).status, 'canceled')
    for (const { act } of house.later) act()
    assert.deepEqual(house.booked(id), ['void'])
  })

  test('has succeeded where its capture was under way already: that is told, and given back by a refund', async () => {
    house.simulator.faults.push({ fault: 'effect_without_answer', operation: 'capture' })
    const id = await house.charge()
    await house.payments.advance(id)
    await voided(id)
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(house.settled.at(-1), { id, status: 'succeeded' })
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
  })

  test('has succeeded where its capture overtook the void', async () => {
    house.simulator.faults.push({ fault: 'late_effect', operation: 'capture' })
    const id = await house.charge()
    await house.payments.advance(id)
    await voided(id)
    house.simulator.faults.push({ fault: 'no_effect_no_answer', operation: 'void' })
    assert.equal((await requestReconciliation(id)).status, 'unknown')
    for (const { act } of house.later) act()
    await requestReconciliation(id)
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(house.booked(id), ['authorize', 'capture'])
  })
})

describe('a refund', () => {
  async function charged(): Promise<string> {
    const id = await house.charge()
    await house.payments.advance(id)
    return id
  }

  test('gives back what was asked, and the charge says how much', async () => {
    const charge = await charged()
    const refund = await house.refund(charge, { amount: 4000n })
    assert.equal((await stand(charge)).refundRequested, 4000n)
    assert.equal((await house.payments.advance(refund)).status, 'succeeded')
    assert.deepEqual(house.booked(charge), ['authorize', 'capture', 'refund'])
    assert.equal(house.simulator.bank.books(`${charge}:authorize`)[2]?.amount, '4000')
  })

  test('is one for each subject, however often it is begun', async () => {
    const charge = await charged()
    const wish = { subjectId: 'can_same', amount: 100n }
    const [one, other] = await Promise.all([house.refund(charge, wish), house.refund(charge, wish)])
    assert.equal(one, other)
    assert.equal((await stand(charge)).refundRequested, 100n)
  })

  test('is never more than the charge with those before it, also where two are asked at once', async () => {
    const charge = await charged()
    const asked = await Promise.allSettled([1, 2, 3].map(() => house.refund(charge, { amount: EURO / 2n })))
    assert.deepEqual(asked.map(({ status }) => status).sort(), ['fulfilled', 'fulfilled', 'rejected'])
    assert.equal((await stand(charge)).refundRequested, EURO)
  })

  test('beyond the charge is refused by the database as well', async () => {
    const charge = await charged()
    const beyond = statement('test.beyond', 'update payment_intents set refund_asked = amount + 1 where id = $1')
    await assert.rejects(
      house.database.transaction(async (tx) => tx.write(beyond, [charge])),
      (error) => isCheckViolation(error, 'payment_intents_refunds'),
    )
  })

  test('that is refused leaves its amount to be asked for again', async () => {
    const charge = await charged()
    house.simulator.faults.push({ fault: 'decline', operation: 'refund' })
    const refund = await house.refund(charge, { subjectId: 'can_refused' })
    assert.equal((await house.payments.advance(refund)).status, 'failed')
    assert.equal((await stand(charge)).refundRequested, 0n)
    const again = await house.refund(charge, { subjectId: 'can_refused' })
    assert.equal((await house.payments.advance(again)).status, 'succeeded')
  })

  for (const fault of ['effect_without_answer', 'error_with_effect', 'answer_without_effect', 'late_effect'] as const) {
    test(`${fault}: is unknown, and in the end there is one`, async () => {
      const charge = await charged()
      house.simulator.faults.push({ fault, operation: 'refund', delayMs: 1 })
      const refund = await house.refund(charge)
      assert.equal((await house.payments.advance(refund)).status, 'unknown')
      assert.equal((await requestReconciliation(refund)).status, 'succeeded')
      for (const { act } of house.later) act()
      assert.deepEqual(house.booked(charge), ['authorize', 'capture', 'refund'])
    })
  }
})

describe('a manual payment', () => {
  test('waits for an operator, who has received the money', async () => {
    const id = await house.charge({ provider: 'manual' })
    const waiting = await house.payments.advance(id)
    assert.deepEqual([waiting.status, waiting.nextActionUrl, waiting.dueAt], ['requires_action', null, null])
    const paid = await house.payments.confirmManual(id, { isDone: true })
    assert.equal(paid.status, 'succeeded')
    assert.deepEqual(house.settled.at(-1), { id, status: 'succeeded' })
  })

  test('has failed where the operator knows that nothing will come', async () => {
    const id = await house.charge({ provider: 'manual' })
    await house.payments.advance(id)
    const { status, failureCode } = await house.payments.confirmManual(id, { isDone: false })
    assert.deepEqual([status, failureCode], ['failed', 'not_received'])
  })

  test('is manuallyConfirmed once, by whoever comes first', async () => {
    const id = await house.charge({ provider: 'manual' })
    await house.payments.advance(id)
    const words = [true, false].map((isDone) => house.payments.confirmManual(id, { isDone }))
    const ended = await Promise.allSettled(words)
    assert.deepEqual(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test('is given back when the operator has paid it back', async () => {
    const id = await house.charge({ provider: 'manual' })
    await house.payments.advance(id)
    await house.payments.confirmManual(id, { isDone: true })
    const refund = await house.refund(id)
    assert.equal((await house.payments.advance(refund)).status, 'requires_action')
    assert.equal((await house.payments.confirmManual(refund, { isDone: true })).status, 'succeeded')
  })

  test('that is not wanted any more is canceled at once', async () => {
    const id = await house.charge({ provider: 'manual' })
    await house.payments.advance(id)
    await voided(id)
    await house.work()
    assert.equal((await stand(id)).status, 'canceled')
  })

  test('of the simulator is nobody to confirm, nor one that does not exist', async () => {
    const id = await house.charge()
    await assert.rejects(house.payments.confirmManual(id, { isDone: true }), { code: 'not_found' })
    await assert.rejects(house.payments.confirmManual('pay_none', { isDone: true }), { code: 'not_found' })
  })
})

describe('a notification', () => {
  async function waiting(): Promise<string> {
    misbehave('ask_shopper')
    const id = await house.charge()
    const { providerReference } = await house.payments.advance(id)
    house.simulator.act(providerReference!, true)
    return id
  }

  test('is a reason to look, and a worker does so', async () => {
    const id = await waiting()
    const [telling] = house.told
    assert.equal(await house.payments.receiveNotification('simulator', house.notification(telling!)), 'taken')
    await house.work()
    assert.equal((await stand(id)).status, 'succeeded')
  })

  test('is taken once, however often it comes, also at once and late', async () => {
    const id = await waiting()
    const [telling] = house.told
    const send = () => house.payments.receiveNotification('simulator', house.notification(telling!))
    assert.deepEqual(await Promise.all([send(), send(), send()]), ['taken', 'taken', 'taken'])
    await house.work()
    house.requests.length = 0
    assert.equal(await send(), 'taken')
    await house.work()
    const asked = house.requests.filter((request) => request.includes(id))
    assert.deepEqual([asked, house.booked(id)], [[], ['authorize', 'capture']])
  })

  test('is never believed: what it says without the books saying so changes nothing', async () => {
    misbehave('ask_shopper')
    const id = await house.charge()
    await house.payments.advance(id)
    const lie = house.notification({ id: 'a lie', key: `${id}:authorize` })
    assert.equal(await house.payments.receiveNotification('simulator', lie), 'taken')
    await house.work()
    assert.equal((await stand(id)).status, 'requires_action')
  })

  test('that is forged, old, of another provider, or of no payment of ours is not taken', async () => {
    const id = await waiting()
    const telling = house.told[0]!
    assert.equal(
      await house.payments.receiveNotification('simulator', house.notification(telling, 'guessed')),
      'forged',
    )
    assert.equal(
      await house.payments.receiveNotification('simulator', { headers: {}, body: Buffer.from('{}') }),
      'forged',
    )
    assert.equal(await house.payments.receiveNotification('manual', house.notification(telling)), 'forged')
    assert.equal(await house.payments.receiveNotification('nobody', house.notification(telling)), 'unknown_provider')
    const old = house.notification(telling)
    house.clock.advance(301 * SECOND_MS)
    assert.equal(await house.payments.receiveNotification('simulator', old), 'forged')
    assert.equal((await stand(id)).status, 'requires_action')
  })

  test('of a payment that is not ours is answered and forgotten', async () => {
    const elsewhere = house.notification({ id: 'x', key: 'pay_elsewhere:authorize' })
    assert.equal(await house.payments.receiveNotification('simulator', elsewhere), 'taken')
  })

  test('that comes while somebody lookups makes them look again', async () => {
    misbehave('ask_shopper')
    const id = await house.charge()
    const { providerReference } = await house.payments.advance(id)
    house.clock.advance(HOUR_MS)
    let lookups = 0
    const looking = house.another([
      {
        ...house.providers[0]!,
        async lookup(call) {
          lookups += 1
          if (lookups > 1) return house.providers[0]!.lookup(call)
          house.simulator.act(providerReference!, true)
          await house.payments.receiveNotification('simulator', house.notification(house.told[0]!))
          return { kind: 'unknown', detail: 'dropped' }
        },
      },
    ])
    assert.equal((await looking.advance(id)).status, 'succeeded')
  })
})

describe('many at once', () => {
  test('ask the provider once, in one process and in several', async () => {
    const id = await house.charge()
    const others = [house.payments, house.payments, house.another(), house.another(), house.another()]
    await Promise.all(others.map((payments) => payments.advance(id)))
    await house.work()
    assert.equal((await stand(id)).status, 'succeeded')
    const asked = house.requests.filter((request) => request.includes(id))
    assert.deepEqual(asked, [`send ${id}:authorize`, `send ${id}:capture`, `look ${id}:capture`])
  })

  test('leave an answer alone that comes after somebody else took over', async () => {
    const id = await house.charge()
    const slow = house.another([
      {
        ...house.providers[0]!,
        async authorize() {
          // The call took so long that its lease ran out, and another process has looked and sent it again meanwhile.
          house.clock.advance(HOUR_MS)
          await house.payments.advance(id)
          return { kind: 'declined', code: 'too_late' }
        },
      },
    ])
    assert.equal((await slow.advance(id)).status, 'succeeded')
    assert.deepEqual([(await stand(id)).status, house.booked(id)], ['succeeded', ['authorize', 'capture']])
  })
})

describe('what can be paid with', () => {
  const offered = (environment: 'test' | 'live') =>
    house.payments.methodsFor(environment, 'EUR').map(({ provider, kind }) => [provider, kind])

  test('in the test environment is the simulator and an operator', () =>
    assert.deepEqual(offered('test'), [
      ['simulator', 'card'],
      ['manual', 'manual'],
    ]))

  test('in the live environment is never the simulator', () =>
    assert.deepEqual(offered('live'), [['manual', 'manual']]))
})
