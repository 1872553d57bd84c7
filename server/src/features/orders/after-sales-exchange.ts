import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type SellableSku, sellableSkus } from '../catalog/index.ts'
import type { AfterSalesLine } from './after-sales.ts'
import { lineOf, type Order } from './order.ts'

/**
 * Refuses `sku_unavailable` where a SKU that is wanted instead is not for sale in the same store, or there are not so many.
 * It is looked at now and taken when the exchange is resolved.
 */
export async function refuseUnavailable(reader: Reader, order: Order, lines: readonly AfterSalesLine[]): Promise<void> {
  const skuIds = lines.flatMap(({ exchangeSkuId }) => exchangeSkuId ?? [])
  if (skuIds.length === 0) return
  const { currency, environment, locale, storeId } = order
  const skus = await sellableSkus(reader, { skuIds, currency, environment, languages: [locale], storeId })
  const unavailable = lines.flatMap((line, index) => {
    const sku = line.exchangeSkuId === undefined ? undefined : skus.get(line.exchangeSkuId)
    return line.exchangeSkuId === undefined || isToBeHad(sku, line, order) ? [] : [{ line, index }]
  })
  if (unavailable.length === 0) return
  refuse('sku_unavailable', {
    conflict: {
      lines: unavailable.map(({ line: { lineId, exchangeSkuId = '', quantity } }) => {
        return { lineId, skuId: exchangeSkuId, requestedQuantity: quantity }
      }),
    },
    details: unavailable.slice(0, 20).map(({ index }) => {
      const message = 'The SKU is not for sale in this store, or there are not so many.'
      return { in: 'body' as const, pointer: `/lines/${index}/exchangeSkuId`, code: 'sku_unavailable', message }
    }),
  })
}

function isToBeHad(sku: SellableSku | undefined, { lineId, quantity }: AfterSalesLine, order: Order): boolean {
  if (sku?.status !== 'purchasable' || sku.storeId !== lineOf(order, lineId).storeId) return false
  return sku.availableQuantity === null || sku.availableQuantity >= quantity
}
