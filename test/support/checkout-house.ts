import { afterSalesRefundOutcome } from '../../server/src/features/after-sales/index.ts'
import { cancellationRefundOutcome } from '../../server/src/features/cancellations/index.ts'
import { checkoutOutcome, lateSuccessOutcome } from '../../server/src/features/checkout/index.ts'
import { beginFulfillment } from '../../server/src/features/fulfillment/index.ts'
import { operatorRefundOutcome } from '../../server/src/features/orders/index.ts'
import { Payments } from '../../server/src/features/payments/index.ts'
import { Refusal } from '../../server/src/kernel/refusal.ts'
import { logger } from '../../server/src/platform/observe/logger.ts'
import { type Shop, startShop } from './shop.ts'
import { wirelessSimulator } from './wireless-simulator.ts'

export type CheckoutHouse = Awaited<ReturnType<typeof checkoutHouse>>

/**
 * A shop whose payments are moved by a simulator without HTTP, and by nobody but the test: what becomes of an answer is
 * decided as in the real house.
 */
export async function checkoutHouse(more: readonly object[] = []) {
  // The shop has to know of a simulator to offer it. Nobody calls it there.
  const environment = { SIMULATOR_URL: 'http://127.0.0.1:9', SIMULATOR_SECRET: 'a secret of nobody' }
  const shop = await startShop({ environment, more })
  const { database, clock, ids } = shop
  const { provider, ...wireless } = wirelessSimulator(clock)
  const another = () =>
    new Payments({
      database,
      clock,
      ids,
      log: logger('silent'),
      providers: [provider],
      outcomes: {
        checkout: checkoutOutcome({ beginFulfillment, pagesUrl: shop.publicUrl }),
        cancellation: cancellationRefundOutcome,
        after_sales: afterSalesRefundOutcome,
        operator: operatorRefundOutcome,
        late_success: lateSuccessOutcome,
      },
      timeoutMs: 1000,
      instructions: null,
    })
  return {
    ...wireless,
    shop,
    payments: another(),
    /** Another process on the same database. */
    elsewhere: another(),
    /** What money has been moved, or may be, for a session: its charges and their refunds, the oldest first. */
    intentsOf: (sessionId: string) => intentsOf(shop, sessionId),
  }
}

/** An intent, as far as a test asks. */
export interface SeenIntent {
  readonly id: string
  readonly kind: 'charge' | 'refund'
  readonly status: string
  readonly amount: bigint
  readonly providerReference: string | null
  readonly endedAt: Date | null
}

async function intentsOf({ query }: Shop, sessionId: string): Promise<readonly SeenIntent[]> {
  const rows = await query(
    `select id, kind, status, amount, provider_reference as "providerReference", ended_at as "endedAt"
     from payment_intents
     where (subject_id = $1 and purpose = 'checkout')
       or charge_id in (select id from payment_intents where subject_id = $1 and purpose = 'checkout')
     order by created_at, id`,
    [sessionId],
  )
  return rows as unknown as SeenIntent[]
}

/** What came of something that may be refused: `null` where it was. A fault of ours is none. */
export function unlessRefused<Result>(work: Promise<Result>): Promise<Result | null> {
  return work.catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}
