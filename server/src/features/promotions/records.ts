import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Promotion } from './promotion.ts'
import { type PromotionRow, promotionColumns, promotionOf } from './store.ts'

/** Redemptions of a promotion in each environment. */
export interface PromotionUses {
  readonly live: number
  readonly test: number
}

/** A promotion with its metadata, for operators. */
export interface PromotionRecord {
  readonly promotion: Promotion
  /** Redemptions in total, counted while the promotion has a limit in total. */
  readonly used: PromotionUses
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

type RecordRow = PromotionRow & {
  readonly used: PromotionUses
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const COLUMNS = `${promotionColumns},
  (select jsonb_build_object('live', coalesce(sum(used) filter (where environment = 'live'), 0),
     'test', coalesce(sum(used) filter (where environment = 'test'), 0))
   from promotion_usage u where u.promotion_id = p.id and u.environment in ('live', 'test') and u.customer_id = '') as used`
const page = statement<RecordRow>(
  'promotions.page',
  `select ${COLUMNS} from promotions p
   where ($1::text is null or id < $1) and ($2::text is null or store_id = $2)
     and ($3::text is null or code ilike $3 or title::text ilike $3) and ($4::text is null or status = $4)
   order by id desc limit $5`,
)
const ofOwners = statement<RecordRow>(
  'promotions.of_owners',
  `select ${COLUMNS} from promotions p where (store_id is null or store_id = $1) and status <> 'archived' order by priority, id limit $2`,
)
const find = statement<RecordRow>('promotions.find', `select ${COLUMNS} from promotions p where id = $1`)
const lockAllCodes = statement(
  'promotions.lock_codes',
  `select pg_advisory_xact_lock(hashtextextended('promotion codes', 0))`,
)
const lock = statement('promotions.lock', 'select from promotions where id = $1 for update')

interface PromotionSearch {
  readonly afterId: string | null
  readonly storeId: string | null
  readonly like: string | null
  readonly status: Promotion['status'] | null
  readonly limit: number
}

/** List promotions of every kind and status, newest first. */
export async function listPromotionRecords(reader: Reader, search: PromotionSearch): Promise<PromotionRecord[]> {
  const { afterId, storeId, like, status, limit } = search
  return (await reader.rows(page, [afterId, storeId, like, status, limit])).map(recordOf)
}

/** List the promotions that can affect a store's lines, paused or not, in the order they apply. */
export async function listPromotionsForStore(reader: Reader, storeId: string, limit: number): Promise<Promotion[]> {
  return (await reader.rows(ofOwners, [storeId, limit])).map(promotionOf)
}

export async function findPromotion(reader: Reader, id: string): Promise<PromotionRecord | undefined> {
  const row = await reader.row(find, [id])
  return row && recordOf(row)
}

/** Load a promotion and lock it until the transaction ends. */
export async function lockPromotion(tx: Transaction, id: string): Promise<PromotionRecord | undefined> {
  const [, record] = await Promise.all([tx.rows(lock, [id]), findPromotion(tx, id)])
  return record
}

/** Lock the codes of all promotions until the transaction ends, so that no two promotions get the same one. */
export async function lockPromotionCodes(tx: Transaction): Promise<void> {
  await tx.rows(lockAllCodes)
}

function recordOf(row: RecordRow): PromotionRecord {
  return {
    promotion: promotionOf(row),
    used: row.used,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
