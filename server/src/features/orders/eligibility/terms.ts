import type { Reader } from '../../../platform/postgres/reader.ts'
import { type SellableSku, sellableSkusOf, sellableStatement } from '../../catalog/index.ts'
import { type Order, storesOf } from '../order/order.ts'
import { loadUnderWay } from '../order/under-way.ts'
import { isFinalSale } from '../policy/policy.ts'
import { type Policies, policiesNamed, policiesNow } from '../policy/store.ts'
import type { Decision, Situation, Terms } from './eligibility.ts'
import { type EligibilityAnswer, type EligibilityQuestion, refuseForeignToken } from './token.ts'

/** Loads the open requests of an order. */
export async function situationOf(reader: Reader, order: Order): Promise<Situation> {
  return { order, ...(await loadUnderWay(reader, order.id)) }
}

/** The rules in force now. */
export async function termsNow(reader: Reader, order: Order, now: Date): Promise<Terms> {
  const policies = await policiesNow(reader, storesOf(order))
  return { at: now, policies, finalSale: await finalSaleLines(reader, order, policies) }
}

/** The rules and the time of an earlier answer. Time and operators can change nothing else of it. */
async function termsAnswered(reader: Reader, order: Order, answered: EligibilityAnswer): Promise<Terms> {
  const versions = storesOf(order).map((storeId, index) => [storeId, answered.policyVersions[index] ?? 0])
  const policies = await policiesNamed(reader, Object.fromEntries(versions))
  const finalSale = order.lines.filter((_, index) => answered.finalSale.includes(index)).map(({ id }) => id)
  return { at: answered.at, policies, finalSale: new Set(finalSale) }
}

/** The terms of the token that a request carries, or the current ones without a token. */
export async function termsOf(
  reader: Reader,
  order: Order,
  { answered, now }: { readonly answered: EligibilityAnswer | null; readonly now: Date },
): Promise<Terms> {
  if (answered === null) return termsNow(reader, order, now)
  refuseForeignToken(answered, order)
  return termsAnswered(reader, order, answered)
}

/** The part of an answer that a token stores. */
export function answerFrom(
  order: Order,
  { at, policies, finalSale }: Terms,
  { question, decision }: { readonly question: EligibilityQuestion; readonly decision: Decision },
): EligibilityAnswer {
  return {
    question,
    decision,
    orderId: order.id,
    storeId: order.share?.storeId ?? null,
    orderVersion: order.version,
    at,
    policyVersions: storesOf(order).map((storeId) => policies.get(storeId)?.version ?? 0),
    finalSale: order.lines.flatMap(({ id }, index) => (finalSale.has(id) ? [index] : [])),
  }
}

const soldSkus = sellableStatement('orders.read_sold_skus', {
  wanted: 'select unnest((select $1::text[])), true',
  currency: '$2',
  environment: '$3',
  storeId: '$4::text',
})

/** Lines that are final sale in the current catalog. A product may have changed categories since the order. */
async function finalSaleLines(reader: Reader, order: Order, policies: Policies): Promise<ReadonlySet<string>> {
  const isAnyFinal = [...policies.values()].some(({ policy: { finalSale } }) => {
    return finalSale.skuIds.length + finalSale.productIds.length + finalSale.categoryIds.length > 0
  })
  if (!isAnyFinal) return new Set()
  const skus = await soldOf(reader, order)
  const final = order.lines.filter(({ skuId, productId, storeId }) => {
    const policy = policies.get(storeId)?.policy
    const sku = skus.get(skuId)
    const sold = { skuId, productId: sku?.productId ?? productId ?? '', categoryIds: sku?.categoryIds ?? [] }
    return policy !== undefined && isFinalSale(policy, sold)
  })
  return new Set(final.map(({ id }) => id))
}

async function soldOf(reader: Reader, order: Order): Promise<ReadonlyMap<string, SellableSku>> {
  const { lines, currency, environment, storeId, locale } = order
  const skuIds = lines.map(({ skuId }) => skuId)
  return sellableSkusOf(await reader.rows(soldSkus, [skuIds, currency, environment, storeId]), [locale])
}
