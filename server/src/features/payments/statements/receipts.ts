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

// The sums are added up by triggers. The conditions are those of the indexes payment_transfers_….
const CHARGE = `id, amount, currency, status, void_asked, subject_id, created_at, received, returned from payment_intents charge`
const IS_TRANSFER = `provider = '${TRANSFER}' and kind = 'charge'`
const IS_WAITING = `status = 'requires_action' and not void_asked`

// Each text is looked up in the index: PostgreSQL expects far more matches, and would read all transfers from 50 lines on.
const lookedFor = statement<{ readonly id: string }>(
  'payments.transfers_looked_for',
  `select id from unnest($3::text[]) text cross join lateral (
     select id from payment_intents where environment = $1 and ${IS_TRANSFER} and created_at > $2
       and upper(right(id, ${REFERENCE_LENGTH})) = text offset 0) named`,
)
const candidates = statement<ChargeRow>(
  'payments.transfer_candidates',
  `select ${CHARGE} where id = any($1)
   union
   select ${CHARGE} where environment = $2 and ${IS_TRANSFER} and ${IS_WAITING} and created_at > $3
     and amount - received = any($4)`,
)
const listIn = (view: string, condition: string) =>
  statement<ChargeRow>(
    `payments.list_transfers_${view}`,
    `select ${CHARGE} where environment = $1 and ${IS_TRANSFER} and id > $2 and ${condition} order by id limit $3`,
  )
const LISTS = {
  waiting: listIn('waiting', IS_WAITING),
  underpaid: listIn('underpaid', `${IS_WAITING} and received > 0`),
  to_return: listIn(
    'to_return',
    `received - returned > case when status = 'succeeded' then least(amount, received)
       when ${IS_WAITING} then received else 0 end`,
  ),
}
const findOne = statement<ChargeRow>('payments.find_transfer', `select ${CHARGE} where id = $1 and ${IS_TRANSFER}`)
const sumOf = statement<{ readonly received: bigint }>(
  'payments.received_of',
  'select received from payment_intents where id = $1',
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
type TransferView = (typeof TRANSFER_VIEWS)[number]

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
  return (await reader.rows(LISTS[view], [environment, afterId ?? '', limit])).map(transferOf)
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

/** The money booked on a charge, which only its lock keeps from growing. */
export async function receivedOf(reader: Reader, chargeId: string): Promise<bigint> {
  return (await reader.row(sumOf, [chargeId]))?.received ?? 0n
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
