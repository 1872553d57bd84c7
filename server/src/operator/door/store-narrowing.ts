import type { OperatorOperation, StoreObject } from '@vitrine/contract/operator'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type Statement, statement } from '../../platform/postgres/statement.ts'
import { refuseAccess } from './access.ts'
import type { Operator } from './handler.ts'

/** The only store of an operator. */
export interface OperatorStore {
  readonly id: string
  readonly slug: string
}

/** SQL: the store of an operator, as JSON. */
export const STORE_OF_OPERATOR = `(select jsonb_build_object('id', stores.id, 'slug', slug) from stores where stores.id = store_id)`

/** Replaces the slug of another store or the id of its object. Nothing has it, so the answer is the same as for an absent one. */
const ABSENT = '-'

const belongs = (object: StoreObject, query: string) => statement<{ id: string }>(`operators.own_${object}`, query)
const ofOrder = (table: string) =>
  `select ${table}.id from ${table} join orders on orders.id = order_id where ${table}.id = $1 and store_id = $2`
const own = (table: string) => `select id from ${table} where id = $1 and store_id = $2`

/** Finds an object by id and store. An order belongs to a store if all its lines do, a document also if the store issued it. */
const BELONGS: Readonly<Record<StoreObject, Statement<{ id: string }>>> = {
  order: belongs('order', own('orders')),
  order_share: belongs(
    'order_share',
    'select order_id as id from order_lines where order_id = $1 and store_id = $2 limit 1',
  ),
  fulfillment: belongs('fulfillment', own('fulfilment_intents')),
  cancellation: belongs('cancellation', ofOrder('cancellations')),
  after_sales: belongs('after_sales', ofOrder('after_sales')),
  invoice: belongs(
    'invoice',
    `select invoices.id from invoices join orders on orders.id = order_id where invoices.id = $1
       and (orders.store_id = $2 or invoices.seller_id = (select seller_id from seller_records where store_id = $2))`,
  ),
  product: belongs('product', own('products')),
  sku: belongs(
    'sku',
    'select skus.id from skus join products on products.id = product_id where skus.id = $1 and store_id = $2',
  ),
  category: belongs('category', own('categories')),
  promotion: belongs('promotion', own('promotions')),
  legal_document: belongs('legal_document', own('legal_documents')),
  mail: belongs('mail', 'select id from mails where id = $1 and store_ids = array[$2::text]'),
}

interface Input {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: unknown
}

/**
 * Narrows the input of a row for an operator or a token of one store. For all others it is unchanged.
 *
 * Refusals: `role_insufficient`, `access_insufficient`.
 */
export async function narrowed<Sent extends Input>(
  reader: Reader,
  operator: Operator | null,
  { store: narrowing }: Pick<OperatorOperation, 'store'>,
  input: Sent,
): Promise<Sent> {
  const store = operator?.store
  if (!store || narrowing === undefined || typeof narrowing === 'string') return input
  const { field } = narrowing
  if ('object' in narrowing) {
    const found = await reader.row(BELONGS[narrowing.object], [input.params[field], store.id])
    return found ? input : { ...input, params: { ...input.params, [field]: ABSENT } }
  }
  const part = input[narrowing.slug] as Readonly<Record<string, unknown>>
  // A list without a store is narrowed to theirs. An object without a store would belong to the marketplace.
  const asked = part[field] ?? (narrowing.slug === 'query' ? store.slug : refuseAccess(operator))
  return { ...input, [narrowing.slug]: { ...part, [field]: asked === store.slug ? asked : ABSENT } }
}
