import type { InputOf } from '@vitrine/contract'
import type { operatorOperations, PromotionTrial } from '@vitrine/contract/operator'
import {
  findStore,
  type SellableSku,
  type StoreRecord,
  sellableSkus,
  skusByCode,
} from '../../../features/catalog/index.ts'
import {
  type ExplainedPromotion,
  explainPromotions,
  type PricedCart,
  type PricingInput,
  priceCart,
  RuleSnapshots,
} from '../../../features/pricing/index.ts'
import { listPromotionsForStore, loadPromotionUsage, localizedText } from '../../../features/promotions/index.ts'
import { present } from '../../../kernel/assert.ts'
import { sum } from '../../../kernel/money.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations
type Trial = InputOf<Rows['tryPromotions']>['body']

const PROMOTIONS_MAX = 500
const SKU_ID = /^sku_[0-9a-z]{26}$/

/** POST /operator/v1/promotions/try */
export const tryPromotions: OperatorHandler<Rows['tryPromotions']> = async ({ body }, { reader, now }) => {
  const store = (await findStore(reader, body.store)) ?? refuse('not_found')
  const { country, environment = 'live', code = null, customerId = null } = body
  const skus = await skusOf(reader, store, body)
  // Read from the database: the promotion may have just been saved, on any node.
  const rules = new RuleSnapshots()
  const question = { storeIds: [store.id], country, code, environment, customerId, revisionOf: () => '' }
  const [facts, promotions] = await Promise.all([
    rules.load(reader, question),
    listPromotionsForStore(reader, store.id, PROMOTIONS_MAX),
  ])
  const promotionIds = promotions.map(({ id }) => id)
  const usage = await loadPromotionUsage(reader, { promotionIds, environment, customerId })
  const input: PricingInput = { ...facts, ...cartOf(store, skus, body), usage, now }

  const priced = priceCart(input)

  return presentTrial(priced, skus, explainPromotions(input, priced, promotions), input)
}

/** The SKU of each line. Refusals: `validation_failed` for an unknown SKU or one without a price. */
async function skusOf(reader: Reader, store: StoreRecord, body: Trial): Promise<readonly SellableSku[]> {
  const { currency, environment = 'live' } = body
  const named = body.lines.map(({ sku }) => sku.trim())
  const known = await skusByCode(reader, [store.id], named)
  const byCode = new Map(known.map(({ code, skuId }) => [code, skuId]))
  const ids = named.map((name) => byCode.get(name) ?? (SKU_ID.test(name) ? name : ''))
  const sellable = await sellableSkus(reader, {
    skuIds: ids.filter(Boolean),
    currency,
    environment,
    languages: store.locales,
    storeId: store.id,
  })
  return ids.map((id, index) => {
    const sku = sellable.get(id) ?? refuseLine(index, `${store.slug} has no SKU ${named[index]}.`)
    if (sku.price === null) refuseLine(index, `${sku.code} has no price in ${currency}.`)
    return sku
  })
}

function refuseLine(index: number, message: string): never {
  refuseField(`lines/${index}/sku`, 'unknown', message)
}

function cartOf(store: StoreRecord, skus: readonly SellableSku[], body: Trial) {
  const { currency, country, code = null, customerId } = body
  return {
    currency,
    country,
    locale: store.locales[0] ?? 'en',
    code,
    customer: customerId === undefined ? null : { id: customerId },
    stores: [{ storeId: store.id, pricesIncludeTax: store.prices_include_tax }],
    lines: skus.map((sku, index) => ({
      lineId: `line_${index}`,
      skuId: sku.skuId,
      productId: sku.productId,
      storeId: sku.storeId,
      categoryIds: sku.categoryIds,
      quantity: present(body.lines[index], 'a line').quantity,
      unitPrice: present(sku.price, 'a price that was looked for'),
      weightGrams: sku.weightGrams ?? 0,
      requiresShipping: sku.requiresShipping,
      taxCategory: sku.taxCategory,
    })),
  }
}

function presentTrial(
  { lines, totals }: PricedCart,
  skus: readonly SellableSku[],
  explained: readonly ExplainedPromotion[],
  { currency, locale }: PricingInput,
): PromotionTrial {
  const money = (amount: bigint) => ({ amount: Number(amount), currency })
  const moneyOrNull = (amount: bigint | null) => (amount === null ? null : money(amount))
  const shipping = totals.shipping === null ? null : totals.shipping - (totals.shippingDiscount ?? 0n)
  return {
    lines: lines.map((line, index) => ({
      name: skus[index]?.productName ?? '',
      quantity: line.quantity,
      subtotal: money(line.subtotal),
      discount: money(sum(line.discountAllocations.map(({ amount }) => amount))),
      total: money(line.total),
    })),
    itemsSubtotal: money(totals.itemsSubtotal),
    discount: money(totals.itemsDiscount),
    shipping: moneyOrNull(shipping),
    tax: money(totals.tax.amount),
    total: money(totals.total),
    promotions: explained.map(({ promotion, reason, amount, missing }) => ({
      id: promotion.id,
      title: localizedText(promotion.title, locale),
      code: promotion.code,
      reason,
      amount: moneyOrNull(amount),
      missing: moneyOrNull(missing),
    })),
  }
}
