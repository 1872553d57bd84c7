import type { OperatorPromotion } from '@vitrine/contract/operator'
import type { Environment } from '../../environment.ts'
import { locale, translate } from '../../language.ts'
import { formatAmount } from '../../ui/format/values.tsx'

type Effect = OperatorPromotion['effect']

const either = new Intl.ListFormat(locale, { type: 'disjunction' })
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })

/** One phrase per target, because other languages inflect the noun. */
function off(discount: string, target: NonNullable<Effect['target']>): string {
  switch (target) {
    case 'line':
      return translate('{discount} off each item', { discount })
    case 'order':
      return translate('{discount} off the entire order', { discount })
    case 'shipping':
      return translate('{discount} off shipping', { discount })
  }
}

/** The uses in an environment, as its orders are shown. */
export function usesIn(
  environment: Environment,
  { usedLive, usedTest }: Pick<OperatorPromotion, 'usedLive' | 'usedTest'>,
): number {
  return environment === 'live' ? usedLive : usedTest
}

/** The discount of a promotion in a few words. */
export function describeEffect({
  kind,
  target = 'order',
  rate = '1',
  amounts = {},
  buyQuantity,
  getQuantity,
}: Effect): string {
  const part = percent.format(Number(rate))
  switch (kind) {
    case 'percentage':
      return off(part, target)
    case 'fixed_amount': {
      const each = Object.entries(amounts).map(([currency, amount]) => formatAmount({ amount, currency }))
      return off(either.format(each), target)
    }
    case 'buy_x_get_y':
      if (Number(rate) === 1) {
        return translate('Buy {bought}, get {given} free', { bought: buyQuantity ?? 1, given: getQuantity ?? 1 })
      }
      return translate('Buy {bought}, get {given} at {discount} off', {
        bought: buyQuantity ?? 1,
        given: getQuantity ?? 1,
        discount: part,
      })
    case 'free_shipping':
      return translate('Free shipping')
  }
}
