import { afterSalesRefundOutcome } from '../../../server/src/features/after-sales/index.ts'
import { cancellationRefundOutcome } from '../../../server/src/features/cancellations/index.ts'
import { checkoutOutcome, lateSuccessOutcome } from '../../../server/src/features/checkout/index.ts'
import { prepareFulfillment } from '../../../server/src/features/fulfillment/index.ts'
import { operatorRefundOutcome } from '../../../server/src/features/orders/index.ts'
import { Payments } from '../../../server/src/features/payments/index.ts'
import { Refusal } from '../../../server/src/kernel/refusal.ts'
import { logger } from '../../../server/src/platform/observe/logger.ts'
import { type Shop, startShop } from './shop.ts'
import { wirelessSimulator } from './wireless-simulator.ts'

export type CheckoutWorld = Awaited<ReturnType<typeof startCheckoutWorld>>

/** A shop with an in-memory payment simulator that the test controls. The real code applies outcomes. */
export async function startCheckoutWorld(more: readonly object[] = []) {
  // Configured so that the simulator is offered; this address is never called.
  const environment = { SIMULATOR_URL: 'http://127.0.0.1:9', SIMULATOR_SECRET: 'an unused secret' }
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
        checkout: checkoutOutcome({
          prepareFulfillment,
          pagesUrl: shop.publicUrl,
          pageSecret: Buffer.alloc(32),
          transfer: {
            accounts: { test: null, live: null },
            currencies: null,
            holdMs: 259_200_000,
            unconfirmedMs: null,
            stockPercent: 100,
          },
        }),
        cancellation: cancellationRefundOutcome,
        after_sales: afterSalesRefundOutcome,
        operator: operatorRefundOutcome,
        late_success: lateSuccessOutcome,
      },
      timeoutMs: 1000,
    })
  return {
    ...wireless,
    shop,
    payments: another(),
    /** Another process on the same database. */
    elsewhere: another(),
    /** Charges and refunds of a session, the oldest first. */
    intentsOf: (sessionId: string) => intentsOf(shop, sessionId),
  }
}

/** The part of an intent that tests read. */
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

/** The result, or `null` if it was refused. Other errors are thrown. */
export function unlessRefused<Result>(work: Promise<Result>): Promise<Result | null> {
  return work.catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}
