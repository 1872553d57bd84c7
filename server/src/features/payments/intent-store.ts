import type { Environment } from '../../kernel/environment.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Intent, IntentStatus, Purpose, Step } from './intent.ts'
import type { Claim } from './intent-moves.ts'
import type { LookupAnswer } from './payment-provider.ts'

interface IntentRow {
  readonly id: string
  readonly kind: 'charge' | 'refund'
  readonly purpose: Purpose
  readonly subject_id: string
  readonly environment: Environment
  readonly installation_id: string
  readonly store_id: string | null
  readonly provider: string
  readonly amount: bigint
  readonly currency: string
  readonly charge_id: string | null
  readonly refund_asked: bigint
  readonly return_url: string | null
  readonly status: IntentStatus
  readonly step: Step
  readonly void_asked: boolean
  readonly provider_reference: string | null
  readonly next_action_url: string | null
  readonly failure_code: string | null
  readonly version: number
  readonly lease_until: Date | null
  readonly fence: number
  readonly looks: number
  readonly due_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly ended_at: Date | null
}

const COLUMNS = `id, kind, purpose, subject_id, environment, installation_id, store_id, provider, amount, currency,
  charge_id, refund_asked, return_url, status, step, void_asked, provider_reference, next_action_url, failure_code,
  version, lease_until, fence, looks, due_at, created_at, updated_at, ended_at`

const read = statement<IntentRow>('payments.read', `select ${COLUMNS} from payment_intents where id = $1`)
const lock = statement<IntentRow>('payments.lock', `select ${COLUMNS} from payment_intents where id = $1 for update`)
const readCharge = statement<IntentRow>(
  'payments.read_charge',
  `select ${COLUMNS} from payment_intents where subject_id = $1 and kind = 'charge'
   order by status in ('failed', 'canceled'), created_at desc, id desc limit 1`,
)
const readEffect = statement<IntentRow>(
  'payments.read_effect',
  `select ${COLUMNS} from payment_intents
   where subject_id = $1 and purpose = $2 and kind = 'refund' and status not in ('failed', 'canceled')`,
)

/** An intent, or null where there is none with this id. */
export async function intentOf(reader: Reader, id: string): Promise<Intent | null> {
  return intentOfRow(await reader.row(read, [id]))
}

/** The latest charge of a subject, such as a checkout session, or null where it has none. */
export async function chargeOf(reader: Reader, subjectId: string): Promise<Intent | null> {
  return intentOfRow(await reader.row(readCharge, [subjectId]))
}

/** The refund of a subject that has not come to nothing. */
export async function refundOfSubject(reader: Reader, subjectId: string, purpose: Purpose): Promise<Intent | null> {
  return intentOfRow(await reader.row(readEffect, [subjectId, purpose]))
}

/** The intent, and nobody else changes it until the transaction ends. */
export async function lockIntent(tx: Transaction, id: string): Promise<Intent | null> {
  return intentOfRow(await tx.row(lock, [id]))
}

const insert = statement(
  'payments.insert',
  `insert into payment_intents (id, kind, purpose, subject_id, environment, installation_id, store_id, provider, amount,
     currency, charge_id, return_url, status, step, lease_until, fence, due_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)`,
)
const update = statement(
  'payments.update',
  `update payment_intents set version = $2, status = $3, step = $4, void_asked = $5, provider_reference = $6,
     next_action_url = $7, failure_code = $8, lease_until = $9, fence = $10, looks = $11, due_at = $12, updated_at = $13,
     ended_at = $14, refund_asked = $15
   where id = $1 and version = $2 - 1`,
)

/** Stores an intent at its beginning: created and due, or held by who sends it. */
export function insertIntent(tx: Transaction, intent: Intent): void {
  tx.write(insert, [
    intent.id,
    intent.kind,
    intent.purpose,
    intent.subjectId,
    intent.environment,
    intent.installationId,
    intent.storeId,
    intent.provider,
    intent.amount,
    intent.currency,
    intent.chargeId,
    intent.returnUrl,
    intent.status,
    intent.step,
    intent.leaseUntil,
    intent.fence,
    intent.dueAt,
    intent.createdAt,
  ])
}

/** Stores what a decision made of an intent, as its next version. The WHERE says once more that nobody came between. */
export function saveIntent(tx: Transaction, before: Intent, after: Intent): Intent {
  const intent = { ...after, version: before.version + 1 }
  tx.write(
    update,
    [
      intent.id,
      intent.version,
      intent.status,
      intent.step,
      intent.voidAsked,
      intent.providerReference,
      intent.nextActionUrl,
      intent.failureCode,
      intent.leaseUntil,
      intent.fence,
      intent.looks,
      intent.dueAt,
      intent.updatedAt,
      intent.endedAt,
      intent.refundAsked,
    ],
    { rows: 1 },
  )
  return intent
}

const insertAttempt = statement(
  'payments.insert_attempt',
  'insert into payment_attempts (intent_id, number, action, step, sent_at) values ($1, $2, $3, $4, $5)',
)
const updateAttempt = statement(
  'payments.answer_attempt',
  `update payment_attempts set answered_at = $3, answer = $4, detail = $5
   where intent_id = $1 and number = $2 and answered_at is null`,
)

/** Notes that the provider is about to be asked. */
export function noteAsked(tx: Transaction, { intent, action }: Claim): void {
  tx.write(insertAttempt, [intent.id, intent.fence, action, intent.step, intent.updatedAt])
}

/** Notes what came back, also where it came too late to count. */
export function noteAnswered(
  tx: Transaction,
  { intent }: Claim,
  { answer, now }: { readonly answer: LookupAnswer; readonly now: Date },
): void {
  const detail = detailOf(answer)
  tx.write(updateAttempt, [intent.id, intent.fence, now, answer.kind, detail?.slice(0, 500) ?? null])
}

function detailOf(answer: LookupAnswer): string | null {
  switch (answer.kind) {
    case 'done':
    case 'action_required':
      return answer.reference
    case 'declined':
      return answer.code
    case 'contradicted':
    case 'unknown':
      return answer.detail
    case 'never_seen':
      return null
  }
}

function intentOfRow(row: IntentRow | undefined): Intent | null {
  if (!row) return null
  return {
    id: row.id,
    kind: row.kind,
    purpose: row.purpose,
    subjectId: row.subject_id,
    environment: row.environment,
    installationId: row.installation_id,
    storeId: row.store_id,
    provider: row.provider,
    amount: row.amount,
    currency: row.currency,
    chargeId: row.charge_id,
    refundAsked: row.refund_asked,
    returnUrl: row.return_url,
    status: row.status,
    step: row.step,
    voidAsked: row.void_asked,
    providerReference: row.provider_reference,
    nextActionUrl: row.next_action_url,
    failureCode: row.failure_code,
    version: row.version,
    leaseUntil: row.lease_until,
    fence: row.fence,
    looks: row.looks,
    dueAt: row.due_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
  }
}
