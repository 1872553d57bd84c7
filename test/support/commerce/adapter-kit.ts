import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  amountTaken,
  type Intent,
  intentOf,
  type NotificationRequest,
  type PaymentProvider,
  type Payments,
  paymentHistory,
  requestVoid,
} from '../../../server/src/features/payments/index.ts'
import type { Fault, FaultKind } from '../../../server/src/features/payments/providers/simulator/faults.ts'
import { statement } from '../../../server/src/platform/postgres/statement.ts'
import { runsOf } from '../runs.ts'
import { EURO, type PaymentDeps } from './payments.ts'

/** A movement in the provider's books. */
export interface Movement {
  readonly operation: string
  readonly amount: bigint
}

/** The provider as the kit uses it: ways to inject faults, and its books. */
export interface AdapterUnderTest {
  readonly world: PaymentDeps
  readonly provider: PaymentProvider
  /** The faults that can be injected. */
  readonly faults: readonly FaultKind[]
  misbehave(fault: Fault): void
  behave(): void
  /** Runs delayed effects. */
  arrive(): void
  /** The shopper approves the requested action, if there is one. */
  approve(intent: Intent): void | Promise<void>
  movements(chargeId: string): readonly Movement[] | Promise<readonly Movement[]>
  /** A genuine notification about an intent. Absent if the provider sends none. */
  notification?(intent: Intent, id: string): NotificationRequest
  /** Forged notifications: another secret, another body, an old time. */
  forgeries(intent: Intent): readonly NotificationRequest[]
  /** Whether operators see that another amount was moved. Absent if the history of the payment shows it. */
  showsOtherAmount?(intent: Intent): Promise<boolean>
}

const HOUR_MS = 3_600_000
/** Longer than an authorization is valid. */
const HOURS_MAX = 24 * 8
const notificationsOf = statement<{ readonly count: bigint }>(
  'test.notifications_of',
  'select count(*) as count from payment_notifications where intent_id = $1',
)
type KitStep = 'authorize' | 'capture' | 'refund'
const SCENARIOS = runsOf({ full: 2000, short: 40 })
const AT_ONCE = 20

/**
 * The tests that every adapter has to pass, through `Payments` and checked in its books: faults, crashes, amounts, refunds and
 * notifications.
 *
 * @param steps the steps that the adapter sends
 * @param amounts the steps whose answer has an amount
 */
export function adapterKit(
  name: string,
  steps: readonly KitStep[],
  start: () => Promise<AdapterUnderTest>,
  amounts: readonly KitStep[] = steps,
): void {
  describe(`the adapter of ${name}`, () => {
    let under: AdapterUnderTest
    let kit: Kit
    before(async () => {
      under = await start()
      kit = new Kit(under)
    })
    beforeEach(() => under.behave())

    test('charges once, with the requested amount, and stores the provider’s reference', async () => {
      const id = await kit.charge()
      const charge = await kit.settled(id)
      assert.deepEqual([charge.status, await kit.captures(id)], ['succeeded', [EURO]])
      assert.ok(charge.providerReference)
    })

    test('voids an unpaid charge, and one that was not sent yet', async () => {
      const id = await kit.charge()
      await kit.void(id)
      assert.equal((await kit.settled(id)).status, 'canceled')
      under.misbehave({ fault: 'no_effect_no_answer', operation: 'authorize' })
      const lost = await kit.charge()
      await kit.advance(lost)
      await kit.void(lost)
      assert.equal((await kit.settled(lost)).status, 'canceled')
      assert.deepEqual([...(await kit.captures(id)), ...(await kit.captures(lost))], [])
    })

    test('either voids a charge that is paid between two attempts to void it, or reports it as paid', async () => {
      const id = await kit.charge()
      await kit.advance(id)
      under.misbehave({ fault: 'error_without_effect', operation: 'void' })
      await kit.void(id)
      await kit.advance(id)
      await under.approve(await kit.intent(id))
      const { status } = await kit.settled(id)
      assert.equal((await kit.captures(id)).length, status === 'succeeded' ? 1 : 0, status)
    })

    test('makes each partial refund once, and never refunds more than the charge', async () => {
      const id = await kit.paid()
      const parts = [EURO / 4n, EURO / 2n]
      for (const amount of parts) await kit.settled(await under.world.refund(id, { amount }))
      await assert.rejects(under.world.refund(id, { amount: EURO / 2n }), /no more is refunded/)
      assert.deepEqual(await kit.amounts(id, 'refund'), parts)
    })

    test('reports why a refund was declined, and can refund the amount later', async () => {
      const id = await kit.paid()
      under.misbehave({ fault: 'decline', operation: 'refund' })
      const declined = await kit.settled(await under.world.refund(id))
      assert.equal(declined.status, 'failed')
      assert.ok(declined.failureCode)
      assert.equal((await kit.settled(await under.world.refund(id))).status, 'succeeded')
      assert.deepEqual(await kit.amounts(id, 'refund'), [EURO])
    })

    if (steps.includes('capture')) {
      test('captures the requested amount once, whatever happens to the answer, and never refunds more', async () => {
        for (const fault of [null, ...under.faults.filter((each) => !ENDS.includes(each))]) {
          const id = await kit.authorized()
          if (fault !== null) under.misbehave({ fault, operation: 'capture' })
          await under.world.payments.capture(id, EURO / 2n)
          under.arrive()
          assert.equal((await kit.settled(id)).status, 'succeeded', String(fault))
          for (const amount of [EURO / 4n, EURO / 4n]) await kit.settled(await under.world.refund(id, { amount }))
          await assert.rejects(under.world.refund(id, { amount: 1n }), /no more is refunded/)
          const booked = [await kit.captures(id), await kit.amounts(id, 'refund')]
          assert.deepEqual(booked, [[EURO / 2n], [EURO / 4n, EURO / 4n]])
        }
      })

      test('releases an authorization, and captures a forgotten one before it expires', async () => {
        const [released, forgotten] = [await kit.authorized(), await kit.authorized()]
        assert.equal((await under.world.payments.release(released)).status, 'canceled')
        assert.ok((await kit.intent(forgotten)).expiresAt! > under.world.clock.now())
        assert.equal((await kit.settled(forgotten)).status, 'succeeded')
        assert.deepEqual([await kit.captures(released), await kit.captures(forgotten)], [[], [EURO]])
      })
    }

    for (const operation of steps) {
      test(`has one effect whatever happens to the answer of ${operation}, even if the caller died`, async () => {
        for (const fault of under.faults) {
          if (fault === 'decline' || fault === 'bounces' || fault === 'other_amount') continue
          const id = operation === 'refund' ? await kit.paid() : await kit.charge()
          const subject = operation === 'refund' ? await under.world.refund(id) : id
          under.misbehave({ fault, operation })
          await kit.advance(subject)
          under.arrive()
          // Another process takes over with only the stored data.
          assert.equal((await kit.settled(subject)).status, 'succeeded', fault)
          assert.deepEqual(await kit.captures(id), [EURO], fault)
          assert.deepEqual(await kit.amounts(id, 'refund'), operation === 'refund' ? [EURO] : [], fault)
        }
      })

      if (!amounts.includes(operation)) continue
      test(`does not count another amount at ${operation} as success, and records it in the history`, async () => {
        const id = operation === 'refund' ? await kit.paid() : await kit.charge()
        const subject = operation === 'refund' ? await under.world.refund(id) : id
        under.misbehave({ fault: 'other_amount', operation })
        await kit.advance(subject)
        await under.approve(await kit.intent(subject))
        under.world.clock.advance(HOUR_MS)
        const after = await kit.advance(subject)
        assert.equal(after.endedAt, null)
        if (under.showsOtherAmount) return assert.ok(await under.showsOtherAmount(after))
        const { attempts } = (await paymentHistory(under.world.database.reader, subject))!
        assert.equal(after.status, 'unknown')
        assert.ok(attempts.some(({ answer }) => answer === 'mismatched'))
      })
    }

    test('accepts a notification once, even if it is replayed, and refuses forged ones', async () => {
      const id = await kit.charge()
      const waiting = await kit.advance(id)
      for (const forged of under.forgeries(waiting)) {
        assert.equal(await under.world.payments.receiveNotification(under.provider.name, forged), 'forged')
      }
      await under.approve(waiting)
      if (!under.notification) return
      for (let times = 0; times < 3; times += 1) {
        const replay: NotificationRequest = under.notification(waiting, `n-${id}`)
        assert.equal(await under.world.payments.receiveNotification(under.provider.name, replay), 'taken')
      }
      const [row] = await under.world.database.reader.rows(notificationsOf, [id])
      assert.equal(Number(row!.count), 1)
      assert.equal((await kit.settled(id)).status, 'succeeded')
    })

    test(`agrees with the provider’s books in ${SCENARIOS} scenarios with faults`, async () => {
      const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
      process.stdout.write(`seed ${seed}\n`)
      const kinds = under.faults.filter((fault) => fault !== 'other_amount')
      const property = fc.asyncProperty(
        fc.array(scenarioOf(kinds, steps.includes('capture')), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (scenarios) => {
          const lived = await Promise.all(scenarios.map((scenario) => kit.live(scenario)))
          under.arrive()
          under.behave()
          for (const intents of lived) await kit.agrees(intents)
        },
      )
      await fc.assert(property, { numRuns: SCENARIOS / AT_ONCE, seed, endOnFailure: true })
    })
  })
}

/** Faults after which the step fails, or has another amount. */
const ENDS: readonly FaultKind[] = ['decline', 'bounces', 'other_amount']

const EVENTS = [
  'advance',
  'advance twice',
  'wait',
  'approve',
  'void',
  'capture',
  'capture part',
  'late',
  'notify',
  'refund',
] as const
interface Scenario {
  /** Whether the shop captures it. */
  readonly capturesLater: boolean
  readonly faults: readonly Pick<Fault, 'fault' | 'operation'>[]
  readonly events: readonly (typeof EVENTS)[number][]
}

function scenarioOf(kinds: readonly FaultKind[], takesLater: boolean): fc.Arbitrary<Scenario> {
  const operation = fc.constantFrom('authorize' as const, 'capture' as const, 'void' as const, 'refund' as const)
  const write = fc.record({ fault: fc.constantFrom(...kinds), operation })
  const lookups = kinds.filter((kind) => kind === 'error_without_effect' || kind === 'no_effect_no_answer')
  const read = fc.record({ fault: fc.constantFrom(...lookups), operation: fc.constant('lookup' as const) })
  return fc.record({
    capturesLater: takesLater ? fc.boolean() : fc.constant(false),
    faults: fc.array(fc.oneof({ weight: 3, arbitrary: write }, { weight: 1, arbitrary: read }), { maxLength: 4 }),
    events: fc
      .array(fc.constantFrom(...EVENTS), { minLength: 1, maxLength: 7 })
      .map((events) => ['advance', ...events]),
  }) as fc.Arbitrary<Scenario>
}

/** Drives an adapter in a test. */
class Kit {
  readonly #under: AdapterUnderTest
  readonly #elsewhere: Payments

  constructor(under: AdapterUnderTest) {
    this.#under = under
    this.#elsewhere = under.world.another([under.provider])
  }

  charge(capturesLater = false): Promise<string> {
    return this.#under.world.charge({ provider: this.#under.provider.name, capturesLater })
  }

  /** An authorization that waits for the shop. */
  async authorized(): Promise<string> {
    const id = await this.charge(true)
    if ((await this.advance(id)).status === 'requires_action') {
      await this.#under.approve(await this.intent(id))
      await this.#under.world.payments.reconcileNow(id)
    }
    assert.equal((await this.intent(id)).status, 'authorized')
    return id
  }

  advance(id: string): Promise<Intent> {
    return this.#under.world.payments.advance(id)
  }

  async intent(id: string): Promise<Intent> {
    return (await intentOf(this.#under.world.database.reader, id))!
  }

  async paid(): Promise<string> {
    const id = await this.charge()
    assert.equal((await this.settled(id)).status, 'succeeded')
    return id
  }

  async void(id: string): Promise<void> {
    const { database, context } = this.#under.world
    await database.transaction((tx) => requestVoid(tx, id, context()))
  }

  /** Another process settles it: the provider recovers, time passes, the shopper approves. */
  async settled(id: string): Promise<Intent> {
    for (let hour = 0; hour < HOURS_MAX; hour += 1) {
      const intent = await this.#elsewhere.advance(id)
      if (intent.endedAt !== null) return intent
      if (intent.status === 'requires_action') await this.#under.approve(intent)
      this.#under.world.clock.advance(HOUR_MS)
    }
    return assert.fail(`${id} has not come to its end: ${JSON.stringify((await this.intent(id)).status)}`)
  }

  async amounts(chargeId: string, operation: string): Promise<readonly bigint[]> {
    const movements = await this.#under.movements(chargeId)
    return movements.filter((entry) => entry.operation === operation).map(({ amount }) => amount)
  }

  captures(chargeId: string): Promise<readonly bigint[]> {
    return this.amounts(chargeId, 'capture')
  }

  /** Runs a scenario. @returns the charge and its refunds */
  async live({ faults, events, capturesLater }: Scenario): Promise<readonly string[]> {
    const { world } = this.#under
    const id = await this.charge(capturesLater)
    for (const fault of faults) this.#under.misbehave({ ...fault, key: id })
    const intents = [id]
    for (const event of events) {
      const latest = intents.at(-1)!
      if (event === 'advance') await this.advance(latest)
      if (event === 'advance twice') await Promise.all([this.advance(latest), this.#elsewhere.advance(latest)])
      if (event === 'wait') world.clock.advance(HOUR_MS)
      if (event === 'approve') await this.#under.approve(await this.intent(id))
      if (event === 'void') await this.void(id)
      if (event.startsWith('capture') && (await this.intent(id)).status === 'authorized') {
        // Refused if a void or another capture was requested before.
        await world.payments.capture(id, event === 'capture' ? null : EURO / 2n).catch(() => null)
      }
      if (event === 'late') this.#under.arrive()
      if (event === 'notify' && this.#under.notification) {
        const request = this.#under.notification(await this.intent(id), `n-${id}`)
        await world.payments.receiveNotification(this.#under.provider.name, request)
      }
      if (event === 'refund' && (await this.intent(id)).status === 'succeeded') {
        const refund = await world.refund(id, { amount: EURO / 3n }).catch(() => null)
        if (refund === null) continue
        for (const fault of faults) this.#under.misbehave({ ...fault, key: refund })
        intents.push(refund)
      }
    }
    return intents
  }

  /** Settles the intents, and compares them with the provider's books. */
  async agrees([chargeId = '', ...refunds]: readonly string[]): Promise<void> {
    const charge = await this.settled(chargeId)
    const given: bigint[] = []
    for (const id of refunds) {
      const { status, amount } = await this.settled(id)
      if (status === 'succeeded') given.push(amount)
    }
    const expected = charge.status === 'succeeded' ? [amountTaken(charge)] : []
    assert.deepEqual(await this.captures(chargeId), expected, `${chargeId} is ${charge.status}`)
    assert.deepEqual(await this.amounts(chargeId, 'refund'), given, `${chargeId} has its refunds`)
  }
}
