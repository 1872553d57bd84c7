import type { OperatorOrderPolicy } from '@vitrine/contract/operator'
import { wordsIn } from '../../ui/format/text.ts'

/** Reads the form. Invalid numbers are left to the server to reject. */
export function policyIn(fields: FormData): OperatorOrderPolicy {
  const number = (name: string) => Number(fields.get(name) || Number.NaN)
  const words = (name: string) => [...new Set(wordsIn(fields.get(name)))]
  const kind = (name: string) => ({
    offered: fields.has(`kinds.${name}.offered`),
    windowDays: number(`kinds.${name}.windowDays`),
    automatic: fields.has(`kinds.${name}.automatic`),
  })
  return {
    cancellation: {
      windowMinutes: fields.get('cancellation.windowMinutes') ? number('cancellation.windowMinutes') : null,
      automatic: fields.has('cancellation.automatic'),
      restocks: fields.has('cancellation.restocks'),
      refundsShipping: fields.has('cancellation.refundsShipping'),
    },
    afterSales: {
      kinds: {
        refund_only: kind('refund_only'),
        return: kind('return'),
        exchange: kind('exchange'),
        repair: kind('repair'),
      },
      deliveredAfterDays: number('afterSales.deliveredAfterDays'),
      returnWithinDays: number('afterSales.returnWithinDays'),
      decideWithinDays: number('afterSales.decideWithinDays'),
      instructions: String(fields.get('afterSales.instructions') ?? '').trim() || null,
      restocks: fields.has('afterSales.restocks'),
      refundsShipping: fields.has('afterSales.refundsShipping'),
    },
    finalSale: {
      skuIds: words('finalSale.skuIds'),
      productIds: words('finalSale.productIds'),
      categoryIds: words('finalSale.categoryIds'),
    },
  }
}
