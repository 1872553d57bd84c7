import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Promotion } from './promotion.ts'
import { type PromotionRow, promotionColumns, promotionOf } from './promotion-store.ts'

/** Who takes uses of promotions, and for which customer. */
export interface UsesWanted {
  /** Such as the id of a checkout session. */
  readonly claimant: string
  readonly environment: Environment
  readonly customerId: string | null
  readonly promotionIds: readonly string[]
}

// The limit stands in the row that counts. Rows are taken in one order, so that no two claimants wait for each other.
const claim = statement<{ promotion_id: string; claimed: boolean }>(
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
 * Takes a use of each promotion that has a limit, in all and for the customer: all of them or none. A promise of its price
 * is no promise of a use: one that somebody else has taken cannot be given twice.
 *
 * Refusals: `promotion_inapplicable` with `usage_limit_reached`.
 */
export async function claimUses(
  tx: Transaction,
  { claimant, environment, customerId, promotionIds }: UsesWanted,
): Promise<void> {
  if (promotionIds.length === 0) return
  const uses = await tx.rows(claim, [claimant, environment, customerId, promotionIds])
  if (uses.every(({ claimed }) => claimed)) return
  refuse('promotion_inapplicable', { conflict: { reasons: ['usage_limit_reached'] } })
}

const giveBack = statement(
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

/** Gives back what a claimant has taken and not used. One that has taken nothing has given it back. */
export function giveBackUses(tx: Transaction, claimant: string): void {
  tx.write(giveBack, [claimant])
}

const byId = statement<PromotionRow>(
  'promotions.by_id',
  `select ${promotionColumns} from promotions p where id = any($1::text[]) order by id`,
)

/** The promotions as they stand now, whether or not they still apply. One that is gone is absent. */
export async function loadPromotionsById(reader: Reader, ids: readonly string[]): Promise<Promotion[]> {
  if (ids.length === 0) return []
  return (await reader.rows(byId, [ids])).map(promotionOf)
}
