import type { OperatorPromotion } from '@vitrine/contract/operator'
import { locale } from '../../ui/format/locale.ts'
import { formatAmount } from '../../ui/format/values.tsx'

type Effect = OperatorPromotion['effect']

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
const OFF = { line: 'each item', order: 'the entire order', shipping: 'shipping' } as const

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
      return `${part} off ${OFF[target]}`
    case 'fixed_amount': {
      const each = Object.entries(amounts).map(([currency, amount]) => formatAmount({ amount, currency }))
      return `${each.join(' or ')} off ${OFF[target]}`
    }
    case 'buy_x_get_y':
      return `Buy ${buyQuantity}, get ${getQuantity} at ${part} off`
    case 'free_shipping':
      return 'Free shipping'
  }
}
