import { type Static, Type } from 'typebox'
import { Email, Environment, id, Money, Timestamp } from '../../../schemas/common.ts'
import { ORDER_STATUSES } from '../../../schemas/orders.ts'
import { closed, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const FOUND_MAX = 5

export const OperatorFindings = operatorNamed(
  'OperatorFindings',
  closed('The records found.', {
    orders: listOf(
      closed('An order.', {
        id: id('ord', 'The id of the order.'),
        number: text(40, 'Its number.', 'T-10004'),
        email: Email,
        status: oneOf(ORDER_STATUSES, 'Its status.'),
        total: Money,
        placedAt: Timestamp,
      }),
      FOUND_MAX,
      'Orders, newest first.',
    ),
    customers: listOf(
      closed('A customer.', {
        id: id('cus', 'The id of the customer.'),
        name: orNull(text(201, 'The name.', 'Ada Example'), 'The name, if it is known.'),
        emailMasked: text(254, 'The email address, mostly hidden.', 'a…@example.com'),
      }),
      FOUND_MAX,
      'Customers by name.',
    ),
    products: listOf(
      closed('A product.', {
        id: id('prod', 'The id of the product.'),
        name: text(500, 'The name.', 'Daybreak Mug'),
        code: orNull(
          text(250, 'The code.', 'MUG-SAGE'),
          'The code of the SKU that was found; `null`: the name was found.',
        ),
        status: oneOf(['published', 'draft', 'archived'], 'Its status.'),
      }),
      FOUND_MAX,
      'Products.',
    ),
  }),
)
export type OperatorFindings = Static<typeof OperatorFindings>

export const findRows = {
  findRecords: operatorOperation({
    method: 'GET',
    path: '/operator/v1/find',
    tag: 'Dashboard',
    summary: 'Find orders, customers and products.',
    description:
      'By the beginning of an order number, an email address, a name or a SKU code, or by a part of a product name (three letters or more). Orders are of one environment.',
    auth: { kind: 'operator', area: 'own' },
    query: closed('The text.', {
      q: text(200, 'The search text.', 'T-1000'),
      environment: Type.Optional(Environment),
    }),
    data: OperatorFindings,
    refusals: [],
    store: 'filter',
  }),
}
