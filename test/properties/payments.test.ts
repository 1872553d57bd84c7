import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type Intent, intentOf, requestVoid } from '../../server/src/features/payments/index.ts'
import { FAULTS, type Fault, type FaultKind } from '../../server/src/features/payments/providers/simulator/faults.ts'
import { EURO, type PaymentDeps, paymentsWorld } from '../support/commerce/payments.ts'
import { runsOf } from '../support/runs.ts'

/**
 * Under arbitrary provider faults and concurrent requests: at most one capture per charge, never more refunded than
 * charged, and once settled our rows match the provider's books.
 */

const SCENARIOS = runsOf({ full: 2000, short: 160 })
/** Scenarios of one run share a world and run concurrently. */
const AT_ONCE = 20
const HOUR_MS = 3_600_000

const operations = ['authorize', 'capture', 'void', 'refund', 'lookup'] as const
/** Another amount is never settled: see payments.test.ts of the feature. */
const kinds = (Object.keys(FAULTS) as FaultKind[]).filter((kind) => kind !== 'other_amount')
const anyFault = fc.record({ fault: fc.constantFrom(...kinds), operation: fc.constantFrom(...operations) })
/**
 * Combinations of faults, and the shopper's approval, which would rarely occur by chance. With them every seed reaches each
 * state often enough: without the approval, one run in ten had too few of `requires_action`.
 */
const unlucky = fc.constantFrom<readonly Fault[]>(
  [
    { fault: 'late_effect', operation: 'capture' },
    { fault: 'no_effect_no_answer', operation: 'void' },
  ],
  [
    { fault: 'late_effect', operation: 'authorize' },
    { fault: 'effect_without_answer', operation: 'void' },
  ],
  [{ fault: 'decline', operation: 'refund' }],
  [{ fault: 'ask_shopper', operation: 'authorize' }],
)
const faults = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyFault, { maxLength: 4 }) },
  { weight: 1, arbitrary: unlucky },
)

/** What can happen during a payment. */
type Event =
  | 'advance'
  | 'advance elsewhere'
  | 'wait'
  | 'approve'
  | 'refuse'
  | 'void'
  | 'late effect'
  | 'notify'
  | 'refund'
const event = fc.oneof(
  { weight: 3, arbitrary: fc.constant('advance' as const) },
  { weight: 2, arbitrary: fc.constant('advance elsewhere' as const) },
  { weight: 2, arbitrary: fc.constant('wait' as const) },
  { weight: 1, arbitrary: fc.constant('approve' as const) },
  { weight: 1, arbitrary: fc.constant('refuse' as const) },
  { weight: 1, arbitrary: fc.constant('void' as const) },
  { weight: 2, arbitrary: fc.constant('late effect' as const) },
  { weight: 2, arbitrary: fc.constant('notify' as const) },
  { weight: 1, arbitrary: fc.constant('refund' as const) },
)
const scenario = fc.record({
  faults,
  copies: fc.integer({ min: 0, max: 3 }),
  events: fc.oneof(
    { weight: 4, arbitrary: fc.array(event, { minLength: 1, maxLength: 6 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<readonly Event[]>(
        ['advance', 'void', 'wait', 'advance', 'late effect', 'wait', 'advance elsewhere'],
        ['advance', 'refund', 'advance', 'refund', 'advance elsewhere'],
      ),
    },
  ),
})
interface Scenario {
  readonly faults: readonly Fault[]
  readonly copies: number
  readonly events: readonly Event[]
}

let world: PaymentDeps
let elsewhere: ReturnType<PaymentDeps['another']>
before(async () => {
  world = await paymentsWorld()
  elsewhere = world.another()
  world.simulator.mode = { ...world.simulator.mode, notifiesAll: true }
})

/** Counts intents by state, to assert that the scenarios cover them. */
const seen = new Map<string, number>()

const stand = async (id: string) => (await intentOf(world.database.reader, id)) as Intent

/** A payment and its refunds. */
async function live({ faults, events, copies }: Scenario, delayMs: number): Promise<readonly string[]> {
  const id = await world.charge()
  const isMine = (late: { readonly afterMs: number }) => late.afterMs === delayMs
  world.simulator.faults.push(...faults.map((each) => ({ ...each, key: id, delayMs })))
  const intents = [id]
  for (const what of events) {
    const latest = intents.at(-1) as string
    if (what === 'advance') await world.payments.advance(latest)
    if (what === 'advance elsewhere') {
      await Promise.all([world.payments.advance(latest), elsewhere.advance(latest), elsewhere.advance(id)])
    }
    if (what === 'wait') world.clock.advance(HOUR_MS)
    if (what === 'late effect') for (const { act } of world.later.filter(isMine)) act()
    if (what === 'approve' || what === 'refuse') {
      const { providerReference } = await stand(id)
      if (providerReference) world.simulator.act(providerReference, what === 'approve')
    }
    if (what === 'void') await world.database.transaction((tx) => requestVoid(tx, id, world.context()))
    if (what === 'notify') {
      const pending = world.notifications.filter(({ key }) => key.startsWith(id))
      const sent = Array.from({ length: copies }, () => pending).flat()
      await Promise.all(sent.map((each) => world.payments.receiveNotification('simulator', world.notification(each))))
    }
    if (what === 'refund' && (await stand(id)).status === 'succeeded') {
      const asked = await world.refund(id, { amount: EURO / 3n }).catch(() => null)
      if (asked !== null) {
        intents.push(asked)
        world.simulator.faults.push(...faults.map((each) => ({ ...each, key: asked, delayMs })))
      }
    }
    if (what.startsWith('advance')) await noGuess(intents)
  }
  return intents
}

/** An intent fails or is canceled only if the provider reported it. */
async function noGuess(intents: readonly string[]): Promise<void> {
  for (const { id, status, step } of await Promise.all(intents.map(stand))) {
    seen.set(status, (seen.get(status) ?? 0) + 1)
    const books = world.simulator.bank.lookup(`${id}:${step}`)
    if (status === 'failed') assert.equal(books?.status, 'declined', `${id} has failed without a report`)
    if (status === 'succeeded')
      assert(books && !['declined', 'action_required'].includes(books.status), `${id} was done`)
  }
}

/** Settles everything: the provider recovers, time passes, the shopper approves. */
async function settle(intents: readonly string[]): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) {
    let isOpen = false
    for (const id of intents) {
      if ((await stand(id)).endedAt !== null) continue
      const intent = await elsewhere.advance(id)
      if (intent.status === 'requires_action') world.simulator.act(intent.providerReference as string, true)
      isOpen ||= intent.endedAt === null
    }
    if (!isOpen) return
    world.clock.advance(HOUR_MS)
  }
}

async function agree([chargeId = '', ...refunds]: readonly string[]): Promise<void> {
  const charge = await stand(chargeId)
  const entries = world.simulator.bank.books(`${chargeId}:authorize`)
  const amountsOf = (operation: string) =>
    entries.filter((entry) => entry.operation === operation).map(({ amount }) => BigInt(amount))
  const captures = amountsOf('capture')

  assert(charge.endedAt, `${chargeId} has come to its end`)
  assert.deepEqual(captures, charge.status === 'succeeded' ? [charge.amount] : [], `${chargeId} is ${charge.status}`)
  const ended = await Promise.all(refunds.map(stand))
  const given = ended.filter(({ status }) => status === 'succeeded')
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)
  assert(ended.every(({ status }) => status === 'succeeded' || status === 'failed'))
  assert.equal(amountsOf('refund').length, given.length)
  assert.equal(sum(amountsOf('refund')), sum(given.map(({ amount }) => amount)))
  assert.equal(charge.refundRequested, sum(given.map(({ amount }) => amount)))
  assert(charge.refundRequested <= charge.amount)
}

/** With this seed every state is reached; another seed only finds faults. */
const COVERING_SEED = 1

describe('payments', () => {
  test(`agree with the provider's books in ${SCENARIOS} scenarios of faults, notifications and concurrency`, async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
    process.stdout.write(`seed ${seed}\n`)
    let lived = 0
    const property = fc.asyncProperty(
      fc.array(scenario, { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (scenarios) => {
        const intents = await Promise.all(scenarios.map(live))
        for (const { act } of world.later.splice(0)) act()
        world.simulator.faults.length = 0
        await Promise.all(intents.map(settle))
        await Promise.all(intents.map(agree))
        world.notifications.length = 0
        lived += scenarios.length
      },
    )
    const numRuns = SCENARIOS / AT_ONCE / 2
    await fc.assert(property, { numRuns, seed: COVERING_SEED })
    const states = ['requires_action', 'succeeded', 'failed', 'canceled', 'unknown']
    for (const state of states) assert((seen.get(state) ?? 0) > SCENARIOS / 100, `${state}: ${seen.get(state)} times`)
    await fc.assert(property, { numRuns, seed })
    assert.equal(lived, SCENARIOS)
  })
})
