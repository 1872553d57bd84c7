import { isCurrency } from '../../kernel/currencies.ts'
import type { Promotion } from './promotion.ts'

/** An invalid field of a promotion. `pointer`: a JSON pointer into it. */
interface PromotionFault {
  readonly pointer: string
  readonly message: string
}

/** Validate a promotion. Empty: it can be saved. */
export function promotionFaults(promotion: Promotion): readonly PromotionFault[] {
  const { audience, startsAt, endsAt, storeId, storeIds, minimumSubtotal } = promotion
  return [
    ...effectFaults(promotion),
    ...currencyFaults('/minimumSubtotal', minimumSubtotal),
    ...(startsAt && endsAt && startsAt >= endsAt ? [fault('/endsAt', 'Must be after startsAt.')] : []),
    ...(audience.kind === 'listed_customers' && audience.customerIds.length === 0
      ? [fault('/customerIds', 'List at least one customer.')]
      : []),
    ...(storeId !== null && storeIds.length > 0
      ? [fault('/stores', 'Only marketplace promotions can name stores.')]
      : []),
  ]
}

function effectFaults({ effect }: Promotion): readonly PromotionFault[] {
  if (effect.kind === 'fixed_amount') {
    const none = Object.keys(effect.amounts).length === 0
    if (none) return [fault('/effect/amounts', 'Set an amount in at least one currency.')]
    return currencyFaults('/effect/amounts', effect.amounts)
  }
  if (effect.kind === 'free_shipping') return []
  const rate = Number(effect.rate)
  return rate > 0 && rate <= 1 ? [] : [fault('/effect/rate', 'Must be greater than 0 and at most 1: 0.15 is 15 %.')]
}

function currencyFaults(pointer: string, amounts: Readonly<Record<string, bigint>>): readonly PromotionFault[] {
  return Object.keys(amounts)
    .filter((currency) => !isCurrency(currency))
    .map((currency) => fault(`${pointer}/${currency}`, `${currency} is not an ISO 4217 currency.`))
}

function fault(pointer: string, message: string): PromotionFault {
  return { pointer, message }
}
