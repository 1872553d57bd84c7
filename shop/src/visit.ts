import { isDeepStrictEqual } from 'node:util'
import type { Bootstrap, Cart, Category } from '@vitrine/sdk'
import { type CallOptions, type VitrineClient, VitrineError } from '@vitrine/sdk'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Config } from './config.ts'
import { type Formats, formatsOf, type Market, marketOf } from './market.ts'
import type { OrdersIndex } from './orders-index.ts'
import type { Session, SessionStore } from './session.ts'
import { LOCALES, type Texts, textsIn } from './texts/index.ts'

/** The files that the browser loads with each page. */
export interface Assets {
  readonly style: string
  readonly script: string
  readonly icon: string
}

/** The dependencies that all requests share. */
export interface Shop {
  readonly config: Config
  readonly client: VitrineClient
  readonly sessions: SessionStore
  readonly orders: OrdersIndex
  readonly assets: Assets
  /** Site, languages and categories, cached for a short time. */
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
  /** Stored after the request if it has changed. */
  readonly session: Session
  readonly url: URL
}

const SESSION_COOKIE = 'shop_session'
export const COOKIE = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 60 * 86_400 } as const

const formats = new Map(LOCALES.map((locale) => [locale, formatsOf(locale)]))

/** Reads the session of the visitor, with language, currency and country. */
export async function visitOf(c: Context, shop: Shop, locale: string): Promise<Visit> {
  const bootstrap = await shop.bootstrap(locale)
  const session = shop.sessions.load(getCookie(c, SESSION_COOKIE))
  return {
    ...marketOf(session.market ?? {}, bootstrap),
    locale,
    shop,
    client: shop.client,
    texts: textsIn(locale),
    formats: formats.get(locale)!,
    bootstrap,
    categories: new Map(bootstrap.categories.map((category) => [category.id, category])),
    session,
    url: new URL(c.req.url),
  }
}

/** Stores what has changed in the session, and sets its cookie. */
export function saveSession(c: Context, { shop, session }: Visit, before: Session): void {
  const names = Object.keys({ ...before, ...session }) as (keyof Session)[]
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], session[name]))
  if (changed.length === 0) return
  const changes = Object.fromEntries(changed.map((name) => [name, session[name]]))
  const secure = shop.config.url.startsWith('https:')
  const token = shop.sessions.save(getCookie(c, SESSION_COOKIE), changes)
  setCookie(c, SESSION_COOKIE, token, { ...COOKIE, secure })
}

/** Ends the session. The next change begins a new one. */
export function endSession(c: Context, { shop }: Visit): void {
  const token = getCookie(c, SESSION_COOKIE)
  if (token !== undefined) shop.sessions.delete(token)
  setCookie(c, SESSION_COOKIE, '', { ...COOKIE, maxAge: 0 })
}

/** Keeps the ID of the cart and its number of units in the session. */
export function rememberCart({ session }: Visit, cart: Cart | null): void {
  if (cart) session.cartId = cart.id
  session.units = cart && isOpen(cart) ? cart.counts.units : 0
}

/** Whether a cart can still be checked out. */
export const isOpen = ({ status }: Cart) => status === 'active' || status === 'locked'

/** Whether anything in a cart is shipped. */
export const isShipped = ({ lines }: Pick<Cart, 'lines'>) =>
  lines.some(({ requiresShipping }) => requiresShipping !== false)

/** A path of this shop in the visitor's language. */
export const href = ({ locale }: Pick<Market, 'locale'>, path: string) => `/${locale}${path === '/' ? '' : path}`

/** The path if it is one of this shop, otherwise the fallback. */
export const safe = (path: string | undefined, fallback: string) =>
  path && /^\/(?![/\\])/.test(path) ? path : fallback

/** Whether a call was refused, by one of these codes if any are given. A failure of the service is not a refusal. */
export function isRefused(error: unknown, ...codes: string[]): error is VitrineError {
  if (!(error instanceof VitrineError)) return false
  return codes.length === 0 ? error.answer.status < 500 : codes.includes(error.code)
}

/** The result of a call, or `null` if the service answers `not_found`. */
export async function orNull<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await call
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
