import type { Address, Contact, Order } from '@vitrine/contract'
import type { Static } from 'typebox'
import { present, unreachable } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { type Owner, ofStore } from '../../kernel/owner.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { contentOf, type QuoteContent } from '../carts/index.ts'
import { asOf, type CancelReason, type PaymentStatus, type Session, type SessionStatus } from './session.ts'

/** A session with its quote. */
export interface LoadedSession {
  readonly session: Session
  readonly quote: QuoteContent
}

interface SessionRow {
  readonly id: string
  readonly installation_id: string
  readonly environment: Environment
  readonly store_id: string | null
  readonly cart_id: string
  readonly quote_id: string
  readonly status: SessionStatus
  readonly version: number
  readonly return_url: string
  readonly cancel_url: string
  readonly client_reference_id: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly contact: Static<typeof Contact> | null
  readonly shipping_address: Address | null
  readonly billing_address: Address | null
  readonly accepted_documents: Order['acceptedDocuments']
  readonly charge_id: string | null
  readonly payment_status: PaymentStatus
  readonly order_id: string | null
  readonly cancel_reason: CancelReason | null
  readonly cancel_note: string | null
  readonly ended_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly expires_at: Date
  readonly payload: Buffer
}

const LOADED = `select session.*, quote.payload
  from checkout_sessions session join quotes quote on quote.id = session.quote_id`

const OWN = `session.id = $1 and ${ofStore.where('session', 2)}`
const read = statement<SessionRow>('checkout.read', `${LOADED} where ${OWN}`)
const readAny = statement<SessionRow>('checkout.read_any', `${LOADED} where session.id = $1`)

// Lock order: cart, then session.
const lock = statement(
  'checkout.lock',
  `select 1 from checkout_sessions session join carts cart on cart.id = session.cart_id where session.id = $1
   for update of cart, session`,
)

/** Find a session of an owner, as of now. */
export async function findSession(reader: Reader, owner: Owner, id: string, now: Date): Promise<LoadedSession | null> {
  return loaded(await reader.row(read, [id, ...ofStore.values(owner)]), now)
}

/** Find any session, as of now. */
export async function findSessionById(reader: Reader, id: string, now: Date): Promise<LoadedSession | null> {
  return loaded(await reader.row(readAny, [id]), now)
}

/** Lock a session and its cart, cart first, until the transaction ends. */
export function lockSessionRows(tx: Transaction, id: string): void {
  tx.write(lock, [id])
}

const lockOwn = statement(
  'checkout.lock_own',
  `select 1 from checkout_sessions session join carts cart on cart.id = session.cart_id
   where ${OWN}
   for update of cart, session`,
)

/** Load a session of an owner and lock it with its cart. One round trip. */
export function lockSession(tx: Transaction, owner: Owner, id: string, now: Date): Promise<LoadedSession | null> {
  tx.write(lockOwn, [id, ...ofStore.values(owner)])
  return findSession(tx, owner, id, now)
}

/** Load a session as stored, without applying expiry: changes start from this. */
export async function loadStoredSession(reader: Reader, id: string): Promise<LoadedSession> {
  const row = present(await reader.row(readAny, [id]), `no session ${id}`)
  return { session: sessionOf(row), quote: contentOf(row) }
}

const due = statement<{ id: string }>(
  'checkout.due',
  `select id from checkout_sessions where status in ('open', 'requires_action') and expires_at <= $1
   order by expires_at limit $2`,
)
const tryLockCartOf = statement(
  'checkout.try_lock_cart',
  `select 1 from carts where id = (select cart_id from checkout_sessions where id = $1) for update skip locked`,
)

/** List overdue sessions, the oldest first. */
export async function listDueSessions(reader: Reader, now: Date, limit: number): Promise<readonly string[]> {
  return (await reader.rows(due, [now, limit])).map(({ id }) => id)
}

/** Lock like `lockSessionRows` unless the cart is locked already. @returns whether the locks are held */
export async function tryLockSession(tx: Transaction, id: string): Promise<boolean> {
  if ((await tx.change(tryLockCartOf, [id])) === 0) return false
  tx.write(lock, [id])
  return true
}

const insert = statement(
  'checkout.insert',
  `insert into checkout_sessions (id, installation_id, environment, store_id, cart_id, quote_id, version, return_url,
     cancel_url, client_reference_id, metadata, contact, shipping_address, billing_address, created_at, updated_at,
     expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
)
const update = statement(
  'checkout.update',
  `update checkout_sessions set version = $2, status = $3, quote_id = $4, contact = $5, shipping_address = $6,
     billing_address = $7, accepted_documents = $8, charge_id = $9, payment_status = $10, order_id = $11,
     cancel_reason = $12, cancel_note = $13, ended_at = $14, updated_at = $15, expires_at = $16
   where id = $1 and version = $2 - 1`,
)

/** Insert a new session. */
export function insertSession(tx: Transaction, session: Session): void {
  tx.write(insert, [
    session.id,
    session.installationId,
    session.environment,
    session.storeId,
    session.cartId,
    session.quoteId,
    session.version,
    session.returnUrl,
    session.cancelUrl,
    session.clientReferenceId,
    json(session.metadata),
    json(session.contact),
    json(session.shippingAddress),
    json(session.billingAddress),
    session.createdAt,
    session.updatedAt,
    session.expiresAt,
  ])
}

/** Save a changed session. The WHERE repeats the version check. */
export function saveSession(tx: Transaction, session: Session): void {
  tx.write(
    update,
    [
      session.id,
      session.version,
      session.status,
      session.quoteId,
      json(session.contact),
      json(session.shippingAddress),
      json(session.billingAddress),
      json(session.acceptedDocuments),
      session.chargeId,
      session.paymentStatus,
      'orderId' in session ? session.orderId : null,
      'cancelReason' in session ? session.cancelReason : null,
      'cancelNote' in session ? session.cancelNote : null,
      'endedAt' in session ? session.endedAt : null,
      session.updatedAt,
      session.expiresAt,
    ],
    { rows: 1 },
  )
}

function json(value: object | null): string | null {
  return value && JSON.stringify(value)
}

function loaded(row: SessionRow | undefined, now: Date): LoadedSession | null {
  return row ? { session: asOf(sessionOf(row), now), quote: contentOf(row) } : null
}

function sessionOf(row: SessionRow): Session {
  const content = {
    id: row.id,
    installationId: row.installation_id,
    environment: row.environment,
    storeId: row.store_id,
    cartId: row.cart_id,
    quoteId: row.quote_id,
    version: row.version,
    returnUrl: row.return_url,
    cancelUrl: row.cancel_url,
    clientReferenceId: row.client_reference_id,
    metadata: row.metadata,
    contact: row.contact,
    shippingAddress: row.shipping_address,
    billingAddress: row.billing_address,
    acceptedDocuments: row.accepted_documents,
    chargeId: row.charge_id,
    paymentStatus: row.payment_status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
  const { status } = row
  const cancellation = { cancelReason: row.cancel_reason, cancelNote: row.cancel_note }
  switch (status) {
    case 'open':
      return { ...content, status }
    case 'requires_action':
    case 'processing':
      return { ...content, status }
    case 'cancel_pending':
      return { ...content, ...cancellation, status }
    case 'completed':
      return {
        ...content,
        status,
        orderId: present(row.order_id, 'a completed session has an order'),
        endedAt: endOf(row),
      }
    case 'canceled':
      return { ...content, ...cancellation, status, endedAt: endOf(row) }
    case 'expired':
      return { ...content, status, endedAt: endOf(row) }
    default:
      return unreachable(status)
  }
}

function endOf(row: SessionRow): Date {
  return present(row.ended_at, 'a final session has an end')
}
