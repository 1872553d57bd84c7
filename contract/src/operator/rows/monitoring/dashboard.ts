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
      'Days with orders, the oldest first.',
    ),
    openOrders: countByName('Orders to be dealt with, by state.', { confirmed: 3 }),
    checkouts: closed('Checkouts that were begun.', {
      begun: count('Begun.', 40),
      completed: count('That came to an order.', 31),
      unknown: count('Of which nobody knows yet whether they were paid.', 0),
    }),
    deliveries: countByName('Webhook deliveries by state.', { succeeded: 410 }),
    queues: closed('What waits.', {
      jobsDue: count('Jobs whose time has come.', 0),
      jobsDead: count('Jobs that were given up.', 0),
      oldestJobDueAt: orNull(Timestamp, 'When the longest waiting was due.'),
      oldestDeliveryDueAt: orNull(Timestamp, 'When the longest waiting delivery was due.'),
    }),
    requests: listOf(
      closed('One operation, since this process began.', {
        operation: text(100, 'The operation.', 'addPublicCartItem'),
        answers: count('Answers.'),
        meanMs: Type.Number({
          minimum: 0,
          maximum: 1e9,
          description: 'How long an answer took on average.',
          examples: [4.2],
        }),
        slowShare: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'The share that took longer than 100 ms.',
          examples: [0.01],
        }),
        errors: count('Answers that were errors.', 0),
      }),
      200,
      'The operations that were asked for most.',
    ),
    errors: countByName('Errors by code, since this process began.', { validation_failed: 2 }),
  }),
)
export type Dashboard = Static<typeof Dashboard>

export const dashboardRows = {
  getDashboard: operatorOperation({
    method: 'GET',
    path: '/operator/v1/dashboard',
    tag: 'Dashboard',
    summary: 'Say how the marketplace fares.',
    description: 'Orders, money, checkouts, deliveries, errors, times and queues, of one environment.',
    auth: { kind: 'operator' },
    params: none,
    query: closed('What of.', {
      environment: Type.Optional(Environment),
      days: Type.Optional(integer(1, 90, 'How many days back.', 14)),
    }),
    body: null,
    data: Dashboard,
    meta: null,
    refusals: [],
  }),
}
