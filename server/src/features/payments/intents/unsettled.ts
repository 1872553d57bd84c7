import type { Environment } from '../../../kernel/environment.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { Step } from '../providers/provider.ts'
import type { Intent, IntentStatus } from './intent.ts'
import { intentOf } from './store.ts'

/** A call to a provider and its answer: `null` without one, as after a crash. */
export interface Attempt {
  readonly number: number
  readonly action: 'send' | 'look'
  readonly step: Step
  readonly sentAt: Date
  readonly answeredAt: Date | null
  readonly answer: string | null
  readonly detail: string | null
}

/** A payment with its attempts. */
interface PaymentHistory {
  readonly intent: Intent
  /** Latest first, at most a hundred. */
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

/** The statuses of unsettled payments: with an unknown outcome, or waiting for the shopper, the provider or an operator. */
const UNSETTLED = {
  unknown: ['unknown', 'reconciling', 'submitted'],
  waiting: ['requires_action', 'pending', 'authorized'],
} as const satisfies Readonly<Record<string, readonly IntentStatus[]>>

/** List unsettled payments with their attempts, least recently updated first. */
export async function listUnsettledPayments(
  reader: Reader,
  asked: {
    readonly environment: Environment
    readonly which: keyof typeof UNSETTLED
    readonly limit: number
    /** The last payment of the previous page. */
    readonly after?: Pick<Intent, 'id' | 'updatedAt'>
  },
): Promise<readonly PaymentHistory[]> {
  const { environment, which, limit, after = { id: '', updatedAt: new Date(0) } } = asked
  const rows = await reader.rows(listUnsettled, [environment, UNSETTLED[which], after.updatedAt, after.id, limit])
  const found = await Promise.all(rows.map(({ id }) => paymentHistory(reader, id)))
  return found.filter((each) => each !== null)
}

/** Find a payment with its attempts. */
export async function paymentHistory(reader: Reader, intentId: string): Promise<PaymentHistory | null> {
  const [intent, attempts] = await Promise.all([
    intentOf(reader, intentId),
    reader.rows(readAttempts, [intentId, ATTEMPTS_SHOWN]),
  ])
  return intent && { intent, attempts }
}

/** The number of unsettled payments of a status. */
interface UnsettledFigure {
  readonly environment: Environment
  readonly status: IntentStatus
  readonly count: number
  /** When the oldest of them was created, or its step was first sent if its outcome is unknown. */
  readonly oldestBegunAt: Date
}

const figures = statement<UnsettledFigure>(
  'payments.figures',
  // Days can pass between an authorization and its capture.
  `select environment, status, count(*)::integer as count, min(coalesce(sent.first_at, created_at)) as "oldestBegunAt"
   from payment_intents intent left join lateral (
     select min(sent_at) as first_at from payment_attempts
     where intent_id = intent.id and step = intent.step and intent.status = any($1::text[])) sent on true
   where ended_at is null group by environment, status`,
)

/** Count unsettled payments by environment and status. */
export function unsettledFigures(reader: Reader): Promise<readonly UnsettledFigure[]> {
  return reader.rows(figures, [UNSETTLED.unknown])
}

const countUnsettled = statement<Record<keyof typeof UNSETTLED, number>>(
  'payments.count_unsettled',
  `select count(*) filter (where status = any($4::text[]))::integer as unknown,
     count(*) filter (where status <> all($4::text[]))::integer as waiting
   from (select status from payment_intents
     where ended_at is null and environment = $1 and status = any($2::text[]) limit $3) as unsettled`,
)

/** Count the unsettled payments of an environment that `listUnsettledPayments` lists, up to `most`. */
export async function countUnsettledPayments(
  reader: Reader,
  environment: Environment,
  most: number,
): Promise<Record<keyof typeof UNSETTLED, number>> {
  const statuses = Object.values(UNSETTLED).flat()
  const values = [environment, statuses, most, UNSETTLED.unknown]
  return (await reader.row(countUnsettled, values)) ?? { unknown: 0, waiting: 0 }
}

/** Whether the outcome is unknown. The reconciler looks it up until it is known. */
export function isUnknown(status: IntentStatus): boolean {
  return (UNSETTLED.unknown as readonly IntentStatus[]).includes(status)
}
