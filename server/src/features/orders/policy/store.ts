import { AFTER_SALES_KINDS } from '@vitrine/contract'
import { assert, present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import {
  type AfterSalesKind,
  DEFAULT_POLICY,
  type KindRules,
  type OrderPolicy,
  refusePolicyFaults,
  type VersionedPolicy,
} from './policy.ts'

interface PolicyRow {
  readonly store_id: string
  readonly version: number
  readonly cancellation_window_minutes: number | null
  readonly cancels_automatically: boolean
  readonly restocks_canceled: boolean
  readonly refunds_canceled_shipping: boolean
  readonly delivered_after_days: number
  readonly return_within_days: number
  readonly decide_within_days: number
  readonly instructions: string | null
  readonly return_address: string | null
  readonly restocks_returned: boolean
  readonly refunds_returned_shipping: boolean
  readonly final_sale_sku_ids: readonly string[]
  readonly final_sale_product_ids: readonly string[]
  readonly final_sale_category_ids: readonly string[]
  readonly kinds: readonly ({ readonly kind: AfterSalesKind } & KindRules)[]
}

const SELECT = `select policy.*, (
     select jsonb_agg(jsonb_build_object('kind', kind, 'offered', offered, 'windowDays', window_days, 'automatic', automatic))
     from order_policy_kinds as each where each.store_id = policy.store_id and each.version = policy.version) as kinds
   from order_policies as policy`

const current = statement<PolicyRow>(
  'orders.policies_now',
  `${SELECT} where (policy.store_id, policy.version) in (
     select store_id, max(version) from order_policies where store_id = any($1::text[]) group by store_id)`,
)
const named = statement<PolicyRow>(
  'orders.policies_named',
  `${SELECT} join jsonb_each_text($1::jsonb) as wanted (store_id, version)
     on wanted.store_id = policy.store_id and wanted.version::integer = policy.version`,
)
const insert = statement(
  'orders.save_policy',
  `insert into order_policies (store_id, version, cancellation_window_minutes, cancels_automatically, restocks_canceled,
     refunds_canceled_shipping, delivered_after_days, return_within_days, decide_within_days, instructions,
     restocks_returned, refunds_returned_shipping, final_sale_sku_ids, final_sale_product_ids, final_sale_category_ids,
     saved_by, saved_at, return_address)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
)
const insertKinds = statement(
  'orders.save_policy_kinds',
  `insert into order_policy_kinds (store_id, version, kind, offered, window_days, automatic)
   select $1, $2, kind, offered, "windowDays", automatic
   from jsonb_to_recordset($3) as each (kind text, offered boolean, "windowDays" integer, automatic boolean)`,
)
// Of two concurrent saves, the second waits and then sees the version of the first.
const lockStore = statement<{ id: string }>(
  'orders.lock_policies',
  'select id from stores where id = $1 for no key update',
)

/** Policies by store id. */
export type Policies = ReadonlyMap<string, VersionedPolicy>

/** Loads the policies in force of some stores: one each. */
export async function policiesNow(reader: Reader, storeIds: readonly string[]): Promise<Policies> {
  return withDefaults(storeIds, await reader.rows(current, [storeIds]))
}

/** Loads policies by store id and version: one each. */
export async function policiesNamed(reader: Reader, versions: Readonly<Record<string, number>>): Promise<Policies> {
  const policies = withDefaults(Object.keys(versions), await reader.rows(named, [JSON.stringify(versions)]))
  for (const [storeId, { version }] of policies) assert(version === versions[storeId], `the policy of ${storeId}`)
  return policies
}

/** Loads the policy in force of a store, for the operator. */
export async function readOrderPolicy(reader: Reader, storeId: string): Promise<VersionedPolicy> {
  return present((await policiesNow(reader, [storeId])).get(storeId), 'one for each store')
}

/** A policy to be saved. */
export interface PolicyDraft {
  readonly storeId: string
  readonly policy: OrderPolicy
  /** The operator. */
  readonly savedBy: string
  readonly expectedVersion?: number | undefined
  readonly now: Date
}

/**
 * Saves a policy as the next version. Answers and requests under an earlier version keep it.
 *
 * Refusals: `validation_failed`, `not_found`, `version_conflict`.
 */
export async function saveOrderPolicy(tx: Transaction, draft: PolicyDraft): Promise<VersionedPolicy> {
  const { storeId, policy, savedBy, expectedVersion, now } = draft
  refusePolicyFaults(policy)
  if ((await tx.row(lockStore, [storeId])) === undefined) refuse('not_found')
  const { version: currentVersion } = await readOrderPolicy(tx, storeId)
  if (expectedVersion !== undefined && expectedVersion !== currentVersion) {
    refuse('version_conflict', { conflict: { expectedVersion, ...(currentVersion > 0 && { currentVersion }) } })
  }
  const version = currentVersion + 1
  const { cancellation, afterSales, finalSale } = policy
  tx.write(insert, [
    storeId,
    version,
    cancellation.windowMinutes,
    cancellation.automatic,
    cancellation.restocks,
    cancellation.refundsShipping,
    afterSales.deliveredAfterDays,
    afterSales.returnWithinDays,
    afterSales.decideWithinDays,
    afterSales.instructions,
    afterSales.restocks,
    afterSales.refundsShipping,
    finalSale.skuIds,
    finalSale.productIds,
    finalSale.categoryIds,
    savedBy,
    now,
    afterSales.returnAddress,
  ])
  const kinds = AFTER_SALES_KINDS.map((kind) => ({ kind, ...afterSales.kinds[kind] }))
  tx.write(insertKinds, [storeId, version, JSON.stringify(kinds)], { rows: kinds.length })
  return { storeId, version, policy }
}

function withDefaults(storeIds: readonly string[], rows: readonly PolicyRow[]): Policies {
  const saved = new Map(rows.map((row) => [row.store_id, policyOf(row)]))
  return new Map(
    storeIds.map((storeId) => [storeId, saved.get(storeId) ?? { storeId, version: 0, policy: DEFAULT_POLICY }]),
  )
}

function policyOf(row: PolicyRow): VersionedPolicy {
  const kinds = Object.fromEntries(row.kinds.map(({ kind, ...rules }) => [kind, rules]))
  return {
    storeId: row.store_id,
    version: row.version,
    policy: {
      cancellation: {
        windowMinutes: row.cancellation_window_minutes,
        automatic: row.cancels_automatically,
        restocks: row.restocks_canceled,
        refundsShipping: row.refunds_canceled_shipping,
      },
      afterSales: {
        kinds: kinds as Record<AfterSalesKind, KindRules>,
        deliveredAfterDays: row.delivered_after_days,
        returnWithinDays: row.return_within_days,
        decideWithinDays: row.decide_within_days,
        instructions: row.instructions,
        returnAddress: row.return_address,
        restocks: row.restocks_returned,
        refundsShipping: row.refunds_returned_shipping,
      },
      finalSale: {
        skuIds: row.final_sale_sku_ids,
        productIds: row.final_sale_product_ids,
        categoryIds: row.final_sale_category_ids,
      },
    },
  }
}

const without = statement<{ slug: string }>(
  'orders.stores_without_policy',
  `select slug from stores where status = 'active'
     and not exists (select from order_policies where store_id = stores.id) order by slug`,
)

/** The slugs of the active stores without a saved policy. */
export async function storesWithoutPolicy(reader: Reader): Promise<readonly string[]> {
  return (await reader.rows(without)).map(({ slug }) => slug)
}
