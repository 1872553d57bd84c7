import type { Environment } from '../../kernel/environment.ts'
import { shortestDecimal } from '../../kernel/money.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { phaseOf } from './discount.ts'
import {
  type AmountByCurrency,
  type Audience,
  amountsOf,
  type DiscountPhase,
  type LocalizedText,
  type Promotion,
  type PromotionEffect,
  type PromotionUsage,
} from './promotion.ts'

export interface PromotionRow {
  readonly id: string
  readonly store_id: string | null
  readonly code: string | null
  readonly title: LocalizedText
  readonly status: Promotion['status']
  readonly kind: PromotionEffect['kind']
  readonly target: DiscountPhase
  readonly rate: string | null
  readonly buy_quantity: number | null
  readonly get_quantity: number | null
  readonly sets_max: number | null
  readonly gets_product_ids: string[] | null
  readonly gets_category_ids: string[] | null
  readonly product_ids: string[]
  readonly category_ids: string[]
  readonly store_ids: string[]
  readonly audience: Audience['kind']
  readonly customer_ids: string[]
  readonly starts_at: Date | null
  readonly ends_at: Date | null
  readonly usage_limit: number | null
  readonly usage_limit_per_customer: number | null
  readonly priority: number
  readonly combines_with: DiscountPhase[]
  readonly stop_after: boolean
  /** A CHECK keeps minor units within 2^53 − 1. */
  readonly amounts: Readonly<Record<string, number>>
  readonly minimums: Readonly<Record<string, number>>
}

export const promotionColumns = `p.*,
  (select coalesce(jsonb_object_agg(currency, amount) filter (where amount is not null), '{}')
     from promotion_amounts a where a.promotion_id = p.id) as amounts,
  (select coalesce(jsonb_object_agg(currency, minimum_subtotal) filter (where minimum_subtotal is not null), '{}')
     from promotion_amounts a where a.promotion_id = p.id) as minimums`

const automatic = statement<PromotionRow>(
  'promotions.automatic',
  `select ${promotionColumns} from promotions p
   where code is null and status = 'active' and (store_id = any($1) or (store_id is null and $2))
   order by id`,
)

const byCode = statement<PromotionRow>(
  'promotions.by_code',
  `select ${promotionColumns} from promotions p
   where upper(code) = upper($1) and status <> 'archived' and (store_id = any($2) or (store_id is null and $3))`,
)

const withCodes = statement<{ exist: boolean }>(
  'promotions.with_codes',
  `select exists (select from promotions p where code is not null and status = 'active' and (store_id is null
     or exists (select from stores where id = p.store_id and status = 'active'))) as exist`,
)

/** Whether an active promotion has a code, whatever its dates. */
export async function promotionCodesExist(reader: Reader): Promise<boolean> {
  return (await reader.row(withCodes))?.exist ?? false
}

/** Owner of marketplace rules; all other owners are store ids. */
export const MARKETPLACE = 'marketplace'

/** The revision subject of all owners' promotions, tax and shipping rules. */
export const RULES = 'rules'

/** The revision subject of an owner's promotions, tax and shipping rules. */
export function rulesSubject(owner: string): string {
  return `${RULES}/${owner}`
}

/** Load the active automatic promotions of owners: store ids, or `MARKETPLACE`. */
export async function loadAutomaticPromotions(reader: Reader, owners: readonly string[]): Promise<Promotion[]> {
  const rows = await reader.rows(automatic, [owners, owners.includes(MARKETPLACE)])
  return rows.map(promotionOf)
}

/** Load the promotions with a code, at most one per owner. Archived ones have none. */
export async function loadPromotionsByCode(
  reader: Reader,
  code: string,
  owners: readonly string[],
): Promise<Promotion[]> {
  const rows = await reader.rows(byCode, [code, owners, owners.includes(MARKETPLACE)])
  return rows.map(promotionOf)
}

const usage = statement<{ promotion_id: string; total: bigint; by_customer: bigint }>(
  'promotions.usage',
  `select promotion_id,
     coalesce(sum(used) filter (where customer_id = ''), 0)::bigint as total,
     coalesce(sum(used) filter (where customer_id <> ''), 0)::bigint as by_customer
   from promotion_usage
   where promotion_id = any($1) and environment = $2 and customer_id in ('', $3)
   group by promotion_id`,
)

/** Load the redemptions of promotions, in total and by the customer, keyed by promotion id. Absent: none. */
export async function loadPromotionUsage(
  reader: Reader,
  query: {
    readonly promotionIds: readonly string[]
    readonly environment: Environment
    readonly customerId: string | null
  },
): Promise<ReadonlyMap<string, PromotionUsage>> {
  const { promotionIds, environment, customerId } = query
  if (promotionIds.length === 0) return new Map()
  const rows = await reader.rows(usage, [promotionIds, environment, customerId ?? ''])
  return new Map(
    rows.map((row) => [row.promotion_id, { total: Number(row.total), byCustomer: Number(row.by_customer) }]),
  )
}

const save = statement(
  'promotions.save',
  `insert into promotions (
     id, store_id, code, title, status, kind, target, rate, buy_quantity, get_quantity, sets_max,
     gets_product_ids, gets_category_ids, product_ids, category_ids, store_ids, audience, customer_ids,
     starts_at, ends_at, usage_limit, usage_limit_per_customer, priority, combines_with, stop_after,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
     $24, $25, $26, $26)
   on conflict (id) do update set
     code = excluded.code, title = excluded.title, status = excluded.status, kind = excluded.kind,
     target = excluded.target, rate = excluded.rate, buy_quantity = excluded.buy_quantity,
     get_quantity = excluded.get_quantity, sets_max = excluded.sets_max,
     gets_product_ids = excluded.gets_product_ids, gets_category_ids = excluded.gets_category_ids,
     product_ids = excluded.product_ids, category_ids = excluded.category_ids, store_ids = excluded.store_ids,
     audience = excluded.audience, customer_ids = excluded.customer_ids, starts_at = excluded.starts_at,
     ends_at = excluded.ends_at, usage_limit = excluded.usage_limit,
     usage_limit_per_customer = excluded.usage_limit_per_customer, priority = excluded.priority,
     combines_with = excluded.combines_with, stop_after = excluded.stop_after,
     version = promotions.version + 1, updated_at = excluded.updated_at
   where promotions.store_id is not distinct from excluded.store_id`,
)

const deleteAmounts = statement('promotions.forget_amounts', 'delete from promotion_amounts where promotion_id = $1')

const saveAmounts = statement(
  'promotions.save_amounts',
  `insert into promotion_amounts (promotion_id, currency, amount, minimum_subtotal)
   select $1, currency, amounts.value::bigint, minimums.value::bigint
   from jsonb_each_text($2) as amounts (currency, value)
   full join jsonb_each_text($3) as minimums (currency, value) using (currency)`,
)

/** Insert or update a promotion and bump the owner's revision. A promotion never changes its store. */
export function savePromotion(tx: Transaction, promotion: Promotion, now: Date): void {
  const { effect, audience, lines } = promotion
  const get = effect.kind === 'buy_x_get_y' ? effect : null
  tx.write(
    save,
    [
      promotion.id,
      promotion.storeId,
      promotion.code,
      JSON.stringify(promotion.title),
      promotion.status,
      effect.kind,
      phaseOf(effect),
      'rate' in effect ? effect.rate : null,
      get?.buyQuantity ?? null,
      get?.getQuantity ?? null,
      get?.setsMax ?? null,
      get?.gets?.productIds ?? null,
      get?.gets?.categoryIds ?? null,
      lines.productIds,
      lines.categoryIds,
      promotion.storeIds,
      audience.kind,
      audience.kind === 'listed_customers' ? audience.customerIds : [],
      promotion.startsAt,
      promotion.endsAt,
      promotion.usageLimit,
      promotion.usageLimitPerCustomer,
      promotion.priority,
      promotion.combinesWith,
      promotion.stopAfter,
      now,
    ],
    { rows: 1 },
  )
  const amounts = effect.kind === 'fixed_amount' ? effect.amounts : {}
  tx.write(deleteAmounts, [promotion.id])
  tx.write(saveAmounts, [promotion.id, amountsJson(amounts), amountsJson(promotion.minimumSubtotal)])
  bumpRevision(tx, rulesSubject(promotion.storeId ?? MARKETPLACE))
}

function amountsJson(amounts: AmountByCurrency): string {
  return JSON.stringify(Object.fromEntries(Object.entries(amounts).map(([code, amount]) => [code, String(amount)])))
}

export function promotionOf(row: PromotionRow): Promotion {
  return {
    id: row.id,
    storeId: row.store_id,
    code: row.code,
    title: row.title,
    status: row.status,
    effect: effectOf(row),
    lines: { productIds: row.product_ids, categoryIds: row.category_ids },
    storeIds: row.store_ids,
    audience: audienceOf(row),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    minimumSubtotal: amountsOf(row.minimums),
    usageLimit: row.usage_limit,
    usageLimitPerCustomer: row.usage_limit_per_customer,
    priority: row.priority,
    combinesWith: row.combines_with,
    stopAfter: row.stop_after,
  }
}

function audienceOf({ audience: kind, customer_ids: customerIds }: PromotionRow): Audience {
  return kind === 'listed_customers' ? { kind, customerIds } : { kind }
}

/** CHECKs define which columns each kind has. */
function effectOf(row: PromotionRow): PromotionEffect {
  const { kind, target } = row
  switch (kind) {
    case 'percentage':
      return { kind, target, rate: shortestDecimal(row.rate!) }
    case 'fixed_amount':
      return { kind, target, amounts: amountsOf(row.amounts) }
    case 'buy_x_get_y':
      return {
        kind,
        buyQuantity: row.buy_quantity!,
        getQuantity: row.get_quantity!,
        rate: shortestDecimal(row.rate!),
        gets:
          row.gets_product_ids && row.gets_category_ids
            ? { productIds: row.gets_product_ids, categoryIds: row.gets_category_ids }
            : null,
        setsMax: row.sets_max,
      }
    case 'free_shipping':
      return { kind }
  }
}
