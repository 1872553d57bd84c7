import type { Static } from 'typebox'
import { none } from '../../../schemas/common.ts'
import { closed, flag, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

/** What a shop needs before it sells, in the order in which it is usually done. */
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

/** Missing things that are named. */
export const LAUNCH_MISSING_MAX = 20

const Step = closed('A step.', {
  code: oneOf(LAUNCH_STEPS, 'What it is about.'),
  isDone: flag('Whether it is done, as the data shows..'),
  missing: listOf(
    text(300, 'What is missing.', 'linen-and-loom'),
    LAUNCH_MISSING_MAX,
    'What is missing: slugs of stores, types of documents, currencies, codes of readiness proofs, or what a payment provider says.',
  ),
})

export const OperatorLaunch = operatorNamed(
  'OperatorLaunch',
  closed('What a shop still needs before it sells for real.', {
    isDone: flag('Whether every step is done.'),
    steps: listOf(Step, LAUNCH_STEPS.length, 'Every step, in the order in which it is usually done.'),
  }),
)
export type OperatorLaunch = Static<typeof OperatorLaunch>

export const launchRows = {
  getLaunch: operatorOperation({
    method: 'GET',
    path: '/operator/v1/launch',
    tag: 'Dashboard',
    summary: 'Get what is left to do before the shop sells for real.',
    description:
      'Each step is read from the data, in both environments. Payment providers are asked whether they work in live.',
    auth: { kind: 'operator', area: 'dashboard' },
    params: none,
    query: none,
    body: null,
    data: OperatorLaunch,
    meta: null,
    refusals: [],
  }),
}
