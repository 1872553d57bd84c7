import type { Environment } from '../../../kernel/environment.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { Intent, IntentStatus } from './intent.ts'
import { intentOf } from './store.ts'

// Ids grow with time: the primary key has the newest last, so no sort is needed.
const newest = statement<{ id: string }>(
  'payments.newest',
  `select id from payment_intents
   where environment = $1 and ($2::text is null or status = $2) and id < $3 order by id desc limit $4`,
)
const refunds = statement<{ id: string }>(
  'payments.refunds_of',
  `select id from payment_intents where charge_id = $1 order by id desc limit $2`,
)

/** A cursor after the id of every payment. */
const END = 'pay_8'
const REFUNDS_SHOWN = 200

/** Filters of the operators' list. */
interface PaymentFilter {
  readonly environment: Environment
  /** `null`: any status. */
  readonly status: IntentStatus | null
  /** The last id of the previous page. */
  readonly afterId: string | null
  readonly limit: number
}

/** List charges and refunds, newest first. */
export async function listPayments(
  reader: Reader,
  { environment, status, afterId, limit }: PaymentFilter,
): Promise<readonly Intent[]> {
  return intentsOf(reader, await reader.rows(newest, [environment, status, afterId ?? END, limit]))
}

/** List the refunds of a charge, newest first. */
export async function refundsOfCharge(reader: Reader, chargeId: string): Promise<readonly Intent[]> {
  return intentsOf(reader, await reader.rows(refunds, [chargeId, REFUNDS_SHOWN]))
}

async function intentsOf(reader: Reader, rows: readonly { readonly id: string }[]): Promise<readonly Intent[]> {
  const found = await Promise.all(rows.map(({ id }) => intentOf(reader, id)))
  return found.filter((intent) => intent !== null)
}
