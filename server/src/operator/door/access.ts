import { integrationAllows, type OperatorOperation, roleAllows } from '@vitrine/contract/operator'
import { findAfterSales } from '../../features/after-sales/index.ts'
import { findProduct } from '../../features/catalog/index.ts'
import { intentsOf, orderOfIntent } from '../../features/fulfillment/index.ts'
import { findOrderById, storesOf } from '../../features/orders/index.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import type { Operator } from './handler.ts'

/** Refuses a row that the role or the token does not allow. Refusals: `role_insufficient`, `access_insufficient`. */
export function refuseInsufficient({ role, integration }: Operator, row: OperatorOperation): void {
  if (!integration) {
    if (!roleAllows(role, row)) refuse('role_insufficient')
    return
  }
  const { access, store } = integration
  if (!integrationAllows({ access, isNarrowed: store !== null }, row)) refuse('access_insufficient')
}

/** The store that an operator is narrowed to; `null`: they see all. */
export function storeIdOf({ integration }: Operator): string | null {
  return integration?.store?.id ?? null
}

type StoreFact = NonNullable<OperatorOperation['store']>
type OfStore = (reader: Reader, id: string, store: { readonly id: string; readonly slug: string }) => Promise<boolean>

/** Whether the object in the path of a row is of a store: all of it, and of an order a line. */
const isOfStore: Readonly<Record<Exclude<StoreFact, 'list'>, { readonly param: string; readonly check: OfStore }>> = {
  order: {
    param: 'orderId',
    check: async (reader, id, store) => storesOf(await findOrderById(reader, id)).includes(store.id),
  },
  parcel: {
    param: 'fulfillmentId',
    check: async (reader, id, store) => {
      const orderId = await orderOfIntent(reader, id)
      const intents = orderId === null ? [] : await intentsOf(reader, orderId)
      return intents.some((intent) => intent.id === id && intent.storeId === store.id)
    },
  },
  after_sales: {
    param: 'afterSalesId',
    check: async (reader, id, store) => {
      const request = (await findAfterSales(reader, id)) ?? refuse('not_found')
      const { lines } = await findOrderById(reader, request.orderId)
      const own = new Set(lines.filter(({ storeId }) => storeId === store.id).map((line) => line.id))
      return request.lines.every(({ lineId }) => own.has(lineId))
    },
  },
  product: {
    param: 'productId',
    check: async (reader, id, store) => (await findProduct(reader, id))?.line.store === store.slug,
  },
}

/** Refuses an object that is not of the store that an operator is narrowed to. Refusals: `not_found`, as for one that does not exist. */
export async function refuseOtherStore(
  reader: Reader,
  { integration }: Operator,
  row: OperatorOperation,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  const store = integration?.store
  if (!store || row.store === undefined || row.store === 'list') return
  const { param, check } = isOfStore[row.store]
  if (!(await check(reader, params[param] ?? '', store))) refuse('not_found')
}
