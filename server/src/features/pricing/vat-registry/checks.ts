import { isInUnion } from '../../../kernel/vat/european-union.ts'
import { countryOfVatId, tidyVatId } from '../../../kernel/vat/vat-ids.ts'
import type { Logger } from '../../../platform/observe/logger.ts'
import type { Database } from '../../../platform/postgres/database.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../../platform/postgres/statement.ts'
import type { VatAnswer, VatRegistry } from './registry.ts'

/** What was found out about a VAT number, and when. */
export interface VatCheck {
  readonly vatId: string
  readonly outcome: VatAnswer['outcome']
  readonly name: string | null
  readonly address: string | null
  readonly consultationNumber: string | null
  readonly checkedAt: Date
}

const COLUMNS = `vat_id as "vatId", outcome, name, address, consultation_number as "consultationNumber", checked_at as "checkedAt"`
const byVatId = statement<VatCheck>('pricing.vat_check', `select ${COLUMNS} from vat_checks where vat_id = $1`)
const ofOrder = statement<VatCheck>(
  'pricing.vat_check_of_order',
  `select ${COLUMNS} from order_vat_checks where order_id = $1`,
)
// An outage does not replace an answer that the registry gave before it.
const keep = statement(
  'pricing.keep_vat_check',
  `insert into vat_checks (vat_id, outcome, name, address, consultation_number, checked_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (vat_id) do update set outcome = excluded.outcome, name = excluded.name, address = excluded.address,
     consultation_number = excluded.consultation_number, checked_at = excluded.checked_at
   where excluded.outcome <> 'unanswered' or vat_checks.outcome = 'unanswered'`,
)
const keepForOrder = statement(
  'pricing.keep_vat_check_of_order',
  `insert into order_vat_checks select $1, vat_id, outcome, name, address, consultation_number, checked_at
   from vat_checks where vat_id = $2`,
)

const MINUTE_MS = 60_000
/** How long an answer counts. A business that was just registered, and a registry that is back, are asked about soon. */
const FRESH_MS: Readonly<Record<VatAnswer['outcome'], number>> = {
  valid: 24 * 60 * MINUTE_MS,
  invalid: 60 * MINUTE_MS,
  unanswered: MINUTE_MS,
}

/** The addresses whose VAT numbers are checked. */
type Addresses = readonly ({ readonly vatId?: string } | null | undefined)[]

/** Asks the registry about the VAT numbers of addresses that are about to be saved. */
export type CheckVatIds = (addresses: Addresses, now: Date) => Promise<void>

interface VatCheckerDeps {
  readonly database: Database
  /** `null`: the form and the check digits of a number are enough. */
  readonly registry: VatRegistry | null
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Checks VAT numbers of the European Union that are well formed, unless a fresh answer is known. Called before the transaction of a
 * change, so that no connection waits for the registry.
 *
 * @see docs/decisions/0106-ask-before-the-transaction.md
 */
export function vatChecker({ registry, ...deps }: VatCheckerDeps): CheckVatIds {
  if (registry === null) return async () => {}
  return async (addresses, now) => {
    const vatIds = new Set(addresses.flatMap((address) => (address?.vatId ? [tidyVatId(address.vatId)] : [])))
    await Promise.all([...vatIds].filter(isOfUnion).map((vatId) => checkOne({ ...deps, registry }, vatId, now)))
  }
}

async function checkOne(
  { database, registry, log }: VatCheckerDeps & { readonly registry: VatRegistry },
  vatId: string,
  now: Date,
): Promise<void> {
  const known = await database.reader.row(byVatId, [vatId])
  if (known && now.getTime() < known.checkedAt.getTime() + FRESH_MS[known.outcome]) return
  const answer = await registry.check(vatId)
  if (answer.outcome === 'unanswered') log.warn({ reason: answer.reason }, 'the registry of VAT numbers did not answer')
  const { name, address } = answer.outcome === 'valid' ? answer : { name: null, address: null }
  const consultationNumber = answer.outcome === 'unanswered' ? null : answer.consultationNumber
  const values = [vatId, answer.outcome, name, address, consultationNumber, now]
  await database.transaction(async (tx) => tx.write(keep, values))
}

function isOfUnion(vatId: string): boolean {
  const country = countryOfVatId(vatId)
  return country !== null && isInUnion({ country })
}

/** Answers about businesses that bought nothing need not be kept. */
export const VAT_CHECK_RETENTION_DAYS = 90
export const sweepVatChecks = sweepStatement('vat_checks', 'checked_at')

/** Whether the registry knows a VAT number not to be registered. Unknown and unanswered numbers count as registered. */
export async function isVatIdRefused(reader: Reader, vatId: string): Promise<boolean> {
  return (await reader.row(byVatId, [vatId]))?.outcome === 'invalid'
}

/** Keeps what is known about the VAT number of an order with it. */
export function keepVatCheckOfOrder(tx: Transaction, orderId: string, vatId: string): void {
  tx.write(keepForOrder, [orderId, vatId])
}

/** What was known about the VAT number of an order when it was placed; `null`: the registry was not asked. */
export async function vatCheckOfOrder(reader: Reader, orderId: string): Promise<VatCheck | null> {
  return (await reader.row(ofOrder, [orderId])) ?? null
}
