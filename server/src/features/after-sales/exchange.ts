import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type SellableSku, sellableSkus } from '../catalog/index.ts'
import { type LineQuantity, lineOf, type Order } from '../orders/index.ts'
import type { AfterSalesLine } from './after-sales.ts'

/** The SKU that replaces the units of a line, as it is sold now. */
export interface Replacement extends LineQuantity {
  readonly sku: SellableSku
}

/** Loads the replacements of an exchange. A SKU that is not of the same store has none, and neither has a line of another kind. */
export async function replacementsOf(
  reader: Reader,
  order: Order,
  lines: readonly AfterSalesLine[],
): Promise<readonly Replacement[]> {
  const { currency, environment, locale } = order
  const found = lines.map(async ({ lineId, quantity, exchangeSkuId }) => {
    if (exchangeSkuId === undefined) return []
    const { storeId } = lineOf(order, lineId)
    const query = { skuIds: [exchangeSkuId], currency, environment, languages: [locale], storeId }
    const sku = (await sellableSkus(reader, query)).get(exchangeSkuId)
    return sku === undefined ? [] : [{ lineId, quantity, sku }]
  })
  return (await Promise.all(found)).flat()
}

/**
 * Refuses `sku_unavailable` if an exchange SKU is not for sale in the same store in this quantity. Stock is checked now and
 * deducted when the exchange is resolved.
 */
export function refuseUnavailable(lines: readonly AfterSalesLine[], replacements: readonly Replacement[]): void {
  const available = new Set(replacements.filter(isAvailable).map(({ lineId }) => lineId))
  const unavailable = lines.flatMap((line, index) => {
    return line.exchangeSkuId === undefined || available.has(line.lineId) ? [] : [{ line, index }]
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

function isAvailable({ quantity, sku: { status, availableQuantity } }: Replacement): boolean {
  return status === 'purchasable' && (availableQuantity === null || availableQuantity >= quantity)
}

/** Whether a replacement costs more than the unit that it replaces. An exchange moves no money, so an operator decides about it. */
export function isDearer(order: Order, replacements: readonly Replacement[]): boolean {
  return replacements.some(({ lineId, sku }) => sku.price !== null && sku.price > lineOf(order, lineId).unitPrice)
}
