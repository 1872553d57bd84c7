import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { EURO, type PaymentDeps, paymentsWorld } from '../../../../test/support/commerce/payments.ts'
import { connectionProxy } from '../../../../test/support/network/connection-proxy.ts'
import { isUniqueViolation, openDatabase, statement } from '../../platform/postgres/index.ts'
import { intentOf, paymentHistory, requestVoid } from './index.ts'
import { createdIntent, type NewIntent } from './intents/intent.ts'
import { answered } from './intents/transitions.ts'
import { checkedAnswer, type PaymentProvider, type ProviderCall } from './providers/provider.ts'
import { paymentProviders } from './providers/registry.ts'
import type { FaultKind } from './providers/simulator/faults.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

let world: PaymentDeps
before(async () => {
  world = await paymentsWorld()
})
beforeEach(() => {
  world.simulator.faults.length = 0
  world.simulator.mode = { dead: false, notifiesAll: false, copies: 1, lateMs: 0 }
  for (const list of [world.requests, world.settled, world.notifications, world.later]) list.length = 0
})

const stand = async (id: string) => (await intentOf(world.database.reader, id))!
const misbehave = (...faults: readonly FaultKind[]) =>
  world.simulator.faults.push(...faults.map((fault) => ({ fault, delayMs: 1 })))
const requestReconciliation = async (id: string) => {
  world.clock.advance(HOUR_MS)
  return world.payments.advance(id)
}
const voided = (id: string) => world.database.transaction((tx) => requestVoid(tx, id, world.context()))
const unanswered = statement(
  'test.unanswered',
  'select 1 from payment_attempts where intent_id = $1 and answered_at is null',
)
/** The jobs of an intent. */
const jobs = statement<{ run_at: Date }>('test.payment_jobs', 'select run_at from jobs where subject = $1')

describe('a charge', () => {
  test('is authorized, captured and reported once; its job is gone', async () => {
    const id = await world.charge()
    const charge = await world.payments.advance(id)
    assert.deepEqual([charge.status, charge.endedAt, charge.dueAt], ['succeeded', world.clock.now(), null])
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
    assert.deepEqual(world.settled, [{ id, status: 'succeeded' }])
    assert.deepEqual(world.requests, [`send ${id}:authorize`, `send ${id}:capture`, `look ${id}:capture`])
    assert.deepEqual(await world.database.reader.rows(jobs, [id]), [])
  })

  test('is recorded once if the COMMIT of an answer is lost, before or after PostgreSQL had it', async (t) => {
    const proxy = await connectionProxy(world.url)
    const remote = openDatabase({ url: proxy.url })
    t.after(async () => {
      await remote.close()
      await proxy.close()
    })
    const [simulator] = world.providers as [PaymentProvider]
    const cases = (['authorize', 'capture'] as const).flatMap((step) =>
      (['before', 'after'] as const).map((fault) => ({ step, fault })),
    )
    for (const { step, fault } of cases) {
      const losing: PaymentProvider = {
        ...simulator,
        async [step](call: ProviderCall) {
          const answer = await simulator[step](call)
          void proxy.failNextCommit(fault)
          return answer
        },
      }
      const id = await world.charge()

      const { status, version } = await world.another([losing], remote).advance(id)

      assert.deepEqual([status, version, (await stand(id)).version], ['succeeded', 4, 4], `${step}, ${fault}`)
      assert.deepEqual(
        world.requests.splice(0).filter((request) => request.startsWith('send')),
        [`send ${id}:authorize`, `send ${id}:capture`],
      )
      assert.deepEqual(await world.database.reader.rows(unanswered, [id]), [])
    }
  })

  test('is completed by its job if no caller does it', async () => {
    const id = await world.charge()
    assert.equal((await stand(id)).status, 'created')
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
    assert.deepEqual(await world.database.reader.rows(jobs, [id]), [])
  })

  test('that is declined has failed, with the reason, and its subject can be charged again', async () => {
    misbehave('decline')
    const subjectId = 'cks_declined'
    const first = await world.charge({ subjectId })
    const declined = await world.payments.advance(first)
    assert.deepEqual([declined.status, declined.failureCode], ['failed', 'card_declined'])

    const second = await world.charge({ subjectId })
    await world.payments.advance(second)
    assert.deepEqual(world.booked(first), [])
    assert.deepEqual(world.booked(second), ['authorize', 'capture'])
  })

  test('is the only one of its subject until it has failed', async () => {
    const subjectId = 'cks_twice'
    await world.charge({ subjectId })
    await assert.rejects(world.charge({ subjectId }), (error) => isUniqueViolation(error, 'payment_intents_one_effect'))
  })

  test('that needs an action waits for the shopper, and continues once they approve', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    const waiting = await world.payments.advance(id)
    assert.equal(waiting.status, 'requires_action')
    assert.match(waiting.nextActionUrl!, /^https:\/\/simulator\.example\/actions\/sim_/)
    assert.deepEqual(world.settled, [{ id, status: 'requires_action' }])

    world.simulator.act(waiting.providerReference!, true)
    assert.equal((await world.payments.reconcileNow(id)).status, 'succeeded')
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })

  test('fails if the shopper declines', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    const { providerReference } = await world.payments.advance(id)
    world.simulator.act(providerReference!, false)
    const { status, failureCode } = await world.payments.reconcileNow(id)
    assert.deepEqual([status, failureCode], ['failed', 'action_declined'])
  })

  test('whose notification got lost is looked up by its job', async () => {
    const id = await world.charge()
    world.simulator.faults.push({ fault: 'ask_shopper', key: id })
    await world.work()
    world.simulator.act((await stand(id)).providerReference!, true)
    world.clock.advance(4 * SECOND_MS)
    await world.work()
    assert.equal((await stand(id)).status, 'requires_action')
    world.clock.advance(SECOND_MS)
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
  })
})

describe('a call to the provider', () => {
  /** A provider that records its calls and passes them to the simulator. */
  function recorded(more: Partial<PaymentProvider> = {}) {
    const calls: ProviderCall[] = []
    const [simulator] = world.providers as [PaymentProvider]
    const record = (step: 'authorize' | 'capture' | 'refund') => (call: ProviderCall) => {
      calls.push(call)
      return simulator[step](call)
    }
    const steps = { authorize: record('authorize'), capture: record('capture'), refund: record('refund') }
    return { calls, payments: world.another([{ ...simulator, ...steps, ...more }]) }
  }

  test('carries the provider’s own reference once it is known, and that of the charge with a refund', async () => {
    const { calls, payments } = recorded()
    const charge = await world.charge()
    await payments.advance(charge)
    const refund = await world.refund(charge)
    await payments.advance(refund)
    const { providerReference } = await stand(charge)
    const [authorize, capture, refunded] = calls as [ProviderCall, ProviderCall, ProviderCall]
    assert.deepEqual([authorize.reference, authorize.chargeReference], [null, null])
    assert.match(capture.reference!, /^sim_/)
    assert.deepEqual([refunded.reference, refunded.chargeReference], [null, providerReference])
  })

  test('carries the order only if the provider needs it', async () => {
    const order = { sessionId: 'cks_1', locale: 'en', email: null, phone: null, lines: [], stores: [] }
    const paid = { ...order, shippingAddress: null, billingAddress: null }
    world.outcome.orderOf = async () => paid
    const [plain, asking] = [recorded(), recorded({ needsOrder: true })]
    await plain.payments.advance(await world.charge())
    await asking.payments.advance(await world.charge())
    assert.deepEqual([plain.calls[0]!.order, asking.calls[0]!.order], [null, paid])
  })
})

describe('a shopper who returns without having paid', () => {
  const returned = async (id: string) => {
    const intent = await stand(id)
    const { returnPath, abandonPath } = await callOf(id)
    assert.equal(abandonPath, `${returnPath}&abandoned=true`)
    const { searchParams } = new URL(abandonPath, 'https://pages.example')
    assert.equal(await world.payments.returnOf(id, searchParams.get('key')!, true), intent.returnUrl)
    return stand(id)
  }
  const callOf = async (id: string) => {
    let seen: ProviderCall | undefined
    const lookup = async (call: ProviderCall) => {
      seen = call
      return { kind: 'action_required', reference: call.reference!, url: 'https://bank.example' } as const
    }
    await world.another([{ ...world.providers[0]!, lookup }]).reconcileNow(id)
    return seen!
  }

  test('gets the charge voided, and can pay with another method', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    await world.payments.advance(id)
    assert.equal((await returned(id)).status, 'canceled')
  })

  test('has paid if the provider reports it', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    const { providerReference } = await world.payments.advance(id)
    const { abandonPath } = await callOf(id)
    world.simulator.act(providerReference!, true)
    await world.payments.reconcileNow(id)
    const { searchParams } = new URL(abandonPath, 'https://pages.example')
    await world.payments.returnOf(id, searchParams.get('key')!, true)
    assert.equal((await stand(id)).status, 'succeeded')
  })
})

describe('a charge that its caller sends', () => {
  test('is submitted and stored before it is sent, and reported once; its job is gone', async () => {
    const claim = await world.leasedCharge()
    const { id } = claim.intent
    const { intent, attempts } = (await paymentHistory(world.database.reader, id))!
    assert.deepEqual([intent, attempts.map(({ step }) => step)], [claim.intent, ['authorize']])
    assert.deepEqual(world.requests, [])

    assert.equal((await world.payments.send(claim)).status, 'succeeded')
    assert.deepEqual(world.requests, [`send ${id}:authorize`, `send ${id}:capture`, `look ${id}:capture`])
    assert.deepEqual(world.settled, [{ id, status: 'succeeded' }])
    assert.deepEqual(await world.database.reader.rows(jobs, [id]), [])
  })

  test('is not sent by other callers during its lease', async () => {
    const claim = await world.leasedCharge()
    world.clock.advance(2 * SECOND_MS)
    assert.equal((await world.another().advance(claim.intent.id)).status, 'submitted')
    await world.work()
    assert.deepEqual(world.requests, [])
    assert.equal((await world.payments.send(claim)).status, 'succeeded')
  })

  test('is looked up and sent by its job if its caller does not finish', async () => {
    const { id } = (await world.leasedCharge()).intent
    await world.work()
    world.clock.advance(HOUR_MS)
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
    assert.deepEqual(world.requests.slice(0, 2), [`look ${id}:authorize`, `send ${id}:authorize`])
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })

  test('is looked up a second after its connection was dropped, like any other', async () => {
    misbehave('effect_without_answer')
    const claim = await world.leasedCharge()
    assert.equal((await world.payments.send(claim)).status, 'unknown')
    world.clock.advance(SECOND_MS)
    await world.work()
    assert.equal((await stand(claim.intent.id)).status, 'succeeded')
  })
})

describe('the answers of the provider', () => {
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
      const id = await world.charge()
      const charge = await world.payments.advance(id)
      assert.deepEqual([charge.status, charge.step], ['unknown', 'authorize'])
      assert.deepEqual(charge.dueAt, new Date(world.clock.now().getTime() + SECOND_MS))

      assert.equal((await world.payments.advance(id)).status, 'unknown', 'no lookup before it is due')
      assert.equal((await requestReconciliation(id)).status, 'succeeded')
      const again = effect === 'effect' ? [] : [`send ${id}:authorize`]
      assert.deepEqual(world.requests.slice(0, 2 + again.length), [
        `send ${id}:authorize`,
        `look ${id}:authorize`,
        ...again,
      ])
      for (const { act } of world.later) act()
      assert.deepEqual(world.booked(id), ['authorize', 'capture'])
    })

    test(`${fault}: a capture is unknown, and in the end there is one`, async () => {
      world.simulator.faults.push({ fault, operation: 'capture', delayMs: 1 })
      const id = await world.charge()
      assert.equal((await world.payments.advance(id)).status, 'unknown')
      assert.equal((await requestReconciliation(id)).status, 'succeeded')
      for (const { act } of world.later) act()
      assert.deepEqual(world.booked(id), ['authorize', 'capture'])
    })
  }

  test('an answer without an effect does not count: only the provider’s books do', async () => {
    world.simulator.faults.push({ fault: 'answer_without_effect', operation: 'capture' })
    const id = await world.charge()
    assert.equal((await world.payments.advance(id)).status, 'unknown')
    assert.deepEqual(world.booked(id), ['authorize'])
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })

  test('a false authorization is detected by its capture, and sent again', async () => {
    misbehave('answer_without_effect')
    const id = await world.charge()
    const charge = await world.payments.advance(id)
    assert.deepEqual([charge.status, charge.step], ['unknown', 'authorize'])
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })

  test('a dead provider leaves the charge unknown, is called at growing intervals, and nothing is lost', async () => {
    world.simulator.mode = { ...world.simulator.mode, dead: true }
    const id = await world.charge()
    await world.work()
    const waits: number[] = []
    for (let lookups = 0; lookups < 14; lookups += 1) {
      const { status, dueAt } = await stand(id)
      assert.equal(status, 'unknown')
      const wait = dueAt!.getTime() - world.clock.now().getTime()
      waits.push(wait / SECOND_MS)
      world.clock.advance(wait)
      await world.work()
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600])

    world.simulator.mode = { ...world.simulator.mode, dead: false }
    world.clock.advance(HOUR_MS)
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })
})

describe('a charge with a requested void', () => {
  test('is canceled if nothing was sent', async () => {
    const id = await world.charge()
    assert.equal((await voided(id)).status, 'canceled')
    assert.equal((await world.payments.advance(id)).status, 'canceled')
    assert.deepEqual([world.requests, world.booked(id)], [[], []])
  })

  test('is voided while it waits for the shopper, and a later approval has no effect', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    const { providerReference } = await world.payments.advance(id)
    assert.equal((await voided(id)).status, 'requires_action')
    assert.equal((await world.payments.advance(id)).status, 'canceled')
    assert.equal(world.simulator.act(providerReference!, true), null)
    assert.deepEqual(world.booked(id), ['void'])
    assert.deepEqual(world.settled.at(-1), { id, status: 'canceled' })
  })

  test('stays unknown until the provider answers, and is voided then', async () => {
    misbehave('effect_without_answer')
    const id = await world.charge()
    await world.payments.advance(id)
    assert.deepEqual([(await voided(id)).status, (await stand(id)).voidRequested], ['unknown', true])
    assert.equal((await world.payments.advance(id)).status, 'canceled')
    assert.deepEqual(world.booked(id), ['authorize', 'void'])
  })

  test('that never arrived is voided too, so that it is declined if it arrives later', async () => {
    misbehave('late_effect')
    const id = await world.charge()
    await world.payments.advance(id)
    await voided(id)
    assert.equal((await requestReconciliation(id)).status, 'canceled')
    for (const { act } of world.later) act()
    assert.deepEqual(world.booked(id), ['void'])
  })

  test('succeeds if its capture was in progress, and reports the success', async () => {
    world.simulator.faults.push({ fault: 'effect_without_answer', operation: 'capture' })
    const id = await world.charge()
    await world.payments.advance(id)
    await voided(id)
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(world.settled.at(-1), { id, status: 'succeeded' })
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })

  test('succeeds if its capture overtook the void', async () => {
    world.simulator.faults.push({ fault: 'late_effect', operation: 'capture' })
    const id = await world.charge()
    await world.payments.advance(id)
    await voided(id)
    world.simulator.faults.push({ fault: 'no_effect_no_answer', operation: 'void' })
    assert.equal((await requestReconciliation(id)).status, 'unknown')
    for (const { act } of world.later) act()
    await requestReconciliation(id)
    assert.equal((await requestReconciliation(id)).status, 'succeeded')
    assert.deepEqual(world.booked(id), ['authorize', 'capture'])
  })
})

describe('a refund', () => {
  async function charged(): Promise<string> {
    const id = await world.charge()
    await world.payments.advance(id)
    return id
  }

  test('pays the requested amount, which the charge records', async () => {
    const charge = await charged()
    const refund = await world.refund(charge, { amount: 4000n })
    assert.equal((await stand(charge)).refundRequested, 4000n)
    assert.equal((await world.payments.advance(refund)).status, 'succeeded')
    assert.deepEqual(world.booked(charge), ['authorize', 'capture', 'refund'])
    assert.equal(world.simulator.bank.books(`${charge}:authorize`)[2]?.amount, '4000')
  })

  test('is one per subject, however often it is requested', async () => {
    const charge = await charged()
    const refund = { subjectId: 'can_same', amount: 100n }
    const [one, other] = await Promise.all([world.refund(charge, refund), world.refund(charge, refund)])
    assert.equal(one, other)
    assert.equal((await stand(charge)).refundRequested, 100n)
  })

  test('never exceeds the charge together with earlier ones, also concurrently', async () => {
    const charge = await charged()
    const asked = await Promise.allSettled([1, 2, 3].map(() => world.refund(charge, { amount: EURO / 2n })))
    assert.deepEqual(asked.map(({ status }) => status).sort(), ['fulfilled', 'fulfilled', 'rejected'])
    assert.equal((await stand(charge)).refundRequested, EURO)
  })

  test('beyond the charge is rejected by the database as well', async () => {
    const charge = await charged()
    const beyond = statement('test.beyond', 'update payment_intents set refund_asked = amount + 1 where id = $1')
    await assert.rejects(
      world.database.transaction(async (tx) => tx.write(beyond, [charge])),
      { constraint: 'payment_intents_refunds' },
    )
  })

  test('that is declined releases its amount', async () => {
    const charge = await charged()
    world.simulator.faults.push({ fault: 'decline', operation: 'refund' })
    const refund = await world.refund(charge, { subjectId: 'can_refused' })
    assert.equal((await world.payments.advance(refund)).status, 'failed')
    assert.equal((await stand(charge)).refundRequested, 0n)
    const again = await world.refund(charge, { subjectId: 'can_refused' })
    assert.equal((await world.payments.advance(again)).status, 'succeeded')
  })

  for (const fault of ['effect_without_answer', 'error_with_effect', 'answer_without_effect', 'late_effect'] as const) {
    test(`${fault}: is unknown, and in the end there is one`, async () => {
      const charge = await charged()
      world.simulator.faults.push({ fault, operation: 'refund', delayMs: 1 })
      const refund = await world.refund(charge)
      assert.equal((await world.payments.advance(refund)).status, 'unknown')
      assert.equal((await requestReconciliation(refund)).status, 'succeeded')
      for (const { act } of world.later) act()
      assert.deepEqual(world.booked(charge), ['authorize', 'capture', 'refund'])
    })
  }
})

describe('a manual payment', () => {
  test('waits for an operator to confirm that the money was received', async () => {
    const id = await world.charge({ provider: 'manual' })
    const waiting = await world.payments.advance(id)
    assert.deepEqual([waiting.status, waiting.nextActionUrl, waiting.dueAt], ['requires_action', null, null])
    const paid = await world.payments.confirmManual(id, { isDone: true })
    assert.equal(paid.status, 'succeeded')
    assert.deepEqual(world.settled.at(-1), { id, status: 'succeeded' })
  })

  test('fails if the operator records that nothing will be received', async () => {
    const id = await world.charge({ provider: 'manual' })
    await world.payments.advance(id)
    const { status, failureCode } = await world.payments.confirmManual(id, { isDone: false })
    assert.deepEqual([status, failureCode], ['failed', 'not_received'])
  })

  test('is confirmed once, by the first operator', async () => {
    const id = await world.charge({ provider: 'manual' })
    await world.payments.advance(id)
    const confirmations = [true, false].map((isDone) => world.payments.confirmManual(id, { isDone }))
    const ended = await Promise.allSettled(confirmations)
    assert.deepEqual(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test('is refunded when the operator has paid it', async () => {
    const id = await world.charge({ provider: 'manual' })
    await world.payments.advance(id)
    await world.payments.confirmManual(id, { isDone: true })
    const refund = await world.refund(id)
    assert.equal((await world.payments.advance(refund)).status, 'requires_action')
    assert.equal((await world.payments.confirmManual(refund, { isDone: true })).status, 'succeeded')
  })

  test('is canceled at once by a requested void', async () => {
    const id = await world.charge({ provider: 'manual' })
    await world.payments.advance(id)
    await voided(id)
    await world.work()
    assert.equal((await stand(id)).status, 'canceled')
  })

  test('cannot be confirmed if it is simulated or unknown', async () => {
    const id = await world.charge()
    await assert.rejects(world.payments.confirmManual(id, { isDone: true }), { code: 'not_found' })
    await assert.rejects(world.payments.confirmManual('pay_none', { isDone: true }), { code: 'not_found' })
  })
})

describe('a notification', () => {
  async function waiting(): Promise<string> {
    misbehave('ask_shopper')
    const id = await world.charge()
    const { providerReference } = await world.payments.advance(id)
    world.simulator.act(providerReference!, true)
    return id
  }

  test('triggers a lookup by a worker', async () => {
    const id = await waiting()
    const [notification] = world.notifications
    assert.equal(await world.payments.receiveNotification('simulator', world.notification(notification!)), 'taken')
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
  })

  test('counts once, however often it arrives, also concurrently and late', async () => {
    const id = await waiting()
    const [notification] = world.notifications
    const send = () => world.payments.receiveNotification('simulator', world.notification(notification!))
    assert.deepEqual(await Promise.all([send(), send(), send()]), ['taken', 'taken', 'taken'])
    await world.work()
    world.requests.length = 0
    assert.equal(await send(), 'taken')
    await world.work()
    const asked = world.requests.filter((request) => request.includes(id))
    assert.deepEqual([asked, world.booked(id)], [[], ['authorize', 'capture']])
  })

  test('is never trusted: without the books it changes nothing', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    await world.payments.advance(id)
    const lie = world.notification({ id: 'a lie', key: `${id}:authorize` })
    assert.equal(await world.payments.receiveNotification('simulator', lie), 'taken')
    await world.work()
    assert.equal((await stand(id)).status, 'requires_action')
  })

  test('that is forged, old, or sent to another or an unknown provider is rejected', async () => {
    const id = await waiting()
    const notification = world.notifications[0]!
    assert.equal(
      await world.payments.receiveNotification('simulator', world.notification(notification, 'guessed')),
      'forged',
    )
    assert.equal(
      await world.payments.receiveNotification('simulator', { headers: {}, body: Buffer.from('{}') }),
      'forged',
    )
    assert.equal(await world.payments.receiveNotification('manual', world.notification(notification)), 'forged')
    assert.equal(
      await world.payments.receiveNotification('missing', world.notification(notification)),
      'unknown_provider',
    )
    const old = world.notification(notification)
    world.clock.advance(301 * SECOND_MS)
    assert.equal(await world.payments.receiveNotification('simulator', old), 'forged')
    assert.equal((await stand(id)).status, 'requires_action')
  })

  test('of an unknown payment is answered and dropped', async () => {
    const elsewhere = world.notification({ id: 'x', key: 'pay_elsewhere:authorize' })
    assert.equal(await world.payments.receiveNotification('simulator', elsewhere), 'taken')
  })

  test('that arrives during a lookup triggers another one', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    const { providerReference } = await world.payments.advance(id)
    world.clock.advance(HOUR_MS)
    let lookups = 0
    const looking = world.another([
      {
        ...world.providers[0]!,
        async lookup(call) {
          lookups += 1
          if (lookups > 1) return world.providers[0]!.lookup(call)
          world.simulator.act(providerReference!, true)
          await world.payments.receiveNotification('simulator', world.notification(world.notifications[0]!))
          return { kind: 'unknown', detail: 'dropped' }
        },
      },
    ])
    assert.equal((await looking.advance(id)).status, 'succeeded')
  })
})

describe('concurrent callers', () => {
  test('ask the provider once, in one process and in several', async () => {
    const id = await world.charge()
    const others = [world.payments, world.payments, world.another(), world.another(), world.another()]
    await Promise.all(others.map((payments) => payments.advance(id)))
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
    const asked = world.requests.filter((request) => request.includes(id))
    assert.deepEqual(asked, [`send ${id}:authorize`, `send ${id}:capture`, `look ${id}:capture`])
  })

  test('ignore an answer that arrives after another caller took over', async () => {
    const id = await world.charge()
    const slow = world.another([
      {
        ...world.providers[0]!,
        async authorize() {
          // The call took so long that its lease ended, and another process has looked it up and sent it again.
          world.clock.advance(HOUR_MS)
          await world.payments.advance(id)
          return { kind: 'declined', code: 'too_late' }
        },
      },
    ])
    assert.equal((await slow.advance(id)).status, 'succeeded')
    assert.deepEqual([(await stand(id)).status, world.booked(id)], ['succeeded', ['authorize', 'capture']])
  })
})

describe('payment methods', () => {
  const offered = (environment: 'test' | 'live') =>
    world.payments.methodsFor(environment, 'EUR').map(({ provider, kind }) => [provider, kind])

  test('in test are the simulator and manual', () =>
    assert.deepEqual(offered('test'), [
      ['simulator', 'card'],
      ['manual', 'manual'],
    ]))

  test('follow the order that the operator sets, and providers without a place in it come last', () => {
    const settings = {
      pagesUrl: 'https://pages.example',
      simulator: { url: 'http://127.0.0.1:9', secret: 'a secret of the simulator' },
      stripe: {
        keys: { test: 'sk_test_1', live: null },
        webhookSecrets: { test: null, live: null },
        capture: { test: 'separate', live: 'separate' } as const,
        currencies: null,
        storeIds: null,
        apiUrl: null,
        timeoutMs: 1000,
      },
      transfers: { accounts: { test: null, live: null }, currencies: null },
    }
    const names = (order: readonly ('stripe' | 'simulator' | 'manual')[]) =>
      paymentProviders({ ...settings, order }).map(({ name }) => name)
    assert.deepEqual(
      [names([]), names(['manual'])],
      [
        ['stripe', 'simulator', 'manual'],
        ['manual', 'stripe', 'simulator'],
      ],
    )
  })

  test('in live never include the simulator', () => assert.deepEqual(offered('live'), [['manual', 'manual']]))
})

// Last, because these are looked up endlessly.
describe('another amount than requested', () => {
  const misstate = (operation: 'authorize' | 'capture' | 'refund') =>
    world.simulator.faults.push({ fault: 'other_amount', operation })
  /** Asserts that the intent is looked up again, and that its last attempt has the reason. */
  async function assertUnresolved(id: string) {
    assert.equal((await stand(id)).status, 'unknown')
    const settled = world.settled.filter((each) => each.id === id)
    assert.ok(settled.every(({ status }) => status !== 'succeeded' && status !== 'failed'))
    assert.equal((await requestReconciliation(id)).status, 'unknown')
    const { attempts } = (await paymentHistory(world.database.reader, id))!
    const [{ answer, detail }] = attempts as [(typeof attempts)[0]]
    assert.equal(answer, 'mismatched')
    assert.match(detail ?? '', /^\d+ EUR in minor units, not \d+ EUR; reference sim_/)
  }

  for (const operation of ['authorize', 'capture'] as const) {
    test(`at ${operation} is neither a success nor a failure: the outcome is unknown, and an operator sees why`, async () => {
      misstate(operation)
      const id = await world.charge()
      await world.payments.advance(id)
      await assertUnresolved(id)
    })
  }

  test('after the approval of the shopper is unknown as well', async () => {
    misbehave('ask_shopper')
    const id = await world.charge()
    const { providerReference } = await world.payments.advance(id)
    world.simulator.act(providerReference!, true)
    misstate('capture')
    await world.payments.reconcileNow(id)
    await assertUnresolved(id)
  })

  test('in the lookup of an action is unknown, and looked up again', () => {
    const now = new Date()
    const facts = { id: 'pay_1', kind: 'charge', amount: 100n, currency: 'EUR', step: 'authorize' } as NewIntent
    const waiting = { ...createdIntent(facts, now), status: 'requires_action' as const, dueAt: null }
    const answer = checkedAnswer(waiting, { kind: 'done', reference: 'sim_1', amount: 100n, currency: 'USD' })
    const after = answered(waiting, answer, { now, leaseMs: 1, pollsForActions: true })
    assert.deepEqual([after.status, after.nextActionUrl, after.providerReference], ['unknown', null, 'sim_1'])
    assert.ok(after.dueAt! > now)
  })

  test('at a refund leaves it unknown, and its amount requested', async () => {
    const charge = await world.charge()
    await world.payments.advance(charge)
    misstate('refund')
    const refund = await world.refund(charge, { amount: 100n })
    await world.payments.advance(refund)
    await assertUnresolved(refund)
    assert.equal((await stand(charge)).refundRequested, 100n)
  })
})
