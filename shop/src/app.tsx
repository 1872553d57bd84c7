import { createHash } from 'node:crypto'
import { VitrineError } from '@vitrine/sdk'
import { WebhookVerificationError } from '@vitrine/sdk/webhooks'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { getCookie, setCookie } from 'hono/cookie'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { render } from 'preact-render-to-string'
import { merchantFeed, robots, sitemap } from './feeds.ts'
import { beginSignIn, completeSignIn } from './pages/account.ts'
import * as cart from './pages/cart.tsx'
import * as checkout from './pages/checkout.tsx'
import { contactPage, legalPage, messagePage, notFoundPage } from './pages/content.tsx'
import { homePage } from './pages/home.tsx'
import { categoryPage, searchPage, suggestions } from './pages/listing.tsx'
import * as orders from './pages/orders.tsx'
import { productPage } from './pages/product.tsx'
import { enterStore, storePage, storesPage } from './pages/stores.tsx'
import { recently } from './recently.ts'
import { LOCALES } from './texts/index.ts'
import { Document, type Page } from './ui/layout.tsx'
import {
  type Assets,
  COOKIE,
  endSession,
  href,
  isRefused,
  type Shop,
  saveSession,
  type Visit,
  visitOf,
} from './visit.ts'

type Env = { Variables: { visit: Visit } }
type C = Context<Env>
type App = Hono<Env>

/** A page, a path or URL to redirect to, or `null` if there is no such page. */
export type Answer = Page | string | null
/** The fields of a submitted form. */
export type Form = Readonly<Record<string, string>>
/** The path parameters of the routes below. */
type Params = Readonly<Record<'id' | 'path' | 'skuId' | 'slug' | 'store' | 'type', string>>

const FEED_KEPT_MS = 600_000
/** Forms and webhooks have a few kilobytes. Bodies are read into memory. */
const BODY_BYTES_MAX = 64 * 1024
const XML = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=600' }

/** The routes of pages, which change nothing. */
function readingRoutes(app: App): void {
  const get = (path: string, page: (visit: Visit, params: Params) => Answer | Promise<Answer>) =>
    app.get(path, async (c) => show(c, await page(c.get('visit'), c.req.param() as Params)))
  get('/', homePage)
  get('/c/:path{.+}', (visit, { path }) => categoryPage(visit, path))
  get('/search', searchPage)
  get('/p/:store/:slug', (visit, { store, slug }) => productPage(visit, store, slug))
  get('/stores', storesPage)
  get('/stores/:slug', (visit, { slug }) => storePage(visit, slug))
  get('/legal/:type', (visit, { type }) => legalPage(visit, type))
  get('/contact', contactPage)
  get('/cart', cart.cartPage)
  get('/checkout', (visit) => checkout.checkoutPage(visit))
  // The form with its errors has this address, which a reload or another language opens.
  get('/checkout/address', (visit) => href(visit, '/checkout?edit'))
  get('/checkout/continue', checkout.continueCheckout)
  get('/checkout/return', checkout.afterCheckout)
  get('/checkout/cancel', checkout.afterCheckout)
  get('/sign-in', beginSignIn)
  get('/login/return', completeSignIn)
  get('/orders', orders.ordersPage)
  get('/orders/:id', (visit, { id }) => orders.orderPage(visit, id))
  get('/orders/:id/cancel', (visit, { id }) => orders.cancelPage(visit, id))
  get('/orders/:id/return', (visit, { id }) => orders.returnPage(visit, id))
  app.get('/suggest', async (c) => c.html(render(await suggestions(c.get('visit')))))
}

/** The routes of forms. Each redirects, or answers with its page and an error message. */
function changingRoutes(app: App): void {
  const post = (path: string, change: (visit: Visit, form: Form, params: Params) => Answer | Promise<Answer>) =>
    app.post(path, async (c) => show(c, await change(c.get('visit'), await formOf(c), c.req.param() as Params)))
  post('/preferences', cart.changeMarket)
  post('/stores/:slug', (visit, { password = '' }, { slug }) => enterStore(visit, slug, password))
  post('/cart/items', cart.addItem)
  post('/cart/items/:skuId', (visit, { quantity }, { skuId }) => cart.changeItem(visit, skuId, Number(quantity)))
  post('/cart/new', cart.beginNewCart)
  post('/cart/promotion', (visit, { code = '' }) => cart.changePromotion(visit, code))
  post('/checkout', checkout.beginCheckout)
  post('/checkout/address', checkout.saveAddress)
  post('/checkout/shipping', (visit, form) => checkout.chooseShipping(visit, Object.values(form)))
  post('/checkout/edit', checkout.editCart)
  post('/orders/:id/cancel', (visit, form, { id }) => orders.cancelForm(visit, id, form))
  post('/orders/:id/return', (visit, form, { id }) => orders.returnForm(visit, id, form))
  app.post('/sign-out', (c) => {
    endSession(c, c.get('visit'))
    return show(c, href(c.get('visit'), '/'))
  })
}

/** Reads the fields of a form. Files are left out: no form of the shop has any. */
async function formOf(c: C): Promise<Form> {
  const fields = Object.entries(await c.req.parseBody())
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
  )
}

function show(c: C, answer: Answer): Response | Promise<Response> {
  const visit = c.get('visit')
  if (typeof answer === 'string') return c.redirect(answer, 303)
  const page = answer ?? notFoundPage(visit)
  const html = `<!doctype html>${render(<Document visit={visit} page={page} />)}`
  delete visit.session.notice
  return c.html(html, page.status ?? 200, { 'cache-control': 'private, no-cache' })
}

/** The shop as an app with all its routes. */
export function shopApp(shop: Shop): App {
  const app: App = new Hono()
  app.use(compress(), headersFor(shop.assets), bodyLimit({ maxSize: BODY_BYTES_MAX }))
  fileRoutes(app, shop)
  app.get('/', (c) => c.redirect(`/${preferredLocale(c)}`, 302))
  // The hosted pages return to paths without a language, which is in a cookie.
  for (const path of ['/checkout/return', '/checkout/cancel', '/login/return']) {
    app.get(path, (c) => c.redirect(`/${preferredLocale(c)}${path}${new URL(c.req.url).search}`, 302))
  }

  const localized: App = new Hono()
  localized.use(csrf(), async (c, next) => {
    const locale = c.req.param('locale') ?? ''
    if (!LOCALES.includes(locale)) return c.redirect(`/${preferredLocale(c)}`, 302)
    const visit = await visitOf(c, shop, locale)
    c.set('visit', visit)
    const before = structuredClone(visit.session)
    if (getCookie(c, 'locale') !== locale) setCookie(c, 'locale', locale, COOKIE)
    await next()
    saveSession(c, visit, before)
  })
  readingRoutes(localized)
  changingRoutes(localized)
  app.route('/:locale{[a-z]{2}}', localized)

  app.notFound(async (c) => {
    if (!c.get('visit')) c.set('visit', await visitOf(c, shop, preferredLocale(c)))
    return show(c, null)
  })
  app.onError((error, c) => {
    // Such as a form that was submitted by another site, or one that is too large.
    if (error instanceof HTTPException) return error.getResponse()
    const list = new URL(c.req.url)
    if (isRefused(error, 'invalid_cursor') && list.searchParams.has('cursor')) {
      // The cursor has expired, or is of another language or currency: the list begins with its first page.
      list.searchParams.delete('cursor')
      return c.redirect(list.pathname + list.search, 303)
    }
    if (c.get('visit')) return show(c, failurePage(c.get('visit'), error))
    console.error(error)
    return c.text('The service cannot be reached at the moment. Please try again.', 503)
  })
  return app
}

function failurePage(visit: Visit, error: Error): Page | null {
  if (isRefused(error, 'not_found', 'invalid_identifier')) return null
  console.error(error)
  const { texts } = visit
  const isUnknown = error instanceof VitrineError && error.answer.outcome === 'unknown'
  const isAway = error instanceof TypeError || (error instanceof VitrineError && !isRefused(error))
  const text = isUnknown ? texts.unknownOutcome : isAway ? texts.away : texts.failedText
  return { ...messagePage(texts.failed, text), status: isAway ? 503 : 500 }
}

function headersFor({ style }: Assets) {
  const styleHash = createHash('sha256').update(style).digest('base64')
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", 'https:', 'http:', 'data:'],
      // The colors of the stores are style attributes.
      styleSrc: [`'sha256-${styleHash}'`],
      styleSrcAttr: ["'unsafe-inline'"],
      // A form may redirect to the hosted pages.
      formAction: ["'self'", 'https:', 'http:'],
      frameAncestors: ["'none'"],
    },
    crossOriginResourcePolicy: 'same-site',
    referrerPolicy: 'strict-origin-when-cross-origin',
  })
}

/** Static files, feeds, and the endpoint for webhooks of the service. */
function fileRoutes(app: App, shop: Shop): void {
  const feeds = recently<string>(FEED_KEPT_MS)
  const file = (path: string, content: string, type: string) =>
    app.get(path, (c) => c.body(content, 200, { 'content-type': type, 'cache-control': 'public, max-age=86400' }))
  file('/instant.js', shop.assets.script, 'text/javascript')
  file('/icon.svg', shop.assets.icon, 'image/svg+xml')
  app.get('/robots.txt', (c) => c.text(robots(shop)))
  app.get('/sitemap.xml', async (c) => c.body(await feeds('sitemap', () => sitemap(shop)), 200, XML))
  app.get('/feeds/:file{(en|de)\\.xml}', async (c) => {
    const locale = c.req.param('file').slice(0, 2)
    return c.body(await feeds(locale, () => merchantFeed(shop, locale)), 200, XML)
  })
  app.post('/webhooks/vitrine', async (c) => {
    try {
      await shop.orders.receive(c.req.raw)
      return c.body(null, 204)
    } catch (error) {
      if (error instanceof WebhookVerificationError) return c.text(error.message, 400)
      throw error
    }
  })
}

function preferredLocale(c: Context): string {
  const asked = (c.req.header('accept-language') ?? '').split(',').map((range) => range.trim().slice(0, 2))
  return [getCookie(c, 'locale') ?? '', ...asked].find((locale) => LOCALES.includes(locale)) ?? LOCALES[0]!
}
