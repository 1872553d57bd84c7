import { type Static, Type } from 'typebox'
import {
  CountryCode,
  CurrencyCode,
  DecimalRate,
  Environment,
  id,
  Money,
  SAFE_INTEGER_MAX,
  Slug,
  Timestamp,
  Version,
} from '../../../schemas/common.ts'
import { closed, flag, integer, leftOut, listOf, mapOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'
import { localized } from './stores.ts'

const tag = 'Promotions'
const auth = { kind: 'operator', area: 'promotions' } as const
const PromotionId = id('prm', 'The id of the promotion.')
const Code = text(64, 'The code that a shopper enters; not case-sensitive.', 'SUMMER10')
const Minor = integer(1, SAFE_INTEGER_MAX, 'Minor units.', 500)
const Count = integer(1, 2_147_483_647, 'How many.', 100)
const Units = integer(1, 999, 'Units.', 2)
const amountsByCurrency = (description: string) =>
  mapOf('^[A-Z]{3}$', Minor, 50, description, { examples: [{ EUR: 500 }] })
const Status = oneOf(
  ['active', 'paused', 'archived'],
  'Only an active one applies. The code of an archived one can be used again.',
)
const Phase = oneOf(['line', 'order', 'shipping'], 'The kind of discount.')
const ids = (prefix: 'prod' | 'cat', one: string, many: string) => listOf(id(prefix, one), 1000, many)
const Selection = closed('The eligible lines; all if both lists are empty.', {
  productIds: ids('prod', 'A product.', 'The products.'),
  categoryIds: ids('cat', 'A category.', 'The categories.'),
})

export const PromotionEffectBody = closed('The discount. Each kind has its own members.', {
  kind: oneOf(['percentage', 'fixed_amount', 'buy_x_get_y', 'free_shipping'], 'The kind.'),
  target: Type.Optional(Phase),
  rate: Type.Optional(DecimalRate),
  amounts: Type.Optional(leftOut(amountsByCurrency('The discount by currency.'))),
  buyQuantity: Type.Optional(leftOut(Units)),
  getQuantity: Type.Optional(leftOut(Units)),
  gets: Type.Optional(leftOut(Selection)),
  setsMax: Type.Optional(leftOut(Count)),
})

const rules = {
  code: Type.Optional(orNull(Code, 'Its code; `null`: applied automatically.')),
  title: localized(200, 'The title shown to shoppers.', 'Summer sale'),
  effect: PromotionEffectBody,
  lines: Type.Optional(Selection),
  stores: Type.Optional(listOf(Slug, 1000, 'The stores that participate in a marketplace promotion; empty: all.')),
  audience: Type.Optional(oneOf(['anyone', 'known_customers', 'listed_customers'], 'Who can use it.')),
  customerIds: Type.Optional(listOf(id('cus', 'A customer.'), 10_000, 'The customers of `listed_customers`.')),
  startsAt: Type.Optional(orNull(Timestamp, 'Start, inclusive; `null`: none.')),
  endsAt: Type.Optional(orNull(Timestamp, 'End, exclusive; `null`: none.')),
  minimumSubtotal: Type.Optional(amountsByCurrency('Minimum subtotal by currency; empty: none.')),
  usageLimit: Type.Optional(
    orNull(Count, 'Total redemptions, those from before the limit included; `null`: unlimited.'),
  ),
  usageLimitPerCustomer: Type.Optional(
    orNull(Count, 'Redemptions per customer, those from before the limit included; `null`: unlimited.'),
  ),
  priority: Type.Optional(integer(-1_000_000, 1_000_000, 'Lower applies first.', 0)),
  combinesWith: Type.Optional(
    listOf(Phase, 3, 'The kinds of promotions it can be combined with.', { uniqueItems: true }),
  ),
  stopAfter: Type.Optional(flag('Whether later promotions of the same kind no longer apply.', false)),
}

export const OperatorPromotion = operatorNamed(
  'OperatorPromotion',
  closed('A promotion with all its rules.', {
    id: PromotionId,
    store: orNull(Slug, 'The owner; `null`: the marketplace.'),
    status: Status,
    ...Type.Required(closed('The rules.', rules)).properties,
    usedLive: integer(0, 2_147_483_647, 'Redemptions in the live environment.', 12),
    usedTest: integer(0, 2_147_483_647, 'Redemptions in the test environment.', 3),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type OperatorPromotion = Static<typeof OperatorPromotion>

const REASONS = [
  'applied',
  'paused',
  'code_not_given',
  'invalid',
  'not_started',
  'expired',
  'customer_required',
  'customer_ineligible',
  'usage_limit_reached',
  'minimum_not_met',
  'combination_disallowed',
  'nothing_to_take_off',
] as const

export const PromotionTrial = operatorNamed(
  'PromotionTrial',
  closed('What a cart would cost now, and why each promotion applies or not.', {
    lines: listOf(
      closed('A line.', {
        name: text(500, 'The name of the product.', 'Linen shirt'),
        quantity: Units,
        subtotal: Money,
        discount: Money,
        total: Money,
      }),
      100,
      'The lines.',
    ),
    itemsSubtotal: Money,
    discount: Money,
    shipping: orNull(Money, 'The cheapest shipping after discounts; `null`: no shipping to this destination.'),
    tax: Money,
    total: Money,
    promotions: listOf(
      closed('A promotion and its effect on the cart.', {
        id: PromotionId,
        title: text(200, 'The title shown to shoppers.', 'Summer sale'),
        code: orNull(Code, 'Its code.'),
        reason: oneOf([...REASONS], 'Why it applies or not.'),
        amount: orNull(Money, 'The discount; `null`: it does not apply.'),
        missing: orNull(
          Money,
          'The amount missing to its minimum; `null`: nothing is missing, or there is no minimum.',
        ),
      }),
      500,
      'Each promotion of the stores and of the marketplace.',
    ),
  }),
)
export type PromotionTrial = Static<typeof PromotionTrial>

const params = closed('The promotion.', { promotionId: PromotionId })

export const promotionRows = {
  listPromotions: operatorOperation({
    method: 'GET',
    path: '/operator/v1/promotions',
    tag,
    summary: 'List promotions, newest first.',
    description: 'Searched by code and title. Includes paused and archived promotions.',
    auth,
    query: closed('Page.', { ...listQuery, store: Type.Optional(Slug), status: Type.Optional(Status) }),
    data: pageOf(OperatorPromotion, 'Promotions, newest first.'),
    refusals: ['invalid_cursor'],
    store: { slug: 'query', field: 'store' },
  }),
  createPromotion: operatorOperation({
    method: 'POST',
    path: '/operator/v1/promotions',
    tag,
    summary: 'Create a promotion.',
    description: 'For one store or the marketplace, which cannot be changed later. It applies from its start on.',
    auth,
    body: closed('The new promotion.', { store: Type.Optional(Slug), ...rules }),
    data: OperatorPromotion,
    idempotencyKey: true,
    refusals: ['not_found', 'name_taken'],
    store: { slug: 'body', field: 'store' },
  }),
  getPromotion: operatorOperation({
    method: 'GET',
    path: '/operator/v1/promotions/{promotionId}',
    tag,
    summary: 'Get a promotion.',
    description: 'With the number of redemptions.',
    auth,
    params,
    data: OperatorPromotion,
    refusals: ['not_found'],
    store: { object: 'promotion', field: 'promotionId' },
  }),
  updatePromotion: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/promotions/{promotionId}',
    tag,
    summary: 'Update, pause, archive or restore a promotion.',
    description:
      'Absent fields stay unchanged. Issued quotes stay valid. An archived promotion is restored by another status, if its code is still free.',
    auth,
    params,
    body: closed(
      'Fields to update.',
      {
        ...Type.Partial(closed('The rules.', rules)).properties,
        status: Type.Optional(Status),
        expectedVersion: Type.Optional(Version),
      },
      { minProperties: 1 },
    ),
    data: OperatorPromotion,
    refusals: ['not_found', 'version_conflict', 'name_taken'],
    store: { object: 'promotion', field: 'promotionId' },
  }),
  tryPromotions: operatorOperation({
    method: 'POST',
    path: '/operator/v1/promotions/try',
    tag,
    summary: 'Test promotions with a cart.',
    description: 'Priced like every cart. Nothing is saved.',
    auth,
    unaudited: true,
    body: closed('The cart.', {
      store: Slug,
      lines: listOf(
        closed('A line.', { sku: text(250, 'The id or the code of a SKU.', 'LS-B-M'), quantity: Units }),
        100,
        'The lines.',
        { minItems: 1 },
      ),
      currency: CurrencyCode,
      country: CountryCode,
      code: Type.Optional(Code),
      customerId: Type.Optional(leftOut(id('cus', 'The customer.'))),
      environment: Type.Optional(Environment),
    }),
    data: PromotionTrial,
    refusals: ['not_found'],
  }),
}
