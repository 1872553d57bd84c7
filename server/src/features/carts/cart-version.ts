import { createHash } from 'node:crypto'
import type { KeyReadContext } from '../../platform/http/handler.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { PricingFacts, RuleSnapshots } from '../pricing/index.ts'
import type { Cart } from './cart.ts'
import { vatIdOf } from './load-cart.ts'
import { loadCart } from './store.ts'

interface SourcesRow {
  readonly store_ids: readonly string[]
  /** Stock levels of the lines. In the test environment, sales change them without a new catalog revision. */
  readonly stock: unknown
  /** Revisions of the stores and their catalogs. */
  readonly revisions: unknown
  /** The quote that the checkout of a locked cart charges, or that the order of a converted one was paid by. */
  readonly quote_id: string | null
}

const sources = statement<SourcesRow>(
  'carts.read_sources',
  `with line as materialized (
     select line.sku_id, product.store_id, stock.counted, stock.available, stock.when_out
     from cart_lines line
     join skus sku on sku.id = line.sku_id
     join products product on product.id = sku.product_id
     left join stock_levels stock on stock.sku_id = line.sku_id and stock.environment = $2
     where line.cart_id = $1)
   select array(select distinct store_id from line order by store_id) as store_ids,
     (select jsonb_agg(jsonb_build_array(counted, available, when_out) order by sku_id) from line) as stock,
     (select jsonb_object_agg(subject, revision) from revisions
      where subject = any(array(select 'catalog/' || store_id from line union select 'stores'))) as revisions,
     (select session.quote_id from carts join checkout_sessions session on session.id = carts.checkout_session_id
      where carts.id = $1 and carts.status in ('locked', 'converted')) as quote_id`,
)

/** A cart and the version of its response. */
interface VersionedCart {
  readonly cart: Cart
  readonly version: string
  /** The quote that the checkout of a locked cart charges, or that the order of a converted one was paid by. */
  readonly quoteId: string | null
}

/**
 * Load a cart and the version of its response, without pricing the cart. Equal versions mean equal responses. One round trip.
 * Refusals: `not_found`.
 */
export async function loadVersionedCart(
  { reader, principal, now, revisionOf }: KeyReadContext,
  rules: RuleSnapshots,
  cartId: string,
): Promise<VersionedCart> {
  const [cart, from] = await Promise.all([
    loadCart(reader, principal, cartId, now),
    readSources(reader, cartId, principal.environment),
  ])
  const query = { ...cart, storeIds: from.store_ids, vatId: vatIdOf(cart), revisionOf }
  const facts = await rules.load(reader, query)
  const version = versionOf(cart, from, facts, { now, senderConstrained: principal.senderConstrained })
  return { cart, version, quoteId: from.quote_id }
}

async function readSources(reader: Reader, cartId: string, environment: string): Promise<SourcesRow> {
  const [row] = await reader.rows(sources, [cartId, environment])
  return row!
}

function versionOf(
  { id, version, status }: Cart,
  { stock, revisions, quote_id: quoteId }: SourcesRow,
  { revision, promotions, usage, providedTax, isVatIdRefused }: PricingFacts,
  { now, senderConstrained }: { readonly now: Date; readonly senderConstrained: boolean },
): string {
  const running = promotions.map(({ startsAt, endsAt }) => [startsAt && startsAt <= now, endsAt && endsAt <= now])
  // A tax provider that failed may answer again, without a new revision: retry every minute.
  const minute = providedTax && Math.floor(now.getTime() / 60_000)
  // A VAT registry that answers late changes no revision.
  const tax = [isVatIdRefused, minute]
  const parts = [id, version, status, quoteId, senderConstrained, stock, revisions, revision, running, [...usage], tax]
  return createHash('sha256').update(JSON.stringify(parts, bigintsAsText)).digest('base64url').slice(0, 22)
}

function bigintsAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
