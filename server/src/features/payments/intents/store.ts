import type { Environment } from '../../../kernel/environment.ts'
import { withdrawal } from '../../../platform/jobs/index.ts'
import { insertion } from '../../../platform/postgres/insertion.ts'
import { joined } from '../../../platform/postgres/joined.ts'
import type { Fact, Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { LookupAnswer, Mismatch, Step } from '../providers/provider.ts'
import { ADVANCE_JOB, type Intent, type IntentStatus, isEnded, type Purpose } from './intent.ts'
import type { Lease } from './transitions.ts'

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
  readonly captures_later: boolean
  readonly capture_amount: bigint | null
  readonly expires_at: Date | null
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
  version, lease_until, fence, looks, due_at, created_at, updated_at, ended_at, captures_later, capture_amount, expires_at`

const read = statement<IntentRow>('payments.read', `select ${COLUMNS} from payment_intents where id = $1`)
const lock = statement<IntentRow>('payments.lock', `select ${COLUMNS} from payment_intents where id = $1 for update`)
const readEffect = statement<IntentRow>(
  'payments.read_effect',
  `select ${COLUMNS} from payment_intents
   where subject_id = $1 and purpose = $2 and kind = 'refund' and status not in ('failed', 'canceled')`,
)

/** Find an intent. */
export async function intentOf(reader: Reader, id: string): Promise<Intent | null> {
  return intentOfRow(await reader.row(read, [id]))
}

/** Find the refund of a subject that has not failed or been canceled. */
export async function refundOfSubject(reader: Reader, subjectId: string, purpose: Purpose): Promise<Intent | null> {
  return intentOfRow(await reader.row(readEffect, [subjectId, purpose]))
}

/** Find an intent and lock it until the transaction ends. */
export async function lockIntent(tx: Transaction, id: string): Promise<Intent | null> {
  return intentOfRow(await tx.row(lock, [id]))
}

const insert = statement(
  'payments.insert',
  `insert into payment_intents (id, kind, purpose, subject_id, environment, installation_id, store_id, provider, amount,
     currency, charge_id, return_url, status, step, lease_until, fence, due_at, created_at, updated_at,
     captures_later)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18, $19)`,
)
const update = statement(
  'payments.update',
  `update payment_intents set version = $2, status = $3, step = $4, void_asked = $5, provider_reference = $6,
     next_action_url = $7, failure_code = $8, lease_until = $9, fence = $10, looks = $11, due_at = $12, updated_at = $13,
     ended_at = $14, refund_asked = $15, capture_amount = $16, expires_at = $17
   where id = $1 and version = $2 - 1`,
)

const insertAttempt = statement(
  'payments.insert_attempt',
  'insert into payment_attempts (intent_id, number, action, step, sent_at) values ($1, $2, $3, $4, $5)',
)
const updateAttempt = statement(
  'payments.answer_attempt',
  `update payment_attempts set answered_at = $3, answer = $4, detail = $5
   where intent_id = $1 and number = $2 and answered_at is null`,
)
const insertLeased = insertion(
  'charges',
  {
    id: 'text',
    kind: 'text',
    purpose: 'text',
    subject_id: 'text',
    environment: 'text',
    installation_id: 'text',
    store_id: 'text',
    provider: 'text',
    amount: 'bigint',
    currency: 'text',
    charge_id: 'text',
    return_url: 'text',
    status: 'text',
    step: 'text',
    lease_until: 'timestamptz',
    fence: 'integer',
    due_at: 'timestamptz',
    created_at: 'timestamptz',
    captures_later: 'boolean',
    action: 'text',
  },
  `leased as materialized (select * from ROWS),
   charges as (
     insert into payment_intents (id, kind, purpose, subject_id, environment, installation_id, store_id, provider, amount,
       currency, charge_id, return_url, status, step, lease_until, fence, due_at, created_at, updated_at,
       captures_later)
     select id, kind, purpose, subject_id, environment, installation_id, store_id, provider, amount,
       currency, charge_id, return_url, status, step, lease_until, fence, due_at, created_at, created_at,
       captures_later from leased),
   attempts as (
     insert into payment_attempts (intent_id, number, action, step, sent_at)
     select id, fence, action, step, created_at from leased)`,
)
const hold = joined('payments.hold', update, insertAttempt)
const settle = joined('payments.settle', updateAttempt, update)
const end = joined('payments.end', updateAttempt, update, withdrawal)
const proceed = joined('payments.proceed', updateAttempt, update, insertAttempt)

/** Insert a new intent that is due. */
export function insertIntent(tx: Transaction, intent: Intent): void {
  tx.write(insert, columnsOf(intent))
}

/** Insert a new intent that its caller sends, with its attempt. */
export function insertLeasedIntent(tx: Transaction, lease: Lease): void {
  tx.add(insertLeased, [...columnsOf(lease.intent), lease.action])
}

const lockRow = statement('payments.lock_row', 'select 1 from payment_intents where id = $1 for update')
const isAnswered = statement(
  'payments.is_answered',
  'select 1 from payment_attempts where intent_id = $1 and number = $2 and answered_at is not null',
)

/**
 * Whether the answer to a lease's call is recorded. Only the transaction that locks the intent records it; the lock here shows that it
 * has ended, so the attempt is read after that.
 */
export function answerIsRecorded({ intent }: Lease): Fact {
  return async (reader) => {
    const [, row] = await Promise.all([
      reader.rows(lockRow, [intent.id]),
      reader.row(isAnswered, [intent.id, intent.fence]),
    ])
    return row !== undefined
  }
}

/** Save a change as the next version. The WHERE repeats the version check. */
export function saveIntent(tx: Transaction, before: Intent, after: Intent): Intent {
  const intent = nextVersion(before, after)
  tx.write(update, changesOf(intent), { rows: 1 })
  return intent
}

/** Save a lease as the next version, and record its call to the provider before the call is made. */
export function holdIntent(tx: Transaction, before: Intent, lease: Lease): Lease {
  const held = { ...lease, intent: nextVersion(before, lease.intent) }
  hold(tx, [changesOf(held.intent), 1], [attemptOf(held), 1])
  return held
}

/** The provider's answer to the call of a lease, and when it arrived. */
export interface Answered {
  readonly lease: Lease
  readonly answer: LookupAnswer | Mismatch
  readonly now: Date
}

/** Record an answer that arrived after its lease was lost. */
export function recordLateAnswer(tx: Transaction, answered: Answered): void {
  tx.write(updateAttempt, answerOf(answered))
}

/** Record an answer and save the changed intent. The job of an ended intent is withdrawn. */
export function settleIntent(tx: Transaction, before: Intent, after: Intent, answered: Answered): Intent {
  const intent = nextVersion(before, after)
  const changes = [[answerOf(answered)], [changesOf(intent), 1]] as const
  if (isEnded(intent)) end(tx, ...changes, [[ADVANCE_JOB, intent.id]])
  else settle(tx, ...changes)
  return intent
}

/** Record an answer, and the next call to the provider before the call is made. */
export function proceedWith(tx: Transaction, before: Intent, lease: Lease, answered: Answered): Lease {
  const next = { ...lease, intent: nextVersion(before, lease.intent) }
  proceed(tx, [answerOf(answered)], [changesOf(next.intent), 1], [attemptOf(next), 1])
  return next
}

function columnsOf(intent: Intent): readonly unknown[] {
  return [
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
    intent.capturesLater,
  ]
}

function nextVersion(before: Intent, after: Intent): Intent {
  return { ...after, version: before.version + 1 }
}

function changesOf(intent: Intent): readonly unknown[] {
  return [
    intent.id,
    intent.version,
    intent.status,
    intent.step,
    intent.voidRequested,
    intent.providerReference,
    intent.nextActionUrl,
    intent.failureCode,
    intent.leaseUntil,
    intent.fence,
    intent.lookups,
    intent.dueAt,
    intent.updatedAt,
    intent.endedAt,
    intent.refundRequested,
    intent.captureAmount,
    intent.expiresAt,
  ]
}

function attemptOf({ intent, action }: Lease): readonly unknown[] {
  return [intent.id, intent.fence, action, intent.step, intent.updatedAt]
}

function answerOf({ lease: { intent }, answer, now }: Answered): readonly unknown[] {
  return [intent.id, intent.fence, now, answer.kind, detailOf(answer)?.slice(0, 500) ?? null]
}

const giveBack = statement(
  'payments.give_back_refused',
  `update payment_intents set refund_asked = refund_asked - $2, version = version + 1, updated_at = $3 where id = $1`,
)

/** Release the amount of a declined refund, so that it can be requested again. */
export function releaseRefund(tx: Transaction, { chargeId, amount, updatedAt }: Intent): void {
  tx.write(giveBack, [chargeId, amount, updatedAt], { rows: 1 })
}

function detailOf(answer: LookupAnswer | Mismatch): string | null {
  switch (answer.kind) {
    case 'done':
    case 'action_required':
    case 'pending':
      return answer.reference
    case 'declined':
      return answer.code
    case 'contradicted':
    case 'mismatched':
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
    refundRequested: row.refund_asked,
    capturesLater: row.captures_later,
    captureAmount: row.capture_amount,
    expiresAt: row.expires_at,
    returnUrl: row.return_url,
    status: row.status,
    step: row.step,
    voidRequested: row.void_asked,
    providerReference: row.provider_reference,
    nextActionUrl: row.next_action_url,
    failureCode: row.failure_code,
    version: row.version,
    leaseUntil: row.lease_until,
    fence: row.fence,
    lookups: row.looks,
    dueAt: row.due_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
  }
}
