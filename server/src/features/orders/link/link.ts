import { present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { type EditedWords, editedWordsSql } from '../../../platform/mail/index.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { isDerived, mac, type Secret } from '../../../platform/secrets/rotating-secret.ts'
import {
  openSelected,
  type SecretPurpose,
  type SelectedSecret,
  secretSql,
} from '../../../platform/secrets/server-secrets.ts'
import { DEFAULT_SITE_NAME, timeZoneSql } from '../../storefront/index.ts'
import { type Order, type OrderLine, storesOf } from '../order/order.ts'

/** Paths of the pages that need a link instead of an account. */
export const ORDER_LINK_PATHS = {
  /** Followed by the link's token. */
  order: '/order',
  /** Asks for the order number and the email address, and sends a new link. */
  request: '/order',
} as const

/** The anchor of the invoices on the page of an order. */
export const INVOICES_ANCHOR = 'invoices'

/** The lifetime of a link: enough for the delivery, and for the return window after it. */
const ORDER_LINK_DAYS = 60
const LINK_MS = ORDER_LINK_DAYS * 86_400_000

/** A link to the page of an order. It works for every holder until it expires. */
export interface OrderLink {
  readonly url: string
  readonly expiresAt: Date
}

/** The secret and the base URL that links are built from. */
interface OrderLinks {
  readonly selected: NonNullable<SelectedSecret>
  readonly pagesUrl: string
}

const SECRET: SecretPurpose = 'order-link'
const LINKS = `${secretSql(SECRET)} as secret, (select url from pages_address) as url`
interface LinksRow {
  readonly secret: SelectedSecret
  readonly url: string | null
}
const read = statement<LinksRow>('orders.read_links', `select ${LINKS}`)
/** The columns that `senderOf` reads. */
export interface SenderRow extends LinksRow {
  readonly name: string | null
  readonly edited: readonly EditedWords[]
  readonly issues_invoices: boolean
  readonly time_zone: string
}

/** Selects a {@link SenderRow}. Reads tables of other features, so that a mail about an order costs one query and not two. */
export function senderSql(storeIds: string): string {
  return `${LINKS}, (select name from site_settings) as name, ${editedWordsSql(storeIds, "'orders.%'")} as edited,
     exists (select from seller_records where store_id is null or store_id = any(${storeIds})) as issues_invoices,
     ${timeZoneSql(storeIds)} as time_zone`
}

const readSender = statement<SenderRow>('orders.read_sender', `select ${senderSql('$1')}`)
const save = statement(
  'orders.save_pages_address',
  `insert into pages_address (url) values ($1)
   on conflict (only_row) do update set url = excluded.url where pages_address.url <> excluded.url`,
)

/** Saves the base URL of the pages, for the links in mails. */
export function savePagesAddress(tx: Transaction, pagesUrl: string): void {
  tx.write(save, [pagesUrl])
}

/** Reads the secret and the base URL of links; `null` until the pages have been served once. */
export async function readOrderLinks(reader: Reader): Promise<OrderLinks | null> {
  return linksOf(await reader.row(read))
}

/** The sender of mails about orders. */
export interface OrderMailSender {
  readonly siteName: string
  /** The words that an operator has edited. */
  readonly edited: readonly EditedWords[]
  readonly links: OrderLinks | null
  /** Whether a seller of the lines has the legal details that its invoices need. */
  readonly issuesInvoices: boolean
  /** For the days in the mail. */
  readonly timeZone: string
}

export async function readOrderMailSender(
  reader: Reader,
  lines: readonly Pick<OrderLine, 'storeId'>[],
): Promise<OrderMailSender> {
  const row = await reader.row(readSender, [storesOf({ lines })])
  return senderOf(present(row, 'a select without a table returns a row'))
}

/** The sender of mails, from the columns of a joined row. */
export function senderOf(row: SenderRow): OrderMailSender {
  return {
    siteName: row.name ?? DEFAULT_SITE_NAME,
    links: linksOf(row),
    edited: row.edited,
    issuesInvoices: row.issues_invoices,
    timeZone: row.time_zone,
  }
}

function linksOf(row: LinksRow | undefined): OrderLinks | null {
  const { secret = null, url = null } = row ?? {}
  return secret === null || url === null ? null : { selected: secret, pagesUrl: url }
}

type Linked = Pick<Order, 'id' | 'environment'>

/** The link to the page of an order; `null` until the pages have been served once. */
export async function orderLinkOf(reader: Reader, order: Linked, now: Date): Promise<OrderLink | null> {
  const links = await readOrderLinks(reader)
  return links && orderLink(links, order, now)
}

export function orderLink({ selected, pagesUrl }: OrderLinks, order: Linked, now: Date): OrderLink {
  const secret = openSelected(SECRET, selected, now)
  const expiresAt = new Date(now.getTime() + LINK_MS)
  return { url: `${pagesUrl}${ORDER_LINK_PATHS.order}/${sealed(secret, order, expiresAt)}`, expiresAt }
}

/** The order that a token opens; `null` if the token was changed or has expired. */
export function openOrderLink({ selected }: OrderLinks, token: string, now: Date): Linked | null {
  const [, mark, id, seconds] = FORM.exec(token) ?? []
  if (mark === undefined || id === undefined || seconds === undefined) return null
  const order: Linked = { id: `ord_${id}`, environment: mark === 't' ? 'test' : 'live' }
  const expiresAt = new Date(Number.parseInt(seconds, 36) * 1000)
  const secret = openSelected(SECRET, selected, now)
  const isGenuine = isDerived(secret, Buffer.from(token), (each) => Buffer.from(sealed(each, order, expiresAt)))
  return isGenuine && now < expiresAt ? order : null
}

const MARKS: Readonly<Record<Environment, 't' | 'l'>> = { test: 't', live: 'l' }
const FORM = /^([tl])([0-9a-z]{26})-([0-9a-z]{1,8})-[A-Za-z0-9_-]{43}$/

/** The token of a link: order, expiry, and an HMAC-SHA256 of both. Nothing is stored. */
function sealed(secret: Secret, { id, environment }: Linked, expiresAt: Date): string {
  const seconds = Math.floor(expiresAt.getTime() / 1000).toString(36)
  const payload = `${MARKS[environment]}${id.slice('ord_'.length)}-${seconds}`
  return `${payload}-${mac(secret, payload).toString('base64url')}`
}
