import type { Environment } from '../../../kernel/environment.ts'
import { smallest } from '../../../kernel/money.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type Intent, type IntentStatus, isEnded, REFERENCE_LENGTH, transferReference } from '../intents/intent.ts'
import { lockIntent } from '../intents/store.ts'
import { type TransferCharge, textsIn } from './match.ts'
import type { StatementLine } from './statement.ts'

/** The provider of transfers. */
const TRANSFER = 'manual'
/** The age in days up to which transfers are matched with a statement. */
const LOOKED_FOR_DAYS = 400
const DAY_MS = 86_400_000

interface ChargeRow {
  readonly id: string
  readonly amount: bigint
  readonly currency: string
  readonly status: IntentStatus
  readonly void_asked: boolean
  readonly received: bigint
  readonly returned: bigint
  readonly subject_id: string
  readonly created_at: Date
}

const CHARGE = `charge.id, charge.amount, charge.currency, charge.status, charge.void_asked, charge.subject_id, charge.created_at,
  (select coalesce(sum(line.amount), 0)::bigint from bank_statement_lines line where line.charge_id = charge.id) as received,
  (select coalesce(sum(back.amount), 0)::bigint from transfer_returns back where back.charge_id = charge.id) as returned
  from payment_intents charge`

const lookedFor = statement<{ readonly id: string }>(
  'payments.transfers_looked_for',
  `select id from payment_intents charge where environment = $1 and provider = '${TRANSFER}' and kind = 'charge'
   and created_at > $2 and upper(right(id, ${REFERENCE_LENGTH})) in (select unnest($3::text[]))`,
)
const candidates = statement<ChargeRow>(
  'payments.transfer_candidates',
  `select * from (select ${CHARGE} where charge.id = any($1) or (charge.environment = $2 and charge.provider = '${TRANSFER}'
       and charge.kind = 'charge' and charge.status = 'requires_action' and charge.ended_at is null
       and charge.created_at > $3)) each
   where id = any($1) or amount - received = any($4)`,
)
const list = statement<ChargeRow>(
  'payments.list_transfers',
  `select * from (select ${CHARGE} where charge.environment = $1 and charge.provider = '${TRANSFER}' and charge.kind = 'charge') each
   where id > $2 and case $3
     when 'waiting' then status = 'requires_action' and not void_asked
     when 'underpaid' then status = 'requires_action' and not void_asked and received > 0
     else received - returned > case when status = 'succeeded' then least(amount, received)
       when status = 'requires_action' and not void_asked then received else 0 end end
   order by id limit $4`,
)
const findOne = statement<ChargeRow>(
  'payments.find_transfer',
  `select ${CHARGE} where charge.id = $1 and charge.provider = '${TRANSFER}' and charge.kind = 'charge'`,
)
const sumOf = statement<{ readonly received: bigint }>(
  'payments.received_of',
  'select coalesce(sum(amount), 0)::bigint as received from bank_statement_lines where charge_id = $1',
)
const known = statement<{ readonly fingerprint: string }>(
  'payments.booked_lines',
  'select fingerprint from bank_statement_lines where environment = $1 and fingerprint = any($2)',
)
const insert = statement(
  'payments.book_line',
  `insert into bank_statement_lines (environment, fingerprint, charge_id, account, booked_on, amount, currency, booked_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const insertReturn = statement(
  'payments.return_transfer',
  'insert into transfer_returns (charge_id, amount, returned_at) values ($1, $2, $3)',
)

export const TRANSFER_VIEWS = ['waiting', 'underpaid', 'to_return'] as const
export type TransferView = (typeof TRANSFER_VIEWS)[number]

/** A transfer for the operator, with the amounts due, received and to return. */
export interface Transfer extends Omit<TransferCharge, 'iban'> {
  /** The checkout session. */
  readonly subjectId: string
  readonly createdAt: Date
  /** The amount received beyond the amount due, less returns. */
  readonly surplus: bigint
}

/** List transfers, oldest first. */
export async function listTransfers(
  reader: Reader,
  asked: {
    readonly environment: Environment
    readonly view: TransferView
    readonly afterId: string | null
    readonly limit: number
  },
): Promise<readonly Transfer[]> {
  const { environment, view, afterId, limit } = asked
  return (await reader.rows(list, [environment, afterId ?? '', view, limit])).map(transferOf)
}

/** Find a transfer and lock it, so that nothing is booked or returned in the meantime. */
export async function lockTransfer(tx: Transaction, chargeId: string): Promise<Transfer | null> {
  await lockIntent(tx, chargeId)
  const row = await tx.row(findOne, [chargeId])
  return row ? transferOf(row) : null
}

/** Record that a surplus was returned. */
export function insertTransferReturn(tx: Transaction, chargeId: string, amount: bigint, now: Date): void {
  tx.write(insertReturn, [chargeId, amount, now])
}

/** The texts that are looked up at once. A line has about 100. */
const TEXTS_AT_ONCE = 50_000

/** The ids of the transfers whose references are in the lines of a statement. The database compares, because a shop has many transfers. */
export async function transfersNamedIn(
  reader: Reader,
  lines: readonly StatementLine[],
  { environment, now }: { readonly environment: Environment; readonly now: Date },
): Promise<readonly string[]> {
  const ids = new Set<string>()
  const texts = new Set<string>()
  for (const [index, line] of lines.entries()) {
    for (const text of textsIn(line, REFERENCE_LENGTH)) texts.add(text)
    if (texts.size < TEXTS_AT_ONCE && index < lines.length - 1) continue
    for (const { id } of await reader.rows(lookedFor, [environment, lookedForSince(now), [...texts]])) ids.add(id)
    texts.clear()
  }
  return [...ids]
}

/** Load the transfers that the lines of a statement name, and those that wait for one of these amounts. */
export async function transferCandidates(
  reader: Reader,
  named: readonly string[],
  waiting: { readonly environment: Environment; readonly now: Date; readonly amounts: readonly bigint[] },
): Promise<readonly Transfer[]> {
  const { environment, now, amounts } = waiting
  return (await reader.rows(candidates, [named, environment, lookedForSince(now), amounts])).map(transferOf)
}

function lookedForSince(now: Date): Date {
  return new Date(now.getTime() - LOOKED_FOR_DAYS * DAY_MS)
}

/** Find which of these lines are booked. */
export async function bookedAmong(
  reader: Reader,
  environment: Environment,
  fingerprints: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(known, [environment, fingerprints])
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}

/** Sum the money booked on a locked charge. */
export async function receivedOf(tx: Transaction, chargeId: string): Promise<bigint> {
  return (await tx.row(sumOf, [chargeId]))?.received ?? 0n
}

/** Book a line on a locked charge. The line's fingerprint is unique: a second booking aborts the transaction. */
export function insertReceipt(
  tx: Transaction,
  line: StatementLine,
  { charge, fingerprint, now }: { readonly charge: Intent; readonly fingerprint: string; readonly now: Date },
): void {
  const { account, bookedOn, amount, currency } = line
  tx.write(insert, [charge.environment, fingerprint, charge.id, account, bookedOn, amount, currency, now])
}

/** The state of a transfer. A charge that is being voided no longer waits. */
export function transferState({
  status,
  voidRequested,
}: Pick<Intent, 'status' | 'voidRequested'>): TransferCharge['state'] {
  if (status === 'succeeded') return 'paid'
  return isEnded({ status }) || voidRequested ? 'ended' : 'waiting'
}

function transferOf(row: ChargeRow): Transfer {
  const { id, amount, currency, received, returned, subject_id, created_at } = row
  const state = transferState({ status: row.status, voidRequested: row.void_asked })
  const due = { waiting: received, paid: smallest(received, amount), ended: 0n }[state]
  return {
    id,
    reference: transferReference({ id }),
    amount,
    currency,
    received,
    state,
    subjectId: subject_id,
    createdAt: created_at,
    surplus: received - due - returned,
  }
}
