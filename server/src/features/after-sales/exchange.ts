import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type SellableSku, sellableSkus } from '../catalog/index.ts'
import { lineOf, type Order } from '../orders/index.ts'
import type { AfterSalesLine } from './after-sales.ts'

/**
 * Refuses `sku_unavailable` if an exchange SKU is not for sale in the same store in this quantity. Stock is checked now and
 * deducted when the exchange is resolved.
 */
export async function refuseUnavailable(reader: Reader, order: Order, lines: readonly AfterSalesLine[]): Promise<void> {
  const skuIds = lines.flatMap(({ exchangeSkuId }) => exchangeSkuId ?? [])
  if (skuIds.length === 0) return
  const { currency, environment, locale, storeId } = order
  const skus = await sellableSkus(reader, { skuIds, currency, environment, languages: [locale], storeId })
  const unavailable = lines.flatMap((line, index) => {
    const sku = line.exchangeSkuId === undefined ? undefined : skus.get(line.exchangeSkuId)
    return line.exchangeSkuId === undefined || isAvailable(sku, line, order) ? [] : [{ line, index }]
  })
  if (unavailable.length === 0) return
  refuse('sku_unavailable', {
    conflict: {
      lines: unavailable.map(({ line: { lineId, exchangeSkuId = '', quantity } }) => {
        return { lineId, skuId: exchangeSkuId, requestedQuantity: quantity }
      }),
    },
    faults: unavailable.slice(0, 20).map(({ index }) => {
      const message = 'The SKU is not for sale in this store in this quantity.'
      return { field: `lines/${index}/exchangeSkuId`, code: 'sku_unavailable', message }
    }),
  })
}

function isAvailable(sku: SellableSku | undefined, { lineId, quantity }: AfterSalesLine, order: Order): boolean {
  if (sku?.status !== 'purchasable' || sku.storeId !== lineOf(order, lineId).storeId) return false
  return sku.availableQuantity === null || sku.availableQuantity >= quantity
}
