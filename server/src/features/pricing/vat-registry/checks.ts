import { isInUnion } from '../../../kernel/vat/european-union.ts'
import { countryOfVatId, tidyVatId } from '../../../kernel/vat/vat-ids.ts'
import type { Logger } from '../../../platform/observe/logger.ts'
import type { Database } from '../../../platform/postgres/database.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../../platform/postgres/statement.ts'
import type { VatAnswer, VatRegistry } from './registry.ts'

/** The result of checking a VAT number with the registry. */
export interface VatCheck {
  readonly vatId: string
  readonly outcome: VatAnswer['outcome']
  readonly name: string | null
  readonly address: string | null
  readonly consultationNumber: string | null
  readonly checkedAt: Date
}

const COLUMNS = `vat_id as "vatId", outcome, name, address, consultation_number as "consultationNumber", checked_at as "checkedAt"`
const byVatId = statement<VatCheck & { readonly askedAt: Date | null }>(
  'pricing.vat_check',
  `select ${COLUMNS}, asked_at as "askedAt" from vat_checks where vat_id = $1`,
)
const ofOrder = statement<VatCheck>(
  'pricing.vat_check_of_order',
  `select ${COLUMNS} from order_vat_checks where order_id = $1`,
)
// An outage does not replace an earlier answer of the registry.
const keep = statement(
  'pricing.keep_vat_check',
  `insert into vat_checks (vat_id, outcome, name, address, consultation_number, checked_at, asked_at)
   values ($1, $2, $3, $4, $5, $6, $6)
   on conflict (vat_id) do update set outcome = excluded.outcome, name = excluded.name, address = excluded.address,
     consultation_number = excluded.consultation_number, checked_at = excluded.checked_at, asked_at = excluded.asked_at
   where excluded.outcome <> 'unanswered' or vat_checks.outcome = 'unanswered'`,
)
const keepAsked = statement(
  'pricing.keep_vat_question',
  `update vat_checks set asked_at = $2 where vat_id = $1 and outcome <> 'unanswered'`,
)
const keepForOrder = statement(
  'pricing.keep_vat_check_of_order',
  `insert into order_vat_checks select $1, vat_id, outcome, name, address, consultation_number, checked_at
   from vat_checks where vat_id = $2`,
)

const MINUTE_MS = 60_000
/** How long an answer is used. It is short for a number that may be registered soon, and for a registry that may recover soon. */
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
  /** `null`: only the format and the check digits of numbers are checked. */
  readonly registry: VatRegistry | null
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Create a checker of VAT numbers. It asks the registry about well-formed numbers of the European Union, unless it has a fresh answer.
 * Called before the transaction of a change, so that no connection waits for the registry.
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
  const isFresh = (at: Date, outcome: VatAnswer['outcome']) => now.getTime() < at.getTime() + FRESH_MS[outcome]
  if (known && isFresh(known.checkedAt, known.outcome)) return
  // The registry did not answer a moment ago, and an earlier answer was kept.
  if (known?.askedAt && isFresh(known.askedAt, 'unanswered')) return
  const answer = await registry.check(vatId)
  if (answer.outcome === 'unanswered') log.warn({ reason: answer.reason }, 'the VAT registry did not answer')
  const { name, address } = answer.outcome === 'valid' ? answer : { name: null, address: null }
  const consultationNumber = answer.outcome === 'unanswered' ? null : answer.consultationNumber
  const values = [vatId, answer.outcome, name, address, consultationNumber, now]
  await database.transaction(async (tx) => {
    tx.write(keep, values)
    if (answer.outcome === 'unanswered') tx.write(keepAsked, [vatId, now])
  })
}

function isOfUnion(vatId: string): boolean {
  const country = countryOfVatId(vatId)
  return country !== null && isInUnion({ country })
}

/** How long checks are kept. Orders have their own copy. */
export const VAT_CHECK_RETENTION_DAYS = 90
export const sweepVatChecks = sweepStatement('vat_checks', 'checked_at')

/** Whether the registry has answered that a VAT number is not registered. Numbers without an answer count as registered. */
export async function isVatIdRefused(reader: Reader, vatId: string): Promise<boolean> {
  return (await reader.row(byVatId, [vatId]))?.outcome === 'invalid'
}

/** Copy the check of a VAT number to an order. */
export function keepVatCheckOfOrder(tx: Transaction, orderId: string, vatId: string): void {
  tx.write(keepForOrder, [orderId, vatId])
}

/** Find the check of an order's VAT number, as of the order's placement; `null` if the registry was not asked. */
export async function vatCheckOfOrder(reader: Reader, orderId: string): Promise<VatCheck | null> {
  return (await reader.row(ofOrder, [orderId])) ?? null
}
