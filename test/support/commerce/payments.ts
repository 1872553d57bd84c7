import { createInstallation } from '../../../server/src/features/installations/index.ts'
import {
  beginCharge,
  beginLeasedCharge,
  beginRefund,
  type Intent,
  type Lease,
  type NewCharge,
  type NewRefund,
  type PaymentOutcome,
  type PaymentProvider,
  Payments,
  paymentJobs,
} from '../../../server/src/features/payments/index.ts'
import { manualProvider } from '../../../server/src/features/payments/providers/registry.ts'
import { idSource } from '../../../server/src/kernel/ids.ts'
import { JobRunner } from '../../../server/src/platform/jobs/index.ts'
import { logger } from '../../../server/src/platform/observe/logger.ts'
import { type TestClock, testClock } from '../clock.ts'
import { testDatabase } from '../database.ts'
import { testRandomness } from '../randomness.ts'
import { wirelessSimulator } from './wireless-simulator.ts'

export const EURO = 10_000n

export type PaymentDeps = Awaited<ReturnType<typeof paymentsWorld>>

/** Payments on their own database, with a simulator without HTTP. */
export async function paymentsWorld(
  options: {
    readonly providers?: readonly PaymentProvider[]
    readonly clock?: TestClock
    readonly timeoutMs?: number
  } = {},
) {
  const clock = options.clock ?? testClock()
  const randomness = testRandomness()
  const ids = idSource(clock, randomness)
  const log = logger('silent')
  const { database, url } = await testDatabase()
  const { provider, ...wireless } = wirelessSimulator(clock)
  const settled: { readonly id: string; readonly status: Intent['status'] }[] = []
  const outcome: PaymentOutcome = {
    lock:
      async () =>
      async ({ id, status }) =>
        void settled.push({ id, status }),
  }
  const providers = options.providers ?? [provider, manualProvider()]
  const deps = {
    database,
    clock,
    ids,
    log,
    providers,
    outcomes: {
      checkout: outcome,
      cancellation: outcome,
      after_sales: outcome,
      late_success: outcome,
      operator: outcome,
    },
    timeoutMs: options.timeoutMs ?? 1000,
  }
  const payments = new Payments(deps)
  const context = () => ({ ids, now: clock.now() })
  const installationId = await database.transaction((tx) =>
    createInstallation(
      tx,
      { name: 'A shop', storeSlug: undefined, environment: 'test', origins: [], returnUrls: [] },
      context(),
    ),
  )
  let subjects = 0
  const newCharge = (): NewCharge => {
    subjects += 1
    return {
      subjectId: `cks_${subjects}`,
      purpose: 'checkout',
      environment: 'test',
      installationId,
      storeId: null,
      provider: 'simulator',
      amount: EURO,
      currency: 'EUR',
      returnUrl: 'https://pages.example/checkout',
    }
  }

  return {
    clock,
    database,
    url,
    ids,
    log,
    payments,
    ...wireless,
    settled,
    /** The outcome handler of every purpose. A test may replace its parts. */
    outcome,
    context,
    /** Another process on the same database. */
    another: (others = providers, connected = database) =>
      new Payments({ ...deps, providers: others, database: connected }),
    providers,
    charge(changes: Partial<NewCharge> = {}): Promise<string> {
      return database.transaction(async (tx) => beginCharge(tx, { ...newCharge(), ...changes }, context()))
    },
    /** A charge that its caller sends. */
    leasedCharge(): Promise<Lease> {
      const leaseTerms = payments.leaseTerms('simulator')
      return database.transaction(async (tx) => beginLeasedCharge(tx, newCharge(), leaseTerms, context()))
    },
    refund(chargeId: string, changes: Partial<NewRefund> = {}): Promise<string> {
      subjects += 1
      const facts = { chargeId, subjectId: `can_${subjects}`, purpose: 'cancellation', amount: EURO } as const
      return database.transaction((tx) => beginRefund(tx, { ...facts, ...changes }, context()))
    },
    /** Runs the jobs that are due. */
    work: () => new JobRunner(paymentJobs(payments), { database, clock, ids, log }).runDue(),
    /** The movements of a payment, in order. */
    booked: (chargeId: string) =>
      wireless.simulator.bank.books(`${chargeId}:authorize`).map(({ operation }) => operation),
  }
}
