import { present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { json } from '../../../kernel/json.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Database } from '../../../platform/postgres/database.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { SellerRecord } from '../../storefront/index.ts'
import type { Order } from '../order/order.ts'
import type { StoredTax } from '../order/rows.ts'
import { creditLinesOf, type InvoiceLine, invoiceLinesOf } from './lines.ts'

/** An invoice or a credit note, as issued. */
export interface Invoice {
  readonly id: string
  readonly sellerId: string
  readonly environment: Environment
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string
  readonly orderId: string
  /** The refund of a credit note; `null` for an invoice. */
  readonly reference: string | null
  /** The number and the day of the invoice that a credit note corrects; `null` for an invoice. */
  readonly corrected: { readonly number: string; readonly issuedOn: string } | null
  readonly seller: SellerRecord
  readonly facts: InvoiceFacts
  readonly lines: readonly InvoiceLine[]
  readonly currency: string
  readonly total: bigint
  readonly issuedAt: Date
  /** The day in the time zone of the seller: `2026-12-31`. */
  readonly issuedOn: string
}

/** The facts of an order that all its documents state. */
type InvoiceFacts = Pick<Order, 'locale' | 'billingAddress' | 'shippingAddress' | 'email'> & {
  /** The country of the buyer. Absent in documents of earlier versions. */
  readonly country?: string
  readonly orderNumber: string
  readonly placedAt: string
}

// Counters are locked in the order of seller ids, so that two orders of the same stores cannot deadlock.
const issue = `, counted as (
    insert into invoice_counters as counter (seller_id, environment, kind, year, last)
    select seller_id, $2, $3, extract(year from $4::timestamptz at time zone coalesce(seller->>'timeZone', 'UTC')), 1
    from due order by seller_id
    on conflict (seller_id, environment, kind, year) do update set last = counter.last + 1
    returning seller_id, year, last)
  insert into invoices (id, seller_id, environment, kind, year, sequence, order_id, reference, corrects, seller, facts, lines,
    currency, total, issued_at)
  select due.id, due.seller_id, $2, $3, counted.year, counted.last, $5, $6, due.corrects, due.seller, $7, due.lines, $8, due.total, $4
  from due join counted using (seller_id)`
const SOLD = `jsonb_to_recordset($1) as sold (id text, "storeId" text, position integer, total bigint, line jsonb)`
const issueInvoices = statement(
  'orders.issue_invoices',
  `with due as (
    select seller.seller_id, min(sold.id) as id, null as corrects, sum(sold.total)::bigint as total,
      jsonb_agg(sold.line order by sold.position) as lines,
      (select jsonb_build_object('storeId', store_id, 'legalName', legal_name, 'address', address, 'country', country,
         'vatIds', vat_ids, 'taxNumber', tax_number, 'registration', registration, 'representative', representative,
         'email', email, 'phone', phone, 'timeZone', time_zone, 'version', version)
       from seller_records where seller_id = seller.seller_id) as seller
    from ${SOLD} left join seller_records own on own.store_id = sold."storeId"
      join seller_records seller on seller.seller_id = coalesce(own.seller_id, 'marketplace')
    group by seller.seller_id having sum(sold.total) > 0)${issue}`,
)
const issueCreditNotes = statement(
  'orders.issue_credit_notes',
  `with due as (
    select invoice.seller_id, min(sold.id) as id, invoice.id as corrects, sum(sold.total)::bigint as total,
      jsonb_agg(sold.line order by sold.position) as lines, invoice.seller
    from ${SOLD} join invoices invoice on invoice.order_id = $5 and invoice.kind = 'invoice'
      and invoice.lines @> jsonb_build_array(jsonb_build_object('key', sold.line -> 'key'))
    group by invoice.id)${issue}`,
)

const COLUMNS = `invoice.id, invoice.seller_id, invoice.environment, invoice.kind, invoice.number, invoice.order_id,
  invoice.reference, invoice.seller, invoice.facts, invoice.lines, invoice.currency, invoice.total, invoice.issued_at,
  invoice.issued_on, corrected.number as corrected_number, corrected.issued_on as corrected_issued_on`
const ofOrder = statement<InvoiceRow>(
  'orders.invoices_of_order',
  `select ${COLUMNS} from invoices invoice left join invoices corrected on corrected.id = invoice.corrects
   where invoice.order_id = $1 order by invoice.issued_at, invoice.corrects nulls first, invoice.sequence`,
)
const byId = statement<InvoiceRow>(
  'orders.invoice',
  `select ${COLUMNS} from invoices invoice left join invoices corrected on corrected.id = invoice.corrects
   where invoice.id = $1`,
)

const ofPeriod = statement<InvoiceRow>(
  'orders.invoices_of_period',
  `select ${COLUMNS} from invoices invoice left join invoices corrected on corrected.id = invoice.corrects
   where invoice.environment = $1
     and invoice.seller_id = coalesce((select seller_id from seller_records where store_id = $2), 'marketplace')
     and invoice.issued_on >= $3::date and invoice.issued_on <= $4::date and (invoice.issued_on, invoice.id) > ($5::date, $6)
     and (not $8 or invoice.seller_id <> 'marketplace'
       or exists (select from orders where orders.id = invoice.order_id and orders.store_id = $2))
   order by invoice.issued_on, invoice.id limit $7`,
)

const readFile = statement<{ pdf: Buffer }>(
  'orders.invoice_file',
  'select pdf from invoice_files where invoice_id = $1',
)
const keepFile = statement<{ pdf: Buffer }>(
  'orders.keep_invoice_file',
  `insert into invoice_files (invoice_id, pdf, sha256, created_at) values ($1, $2, sha256($2), $3)
   on conflict (invoice_id) do nothing returning pdf`,
)

type StoredInvoiceLine = Omit<InvoiceLine, 'unitPrice' | 'discounts' | 'taxLines' | 'total'> & {
  readonly unitPrice: number | null
  readonly discounts: readonly { readonly title: string; readonly amount: number }[]
  readonly taxLines: readonly StoredTax[]
  readonly total: number
}

interface InvoiceRow {
  readonly id: string
  readonly seller_id: string
  readonly environment: Environment
  readonly kind: Invoice['kind']
  readonly number: string
  readonly order_id: string
  readonly reference: string | null
  readonly seller: SellerRecord
  readonly facts: InvoiceFacts
  readonly lines: readonly StoredInvoiceLine[]
  readonly currency: string
  readonly total: bigint
  readonly issued_at: Date
  readonly issued_on: string
  readonly corrected_number: string | null
  readonly corrected_issued_on: string | null
}

/**
 * Issues the invoices of a paid order, one for each seller. Sellers without legal details issue none. Call it last: the statement is
 * sent and not awaited, and the next order of a seller waits for its counter until the COMMIT.
 *
 * @see docs/decisions/0099-invoices.md
 */
export function writeInvoices(tx: Transaction, order: Order, context: EventContext): void {
  if (order.source !== 'hosted_checkout' || order.money.charge !== 'captured') return
  const lines = soldLines(invoiceLinesOf(order), context)
  tx.write(issueInvoices, [lines, order.environment, 'invoice', ...factsOf(order, null, context)])
}

/** Issues the credit notes of the refunds that a change begins, one for each seller concerned. */
export async function writeCreditNotes(
  tx: Transaction,
  before: Order,
  after: Order,
  context: EventContext,
): Promise<void> {
  for (const adjustment of after.adjustments.slice(before.adjustments.length)) {
    const issued = await invoicesOfOrder(tx, after.id)
    if (issued.length === 0) return
    const linesOf = (kind: Invoice['kind']) => issued.filter((each) => each.kind === kind).flatMap(({ lines }) => lines)
    const earlier = { invoiced: linesOf('invoice'), credited: linesOf('credit_note') }
    const lines = soldLines(creditLinesOf({ before, after, adjustment }, earlier), context)
    const facts = factsOf(after, adjustment.reference, context)
    tx.write(issueCreditNotes, [lines, after.environment, 'credit_note', ...facts])
  }
}

/** The invoices and credit notes of an order, oldest first. */
export async function invoicesOfOrder(reader: Reader, orderId: string): Promise<readonly Invoice[]> {
  return (await reader.rows(ofOrder, [orderId])).map(invoiceOf)
}

/** A period, and a store whose seller issued the documents. */
interface InvoicePeriod {
  readonly environment: Environment
  readonly storeId: string
  /** The first and the last day, in the time zone of the seller: `2026-03-31`. */
  readonly from: string
  readonly to: string
  /** Whether the reader is confined to the store: of the marketplace's documents, they get those about orders of the store alone. */
  readonly isConfined: boolean
}

const PERIOD_BATCH = 500

/** The invoices and credit notes of a period, oldest first, read in batches. */
export async function* invoicesOfPeriod(reader: Reader, period: InvoicePeriod): AsyncIterable<Invoice> {
  const { environment, storeId, from, to, isConfined } = period
  let last: Pick<Invoice, 'issuedOn' | 'id'> = { issuedOn: from, id: '' }
  for (;;) {
    const values = [environment, storeId, from, to, last.issuedOn, last.id, PERIOD_BATCH, isConfined]
    const batch = (await reader.rows(ofPeriod, values)).map(invoiceOf)
    yield* batch
    if (batch.length < PERIOD_BATCH) return
    last = present(batch.at(-1), 'a full batch has a last document')
  }
}

/** An invoice or a credit note, or `null`. */
export async function findInvoice(reader: Reader, id: string): Promise<Invoice | null> {
  const row = await reader.row(byId, [id])
  return row ? invoiceOf(row) : null
}

/** The PDF of a document. It is created at the first request and stored, so later requests get the same bytes. */
export async function invoiceFile(db: Database, invoice: Invoice, now: Date): Promise<Buffer> {
  const kept = await db.reader.row(readFile, [invoice.id])
  if (kept) return kept.pdf
  const { pdfOf } = await import('./pdf.ts')
  const made = await pdfOf(invoice)
  const first = await db.transaction((tx) => tx.row(keepFile, [invoice.id, made, now]))
  // A concurrent request may have stored it first.
  return first?.pdf ?? present(await db.reader.row(readFile, [invoice.id]), 'a stored file').pdf
}

function soldLines(lines: readonly InvoiceLine[], { ids }: EventContext): string {
  return json(
    lines.map((line, position) => {
      return { id: ids.next('inv'), storeId: line.storeId, position, total: line.total, line }
    }),
  )
}

function factsOf(order: Order, reference: string | null, { now }: EventContext) {
  const { locale, country, billingAddress, shippingAddress, email, number, placedAt } = order
  const facts = { locale, country, billingAddress, shippingAddress, email, orderNumber: number, placedAt }
  return [now, order.id, reference, json(facts), order.currency]
}

function invoiceOf(row: InvoiceRow): Invoice {
  const { corrected_number: number, corrected_issued_on: issuedOn } = row
  return {
    id: row.id,
    sellerId: row.seller_id,
    environment: row.environment,
    kind: row.kind,
    number: row.number,
    orderId: row.order_id,
    reference: row.reference,
    corrected: number === null || issuedOn === null ? null : { number, issuedOn },
    seller: row.seller,
    facts: row.facts,
    lines: row.lines.map((line) => ({
      ...line,
      unitPrice: line.unitPrice === null ? null : BigInt(line.unitPrice),
      discounts: line.discounts.map((each) => ({ ...each, amount: BigInt(each.amount) })),
      taxLines: line.taxLines.map((tax) => ({ ...tax, taxable: BigInt(tax.taxable), amount: BigInt(tax.amount) })),
      total: BigInt(line.total),
    })),
    currency: row.currency,
    total: row.total,
    issuedAt: row.issued_at,
    issuedOn: row.issued_on,
  }
}
