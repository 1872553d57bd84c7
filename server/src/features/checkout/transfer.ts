import { formatMoney } from '../../kernel/format-money.ts'
import { type Language, writingFor } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusal.ts'
import { composeMail, sendMail } from '../../platform/mail/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type Intent, type TransferFor, transferAccount, transferReference } from '../payments/index.ts'
import { readSiteName } from '../storefront/index.ts'
import type { TransferTerms } from './deps.ts'
import type { LoadedSession } from './session-store.ts'

// Shoppers who pay by bank transfer hold stock for days without having paid. Together they hold a share of it at most, so
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
 * Whether a bank transfer can be offered for a session: there is one account to pay to, and its goods and those of other open
 * transfers are within the share.
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
 * Refuses a bank transfer for a session without an account to pay to, or whose goods, with those of other open transfers, exceed
 * the configured share of stock.
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
  refuse('validation_failed', { faults: [{ field: 'provider', code: 'not_offered', message }] })
}

const texts: Readonly<
  Record<
    Language,
    {
      readonly title: string
      readonly opening: string
      readonly heading: string
      readonly amount: string
      readonly reference: string
      readonly account: string
      readonly until: string
      readonly ask: string
      readonly closing: string
      readonly test: string
    }
  >
> = {
  en: {
    title: 'Complete your bank transfer',
    opening: 'We’ll place your order when your payment arrives, and reserve your items until then.',
    heading: 'Payment',
    amount: 'Amount',
    reference: 'Reference',
    account: 'Account',
    until: 'Reserved until',
    ask: 'The shop will tell you its bank details.',
    closing: 'Include the reference so that we can match your payment. If you no longer want the items, do nothing.',
    test: 'This is a test. Please do not transfer any money.',
  },
  de: {
    title: 'Bitte überweise den Betrag',
    opening: 'Nach Zahlungseingang wird deine Bestellung aufgegeben. Bis dahin reservieren wir deine Artikel.',
    heading: 'Zahlung',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    account: 'Konto',
    until: 'Reserviert bis',
    ask: 'Die Bankverbindung erhältst du vom Shop.',
    closing:
      'Gib den Verwendungszweck an, damit wir deine Zahlung zuordnen können. Möchtest du die Artikel nicht mehr, musst du nichts tun.',
    test: 'Dies ist ein Test. Bitte überweise kein Geld.',
  },
}

/** The day to tell shoppers, without a time: half a day at most beyond or before the moment. */
export function lastDayOf(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - 12 * 3_600_000)
}

/** Mails amount, reference, account and deadline to a shopper who pays by bank transfer. */
export async function mailTransferDetails(
  tx: Transaction,
  { session, quote }: LoadedSession,
  charge: Intent,
  terms: TransferTerms,
  context: EventContext,
): Promise<void> {
  const recipient = session.contact?.email
  if (recipient === undefined) return
  const { language, locale } = writingFor(quote.locale)
  const words = texts[language]
  const isTest = session.environment === 'test'
  const storeIds = [...new Set(quote.lines.map(({ storeId }) => storeId))]
  const { environment, currency, createdAt: at } = charge
  const account = await transferAccount(tx, { environment, currency, storeIds, at }, terms)
  const siteName = await readSiteName(tx)
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const rows = [
    { label: words.amount, value: formatMoney(locale, charge.amount, charge.currency), isStrong: true },
    { label: words.reference, value: transferReference(charge) },
    { label: words.until, value: until.format(lastDayOf(session.expiresAt)) },
  ]
  const bodies = composeMail({
    language,
    siteName,
    title: words.title,
    paragraphs: [words.opening, account === null ? words.ask : `${words.account}:\n${account}`],
    lists: [{ heading: words.heading, rows }],
    closing: [words.closing, ...(isTest ? [words.test] : [])],
  })
  const subject = isTest ? `[Test] ${words.title}` : words.title
  sendMail(tx, { kind: 'checkout.transfer', recipient, locale: language, subject, bodies, storeIds }, context)
}
