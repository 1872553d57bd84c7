import { type operatorOperations, operatorRoles } from '@vitrine/contract/operator'
import { findCustomers } from '../../../features/accounts/index.ts'
import { findProducts } from '../../../features/catalog/index.ts'
import { findOrders, maskedEmail } from '../../../features/orders/index.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

const FOUND_MAX = 5

/** GET /operator/v1/find */
export const findRecords: OperatorHandler<Rows['findRecords']> = async ({ query }, { reader, operator }) => {
  const { q, environment = 'live' } = query
  const text = q.trim()
  if (text === '') return { orders: [], customers: [], products: [] }
  // Everyone may search. The results are limited to what the role may read.
  const access = operatorRoles[operator.role]
  const storeId = operator.store?.id ?? null
  const [orders, customers, products] = await Promise.all([
    access.orders === 'none' ? [] : findOrders(reader, { environment, text, storeId, limit: FOUND_MAX }),
    // Customers belong to the whole marketplace.
    access.customers === 'none' || storeId !== null ? [] : findCustomers(reader, text, FOUND_MAX),
    access.catalog === 'none' ? [] : findProducts(reader, text, FOUND_MAX, storeId),
  ])
  return {
    orders: orders.map(({ id, number, email, status, total, currency, placedAt }) => {
      return {
        id,
        number,
        email,
        status,
        total: { amount: Number(total), currency },
        placedAt: placedAt.toISOString(),
      }
    }),
    customers: customers.map(({ id, email, first_name, last_name }) => {
      const name = [first_name, last_name].filter(Boolean).join(' ')
      return { id, name: name || null, emailMasked: maskedEmail(email) }
    }),
    products: [...products],
  }
}
