import { present } from '../../../kernel/assert.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { vatIdOf } from '../../carts/index.ts'
import { skuCodesSql } from '../../catalog/index.ts'
import { keepVatCheckOfOrder, shippingNamesSql } from '../../pricing/index.ts'
import { type LocalizedText, localizedText } from '../../promotions/index.ts'
import { type AcceptedVersion, acceptedVersionsSql, headsOfAccepted } from '../../storefront/index.ts'
import { writeInvoices } from '../invoice/store.ts'
import { type SenderRow, senderOf, senderSql } from '../link/link.ts'
import { orderMail } from '../mail/compose.ts'
import { linksTo, sendOrderMails } from '../mail/send.ts'
import { confirmedOrder, type OrderDraft } from '../order/draft.ts'
import { publishOrderCreated } from '../order/events.ts'
import { isUnpaid, type Order, storesOf } from '../order/order.ts'
import { insertOrder } from '../order/store.ts'

interface NumberRow {
  readonly number: string
}

const NUMBERS: Readonly<Record<Order['environment'], string>> = {
  live: "'V-' || nextval('order_numbers_live') as number",
  test: "'T-' || nextval('order_numbers_test') as number",
}
const nextNumber = {
  live: statement<NumberRow>('orders.next_number_live', `select ${NUMBERS.live}`),
  test: statement<NumberRow>('orders.next_number_test', `select ${NUMBERS.test}`),
} as const

/** The next order number. */
export async function nextOrderNumber(tx: Transaction, environment: Order['environment']): Promise<string> {
  return present(await tx.row(nextNumber[environment]), 'a sequence has a next value').number
}

/** The facts of a new order that its quote does not have. */
interface FactsRow extends NumberRow, SenderRow {
  readonly codes: Readonly<Record<string, string>>
  readonly shipping_names: Readonly<Record<string, LocalizedText>>
  readonly accepted: readonly AcceptedVersion[]
}

// One query over tables of five features. As five queries, they were a tenth of the queries of a paid checkout.
const FACTS = `${senderSql('$1')}, ${skuCodesSql('$2')} as codes, ${shippingNamesSql('$3')} as shipping_names,
  ${acceptedVersionsSql('$4', '$5', '$1')} as accepted`
const readFacts = {
  live: statement<FactsRow>('orders.facts_live', `select ${NUMBERS.live}, ${FACTS}`),
  test: statement<FactsRow>('orders.facts_test', `select ${NUMBERS.test}, ${FACTS}`),
} as const

interface PlaceOrderDeps extends EventContext {
  /** Public URL of the pages door, without a trailing slash: base of the links to accepted documents. */
  readonly pagesUrl: string
}

/**
 * Creates a confirmed order, publishes it and mails the shopper. A second order of a session violates UNIQUE: callers hold the
 * session's lock.
 */
export async function placeOrder(
  tx: Transaction,
  draft: OrderDraft,
  { pagesUrl, ...context }: PlaceOrderDeps,
): Promise<Order> {
  const { ids, now } = context
  const facts = present(await tx.row(readFacts[draft.environment], factValues(draft)), 'facts of a new order')
  const order = confirmedOrder(named(draft, facts), {
    id: ids.next('ord'),
    number: facts.number,
    externalId: null,
    nextLineId: () => ids.next('oli'),
    now,
  })
  insertOrder(tx, order, null)
  const vatId = vatIdOf(order)
  if (vatId !== null) keepVatCheckOfOrder(tx, order.id, vatId)
  publishOrderCreated(tx, order, context)
  const documents = linksTo(headsOfAccepted(facts.accepted, [order.locale]), pagesUrl, order.locale)
  const mails = [orderMail({ kind: isUnpaid(order) ? 'received' : 'confirmed', documents })]
  sendOrderMails(tx, order, { mails, ...senderOf(facts) }, context)
  writeInvoices(tx, order, context)
  return order
}

function factValues({ lines, selectedShipping, acceptedDocuments }: OrderDraft): readonly unknown[] {
  return [
    storesOf({ lines }),
    lines.map(({ skuId }) => skuId),
    selectedShipping.map(({ optionId }) => optionId),
    acceptedDocuments.map(({ type }) => type),
    acceptedDocuments.map(({ version }) => version),
  ]
}

/** Adds SKU codes and the names of shipping methods to a draft. Later changes of either do not change the order. */
function named(draft: OrderDraft, { codes, shipping_names: names }: FactsRow): OrderDraft {
  const nameOf = (optionId: string) => {
    const name = names[optionId]
    return name === undefined ? undefined : localizedText(name, draft.locale)
  }
  return {
    ...draft,
    lines: draft.lines.map((line) => ({ ...line, code: codes[line.skuId] })),
    selectedShipping: draft.selectedShipping.map((each) => ({ ...each, name: nameOf(each.optionId) })),
  }
}
