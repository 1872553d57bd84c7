import type { Address, Contact } from '@vitrine/contract'
import type { Static } from 'typebox'
import { present, unreachable } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { type Owner, ofStore } from '../../kernel/owner.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { asOf, type Cart, type CartLine, type CartStatus } from './cart.ts'

interface CartRow {
  readonly id: string
  readonly installation_id: string
  readonly environment: Environment
  readonly store_id: string | null
  readonly status: CartStatus
  readonly version: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly customer_id: string | null
  readonly contact: Static<typeof Contact> | null
  readonly metadata: Readonly<Record<string, string>>
  readonly shipping_address: Address | null
  readonly billing_address: Address | null
  readonly shipping_option_id: string | null
  readonly code: string | null
  readonly checkout_session_id: string | null
  readonly order_id: string | null
  readonly revoke_reason: string | null
  readonly ended_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly expires_at: Date
  /** JSON; a CHECK keeps its integers within what JSON carries exactly. */
  readonly lines: readonly StoredLine[]
}

interface StoredLine {
  readonly lineId: string
  readonly skuId: string
  readonly quantity: number
  readonly priceAtAdd: number
}

// Two statements in one round trip: the read runs after the lock is granted, so it sees what the previous holder wrote.
// A credential narrowed to a store also reaches marketplace carts whose lines are all from that store.
const OWN = `id = $1 and ${ofStore.whereOne(
  'carts',
  2,
  (storeId) => `carts.store_id is null and (
       select bool_and(product.store_id = ${storeId}) from cart_lines line
         join skus sku on sku.id = line.sku_id join products product on product.id = sku.product_id
       where line.cart_id = carts.id)`,
)}`
const lock = statement('carts.lock', `select 1 from carts where ${OWN} for update`)
const COLUMNS = `id, installation_id, environment, store_id, status, version, currency, country, locale, customer_id, contact,
     metadata, shipping_address, billing_address, shipping_option_id, code, checkout_session_id, order_id, revoke_reason,
     ended_at, created_at, updated_at, expires_at,
     (select coalesce(jsonb_agg(jsonb_build_object('lineId', line_id, 'skuId', sku_id, 'quantity', quantity,
                                                   'priceAtAdd', price_at_add) order by position), '[]')
        from cart_lines where cart_id = carts.id) as lines`
const read = statement<CartRow>('carts.read', `select ${COLUMNS} from carts where ${OWN}`)

/** Load a cart of an owner, as of now. Refusals: `not_found`, also for another owner's cart. */
export async function loadCart(reader: Reader, owner: Owner, cartId: string, now: Date): Promise<Cart> {
  const row = await reader.row(read, [cartId, ...ofStore.values(owner)])
  return row ? asOf(cartOf(row), now) : refuse('not_found')
}

/** Load a cart and lock it until the transaction ends. Refusals: `not_found`. */
export function lockCart(tx: Transaction, owner: Owner, cartId: string, now: Date): Promise<Cart> {
  tx.write(lock, [cartId, ...ofStore.values(owner)])
  return loadCart(tx, owner, cartId, now)
}

const readAny = statement<CartRow>('carts.read_any', `select ${COLUMNS} from carts where id = $1`)

/** Load a cart of any owner, for work of the service itself. To change it, lock its row first. */
export async function loadCartById(reader: Reader, cartId: string): Promise<Cart> {
  return cartOf(present(await reader.row(readAny, [cartId]), `no cart ${cartId}`))
}

const ofSession = statement<CartRow>(
  'carts.of_session',
  `select ${COLUMNS} from carts where id = (select cart_id from checkout_sessions where id = $1)`,
)

/** Find the cart of a checkout session by the session's id, so that both load in one round trip. */
export async function findCartOfSession(reader: Reader, sessionId: string): Promise<Cart | null> {
  const row = await reader.row(ofSession, [sessionId])
  return row ? cartOf(row) : null
}

const insert = statement(
  'carts.insert',
  `insert into carts (id, installation_id, environment, store_id, version, currency, country, locale, customer_id,
     contact, metadata, created_at, updated_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)
const update = statement(
  'carts.update',
  `update carts set version = $2, status = $3, contact = $4, shipping_address = $5, billing_address = $6,
     shipping_option_id = $7, code = $8, checkout_session_id = $9, order_id = $10, revoke_reason = $11, ended_at = $12,
     updated_at = $13, expires_at = $14, customer_id = $15, metadata = $16
   where id = $1 and version = $2 - 1`,
)
const removeLines = statement(
  'carts.remove_lines',
  'delete from cart_lines where cart_id = $1 and sku_id = any($2::text[])',
)
const saveLines = statement(
  'carts.save_lines',
  `insert into cart_lines (cart_id, sku_id, line_id, position, quantity, price_at_add)
   select $1, line.* from jsonb_to_recordset($2) as line ("skuId" text, "lineId" text, position integer, quantity integer,
     "priceAtAdd" bigint)
   on conflict (cart_id, sku_id) do update set position = excluded.position, quantity = excluded.quantity,
     price_at_add = excluded.price_at_add`,
)

/** Insert a new cart with its lines. */
export function insertCart(tx: Transaction, cart: Cart): void {
  tx.write(insert, [
    cart.id,
    cart.installationId,
    cart.environment,
    cart.storeId,
    cart.version,
    cart.currency,
    cart.country,
    cart.locale,
    cart.customerId,
    json(cart.contact),
    json(cart.metadata),
    cart.createdAt,
    cart.updatedAt,
    cart.expiresAt,
  ])
  writeLines(tx, cart.id, [], cart.lines)
}

/** Save a changed cart. The WHERE repeats the version check. At most three statements, for any number of lines. */
export function saveCart(tx: Transaction, before: Cart, after: Cart): void {
  tx.write(
    update,
    [
      after.id,
      after.version,
      after.status,
      json(after.contact),
      json(after.shippingAddress),
      json(after.billingAddress),
      after.shippingOptionId,
      after.code,
      ...stateColumns(after),
      after.updatedAt,
      after.expiresAt,
      after.customerId,
      json(after.metadata),
    ],
    { rows: 1 },
  )
  writeLines(tx, after.id, before.lines, after.lines)
}

function writeLines(tx: Transaction, cartId: string, before: readonly CartLine[], after: readonly CartLine[]): void {
  const remaining = new Set(after.map((line) => line.skuId))
  const removed = before.filter((line) => !remaining.has(line.skuId)).map((line) => line.skuId)
  if (removed.length > 0) tx.write(removeLines, [cartId, removed], { rows: removed.length })

  const placed = after.map((line, index) => ({ ...line, position: index + 1 }))
  const moved = placed.filter((_, index) => before[index] !== after[index])
  if (moved.length > 0) {
    const lines = moved.map((line) => ({ ...line, priceAtAdd: String(line.priceAtAdd) }))
    tx.write(saveLines, [cartId, JSON.stringify(lines)])
  }
}

/** The columns that only some states have: checkout session, order, reason, end. CHECKs enforce the same. */
function stateColumns(cart: Cart): readonly [string | null, string | null, string | null, Date | null] {
  switch (cart.status) {
    case 'active':
      return [null, null, null, null]
    case 'locked':
      return [cart.checkoutSessionId, null, null, null]
    case 'converted':
      return [cart.checkoutSessionId, cart.orderId, null, null]
    case 'revoked':
      return [null, null, cart.reason, cart.endedAt]
    case 'expired':
      return [null, null, null, cart.endedAt]
    default:
      return unreachable(cart)
  }
}

function json(value: object | null): string | null {
  return value && JSON.stringify(value)
}

function cartOf(row: CartRow): Cart {
  const content = {
    id: row.id,
    installationId: row.installation_id,
    environment: row.environment,
    storeId: row.store_id,
    version: row.version,
    currency: row.currency,
    country: row.country,
    locale: row.locale,
    customerId: row.customer_id,
    contact: row.contact,
    metadata: row.metadata,
    lines: row.lines.map((line) => ({ ...line, priceAtAdd: BigInt(line.priceAtAdd) })),
    code: row.code,
    shippingAddress: row.shipping_address,
    billingAddress: row.billing_address,
    shippingOptionId: row.shipping_option_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
  const { status } = row
  switch (status) {
    case 'active':
      return { ...content, status }
    case 'locked':
      return { ...content, status, checkoutSessionId: present(row.checkout_session_id, 'a locked cart has a session') }
    case 'converted':
      return {
        ...content,
        status,
        checkoutSessionId: present(row.checkout_session_id, 'a converted cart has a session'),
        orderId: present(row.order_id, 'a converted cart has an order'),
      }
    case 'revoked':
      return {
        ...content,
        status,
        endedAt: present(row.ended_at, 'a revoked cart has an end'),
        reason: row.revoke_reason,
      }
    case 'expired':
      return { ...content, status, endedAt: present(row.ended_at, 'an expired cart has an end') }
    default:
      return unreachable(status)
  }
}
