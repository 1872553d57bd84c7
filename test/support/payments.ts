import { createInstallation } from '../../server/src/features/installations/index.ts'
import {
  beginCharge,
  beginRefund,
  type Intent,
  type NewCharge,
  type NewRefund,
  type PaymentOutcome,
  type PaymentProvider,
  Payments,
  paymentJobs,
} from '../../server/src/features/payments/index.ts'
import { manualProvider } from '../../server/src/features/payments/manual.ts'
import { signNotification } from '../../server/src/features/payments/notification-signature.ts'
import { Simulator } from '../../server/src/features/payments/simulator/simulator.ts'
import { type SendToSimulator, simulatorProvider } from '../../server/src/features/payments/simulator-provider.ts'
import { idSource } from '../../server/src/kernel/ids.ts'
import { JobRunner } from '../../server/src/platform/jobs/index.ts'
import { logger } from '../../server/src/platform/observe/logger.ts'
import { type TestClock, testClock } from './clock.ts'
import { testDatabase } from './database.ts'
import { testRandomness } from './randomness.ts'

const SECRET = 'a secret of the simulator'
const PAGES_URL = 'https://pages.example'
export const EURO = 10_000n

export type PaymentHouse = Awaited<ReturnType<typeof paymentHouse>>

/**
 * Payments on a database of their own, with a simulator that has no HTTP between: a line that hangs is one that timed out,
 * and what the simulator does later or tells is done when the test says so.
 */
export async function paymentHouse(
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
  const { database } = await testDatabase()
  const later: { readonly afterMs: number; readonly act: () => void }[] = []
  const told: { readonly id: string; readonly key: string; readonly status: string }[] = []
  const simulator = new Simulator({
    origin: () => 'https://simulator.example',
    later: (afterMs, act) => void later.push({ afterMs, act }),
    tell: ({ id, key, status }) => void told.push({ id, key, status }),
  })
  const requests: string[] = []
  const send: SendToSimulator = async ({ path, headers, body }) => {
    const key = headers['idempotency-key']
    requests.push(key === undefined ? `look ${decodeURIComponent(path.split('/')[3]!)}` : `send ${key}`)
    const operation = path.split('/')[2] as never
    const served =
      key === undefined
        ? simulator.lookup(decodeURIComponent(path.split('/')[3]!))
        : simulator.order({ operation, key, ...JSON.parse(body!) })
    if (served.line === 'answer') return served
    throw served.line === 'hang' ? new DOMException('late', 'TimeoutError') : new Error('the line was dropped')
  }
  const settled: { readonly id: string; readonly status: Intent['status'] }[] = []
  const outcome: PaymentOutcome = {
    lock: async () => undefined,
    settle: async (_tx, { id, status }) => void settled.push({ id, status }),
  }
  const providers = options.providers ?? [
    simulatorProvider({ secret: SECRET, pagesUrl: PAGES_URL, send }),
    manualProvider(),
  ]
  const parts = {
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
    instructions: null,
  }
  const payments = new Payments(parts)
  const teller = () => ({ ids, now: clock.now() })
  const installationId = await database.transaction((tx) =>
    createInstallation(
      tx,
      { name: 'A shop', storeSlug: undefined, environment: 'test', origins: [], returnUrls: [] },
      teller(),
    ),
  )
  let subjects = 0

  return {
    clock,
    database,
    ids,
    payments,
    simulator,
    later,
    told,
    requests,
    settled,
    teller,
    /** Another process on the same database. */
    another: (its = providers) => new Payments({ ...parts, providers: its }),
    providers,
    charge(changes: Partial<NewCharge> = {}): Promise<string> {
      subjects += 1
      const facts = {
        subjectId: `cks_${subjects}`,
        purpose: 'checkout',
        environment: 'test',
        installationId,
        storeId: null,
        provider: 'simulator',
        amount: EURO,
        currency: 'EUR',
        returnUrl: 'https://pages.example/checkout',
      } as const
      return database.transaction(async (tx) => beginCharge(tx, { ...facts, ...changes }, teller()))
    },
    refund(chargeId: string, changes: Partial<NewRefund> = {}): Promise<string> {
      subjects += 1
      const facts = { chargeId, subjectId: `can_${subjects}`, purpose: 'cancellation', amount: EURO } as const
      return database.transaction((tx) => beginRefund(tx, { ...facts, ...changes }, teller()))
    },
    /** A request of the simulator that tells something, signed. */
    notification(telling: { readonly id: string; readonly key: string }, secret = SECRET) {
      const body = JSON.stringify(telling)
      return {
        headers: { 'simulator-signature': signNotification(secret, body, clock.now()) },
        body: Buffer.from(body),
      }
    },
    /** Does the jobs that are due. */
    work: () => new JobRunner(paymentJobs(payments), { database, clock, ids, log }).runDue(),
    /** What was done with a payment, in order. */
    booked: (chargeId: string) => simulator.bank.books(`${chargeId}:authorize`).map(({ operation }) => operation),
  }
}
