import type { Static } from 'typebox'
import { closed, flag, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

/** The steps before a shop can sell, in the usual order. */
export const LAUNCH_STEPS = [
  'seller',
  'legal',
  'store',
  'product',
  'shipping',
  'tax',
  'payment',
  'mail',
  'policies',
  'connection',
  'test_order',
  'live',
] as const

/** The maximum number of missing items that a step names. */
export const LAUNCH_MISSING_MAX = 20

const Step = closed('A step.', {
  code: oneOf(LAUNCH_STEPS, 'The subject of the step.'),
  isDone: flag('Whether the data shows that it is done.'),
  missing: listOf(
    text(300, 'What is missing.', 'linen-and-loom'),
    LAUNCH_MISSING_MAX,
    'What is missing: slugs of stores, types of documents, currencies, codes of readiness proofs, or messages of a payment provider.',
  ),
})

export const OperatorLaunch = operatorNamed(
  'OperatorLaunch',
  closed('The steps before a shop can sell, and what is missing.', {
    isDone: flag('Whether every step is done.'),
    steps: listOf(Step, LAUNCH_STEPS.length, 'All steps, in the usual order.'),
  }),
)
export type OperatorLaunch = Static<typeof OperatorLaunch>

export const launchRows = {
  getLaunch: operatorOperation({
    method: 'GET',
    path: '/operator/v1/launch',
    tag: 'Dashboard',
    summary: 'Get the steps that are left before the shop can sell.',
    description:
      'Each step is derived from the data of both environments. Payment providers are checked in the live environment.',
    auth: { kind: 'operator', area: 'dashboard' },
    data: OperatorLaunch,
    refusals: [],
  }),
}
