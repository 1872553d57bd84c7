import type { Bootstrap, Cart, Category } from '@vitrine/sdk'
import { type CallOptions, type VitrineClient, VitrineError } from '@vitrine/sdk'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Config } from './config.ts'
import { type Formats, formatsOf, type Market, marketOf } from './market.ts'
import type { OrdersIndex } from './orders-index.ts'
import type { Session, SessionStore } from './session.ts'
import { type Texts, textsIn } from './texts/index.ts'

/** What all requests share. */
export interface Shop {
  readonly config: Config
  readonly client: VitrineClient
  readonly sessions: SessionStore
  readonly orders: OrdersIndex
  /** Site, languages and categories, as recently read. */
  bootstrap(locale: string): Promise<Bootstrap>
}

/** One request of a visitor. */
export interface Visit extends Market {
  readonly shop: Shop
  readonly client: VitrineClient
  readonly texts: Texts
  readonly formats: Formats
  readonly bootstrap: Bootstrap
  readonly categories: ReadonlyMap<string, Category>
  readonly session: Session
  readonly url: URL
  /** Units in the cart, as far as it is known without asking. */
  units: number
}

const SESSION_COOKIE = 'shop_session'
export const MARKET_COOKIE = 'market'
export const COOKIE = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 60 * 86_400 } as const

const formats = new Map<string, Formats>()

/** Reads who visits, and in which language, currency and country. */
export async function visitOf(c: Context, shop: Shop, locale: string): Promise<Visit> {
  const bootstrap = await shop.bootstrap(locale)
  if (!formats.has(locale)) formats.set(locale, formatsOf(locale))
  return {
    ...marketOf(locale, getCookie(c, MARKET_COOKIE), bootstrap),
    shop,
    client: shop.client,
    texts: textsIn(locale),
    formats: formats.get(locale)!,
    bootstrap,
    categories: new Map(bootstrap.categories.map((category) => [category.id, category])),
    session: shop.sessions.load(getCookie(c, SESSION_COOKIE)),
    url: new URL(c.req.url),
    units: Number(getCookie(c, 'units') ?? 0),
  }
}

/** Stores the session, and sets its cookie. */
export function saveSession(c: Context, { shop, session }: Visit): void {
  const secure = shop.config.url.startsWith('https:')
  const token = shop.sessions.save(getCookie(c, SESSION_COOKIE), session)
  setCookie(c, SESSION_COOKIE, token, { ...COOKIE, secure })
}

/** Ends the session: another one begins with the next change. */
export function endSession(c: Context, { shop }: Visit): void {
  const token = getCookie(c, SESSION_COOKIE)
  if (token !== undefined) shop.sessions.delete(token)
  setCookie(c, SESSION_COOKIE, '', { ...COOKIE, maxAge: 0 })
  setCookie(c, 'units', '', { ...COOKIE, maxAge: 0 })
}

/** Remembers how many units the cart has, for the header of every page. */
export function rememberUnits(c: Context, visit: Visit, cart: Cart | null): void {
  visit.units = cart && isOpen(cart) ? cart.counts.units : 0
  setCookie(c, 'units', String(visit.units), COOKIE)
}

/** Whether it can still be bought. */
export const isOpen = ({ status }: Cart) => status === 'active' || status === 'locked'

/** A path of this shop in the visitor's language. */
export const href = ({ locale }: Pick<Market, 'locale'>, path: string) => `/${locale}${path === '/' ? '' : path}`

/** Whether a call was refused, by one of these codes if any are given. */
export function isRefused(error: unknown, ...codes: string[]): error is VitrineError {
  return error instanceof VitrineError && (codes.length === 0 || codes.includes(error.answer.code))
}

/** The visitor's cart, or `null` if there is none that can be bought. */
export async function currentCart({ client, session }: Visit): Promise<Cart | null> {
  if (!session.cartId) return null
  try {
    const cart = await client.call('getPublicCart', { params: { cartId: session.cartId } })
    return isOpen(cart) ? cart : null
  } catch (error) {
    if (isRefused(error, 'not_found')) return null
    throw error
  }
}

/** Options of a call about a store: the visitor's access to it, if it asks for a password. */
export const accessTo = ({ session }: Visit, slug: string): CallOptions => {
  const access = session.storeAccess[slug]
  return access && new Date(access.expiresAt) > new Date() ? { storeAccess: access.token } : {}
}
