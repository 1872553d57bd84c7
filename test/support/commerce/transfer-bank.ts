import assert from 'node:assert/strict'
import {
  bookStatement,
  type Intent,
  lockTransfer,
  matchStatement,
  type Payments,
  type StatementLine,
  transferReference,
} from '../../../server/src/features/payments/index.ts'
import { type Fault, takeFault } from '../../../server/src/features/payments/providers/simulator/faults.ts'
import type { AdapterUnderTest } from './adapter-kit.ts'
import { paymentsWorld } from './payments.ts'

/**
 * A shop's bank account for tests of transfers: shoppers pay into it, and an operator books its statements and pays back. Its faults are
 * mistakes of people and crashes while booking: money that arrives late or in two parts, statements that are uploaded twice, concurrently
 * or incompletely, and refunds that the bank returns.
 */
export async function transferBank(): Promise<AdapterUnderTest> {
  const world = await paymentsWorld()
  const provider = world.providers.find(({ isManual }) => isManual)!
  const elsewhere = world.another()
  const faults: Fault[] = []
  /** The statement lines on the account, by charge. */
  const received = new Map<string, StatementLine[]>()
  /** The charges with money that no uploaded statement has contained yet. */
  const unreported = new Set<string>()
  const paidBack = new Map<string, bigint[]>()

  const linesOf = (id: string) => received.get(id) ?? []
  const receivedOf = (id: string) => linesOf(id).reduce((sum, { amount }) => sum + amount, 0n)

  const pay = (charge: Intent, amount: bigint) => {
    const lines = linesOf(charge.id)
    received.set(charge.id, [
      ...lines,
      {
        position: lines.length,
        account: null,
        bookedOn: world.clock.now().toISOString().slice(0, 10),
        amount,
        currency: charge.currency,
        payer: 'Ada',
        purpose: `Order ${transferReference(charge)}`,
        bankId: String(lines.length),
      },
    ])
    unreported.add(charge.id)
  }
  const place = () => ({ environment: 'test' as const, now: world.clock.now(), ibansOf: async () => new Map() })
  const read = ({ id }: Intent) => matchStatement(world.database.reader, linesOf(id), place())
  const book = async (payments: Payments, statement: Awaited<ReturnType<typeof read>>, onBooked = () => {}) =>
    bookStatement(payments, statement, place(), onBooked)

  /** The shopper pays the missing amount, and the operator uploads the statement. */
  async function charge(intent: Intent): Promise<void> {
    const fault = takeFault(faults, 'authorize', intent.id)?.fault
    const missing = intent.amount - receivedOf(intent.id)
    if (fault === 'decline' && intent.status === 'requires_action' && !intent.voidRequested) {
      await world.payments.confirmManual(intent.id, { isDone: false })
      return
    }
    // A charge that is already paid is paid again.
    const amount = missing > 0n ? missing : intent.amount
    if (!unreported.has(intent.id)) pay(intent, fault === 'other_amount' || fault === 'delay' ? amount / 2n : amount)
    if (fault === 'late_effect') return
    const statement = await read(intent)
    if (fault === 'no_effect_no_answer') {
      const died = new Error('the process died')
      await assert.rejects(
        book(world.payments, statement, () => {
          throw died
        }),
        died,
      )
      return
    }
    unreported.delete(intent.id)
    if (fault !== 'effect_without_answer') return void (await book(world.payments, statement))
    const booked = await Promise.all([book(world.payments, statement), book(elsewhere, statement)])
    assert.equal(await book(world.payments, await read(intent)), 0)
    assert.ok(booked[0] + booked[1] <= linesOf(intent.id).length)
  }

  /** The operator pays back at the bank, and confirms it. */
  async function refund(intent: Intent): Promise<void> {
    const fault = takeFault(faults, 'refund', intent.id)?.fault
    if (fault === 'no_effect_no_answer' || fault === 'late_effect') return
    const isDone = fault !== 'decline'
    const confirm = (payments: Payments) => payments.confirmManual(intent.id, { isDone })
    const confirmed = await Promise.allSettled(
      fault === 'effect_without_answer' ? [confirm(world.payments), confirm(elsewhere)] : [confirm(world.payments)],
    )
    assert.equal(confirmed.filter(({ status }) => status === 'fulfilled').length, 1)
    if (isDone) paidBack.set(intent.chargeId!, [...(paidBack.get(intent.chargeId!) ?? []), intent.amount])
  }

  return {
    world: { ...world, charge: (changes) => world.charge({ ...changes, provider: provider.name }) },
    provider,
    faults: ['decline', 'delay', 'effect_without_answer', 'no_effect_no_answer', 'late_effect', 'other_amount'],
    misbehave: (fault) => void faults.push(fault),
    behave: () => {
      faults.length = 0
    },
    // Late money is in the next statement.
    arrive: () => {},
    approve: (intent) => (intent.kind === 'charge' ? charge(intent) : refund(intent)),
    /** Checks that everything on the account is booked once, and that money that is not kept is a surplus. */
    async movements(id) {
      const transfer = (await world.database.transaction((tx) => lockTransfer(tx, id)))!
      if (!unreported.has(id)) assert.equal(transfer.received, receivedOf(id))
      const kept = transfer.state === 'paid' ? transfer.received - transfer.surplus : 0n
      if (transfer.state === 'ended') assert.equal(transfer.surplus, transfer.received)
      return [
        ...(kept > 0n ? [{ operation: 'capture', amount: kept }] : []),
        ...(paidBack.get(id) ?? []).map((amount) => ({ operation: 'refund', amount })),
      ]
    },
    forgeries: () => [{ headers: {}, body: Buffer.from('{}') }],
    async showsOtherAmount({ id }) {
      const { received: part, state } = (await world.database.transaction((tx) => lockTransfer(tx, id)))!
      return state === 'waiting' && part > 0n
    },
  }
}
