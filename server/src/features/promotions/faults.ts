import { isCurrency } from '../../kernel/currencies.ts'
import type { Promotion } from './promotion.ts'

/** What is wrong with a promotion as its operator wants it, and where. */
export interface PromotionFault {
  readonly pointer: string
  readonly message: string
}

/** Everything that keeps a promotion from being one. Empty: it can be written. */
export function faultsOfPromotion(promotion: Promotion): readonly PromotionFault[] {
  const { audience, startsAt, endsAt, storeId, storeIds, minimumSubtotal } = promotion
  return [
    ...faultsOfEffect(promotion),
    ...faultsOfCurrencies('/minimumSubtotal', minimumSubtotal),
    ...(startsAt && endsAt && startsAt >= endsAt ? [fault('/endsAt', 'It ends before it begins.')] : []),
    ...(audience.kind === 'listed_customers' && audience.customerIds.length === 0
      ? [fault('/customerIds', 'It is for listed customers, and nobody is listed.')]
      : []),
    ...(storeId !== null && storeIds.length > 0
      ? [fault('/stores', 'Only a promotion of the marketplace names the stores that take part.')]
      : []),
  ]
}

function faultsOfEffect({ effect }: Promotion): readonly PromotionFault[] {
  if (effect.kind === 'fixed_amount') {
    const none = Object.keys(effect.amounts).length === 0
    if (none) return [fault('/effect/amounts', 'It takes off no amount in any currency.')]
    return faultsOfCurrencies('/effect/amounts', effect.amounts)
  }
  if (effect.kind === 'free_shipping') return []
  const rate = Number(effect.rate)
  return rate > 0 && rate <= 1 ? [] : [fault('/effect/rate', 'A rate is more than 0 and at most 1: 0.15 is 15 %.')]
}

function faultsOfCurrencies(pointer: string, amounts: Readonly<Record<string, bigint>>): readonly PromotionFault[] {
  return Object.keys(amounts)
    .filter((currency) => !isCurrency(currency))
    .map((currency) => fault(`${pointer}/${currency}`, `${currency} is no currency of ISO 4217 that one can pay in.`))
}

function fault(pointer: string, message: string): PromotionFault {
  return { pointer, message }
}
