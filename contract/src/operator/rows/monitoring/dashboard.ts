import { type Static, Type } from 'typebox'
import { CurrencyCode, Environment, Money, none, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, integer, listOf, mapOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const count = (description: string, example = 12) => integer(0, Number.MAX_SAFE_INTEGER, description, example)
const countByName = (description: string, example: Readonly<Record<string, number>>) =>
  mapOf('^[a-z][a-z0-9_.]{0,63}$', count('How many.'), 100, description, { examples: [example] })

export const Dashboard = operatorNamed(
  'Dashboard',
  closed('How the marketplace fares.', {
    environment: Environment,
    since: Timestamp,
    now: Timestamp,
    days: listOf(
      closed('One day in one currency.', {
        day: formed('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, 'The day in UTC.', '2026-11-21'),
        currency: CurrencyCode,
        orders: count('Orders.'),
        charged: Money,
        refunded: Money,
      }),
      2000,
      'Days with orders, oldest first.',
    ),
    openOrders: countByName('Open orders by status.', { confirmed: 3 }),
    checkouts: closed('Checkouts started.', {
      begun: count('Started.', 40),
      completed: count('Checkouts that led to an order.', 31),
      unknown: count('Checkouts with an unknown payment outcome.', 0),
    }),
    deliveries: countByName('Webhook deliveries by state.', { succeeded: 410 }),
    queues: closed('The number of waiting jobs.', {
      jobsDue: count('Jobs that are due.', 0),
      jobsDead: count('Jobs that failed permanently.', 0),
      oldestJobDueAt: orNull(Timestamp, 'When the oldest waiting one was due.'),
      oldestDeliveryDueAt: orNull(Timestamp, 'When the oldest waiting delivery was due.'),
    }),
    requests: listOf(
      closed('One operation, since the process started.', {
        operation: text(100, 'The operation.', 'addPublicCartItem'),
        answers: count('Answers.'),
        meanMs: Type.Number({
          minimum: 0,
          maximum: 1e9,
          description: 'The mean response time.',
          examples: [4.2],
        }),
        slowShare: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'The share of responses slower than 100 ms.',
          examples: [0.01],
        }),
        errors: count('Error responses.', 0),
      }),
      200,
      'The most requested operations.',
    ),
    errors: countByName('Errors by code since the process started.', { validation_failed: 2 }),
  }),
)
export type Dashboard = Static<typeof Dashboard>

export const dashboardRows = {
  getDashboard: operatorOperation({
    method: 'GET',
    path: '/operator/v1/dashboard',
    tag: 'Dashboard',
    summary: 'Get the dashboard.',
    description: 'Orders, revenue, checkouts, deliveries, errors, response times and queues of one environment.',
    auth: { kind: 'operator' },
    params: none,
    query: closed('The environment and the period.', {
      environment: Type.Optional(Environment),
      days: Type.Optional(integer(1, 90, 'The number of days.', 14)),
    }),
    body: null,
    data: Dashboard,
    meta: null,
    refusals: [],
  }),
}
