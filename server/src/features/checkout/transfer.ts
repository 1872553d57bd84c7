import type { Environment } from '../../kernel/environment.ts'
import { refuseField } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { QuoteContent } from '../carts/index.ts'
import { bankAccountIn, type Intent, type TransferFor, transferAccount, transferAccounts } from '../payments/index.ts'
import type { TransferTerms } from './deps.ts'
import { quotesOfSessions } from './session-store.ts'

// A bank transfer holds stock for days before it is paid. All open transfers together may hold only a share of the stock, so
// that unpaid transfers cannot empty a shop.

const lockLevels = statement(
  'checkout.lock_transfer_levels',
  `select 1 from stock_levels level join stock_holds mine on mine.sku_id = level.sku_id
     and mine.environment = level.environment
   where mine.holder = $1 order by level.sku_id for no key update of level`,
)
const beyondShare = statement<{ readonly sku_id: string }>(
  'checkout.beyond_transfer_share',
  `select mine.sku_id from stock_holds mine
   join stock_levels level on level.sku_id = mine.sku_id and level.environment = mine.environment
   where mine.holder = $1 and mine.taken > 0 and level.counted
     and 100 * (mine.taken + (
       select coalesce(sum(held.taken), 0) from payment_intents charge
         join checkout_sessions session on session.charge_id = charge.id
         join stock_holds held on held.holder = session.id
       where charge.provider = $3 and charge.kind = 'charge' and charge.status in ('created', 'submitted', 'requires_action')
         and session.id <> $1 and held.sku_id = mine.sku_id and held.environment = mine.environment
     )) > level.on_hand * $2::integer`,
)

/** A session, and the provider of bank transfers. */
interface TransferOfSession extends TransferFor {
  readonly sessionId: string
  readonly provider: string
}

/**
 * Whether a bank transfer can be offered for a session: its stores have one account in common, and its items and those of other
 * open transfers are within the share of stock.
 */
export async function isTransferOffered(
  reader: Reader,
  { sessionId, provider, ...paid }: TransferOfSession,
  terms: TransferTerms,
): Promise<boolean> {
  const [account, beyond] = await Promise.all([
    transferAccount(reader, paid, terms),
    reader.rows(beyondShare, [sessionId, terms.stockPercent, provider]),
  ])
  return account !== null && beyond.length === 0
}

/**
 * Refuse a bank transfer for a session that has no account to pay to, or whose items and those of other open transfers together
 * exceed the configured share of stock.
 *
 * Refusals: `validation_failed` for the provider.
 */
export async function refuseTransfer(
  tx: Transaction,
  transfer: TransferOfSession,
  terms: TransferTerms,
): Promise<void> {
  tx.write(lockLevels, [transfer.sessionId])
  if (await isTransferOffered(tx, transfer, terms)) return
  const message = 'These items cannot be reserved for a bank transfer now. Choose another payment method.'
  refuseField('provider', 'not_offered', message)
}

/** The number of charges whose quotes are in memory at once. A statement can name thousands. */
const CHARGES_AT_ONCE = 100

/**
 * The IBANs that were shown to the shoppers of charges, keyed by charge id. `null` if the account has none, and if the session was deleted
 * with its cart, which its charge outlives.
 */
export async function givenIbans(
  reader: Reader,
  environment: Environment,
  charges: readonly ChargeOfSession[],
  terms: TransferTerms,
): Promise<ReadonlyMap<string, string | null>> {
  const ibans = new Map<string, string | null>()
  for (let at = 0; at < charges.length; at += CHARGES_AT_ONCE) {
    const some = charges.slice(at, at + CHARGES_AT_ONCE)
    const quotes = await quotesOfSessions(
      reader,
      some.map(({ subjectId }) => subjectId),
    )
    const known = some.filter(({ subjectId }) => quotes.has(subjectId))
    const paid = known.map((charge) => paidBy({ ...charge, environment }, quotes.get(charge.subjectId)!))
    const accounts = await transferAccounts(reader, paid, terms)
    for (const { id } of some) ibans.set(id, null)
    for (const [index, { id }] of known.entries()) ibans.set(id, bankAccountIn(accounts[index] ?? '')?.iban ?? null)
  }
  return ibans
}

type ChargeOfSession = Pick<Intent, 'id' | 'subjectId' | 'currency' | 'createdAt'>

/** The account in effect when the charge was created, as text. `null` if there was none. */
export function givenAccount(
  reader: Reader,
  charge: Intent,
  quote: Pick<QuoteContent, 'lines'>,
  terms: TransferTerms,
): Promise<string | null> {
  return transferAccount(reader, paidBy(charge, quote), terms)
}

function paidBy(
  { environment, currency, createdAt: at }: Pick<Intent, 'environment' | 'currency' | 'createdAt'>,
  { lines }: Pick<QuoteContent, 'lines'>,
): TransferFor {
  return { environment, currency, storeIds: [...new Set(lines.map(({ storeId }) => storeId))], at }
}

const deadlines = statement<{ readonly id: string; readonly expires_at: Date }>(
  'checkout.deadlines',
  'select id, expires_at from checkout_sessions where id = any($1)',
)

/** The deadlines of sessions that wait for a transfer, keyed by session id. */
export async function deadlinesOf(reader: Reader, sessionIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await reader.rows(deadlines, [sessionIds])
  return new Map(rows.map(({ id, expires_at }) => [id, expires_at]))
}

/** The deadline as a day for shoppers, without a time of day. In any time zone, its end is at most half a day before or after the deadline. */
export function lastDayOf(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - 12 * 3_600_000)
}
