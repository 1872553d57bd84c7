import { type Static, Type } from 'typebox'
import { id, Slug } from '../../../schemas/common.ts'
import { closed, flag, integer, listOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Policies'
const auth = { kind: 'operator', area: 'settings' } as const
const DAYS_MAX = 3650
const FINAL_SALE_MAX = 10_000
const days = (minimum: number, description: string, example: number) => integer(minimum, DAYS_MAX, description, example)
const PolicyVersion = integer(0, 2_147_483_647, 'Increases by one with each change; 0: the store has no policy.', 1)

const KindRules = closed('The rules for one kind.', {
  offered: flag('Whether it can be requested.'),
  windowDays: days(0, 'The window of a request, in days after delivery.', 30),
  automatic: flag('Whether a request within the rules is approved at once.', false),
})
const ids = (prefix: string, description: string) =>
  listOf(id(prefix, 'An id.'), FINAL_SALE_MAX, description, { uniqueItems: true })

export const OperatorOrderPolicy = operatorNamed(
  'OperatorOrderPolicy',
  closed('The cancellation and after-sales policy of a store.', {
    cancellation: closed('The cancellation rules.', {
      windowMinutes: orNull(
        integer(1, DAYS_MAX * 1440, 'Minutes after the order.', 60),
        'How long an order can be canceled; `null`: until it ships.',
      ),
      automatic: flag('Whether a cancellation before fulfillment is approved at once.'),
      restocks: flag('Whether canceled goods are restocked.'),
      refundsShipping: flag('Whether shipping is refunded with the last unit.'),
    }),
    afterSales: closed('The after-sales rules.', {
      kinds: closed('The rules of each kind.', {
        refund_only: KindRules,
        return: KindRules,
        exchange: KindRules,
        repair: KindRules,
      }),
      deliveredAfterDays: days(
        0,
        'When a parcel without a delivery report counts as delivered, in days after dispatch.',
        14,
      ),
      returnWithinDays: days(1, 'How long a return may take, in days.', 14),
      decideWithinDays: days(1, 'The deadline for a decision.', 3),
      instructions: orNull(
        text(2000, 'Return instructions for the buyer.', 'Put the shirt into its box.'),
        'The instructions; `null`: none.',
      ),
      returnAddress: orNull(
        text(500, 'The return address, line by line.', 'Loom Returns\nGate 4\n10115 Berlin'),
        'The return address; `null`: none.',
      ),
      restocks: flag('Whether returned goods are restocked.'),
      refundsShipping: flag('Whether shipping is refunded with the last unit.'),
    }),
    finalSale: closed('Final sale.', {
      skuIds: ids('sku', 'SKUs.'),
      productIds: ids('prod', 'Products.'),
      categoryIds: ids('cat', 'Categories, including their subcategories.'),
    }),
  }),
)
export type OperatorOrderPolicy = Static<typeof OperatorOrderPolicy>

const params = closed('The store.', { storeSlug: Slug })
const VersionedPolicy = closed('The policy in force.', {
  storeSlug: Slug,
  version: PolicyVersion,
  policy: OperatorOrderPolicy,
})

export const policyRows = {
  getOrderPolicy: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/order-policy',
    tag,
    summary: 'Get the after-sales policy of a store.',
    description: 'A store without a policy of its own has the default policy.',
    auth,
    params,
    data: VersionedPolicy,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  saveOrderPolicy: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/stores/{storeSlug}/order-policy',
    tag,
    summary: 'Save the after-sales policy of a store.',
    description: 'Creates the next version. Requests under an earlier version stay under it.',
    auth,
    params,
    body: closed('The whole policy.', {
      policy: OperatorOrderPolicy,
      expectedVersion: Type.Optional(PolicyVersion),
    }),
    data: VersionedPolicy,
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
}
