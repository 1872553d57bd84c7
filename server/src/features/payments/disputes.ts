import type { Environment } from '../../kernel/environment.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Intent } from './intents/intent.ts'
import type { ProviderDispute } from './providers/provider.ts'

/** A dispute of a charge, as last looked up. */
export interface Dispute extends ProviderDispute {
  readonly chargeId: string
}

/** The disputes of a charge before and after a lookup that changed them. */
export interface DisputeChange {
  readonly before: readonly Dispute[]
  readonly after: readonly Dispute[]
}

/** The interval at which an undecided dispute is looked up, in case a notification is lost. */
export const DISPUTE_LOOKUP_MS = 86_400_000
/** The time until a lookup without an answer is repeated. */
export const DISPUTE_RETRY_MS = 300_000

const COLUMNS = `charge_id as "chargeId", reference, amount, currency, reason, status, respond_by as "respondBy", url,
  opened_at as "openedAt"`
const ofCharge = statement<Dispute>(
  'payments.disputes_of_charge',
  `select ${COLUMNS} from payment_disputes where charge_id = $1 order by opened_at, reference`,
)
// A decided dispute stays decided: an answer may be older than the previous one.
const save = statement(
  'payments.save_dispute',
  `insert into payment_disputes as dispute (provider, reference, charge_id, amount, currency, reason, status, respond_by, url,
     opened_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   on conflict (provider, reference) do update set amount = excluded.amount, reason = excluded.reason,
     status = excluded.status, respond_by = excluded.respond_by, url = excluded.url, updated_at = excluded.updated_at
   where dispute.status in ('open', 'under_review')`,
)
const chargeByReference = statement<{ readonly id: string }>(
  'payments.charge_by_reference',
  `select id from payment_intents where provider_reference = $2 and provider = $1 and kind = 'charge'`,
)

/** The lists of disputes: to respond to, under review by the bank, or decided. */
type DisputeView = 'open' | 'under_review' | 'decided'

const STATUSES: Readonly<Record<DisputeView, readonly Dispute['status'][]>> = {
  open: ['open'],
  under_review: ['under_review'],
  decided: ['won', 'lost'],
}

/** A dispute with its sort key. Open disputes are sorted by deadline, those without one last; others newest first. */
export interface ListedDispute extends Dispute {
  readonly place: number
}

const listed = statement<ListedDispute>(
  'payments.list_disputes',
  `select * from (
     select dispute.charge_id as "chargeId", dispute.reference, dispute.amount, dispute.currency, reason, dispute.status,
       respond_by as "respondBy", url, opened_at as "openedAt",
       case when dispute.status = 'open' then coalesce(extract(epoch from respond_by), 1e12)
         else -extract(epoch from opened_at) end::float8 as place
     from payment_disputes dispute join payment_intents charge on charge.id = dispute.charge_id
     where dispute.status = any($2::text[]) and charge.environment = $1) as dispute
   where $3::float8 is null or (place, reference) > ($3, $4) order by place, reference limit $5`,
)
const countOpen = statement<{ readonly count: number }>(
  'payments.count_open_disputes',
  `select count(*)::integer as count from (
     select from payment_disputes dispute join payment_intents charge on charge.id = dispute.charge_id
     where dispute.status = 'open' and charge.environment = $1 limit $2) as open`,
)

/** List the disputes of an environment. */
export function listDisputes(
  reader: Reader,
  asked: {
    readonly environment: Environment
    readonly view: DisputeView
    readonly limit: number
    /** The last dispute of the previous page. */
    readonly after: Pick<ListedDispute, 'place' | 'reference'> | null
  },
): Promise<readonly ListedDispute[]> {
  const { environment, view, limit, after } = asked
  return reader.rows(listed, [environment, STATUSES[view], after?.place ?? null, after?.reference ?? null, limit])
}

/** Count the disputes that the shop can still respond to, up to `most`. */
export async function countOpenDisputes(reader: Reader, environment: Environment, most: number): Promise<number> {
  return (await reader.row(countOpen, [environment, most]))?.count ?? 0
}

/** List the disputes of a charge, oldest first. */
export function disputesOf(reader: Reader, chargeId: string): Promise<readonly Dispute[]> {
  return reader.rows(ofCharge, [chargeId])
}

/** Find the id of a charge by the provider's reference. */
export async function chargeIdOf(reader: Reader, provider: string, reference: string): Promise<string | null> {
  return (await reader.row(chargeByReference, [provider, reference]))?.id ?? null
}

/**
 * Save the disputes of a locked charge, as looked up at the provider.
 *
 * @returns the change; `null` if there is none
 */
export async function saveDisputes(
  tx: Transaction,
  { id, provider }: Intent,
  found: readonly ProviderDispute[],
  now: Date,
): Promise<DisputeChange | null> {
  const before = await disputesOf(tx, id)
  for (const { reference, amount, currency, reason, status, respondBy, url, openedAt } of found) {
    const facts = [amount, currency, reason, status, respondBy, url, openedAt, now]
    tx.write(save, [provider, reference, id, ...facts])
  }
  const after = await disputesOf(tx, id)
  return JSON.stringify(after.map(shownOf)) === JSON.stringify(before.map(shownOf)) ? null : { before, after }
}

/**
 * The disputed amount of a charge in this currency, including lost disputes. A dispute that was won does not count, and one in another
 * currency cannot be expressed as part of the charge: operators see it, but it is not added.
 */
export function disputedOf(disputes: readonly Dispute[], charged: string): bigint {
  return disputes
    .filter(({ status, currency }) => status !== 'won' && currency === charged)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** Whether a new dispute can be responded to. */
export function hasOpened({ before, after }: DisputeChange): boolean {
  return after.some((each) => each.status === 'open' && !before.some(({ reference }) => reference === each.reference))
}

/** Whether the bank has decided. */
export function isDecided({ status }: Pick<Dispute, 'status'>): boolean {
  return status === 'won' || status === 'lost'
}

function shownOf({ reference, amount, reason, status, respondBy, url }: Dispute) {
  return [reference, String(amount), reason, status, respondBy, url]
}
