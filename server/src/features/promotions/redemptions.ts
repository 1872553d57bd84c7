import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Promotion } from './promotion.ts'
import { type PromotionRow, promotionColumns, promotionOf } from './store.ts'

/** Limited promotions to redeem for a checkout. */
interface RedemptionRequest {
  /** The checkout session id. */
  readonly holder: string
  readonly environment: Environment
  readonly customerId: string | null
  readonly promotionIds: readonly string[]
}

// The counting row has the limit. Rows are locked in one order, so that no two checkouts deadlock.
const reserve = statement<{ promotion_id: string; claimed: boolean }>(
  'promotions.claim',
  `with wanted as (
     select promotion.id as promotion_id, limited.customer_id, limited.used_max
     from promotions promotion
     cross join lateral (values ('', promotion.usage_limit), ($3::text, promotion.usage_limit_per_customer))
       as limited (customer_id, used_max)
     where promotion.id = any($4::text[]) and limited.used_max is not null and limited.customer_id is not null
     order by promotion.id, limited.customer_id),
   claimed as (
     insert into promotion_usage (promotion_id, environment, customer_id, used, used_max)
     select promotion_id, $2, customer_id, 1, used_max from wanted order by promotion_id, customer_id
     on conflict (promotion_id, environment, customer_id) do update
       set used = promotion_usage.used + 1, used_max = excluded.used_max
       where promotion_usage.used < excluded.used_max
     returning promotion_id, customer_id),
   kept as (
     insert into promotion_claims (claimant, promotion_id, environment, customer_id)
     select $1, promotion_id, $2, customer_id from claimed)
   select wanted.promotion_id, claimed.promotion_id is not null as claimed
   from wanted left join claimed using (promotion_id, customer_id)`,
)

/**
 * Reserve one redemption of each limited promotion, in total and for the customer: all or none. A quote reserves nothing,
 * so the limit can be reached after it was issued.
 *
 * Refusals: `promotion_inapplicable` with `usage_limit_reached`.
 */
export async function reserveRedemptions(
  tx: Transaction,
  { holder, environment, customerId, promotionIds }: RedemptionRequest,
): Promise<void> {
  if (promotionIds.length === 0) return
  const redemptions = await tx.rows(reserve, [holder, environment, customerId, promotionIds])
  if (redemptions.every(({ claimed }) => claimed)) return
  refuse('promotion_inapplicable', { conflict: { reasons: ['usage_limit_reached'] } })
}

/** An earlier use of a promotion, by the checkout session that it was made in. */
export interface EarlierUse {
  readonly holder: string
  readonly environment: Environment
  readonly customerId: string | null
}

// Adds to the count instead of replacing it, so that the uses of simultaneous checkouts count too.
const addEarlier = statement(
  'promotions.add_earlier',
  `with earlier as (
     select used.holder, used.environment, limited.customer_id
     from unnest($2::text[], $3::text[], $4::text[]) as used (holder, environment, customer_id)
     join promotions promotion on promotion.id = $1
     cross join lateral (values ('', promotion.usage_limit), (used.customer_id, promotion.usage_limit_per_customer))
       as limited (customer_id, used_max)
     where limited.used_max is not null and limited.customer_id is not null),
   added as (
     insert into promotion_claims (claimant, promotion_id, environment, customer_id)
     select holder, $1, environment, customer_id from earlier
     on conflict do nothing
     returning environment, customer_id)
   insert into promotion_usage (promotion_id, environment, customer_id, used)
   select $1, environment, customer_id, count(*) from added group by environment, customer_id order by environment, customer_id
   on conflict (promotion_id, environment, customer_id) do update
     set used = promotion_usage.used + excluded.used, used_max = null`,
)

/** Count uses that were made while a promotion had no limit. Uses that are counted already count once. */
export function addEarlierUses(tx: Transaction, promotionId: string, uses: readonly EarlierUse[]): void {
  if (uses.length === 0) return
  const values = [
    uses.map(({ holder }) => holder),
    uses.map(({ environment }) => environment),
    uses.map(({ customerId }) => customerId),
  ]
  tx.write(addEarlier, [promotionId, ...values])
}

const release = statement(
  'promotions.give_back',
  `with ended as (
     delete from promotion_claims where claimant = $1 returning promotion_id, environment, customer_id),
   locked as materialized (
     select usage.promotion_id, usage.environment, usage.customer_id
     from promotion_usage usage join ended using (promotion_id, environment, customer_id)
     order by usage.promotion_id, usage.customer_id for update of usage)
   update promotion_usage usage set used = usage.used - 1
   from locked where usage.promotion_id = locked.promotion_id and usage.environment = locked.environment
     and usage.customer_id = locked.customer_id`,
)

/** Release the redemptions a checkout reserved and did not use. Idempotent. */
export function releaseRedemptions(tx: Transaction, holder: string): void {
  tx.write(release, [holder])
}

const byId = statement<PromotionRow>(
  'promotions.by_id',
  `select ${promotionColumns} from promotions p where id = any($1::text[]) order by id`,
)

/** Load promotions by id, whether or not they still apply. Deleted ones are absent. */
export async function loadPromotionsById(reader: Reader, ids: readonly string[]): Promise<Promotion[]> {
  if (ids.length === 0) return []
  return (await reader.rows(byId, [ids])).map(promotionOf)
}
