import type { operatorOperations } from '@vitrine/contract/operator'
import { storeIdsBySlug } from '../../../features/catalog/index.ts'
import { countPromotionUses, listPromotionUses } from '../../../features/orders/index.ts'
import {
  addEarlierUses,
  FOR_EVERYONE,
  findPromotion,
  listPromotionRecords,
  loadPromotionsByCode,
  lockPromotion,
  lockPromotionCodes,
  MARKETPLACE,
  type Promotion,
  type PromotionRecord,
  promotionFaults,
  savePromotion,
} from '../../../features/promotions/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse, refuseStale } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'
import { changedPromotion, presentPromotion } from './promotion-views.ts'
import { tryPromotions } from './try-promotions.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/promotions */
function listPromotions(cursorSecret: Secret): OperatorHandler<Rows['listPromotions']> {
  return async ({ query }, { reader }) => {
    const paging = pagingOf<string>(cursorSecret, ['promotions', query.q, query.store, query.status], query)
    const stores = await storeIdsBySlug(reader)
    const storeId = query.store === undefined ? null : (stores.get(query.store) ?? '')
    const { q, status = null } = query
    const search = { afterId: paging.after, storeId, like: likeOf(q), status, limit: paging.limit }
    const slugs = slugsOf(stores)
    return paging.page(
      await withUses(reader, await listPromotionRecords(reader, search)),
      ({ promotion }) => promotion.id,
      (record) => presentPromotion(record, slugs),
    )
  }
}

/** POST /operator/v1/promotions */
const createPromotion: OperatorHandler<Rows['createPromotion']> = async ({ body }, { tx, ids, now, audit }) => {
  const { store, title, effect, ...fields } = body
  const stores = await storeIdsBySlug(tx)
  const storeId = store === undefined ? null : (stores.get(store) ?? refuse('not_found'))
  const blank: Promotion = { ...FOR_EVERYONE, id: ids.next('prm'), storeId, title, effect: { kind: 'free_shipping' } }
  const promotion = changedPromotion(blank, { ...fields, effect }, stores)
  await refuseFaults(tx, promotion)

  savePromotion(tx, promotion, now)

  audit({ subject: { type: 'promotion', id: promotion.id }, before: null, after: { ...body } })
  return presentPromotion(await promotionOf(tx, promotion.id), slugsOf(stores))
}

/** GET /operator/v1/promotions/{promotionId} */
const getPromotion: OperatorHandler<Rows['getPromotion']> = async ({ params }, { reader }) => {
  return presentPromotion(await promotionOf(reader, params.promotionId), slugsOf(await storeIdsBySlug(reader)))
}

/** PATCH /operator/v1/promotions/{promotionId} */
const updatePromotion: OperatorHandler<Rows['updatePromotion']> = async ({ params, body }, { tx, now, audit }) => {
  const current = (await lockPromotion(tx, params.promotionId)) ?? refuse('not_found')
  const { expectedVersion, ...change } = body
  refuseStale(current.version, expectedVersion)
  const stores = await storeIdsBySlug(tx)
  const promotion = changedPromotion(current.promotion, change, stores)
  await refuseFaults(tx, promotion)

  savePromotion(tx, promotion, now)
  if (isNewlyLimited(current.promotion, promotion)) {
    addEarlierUses(tx, promotion.id, await listPromotionUses(tx, promotion.id))
  }

  const slugs = slugsOf(stores)
  audit({
    subject: { type: 'promotion', id: promotion.id },
    ...changedFields(presentPromotion(current, slugs), change),
  })
  return presentPromotion(await promotionOf(tx, promotion.id), slugs)
}

/** Whether a limit is set that there was none of. Uses of a promotion without limits are not counted. */
function isNewlyLimited(before: Promotion, after: Promotion): boolean {
  return (['usageLimit', 'usageLimitPerCustomer'] as const).some(
    (limit) => before[limit] === null && after[limit] !== null,
  )
}

export function promotionOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return {
    listPromotions: listPromotions(cursorSecret),
    createPromotion,
    getPromotion,
    updatePromotion,
    tryPromotions,
  }
}

/** Refuses an invalid promotion, and a code that another promotion of the owner has. */
async function refuseFaults(tx: Transaction, promotion: Promotion): Promise<void> {
  const faults = promotionFaults(promotion)
  if (faults.length > 0) {
    const details = faults.map((fault) => ({ in: 'body' as const, code: 'not_possible', ...fault }))
    refuse('validation_failed', { details })
  }
  if (promotion.code === null || promotion.status === 'archived') return
  await lockPromotionCodes(tx)
  const bearing = await loadPromotionsByCode(tx, promotion.code, [promotion.storeId ?? MARKETPLACE])
  if (bearing.some(({ id }) => id !== promotion.id)) refuse('name_taken')
}

async function promotionOf(reader: Reader, id: string): Promise<PromotionRecord> {
  const found = (await findPromotion(reader, id)) ?? refuse('not_found')
  const [record = found] = await withUses(reader, [found])
  return record
}

/** Redemptions are counted where a limit in total needs them. Those of other promotions are the orders that they discounted. */
async function withUses(reader: Reader, records: readonly PromotionRecord[]): Promise<readonly PromotionRecord[]> {
  const uncounted = records.flatMap(({ promotion }) => (promotion.usageLimit === null ? promotion.id : []))
  const uses = await countPromotionUses(reader, uncounted)
  return records.map((record) => ({ ...record, used: uses.get(record.promotion.id) ?? record.used }))
}

function slugsOf(stores: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...stores].map(([slug, id]) => [present(id, 'a store has its id'), slug]))
}
