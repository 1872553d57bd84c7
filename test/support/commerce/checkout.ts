import assert from 'node:assert/strict'
import type { HostedCheckoutSession } from '@vitrine/contract'
import { type AcceptedDocuments, type PageAccess, payFromPage } from '../../../server/src/features/checkout/index.ts'
import type { TestOutcome } from '../../../server/src/features/payments/index.ts'
import { type Answer, type Client, dataOf } from '../client.ts'
import { CARTS, type CartBody, cartOf, type Shop } from './shop.ts'

export const SESSIONS = '/api/v1/open/hosted/checkout/sessions'
/** The return URLs of the installations in these tests. */
export const RETURN_URL = 'https://shop.example/return'
export const CANCEL_URL = 'https://shop.example/cart'
/** As a bound credential sees it. */
export type Session = HostedCheckoutSession & { readonly url: string }
export const terms = { returnUrl: RETURN_URL, cancelUrl: CANCEL_URL }

export const BERLIN = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}

/** An installation with registered return URLs. */
export function checkoutClient(shop: Shop, options: { readonly environment?: 'test' | 'live' } = {}) {
  return shop.client({ ...options, returnUrls: [RETURN_URL, CANCEL_URL] })
}

/** A cart without blockers: with address and email address. */
export async function readyCart(
  shop: Shop,
  client: Client,
  units: Readonly<Record<string, number>>,
  more: object = {},
): Promise<CartBody> {
  const cart = await cartOf(shop, client, units, more)
  return dataOf(
    await client.put(`${CARTS}/${cart.id}/address`, {
      shipping: BERLIN,
      contact: { email: 'ada@example.com' },
    }),
  )
}

export async function quoted(client: Client, cartId: string): Promise<string> {
  return dataOf(await client.post(`${CARTS}/${cartId}/quote`, {})).id
}

export function checkout(client: Client, cartId: string, more: object = {}): Promise<Answer> {
  return client.post(`${CARTS}/${cartId}/checkout`, { ...terms, ...more })
}

/** A session without blockers. */
export async function begunSession(
  shop: Shop,
  client: Client,
  units: Readonly<Record<string, number>> = { MUG: 2 },
): Promise<Session> {
  const cart = await readyCart(shop, client, units)
  return dataOf(await checkout(client, cart.id))
}

export async function readSession(client: Client, id: string): Promise<Session> {
  return dataOf(await client.get(`${SESSIONS}/${id}`))
}

/** Session id and key from the page URL. */
export function accessOf({ url }: Pick<Session, 'url'>): PageAccess {
  const [sessionId = '', key = ''] = new URL(url).pathname.split('/').slice(-2)
  return { sessionId, key }
}

/** Submits the payment form. The charge is saved and not sent yet. */
export function pressPay(
  shop: Shop,
  session: Pick<Session, 'url' | 'version'>,
  provider = 'manual',
  outcome: TestOutcome | null = null,
  acceptedDocuments: AcceptedDocuments = [],
) {
  return shop.database.transaction((tx) =>
    payFromPage(
      shop.app.checkoutPage,
      tx,
      accessOf(session),
      { acceptedDocuments, provider, expectedVersion: session.version, outcome },
      { ids: shop.ids, now: shop.clock.now() },
    ),
  )
}

/** Starts a bank transfer, which waits for an operator. @returns the id of the charge */
export async function waitsForTransfer(shop: Shop, session: Session): Promise<string> {
  const { chargeId } = await pressPay(shop, session)
  assert(chargeId !== null, 'there is something to pay')
  await shop.app.payments.advance(chargeId)
  return chargeId
}

/** Pays by bank transfer, confirmed. */
export async function paid(shop: Shop, client: Client, session: Session) {
  const chargeId = await waitsForTransfer(shop, session)
  await shop.app.payments.confirmManual(chargeId, { isDone: true })
  return readSession(client, session.id)
}

/** The stock of a SKU in an environment: on hand and held. */
export async function stockOf(shop: Shop, code: string, environment = 'test') {
  const [row] = await shop.query('select on_hand, held from stock_levels where sku_id = $1 and environment = $2', [
    shop.sku(code),
    environment,
  ])
  return { onHand: Number(row?.on_hand), held: Number(row?.held) }
}

/** The units that were sold to an order beyond the stock and have not shipped. */
export async function owedTo(shop: Shop, orderId: string): Promise<number> {
  const [row] = await shop.query(
    `select coalesce(sum(units), 0)::integer as units
     from stock_sold_beyond join orders on session_id = holder where orders.id = $1`,
    [orderId],
  )
  return Number(row?.units)
}

/** The kinds of an object's public events, in order. */
export async function eventKindsOf(shop: Shop, subjectId: string): Promise<readonly string[]> {
  const rows = await shop.query(
    'select kind from events where subject_id = $1 and body is not null order by sequence',
    [subjectId],
  )
  return rows.map(({ kind }) => String(kind))
}
