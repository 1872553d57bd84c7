import { type Static, Type } from 'typebox'
import { Environment, Timestamp } from '../../../schemas/common.ts'
import { closed, integer, listOf, mapOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const count = (description: string, example = 12) => integer(0, Number.MAX_SAFE_INTEGER, description, example)
const countByName = (description: string, example: Readonly<Record<string, number>>) =>
  mapOf('^[a-z][a-z0-9_.]{0,63}$', count('How many.'), 100, description, { examples: [example] })

export const OperatorSystem = operatorNamed(
  'OperatorSystem',
  closed('The state of the server.', {
    environment: Environment,
    since: Timestamp,
    now: Timestamp,
    deliveries: countByName('Webhook deliveries by state.', { succeeded: 410 }),
    queues: closed('The number of waiting jobs.', {
      jobsDue: count('Jobs that are due.', 0),
      jobsDead: count('Jobs that failed permanently.', 0),
      oldestJobDueAt: orNull(Timestamp, 'When the oldest waiting job was due.'),
      oldestDeliveryDueAt: orNull(Timestamp, 'When the oldest waiting delivery was due.'),
    }),
    requests: listOf(
      closed('One operation, since the process started.', {
        operation: text(100, 'The operation.', 'addPublicCartItem'),
        answers: count('Answers.'),
        meanMs: Type.Number({
          minimum: 0,
          maximum: 1e9,
          description: 'The mean response time, in milliseconds.',
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
    proxies: closed('Requests by number of proxies, since the process started.', {
      trusted: integer(0, 10, 'The setting TRUSTED_PROXIES.', 1),
      asConfigured: count('Requests through that many proxies.'),
      tooFew: count('Requests through fewer proxies: clients may choose their address.', 0),
      tooMany: count('Requests that list more proxies: clients may share an address.', 0),
      unknownOperators: count(
        'Requests of the operator door through a proxy that is not in OPERATOR_PROXIES or names no client: operators share its address.',
        0,
      ),
    }),
    errors: countByName('Errors by code since the process started.', { validation_failed: 2 }),
  }),
)
export type OperatorSystem = Static<typeof OperatorSystem>

export const systemRows = {
  getSystem: operatorOperation({
    method: 'GET',
    path: '/operator/v1/system',
    tag: 'System',
    summary: 'Get the state of the server.',
    description: 'Webhook deliveries of one environment; queues, response times and errors of the server.',
    auth: { kind: 'operator', area: 'jobs' },
    query: closed('The environment and the period of the deliveries.', {
      environment: Type.Optional(Environment),
      days: Type.Optional(integer(1, 90, 'The number of days.', 14)),
    }),
    data: OperatorSystem,
    refusals: [],
  }),
}
