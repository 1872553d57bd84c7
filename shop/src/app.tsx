import { createHash } from 'node:crypto'
import { VitrineError } from '@vitrine/sdk'
import { WebhookVerificationError } from '@vitrine/sdk/webhooks'
import { type Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { render } from 'preact-render-to-string'
import { merchantFeed, robots, sitemap } from './feeds.ts'
import { beginSignIn, completeSignIn } from './pages/account.ts'
import { addItem, cartPage, changeItem, changePromotion, moveCart } from './pages/cart.tsx'
import {
  beginCheckout,
  checkoutPage,
  chooseShipping,
  confirmingPage,
  type Form,
  openCheckout,
  saveAddress,
} from './pages/checkout.tsx'
import { contactPage, legalPage, messagePage } from './pages/content.tsx'
import { homePage } from './pages/home.tsx'
import { categoryPage, Suggestions, searchPage } from './pages/listing.tsx'
import {
  cancelPage,
  cancelUnits,
  orderPage,
  ordersPage,
  ownOrder,
  requestAfterSales,
  returnPage,
} from './pages/orders.tsx'
import { productPage } from './pages/product.tsx'
import { enterStore, storePage, storesPage } from './pages/stores.tsx'
import { recently } from './recently.ts'
import { LOCALES, wordFor } from './texts/index.ts'
import { Document, type Page } from './ui/layout.tsx'
import {
  COOKIE,
  currentCart,
  endSession,
  href,
  isRefused,
  MARKET_COOKIE,
  rememberUnits,
  type Shop,
  saveSession,
  type Visit,
  visitOf,
} from './visit.ts'

type Env = { Variables: { visit: Visit } }
type C = Context<Env>

/** What the browser loads besides the page. */
export interface Assets {
  readonly style: string
  readonly script: string
  readonly icon: string
}

const FEED_KEPT_MS = 600_000
const XML = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=600' }

/** The shop: every address and what answers it. */
export function shopApp(shop: Shop, assets: Assets): Hono<Env> {
  const app = new Hono<Env>()

  const show = (c: C, page: Page | null, status: 200 | 404 | 400 | 403 | 500 | 503 = 200) => {
    const visit = c.get('visit')
    if (!page) return show(c, messagePage(visit, visit.texts.notFound, visit.texts.notFoundText), 404)
    const html = `<!doctype html>${render(<Document visit={visit} page={page} style={assets.style} />)}`
    if (visit.session.notice) {
      delete visit.session.notice
      saveSession(c, visit)
    }
    return c.html(html, status, { 'cache-control': 'private, no-cache' })
  }

  app.use(headersFor(assets))
  fileRoutes(app, shop, assets)
  app.post('/webhooks/vitrine', async (c) => {
    try {
      await shop.orders.receive(c.req.raw)
      return c.body(null, 204)
    } catch (error) {
      if (error instanceof WebhookVerificationError) return c.text(error.message, 400)
      throw error
    }
  })
  app.get('/', (c) => c.redirect(`/${preferredLocale(c)}`, 302))
  // The hosted pages return here, to the language that a cookie remembers.
  for (const path of ['/checkout/return', '/checkout/cancel', '/login/return']) {
    app.get(path, (c) => c.redirect(`/${preferredLocale(c)}${path}?${new URL(c.req.url).searchParams}`, 302))
  }

  app.use('/:locale{[a-z]{2}}/*', csrf())
  app.use('/:locale{[a-z]{2}}/*', async (c, next) => {
    const locale = c.req.param('locale')
    if (!LOCALES.includes(locale)) return c.redirect(`/${preferredLocale(c)}`, 302)
    c.set('visit', await visitOf(c, shop, locale))
    setCookie(c, 'locale', locale, COOKIE)
    return next()
  })
  const localized = new Hono<Env>()
  readingRoutes(localized, show)
  cartRoutes(localized, show)
  checkoutRoutes(localized, show)
  orderRoutes(localized, show)
  app.route('/:locale{[a-z]{2}}', localized)

  app.notFound(async (c) => {
    if (!c.get('visit')) c.set('visit', await visitOf(c, shop, preferredLocale(c)))
    return show(c, null)
  })
  app.onError(async (error, c) => {
    // Such as a form of another site.
    if (error instanceof HTTPException) return error.getResponse()
    if (!c.get('visit')) {
      console.error(error)
      return c.text('The service cannot be reached at the moment. Please try again.', 503)
    }
    const { texts } = c.get('visit')
    if (isRefused(error, 'not_found', 'invalid_identifier')) return show(c, null)
    const isAway = error instanceof TypeError || (error instanceof VitrineError && error.answer.status >= 500)
    console.error(error)
    const isUnknown = error instanceof VitrineError && error.answer.outcome === 'unknown'
    const text = isUnknown ? texts.unknownOutcome : isAway ? texts.away : texts.failedText
    return show(c, messagePage(c.get('visit'), texts.failed, text), isAway ? 503 : 500)
  })
  return app
}

function headersFor({ style }: Assets) {
  const styleHash = createHash('sha256').update(style).digest('base64')
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", 'https:', 'http:', 'data:'],
      // The stores' colors are attributes of elements.
      styleSrc: [`'sha256-${styleHash}'`],
      styleSrcAttr: ["'unsafe-inline'"],
      // A form may lead to the hosted pages.
      formAction: ["'self'", 'https:', 'http:'],
      frameAncestors: ["'none'"],
    },
    crossOriginResourcePolicy: 'same-site',
    referrerPolicy: 'strict-origin-when-cross-origin',
  })
}

/** What is the same for everyone. */
function fileRoutes(app: Hono<Env>, shop: Shop, assets: Assets): void {
  const feeds = recently<string>(FEED_KEPT_MS)
  app.get('/instant.js', (c) =>
    c.body(assets.script, 200, { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=3600' }),
  )
  app.get('/icon.svg', (c) =>
    c.body(assets.icon, 200, { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }),
  )
  app.get('/robots.txt', (c) => c.text(robots(shop)))
  app.get('/sitemap.xml', async (c) => c.body(await feeds('sitemap', () => sitemap(shop)), 200, XML))
  app.get('/feeds/:file{(en|de)\\.xml}', async (c) => {
    const locale = c.req.param('file').slice(0, 2)
    return c.body(await feeds(locale, () => merchantFeed(shop, locale)), 200, XML)
  })
}

type Show = (c: C, page: Page | null, status?: 200 | 404 | 400 | 403 | 500 | 503) => Response | Promise<Response>

function preferredLocale(c: Context): string {
  const kept = /(?:^|; )locale=([a-z]{2})/.exec(c.req.header('cookie') ?? '')?.[1]
  const asked = [kept, ...(c.req.header('accept-language') ?? '').split(',').map((range) => range.trim().slice(0, 2))]
  return asked.find((locale) => locale !== undefined && LOCALES.includes(locale)) ?? LOCALES[0]!
}

async function formOf(c: C): Promise<Form> {
  const body = await c.req.parseBody()
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
  )
}

/** Only paths of this shop. */
const safe = (path: string | undefined, fallback: string) => (path && /^\/(?![/\\])/.test(path) ? path : fallback)

function readingRoutes(app: Hono<Env>, show: Show): void {
  app.get('/', async (c) => show(c, await homePage(c.get('visit'))))
  app.get('/c/:path{.+}', async (c) => show(c, await categoryPage(c.get('visit'), c.req.param('path'))))
  app.get('/search', async (c) => show(c, await searchPage(c.get('visit'))))
  app.get('/suggest', async (c) => c.html(render(await Suggestions({ visit: c.get('visit') }))))
  app.get('/p/:store/:slug', async (c) => {
    const { store, slug } = c.req.param()
    try {
      return await show(c, await productPage(c.get('visit'), store, slug))
    } catch (error) {
      if (isRefused(error, 'store_access_required')) return c.redirect(href(c.get('visit'), `/stores/${store}`), 303)
      throw error
    }
  })
  app.get('/stores', async (c) => show(c, await storesPage(c.get('visit'))))
  app.get('/stores/:slug', async (c) => show(c, await storePage(c.get('visit'), c.req.param('slug'))))
  app.post('/stores/:slug', async (c) => {
    const visit = c.get('visit')
    const slug = c.req.param('slug')
    const { password = '' } = await formOf(c)
    if (!(await enterStore(visit, slug, password))) return show(c, await storePage(visit, slug, true), 403)
    saveSession(c, visit)
    return c.redirect(href(visit, `/stores/${slug}`), 303)
  })
  app.get('/legal/:type', async (c) => show(c, await legalPage(c.get('visit'), c.req.param('type'))))
  app.get('/contact', async (c) => show(c, await contactPage(c.get('visit'))))
  app.post('/preferences', async (c) => {
    const visit = c.get('visit')
    const { back, currency = '', country = '' } = await formOf(c)
    const isMoved = await moveCart(visit, { currency, country, locale: visit.locale })
    if (isMoved) setCookie(c, MARKET_COOKIE, `${currency}.${country}`, COOKIE)
    else visit.session.notice = { tone: 'bad', text: visit.texts.notInCurrency }
    saveSession(c, visit)
    return c.redirect(safe(back, href(visit, '/')), 303)
  })
}

/** Why a code was not taken, and what is missing for it. */
function codeRefused({ texts, formats }: Pick<Visit, 'texts' | 'formats'>, answer: VitrineError['answer']): string {
  const [fault] = answer.details
  const reason = wordFor(texts.codeReasons, fault?.code ?? 'invalid')
  const { missingAmount, currency } = (fault?.params ?? {}) as { missingAmount?: number; currency?: string }
  if (missingAmount === undefined || currency === undefined) return reason
  return `${reason} ${texts.addForCode(formats.money({ amount: missingAmount, currency }))}`
}

/** What a cart's refusal means to a shopper. */
function noticeOf({ texts, formats }: Visit, error: unknown): string {
  if (isRefused(error, 'out_of_stock', 'quantity_exceeded', 'sku_unavailable')) return texts.outOfStock
  if (isRefused(error, 'cart_locked')) return texts.cartLocked
  if (isRefused(error, 'promotion_inapplicable')) return codeRefused({ texts, formats }, error.answer)
  if (isRefused(error) && error.answer.status < 500) return texts.changedMeanwhile
  throw error
}

function cartRoutes(app: Hono<Env>, show: Show): void {
  app.get('/cart', async (c) => {
    const visit = c.get('visit')
    const { page, cart } = await cartPage(visit)
    rememberUnits(c, visit, cart)
    return show(c, page)
  })
  /** Does something to the cart, and returns to a page. A refusal is told there. */
  const changing = async (c: C, to: string, change: (visit: Visit) => Promise<unknown>) => {
    const visit = c.get('visit')
    try {
      await change(visit)
    } catch (error) {
      visit.session.notice = { tone: 'bad', text: noticeOf(visit, error) }
    }
    rememberUnits(c, visit, await currentCart(visit))
    saveSession(c, visit)
    return c.redirect(to, 303)
  }
  app.post('/cart/items', async (c) => {
    const { skuId = '', quantity, back } = await formOf(c)
    return changing(c, safe(back, href(c.get('visit'), '/cart')), async (visit) => {
      await addItem(visit, skuId, Number(quantity))
      visit.session.notice = { tone: 'good', text: visit.texts.added }
    })
  })
  app.post('/cart/items/:skuId', async (c) => {
    const { quantity } = await formOf(c)
    return changing(c, href(c.get('visit'), '/cart'), (visit) =>
      changeItem(visit, c.req.param('skuId'), Number(quantity)),
    )
  })
  app.post('/cart/promotion', async (c) => {
    const { code = '' } = await formOf(c)
    return changing(c, href(c.get('visit'), '/cart'), (visit) => changePromotion(visit, code))
  })
}

function checkoutRoutes(app: Hono<Env>, show: Show): void {
  const toCart = (c: C) => c.redirect(href(c.get('visit'), '/cart'), 303)
  app.get('/checkout', async (c) => {
    const page = await checkoutPage(c.get('visit'))
    return page ? show(c, page) : toCart(c)
  })
  app.post('/checkout/address', async (c) => {
    const visit = c.get('visit')
    const form = await formOf(c)
    const faults = await saveAddress(visit, form)
    if (!faults) return c.redirect(href(visit, '/checkout'), 303)
    return show(c, await checkoutPage(visit, form, faults), 400)
  })
  app.post('/checkout/shipping', async (c) => {
    await chooseShipping(c.get('visit'), Object.values(await formOf(c)))
    return c.redirect(href(c.get('visit'), '/checkout'), 303)
  })
  app.post('/checkout', async (c) => {
    const visit = c.get('visit')
    try {
      return c.redirect(await beginCheckout(visit), 303)
    } catch (error) {
      visit.session.notice = { tone: 'bad', text: noticeOf(visit, error) }
      saveSession(c, visit)
      return toCart(c)
    }
  })
  app.get('/checkout/continue', async (c) => {
    const open = await openCheckout(c.get('visit'))
    return open ? c.redirect(open.url, 303) : toCart(c)
  })
  app.post('/checkout/edit', async (c) => {
    const visit = c.get('visit')
    const open = await openCheckout(visit)
    if (open) {
      await visit.client.call('cancelHostedCheckoutSession', {
        params: { sessionId: open.id },
        body: { reason: 'customer_request' },
      })
    }
    return toCart(c)
  })
  const afterCheckout = async (c: C) => {
    const visit = c.get('visit')
    const { session, client, texts, url } = visit
    const sessionId = url.searchParams.get('sessionId') ?? ''
    const checkout = await client.call('getHostedCheckoutSession', { params: { sessionId } })
    // Only who holds the cart may see what became of it.
    if (!checkout.cartId || checkout.cartId !== session.cartId) return c.redirect(href(visit, '/orders'), 303)
    if (checkout.orderId) {
      session.orderIds = [checkout.orderId, ...session.orderIds.filter((id) => id !== checkout.orderId)].slice(0, 50)
      delete session.cartId
      rememberUnits(c, visit, null)
      saveSession(c, visit)
      return c.redirect(href(visit, `/orders/${checkout.orderId}?new`), 303)
    }
    if (checkout.status === 'processing' || checkout.status === 'cancel_pending') return show(c, confirmingPage(visit))
    if (checkout.status === 'canceled') session.notice = { tone: 'good', text: texts.checkoutCanceled }
    saveSession(c, visit)
    return toCart(c)
  }
  app.get('/checkout/return', afterCheckout)
  app.get('/checkout/cancel', afterCheckout)
}

function orderRoutes(app: Hono<Env>, show: Show): void {
  app.get('/sign-in', async (c) => {
    const visit = c.get('visit')
    const to = await beginSignIn(visit, safe(c.req.query('back'), href(visit, '/orders')))
    saveSession(c, visit)
    return c.redirect(to, 303)
  })
  app.get('/login/return', async (c) => {
    const visit = c.get('visit')
    const back = visit.session.login?.back
    const isIn = await completeSignIn(visit)
    const { texts, session } = visit
    session.notice = isIn ? { tone: 'good', text: texts.signedIn } : { tone: 'bad', text: texts.signInFailed }
    saveSession(c, visit)
    return c.redirect(isIn ? safe(back, href(visit, '/orders')) : href(visit, '/'), 303)
  })
  app.post('/sign-out', (c) => {
    endSession(c, c.get('visit'))
    return c.redirect(href(c.get('visit'), '/'), 303)
  })
  app.get('/orders', (c) => show(c, ordersPage(c.get('visit'))))
  app.get('/orders/:id', async (c) => {
    const visit = c.get('visit')
    const order = await ownOrder(visit, c.req.param('id'))
    return show(c, order && orderPage(visit, order, { isNew: c.req.query('new') !== undefined }))
  })
  const forms = {
    cancel: { page: cancelPage, send: cancelUnits, done: 'canceledNow' },
    return: { page: returnPage, send: requestAfterSales, done: 'requestSent' },
  } as const
  for (const [name, { page, send, done }] of Object.entries(forms)) {
    app.get(`/orders/:id/${name}`, async (c) => {
      const order = await ownOrder(c.get('visit'), c.req.param('id')!)
      return show(c, order && (await page(c.get('visit'), order)))
    })
    app.post(`/orders/:id/${name}`, async (c) => {
      const visit = c.get('visit')
      const order = await ownOrder(visit, c.req.param('id')!)
      if (!order) return show(c, null)
      try {
        if (!(await send(visit, order.id, await formOf(c)))) {
          return show(c, await page(visit, order, visit.texts.chooseItems), 400)
        }
      } catch (error) {
        if (!isRefused(error) || error.answer.status >= 500) throw error
        return show(c, await page(visit, order, visit.texts.notEligible), 400)
      }
      visit.session.notice = { tone: 'good', text: visit.texts[done] }
      saveSession(c, visit)
      return c.redirect(href(visit, `/orders/${order.id}`), 303)
    })
  }
}
