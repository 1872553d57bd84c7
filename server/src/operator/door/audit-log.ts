import type { AuditEntry } from '@vitrine/contract/operator'
import type { IdSource } from '../../kernel/ids.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { AuditedChange, Operator } from './handler.ts'

const insert = statement(
  'audit.insert',
  `insert into audit_log (id, at, operator_id, operator_email, via, operation, subject_type, subject_id, before, after, request_id,
     address)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
)

const insertValues = statement(
  'audit.insert_values',
  'insert into audit_values (audit_id, subject_id, before, after) values ($1, $2, $3, $4)',
)

/**
 * The types of subjects with data of shoppers. The values of their changes are in a table of their own, so that an erasure can
 * delete them: the log itself is never changed.
 */
const OF_SHOPPERS: ReadonlySet<string> = new Set([
  'after_sales',
  'cancellation',
  'customer',
  'fulfilment',
  'order',
  'payment',
  'person',
])

/** Records a change in the transaction that makes it. */
export function recordAuditEntry(
  tx: Transaction,
  change: AuditedChange,
  by: {
    readonly operator: Operator
    readonly operation: string
    readonly requestId: string
    readonly address: string
    readonly now: Date
    readonly ids: IdSource
  },
): void {
  const { operator, operation, requestId, address, now, ids } = by
  const { subject } = change
  const id = ids.next('aud')
  const isOfShopper = OF_SHOPPERS.has(subject.type)
  const before = change.before && JSON.stringify(change.before)
  const after = change.after && JSON.stringify(change.after)
  tx.write(insert, [
    id,
    now,
    operator.id,
    operator.email,
    operator.via,
    operation,
    subject.type,
    subject.id,
    isOfShopper ? before && '{}' : before,
    isOfShopper ? after && '{}' : after,
    requestId,
    address,
  ])
  if (isOfShopper) tx.write(insertValues, [id, subject.id, before, after])
}

interface AuditRow {
  readonly id: string
  readonly at: Date
  readonly operator_id: string | null
  readonly operator_email: string
  readonly via: Operator['via']
  readonly operation: string
  readonly subject_type: string
  readonly subject_id: string
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown> | null
  readonly request_id: string
  readonly address: string | null
}

const list = statement<AuditRow>(
  'audit.list',
  `select id, at, operator_id, operator_email, via, operation, subject_type, log.subject_id, request_id, address,
     coalesce(kept.before, log.before) as before, coalesce(kept.after, log.after) as after
   from audit_log log left join audit_values kept on kept.audit_id = log.id
   where ($1::text is null or log.subject_id = $1) and ($2::text is null or operation = $2)
     and ($3::text is null or operator_email ilike $3 or log.subject_id ilike substr($3, 2) or operation ilike $3)
     and ($4::timestamptz is null or (at, id) < ($4, $5))
   order by at desc, id desc limit $6`,
)

/** An action of an operator. */
export interface AuditedStep {
  readonly at: Date
  readonly email: string
  readonly operation: string
  readonly after: Readonly<Record<string, unknown>> | null
}

/** More than the entries in the timeline of an order. */
const STEPS_MAX = 1000
const steps = statement<AuditedStep>(
  'audit.steps',
  `select at, operator_email as email, operation, after from audit_log where subject_id = any($1::text[])
   order by at desc, id desc limit ${STEPS_MAX}`,
)

/** The actions of operators on these subjects, oldest first. */
export async function auditedSteps(reader: Reader, subjects: readonly string[]): Promise<readonly AuditedStep[]> {
  return (await reader.rows(steps, [subjects])).toReversed()
}

interface AuditQuestion {
  readonly subject: string | null
  readonly operation: string | null
  /** A LIKE pattern. */
  readonly like: string | null
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

/** Audit entries, newest first. */
export async function listAudit(reader: Reader, question: AuditQuestion): Promise<AuditEntry[]> {
  const { subject, operation, like, after, limit } = question
  const rows = await reader.rows(list, [subject, operation, like, after?.at ?? null, after?.id ?? null, limit])
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    operator: { ...(row.operator_id !== null && { id: row.operator_id }), email: row.operator_email, via: row.via },
    operation: row.operation,
    subject: { type: row.subject_type, id: row.subject_id },
    before: row.before,
    after: row.after,
    requestId: row.request_id,
    ...(row.address !== null && { address: row.address }),
  }))
}
