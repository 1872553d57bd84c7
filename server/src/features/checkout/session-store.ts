import type { Address, Contact, Order } from '@vitrine/contract'
import type { Static } from 'typebox'
import { present, unreachable } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { type Owner, ofStore } from '../../kernel/owner.ts'
import { insertion } from '../../platform/postgres/insertion.ts'
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

const OWN = `session.id = $1 and ${ofStore.whereOne('session', 2)}`
const read = statement<SessionRow>('checkout.read', `${LOADED} where ${OWN}`)
const readAny = statement<SessionRow>('checkout.read_any', `${LOADED} where session.id = $1`)

// Lock order: cart, then session. The locked row is current, but the quote comes from the snapshot of the statement's start, which
// lacks a quote that the previous holder of the lock has inserted. If it is missing, the session is read again.
const LOCKED = `select session.*, (select payload from quotes where quotes.id = session.quote_id) as payload
  from checkout_sessions session join carts cart on cart.id = session.cart_id`
type LockedRow = Omit<SessionRow, 'payload'> & { readonly payload: Buffer | null }
const lock = statement<LockedRow>('checkout.lock', `${LOCKED} where session.id = $1 for update of cart, session`)

/** Find a session of an owner, as of now. */
export async function findSession(reader: Reader, owner: Owner, id: string, now: Date): Promise<LoadedSession | null> {
  return loaded(await reader.row(read, [id, ...ofStore.values(owner)]), now)
}

/** Find any session, as of now. */
export async function findSessionById(reader: Reader, id: string, now: Date): Promise<LoadedSession | null> {
  return loaded(await reader.row(readAny, [id]), now)
}

const readQuotes = statement<Pick<SessionRow, 'id' | 'payload'>>(
  'checkout.read_quotes',
  `select session.id, quote.payload from checkout_sessions session join quotes quote on quote.id = session.quote_id
   where session.id = any($1)`,
)

/** The quotes of sessions, keyed by session id. A session that was deleted has none. */
export async function quotesOfSessions(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadedSession['quote']>> {
  return new Map((await reader.rows(readQuotes, [ids])).map((row) => [row.id, contentOf(row)]))
}

/** Lock a session and its cart, cart first, until the transaction ends, and load it as of now. */
export async function lockSessionById(tx: Transaction, id: string, now: Date): Promise<LoadedSession | null> {
  return loaded(await withQuote(tx, await tx.row(lock, [id])), now)
}

/** Lock a session and its cart, and load it as stored, without applying expiry. Changes start from this. */
export async function lockStoredSession(tx: Transaction, id: string): Promise<LoadedSession> {
  return present(await lockRemainingSession(tx, id), `no session ${id}`)
}

const lockOwn = statement<LockedRow>('checkout.lock_own', `${LOCKED} where ${OWN} for update of cart, session`)

/** Lock a session of an owner and its cart, and load it as of now. */
export async function lockSession(tx: Transaction, owner: Owner, id: string, now: Date): Promise<LoadedSession | null> {
  return loaded(await withQuote(tx, await tx.row(lockOwn, [id, ...ofStore.values(owner)])), now)
}

async function withQuote(tx: Transaction, row: LockedRow | undefined): Promise<SessionRow | undefined> {
  if (!row) return undefined
  const { payload } = row
  return payload === null ? tx.row(readAny, [row.id]) : { ...row, payload }
}

/** Lock like `lockStoredSession`; `null` if the session was deleted with its cart, which its charge outlives. */
export async function lockRemainingSession(tx: Transaction, id: string): Promise<LoadedSession | null> {
  const row = await withQuote(tx, await tx.row(lock, [id]))
  return row ? stored(row, id) : null
}

/** Load a session as stored, without applying expiry. */
export async function loadStoredSession(reader: Reader, id: string): Promise<LoadedSession> {
  return stored(await reader.row(readAny, [id]), id)
}

function stored(row: SessionRow | undefined, id: string): LoadedSession {
  const found = present(row, `no session ${id}`)
  return { session: sessionOf(found), quote: contentOf(found) }
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

/** Lock like `lockStoredSession`; `null` if the cart is locked already. */
export async function tryLockSession(tx: Transaction, id: string): Promise<LoadedSession | null> {
  return (await tx.change(tryLockCartOf, [id])) === 0 ? null : lockStoredSession(tx, id)
}

const COLUMNS = {
  id: 'text',
  installation_id: 'text',
  environment: 'text',
  store_id: 'text',
  cart_id: 'text',
  quote_id: 'text',
  version: 'integer',
  return_url: 'text',
  cancel_url: 'text',
  client_reference_id: 'text',
  metadata: 'jsonb',
  contact: 'jsonb',
  shipping_address: 'jsonb',
  billing_address: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  expires_at: 'timestamptz',
}
const names = Object.keys(COLUMNS).join(', ')
const insertSessions = insertion(
  'sessions',
  COLUMNS,
  `sessions as (insert into checkout_sessions (${names}) select ${names} from ROWS)`,
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
  tx.add(insertSessions, [
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
