import type { InputOf } from '@vitrine/contract'
import type { OperatorPromotion, operatorOperations } from '@vitrine/contract/operator'
import {
  type AmountByCurrency,
  type Audience,
  amountsOf,
  type Promotion,
  type PromotionEffect,
  type PromotionRecord,
} from '../../../features/promotions/index.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'

type Rows = typeof operatorOperations
type NewPromotion = InputOf<Rows['createPromotion']>['body']
type PromotionChange = Omit<InputOf<Rows['updatePromotion']>['body'], 'expectedVersion'>
type Effect = NewPromotion['effect']

/**
 * Applies a change to a promotion.
 *
 * Refusals: `validation_failed` if the effect lacks a member of its kind.
 */
export function changedPromotion(
  current: Promotion,
  change: PromotionChange,
  storeIds: ReadonlyMap<string, string>,
): Promotion {
  const { title, effect, code, status, lines, stores, startsAt, endsAt, minimumSubtotal, ...rest } = change
  const { audience, customerIds, ...plain } = rest
  return {
    ...current,
    ...plain,
    ...(title && { title }),
    ...(code !== undefined && { code: code?.trim() ?? null }),
    ...(status && { status }),
    ...(lines && { lines }),
    ...(effect && { effect: effectOf(effect) }),
    ...(stores && { storeIds: stores.map((slug) => storeIds.get(slug) ?? refuse('not_found')) }),
    ...(startsAt !== undefined && { startsAt: startsAt === null ? null : new Date(startsAt) }),
    ...(endsAt !== undefined && { endsAt: endsAt === null ? null : new Date(endsAt) }),
    ...(minimumSubtotal && { minimumSubtotal: amountsOf(minimumSubtotal) }),
    audience: audienceOf(current.audience, audience, customerIds),
  }
}

function audienceOf(
  current: Audience,
  kind: Audience['kind'] = current.kind,
  customerIds?: readonly string[],
): Audience {
  if (kind !== 'listed_customers') return { kind }
  return { kind, customerIds: customerIds ?? (current.kind === 'listed_customers' ? current.customerIds : []) }
}

function effectOf(effect: Effect): PromotionEffect {
  const needed = <Name extends keyof Effect>(name: Name): NonNullable<Effect[Name]> =>
    (effect[name] as NonNullable<Effect[Name]> | undefined) ??
    refuseField(`effect/${name}`, 'required', `A promotion of the kind ${effect.kind} requires it.`)
  switch (effect.kind) {
    case 'percentage':
      return { kind: effect.kind, target: needed('target'), rate: needed('rate') }
    case 'fixed_amount':
      return { kind: effect.kind, target: needed('target'), amounts: amountsOf(needed('amounts')) }
    case 'buy_x_get_y':
      return {
        kind: effect.kind,
        buyQuantity: needed('buyQuantity'),
        getQuantity: needed('getQuantity'),
        rate: needed('rate'),
        gets: effect.gets ?? null,
        setsMax: effect.setsMax ?? null,
      }
    case 'free_shipping':
      return { kind: effect.kind }
  }
}

function amounts(big: AmountByCurrency): Record<string, number> {
  return Object.fromEntries(Object.entries(big).map(([currency, amount]) => [currency, Number(amount)]))
}

/** Presents a promotion to the operator. */
export function presentPromotion(
  { used, ...record }: PromotionRecord,
  slugs: ReadonlyMap<string, string>,
): OperatorPromotion {
  const { promotion, version } = record
  const { lines, audience, effect, storeId } = promotion
  return {
    id: promotion.id,
    store: storeId === null ? null : (slugs.get(storeId) ?? null),
    status: promotion.status,
    code: promotion.code,
    title: { ...promotion.title },
    effect: presentEffect(effect),
    lines: { productIds: [...lines.productIds], categoryIds: [...lines.categoryIds] },
    stores: promotion.storeIds.flatMap((id) => slugs.get(id) ?? []),
    audience: audience.kind,
    customerIds: audience.kind === 'listed_customers' ? [...audience.customerIds] : [],
    startsAt: promotion.startsAt?.toISOString() ?? null,
    endsAt: promotion.endsAt?.toISOString() ?? null,
    minimumSubtotal: amounts(promotion.minimumSubtotal),
    usageLimit: promotion.usageLimit,
    usageLimitPerCustomer: promotion.usageLimitPerCustomer,
    priority: promotion.priority,
    combinesWith: [...promotion.combinesWith],
    stopAfter: promotion.stopAfter,
    usedLive: used.live,
    usedTest: used.test,
    version,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}

function presentEffect(effect: PromotionEffect): Effect {
  if (effect.kind === 'fixed_amount') return { ...effect, amounts: amounts(effect.amounts) }
  if (effect.kind !== 'buy_x_get_y') return { ...effect }
  const { gets, setsMax, ...rest } = effect
  return {
    ...rest,
    ...(gets && { gets: { productIds: [...gets.productIds], categoryIds: [...gets.categoryIds] } }),
    ...(setsMax !== null && { setsMax }),
  }
}
