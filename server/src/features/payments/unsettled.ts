import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Intent, IntentStatus, Step } from './intent.ts'
import { intentOf } from './intent-store.ts'

/** A call to a provider, and what came back: null where nobody knows, as after a crash. */
export interface Attempt {
  readonly number: number
  readonly action: 'send' | 'look'
  readonly step: Step
  readonly sentAt: Date
  readonly answeredAt: Date | null
  readonly answer: string | null
  readonly detail: string | null
}

/** What is known of a payment. */
export interface PaymentHistory {
  readonly intent: Intent
  /** The latest first, at most a hundred. */
  readonly attempts: readonly Attempt[]
}

interface UnsettledRow {
  readonly id: string
  readonly status: IntentStatus
}

const ATTEMPTS_SHOWN = 100

const listUnsettled = statement<UnsettledRow>(
  'payments.list_unsettled',
  `select id, status from payment_intents
   where ended_at is null and environment = $1 and status = any($2::text[]) and (updated_at, id) > ($3, $4)
   order by updated_at, id limit $5`,
)
const readAttempts = statement<Attempt>(
  'payments.read_attempts',
  `select number, action, step, sent_at as "sentAt", answered_at as "answeredAt", answer, detail
   from payment_attempts where intent_id = $1 order by number desc limit $2`,
)

/** What an operator may look through: what nobody knows the outcome of, or what waits for their word. */
export const UNSETTLED = {
  unknown: ['unknown', 'reconciling', 'submitted'],
  waiting: ['requires_action'],
} as const satisfies Readonly<Record<string, readonly IntentStatus[]>>

/** Payments that have not come to an end, the longest untouched first, with what the reconciler knows of each. */
export async function listUnsettledPayments(
  reader: Reader,
  asked: {
    readonly environment: Environment
    readonly which: keyof typeof UNSETTLED
    readonly limit: number
    /** Where the page before ended. */
    readonly after?: Pick<Intent, 'id' | 'updatedAt'>
  },
): Promise<readonly PaymentHistory[]> {
  const { environment, which, limit, after = { id: '', updatedAt: new Date(0) } } = asked
  const rows = await reader.rows(listUnsettled, [environment, UNSETTLED[which], after.updatedAt, after.id, limit])
  const found = await Promise.all(rows.map(({ id }) => paymentHistory(reader, id)))
  return found.filter((each) => each !== null)
}

/** What is known of one payment, or null where there is none with this id. */
export async function paymentHistory(reader: Reader, intentId: string): Promise<PaymentHistory | null> {
  const [intent, attempts] = await Promise.all([
    intentOf(reader, intentId),
    reader.rows(readAttempts, [intentId, ATTEMPTS_SHOWN]),
  ])
  return intent && { intent, attempts }
}
