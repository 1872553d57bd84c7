import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { CallOptions } from '@vitrine/sdk'
import { runnerImport } from 'vite'
import type { Session } from './session.ts'
import type { Shop } from './visit.ts'

const ORIGIN = 'http://127.0.0.1:8083'

/** Loads the app as the build does, because Node does not read JSX, and the errors that it recognizes. */
let shopApp: typeof import('./app.tsx')['shopApp']
let VitrineError: typeof import('@vitrine/sdk')['VitrineError']
before(async () => {
  const oxc = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const
  const exported = `export { shopApp } from '${join(import.meta.dirname, 'app.tsx')}'; export { VitrineError } from '@vitrine/sdk'`
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === 'virtual:entry' ? id : null),
    load: (id: string) => (id === 'virtual:entry' ? exported : null),
  }
  const { module } = await runnerImport<{
    shopApp: typeof shopApp
    VitrineError: typeof VitrineError
  }>('virtual:entry', { oxc, plugins: [entry] })
  shopApp = module.shopApp
  VitrineError = module.VitrineError
  // Vite sets it.
  delete process.env.NODE_ENV
})

const bootstrap = (locale: string, more: object = {}) => ({
  site: { name: 'The shop' },
  locale,
  locales: ['en', 'de'],
  currencies: ['EUR'],
  countries: ['DE'],
  defaults: { locale: 'en', currency: 'EUR', country: 'DE' },
  categories: [],
  links: { legal: [] },
  ...more,
})

/** The app on a fake service with these answers, for a visitor with this session. */
function opened(
  service: object,
  start: Shop['bootstrap'] = async (locale) => bootstrap(locale) as never,
  session: Partial<Session> = {},
  more: object = {},
) {
  return shopApp({
    config: { url: ORIGIN, stores: [] },
    client: service,
    sessions: {
      load: () => ({ orderIds: [], storeAccess: {}, ...session }),
      save: (_token: string, changes: Partial<Session>) => {
        Object.assign(session, changes)
        return 'token'
      },
    },
    assets: { style: '', script: '', icon: '' },
    orders: {
      receive: async (request: Request) => void (await request.text()),
      refresh: async (id: string) => ({ id, customer: {} }),
    },
    bootstrap: start,
    ...more,
  } as unknown as Shop)
}

/** Submits a form of the shop. */
const submit = (app: ReturnType<typeof opened>, path: string, fields: Record<string, string>) =>
  app.request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

/** A service that refuses. */
const refusing = (status: number, code: string, pointer?: string, params?: object) => async () => {
  const details = pointer === undefined ? [] : [{ in: 'body', pointer, code: 'wrong_format', message: '', params }]
  throw new VitrineError({ code, status, details, message: '', outcome: 'not_applied' } as never)
}

const MONEY = { amount: 500, currency: 'EUR' }
const NOTHING = { amount: 0, currency: 'EUR' }
/** A cart with one line. */
const cartOf = (more: object = {}, line: object = {}) => ({
  id: 'cart_1',
  status: 'active',
  locale: 'en',
  currency: 'EUR',
  country: 'DE',
  counts: { lines: 1, units: 3 },
  lines: [
    {
      skuId: 'sku_1',
      name: 'Mug',
      optionLabels: [],
      quantity: 3,
      ...{ minQuantity: 1, maxQuantity: 10, step: 1 },
      availability: 'in_stock',
      ...{ unitPrice: MONEY, subtotal: MONEY, discountAllocations: [], total: MONEY },
      ...line,
    },
  ],
  messages: [],
  promotion: { status: 'none' },
  totals: {
    itemsSubtotal: MONEY,
    itemsDiscount: { ...MONEY, amount: 0 },
    tax: { status: 'not_calculated' },
    total: MONEY,
  },
  addressState: { status: 'complete', missing: [], invalid: [] },
  selectedShipping: [{ optionId: 'shp_1' }],
  ...more,
})

describe('the app', () => {
  test('links a path of a text only if it is one of this shop', async () => {
    const text = '[a](/en/stores) [b](//evil.example) [c](/\\evil.example) [d](https://other.example)'
    const content = { format: 'markdown', text }
    const document = { type: 'imprint', title: 'Imprint', effectiveAt: '2026-11-01T00:00:00Z', locale: 'en', content }
    const app = opened({ listLegalDocuments: async () => [document] })
    const [, page = ''] = (await (await app.request('/en/legal/imprint')).text()).split('<article')
    const links = [...page.split('</article')[0]!.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)
    assert.deepEqual(links, ['/en/stores', 'https://other.example'])
  })

  test('refuses a body that is larger than a form', async () => {
    const app = opened({})
    const body = 'x'.repeat(64 * 1024 + 1)
    const streamed = () => new Blob([body]).stream()
    for (const path of ['/en/preferences', '/webhooks/vitrine']) {
      const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
      const send = (init: object) => app.request(`${ORIGIN}${path}`, { method: 'POST', headers, ...init })
      const length = { ...headers, 'content-length': `${body.length}` }
      assert.equal((await send({ headers: length, body })).status, 413, path)
      assert.equal((await send({ body: streamed(), duplex: 'half' })).status, 413, `${path}, of unknown length`)
      assert.ok((await send({ body: body.slice(1) })).status < 400, `${path}, of the largest size`)
    }
  })

  test('has the texts of each feed in its language', async () => {
    const app = opened({
      async *iterate(_list: string, _input: object, { language = 'en' }: CallOptions = {}) {
        const price = { amount: 4900, currency: 'EUR' }
        const skus = [{ code: 'L', optionValues: {}, availability: 'in_stock', price }]
        yield { id: 'prod_1', slug: 'lamp', store: { slug: 'loom' }, name: `Lamp (${language})`, images: [], skus }
      },
    })
    for (const locale of ['en', 'de']) {
      const feed = await (await app.request(`/feeds/${locale}.xml`)).text()
      assert.match(feed, new RegExp(`<g:title>Lamp \\(${locale}\\)</g:title>`))
    }
  })

  test('has each variant once in a feed, with whether it can be ordered before it is there', async () => {
    const states = ['in_stock', 'low_stock', 'preorder', 'backorder', 'out_of_stock']
    const app = opened({
      async *iterate() {
        const about = { slug: 'lamp', store: { slug: 'loom' }, name: 'Lamp', images: [] }
        // Stores and products may have the same codes.
        const sku = { code: '100', optionValues: {}, price: MONEY }
        for (const availability of states)
          yield { ...about, id: `prod_${availability}`, skus: [{ ...sku, id: `sku_${availability}`, availability }] }
      },
    })
    const feed = await (await app.request('/feeds/en.xml')).text()
    const valuesOf = (name: string) =>
      [...feed.matchAll(new RegExp(`<${name}>([^<]*)<`, 'g'))].map(([, value]) => value)
    assert.deepEqual(
      valuesOf('g:id'),
      states.map((state) => `sku_${state}`),
    )
    assert.deepEqual(valuesOf('g:availability'), ['in_stock', 'in_stock', 'preorder', 'backorder', 'out_of_stock'])
  })

  test('describes the pictures of categories in the language of the page', async () => {
    const image = (alt: string) => ({ url: '/media/lamps.jpg', alt, width: 240, height: 240 })
    const category = { id: 'cat_lamps', path: ['lamps'], name: 'Lamps', productCount: 1 }
    const alts = { en: 'A lamp', de: 'Eine Leuchte' } as const
    const app = opened(
      { listCatalogProducts: async () => ({ data: [], meta: { facets: [] } }) },
      async (locale) =>
        bootstrap(locale, { categories: [{ ...category, image: image(alts[locale as 'en' | 'de']) }] }) as never,
    )
    for (const [locale, alt] of Object.entries(alts))
      assert.match(await (await app.request(`/${locale}`)).text(), new RegExp(`alt="${alt}"`), locale)
  })
})

describe('the checkout', () => {
  const address = {
    ...{ email: 'ada@example.com', recipientName: 'Ada', line1: 'Street 1', postalCode: 'ABC', city: 'Berlin' },
    countryCode: 'DE',
  }
  const inCheckout = (service: object, session: Partial<Session> = { cartId: 'cart_1' }) =>
    opened(
      {
        getPublicCart: async () => cartOf(),
        listCatalogProducts: async () => ({ data: [], meta: { facets: [] } }),
        ...service,
      },
      undefined,
      session,
    )

  test('shows at its field that a postal code is not one of the country', async () => {
    const app = inCheckout({ setPublicCartAddress: refusing(400, 'address_invalid', '/shipping/postalCode') })
    const answer = await submit(app, '/en/checkout/address', address)
    assert.equal(answer.status, 400)
    const page = await answer.text()
    assert.match(page, /id="postalCode-error"/)
    const [, german = ''] = /href="([^"]+)" lang="de"/.exec(page) ?? []
    assert.equal((await app.request(german)).headers.get('location'), '/de/checkout?edit', 'in another language')
  })

  test('names all empty fields of an address at once, those that only its country needs too', async () => {
    const empty = async (countryCode: string) => {
      const page = await (await submit(inCheckout({}), '/en/checkout/address', { countryCode })).text()
      return [...page.matchAll(/id="(\w+)-error"/g)].map(([, field]) => field)
    }
    assert.deepEqual(await empty('DE'), ['email', 'recipientName', 'line1', 'postalCode', 'city'])
    assert.deepEqual(await empty('US'), ['email', 'recipientName', 'line1', 'postalCode', 'city', 'region'])
    assert.deepEqual(await empty('IE'), ['email', 'recipientName', 'line1', 'city'])
  })

  test('says what is wrong with a field', async () => {
    for (const [pointer, text] of [
      ['/contact/email', /id="email-error">Enter an email address such as/],
      ['/shipping/postalCode', /id="postalCode-error">This is not a postal code of the country/],
      ['/shipping/city', /id="city-error">Please check this field/],
    ] as const) {
      const app = inCheckout({ setPublicCartAddress: refusing(400, 'validation_failed', pointer) })
      assert.match(await (await submit(app, '/en/checkout/address', address)).text(), text)
    }
  })

  test('asks for the billing address if nothing is shipped and tax depends on it', async () => {
    const cart = cartOf({ contact: { email: 'ada@example.com' }, shippingOptions: [] }, { requiresShipping: false })
    const open = (blockers: object[], more: object = {}) =>
      inCheckout({
        getPublicCart: async () => ({ ...cart, ...more }),
        quotePublicCartCheckout: async () => ({ blockers }),
        setPublicCartAddress: async ({ body: { billing } }: { body: { billing: { region?: string } } }) =>
          cartOf({ addressState: { missing: billing.region ? [] : ['region'], invalid: [] }, selectedShipping: [] }),
        quotePublicCart: async () => ({}),
      })
    const page = async (...given: Parameters<typeof open>) => (await open(...given).request('/en/checkout')).text()
    const missing = { code: 'address_missing', path: '/billingAddress', message: 'Enter the billing address.' }
    const form = await page([missing])
    assert.match(form, /name="recipientName"/)
    assert.match(form, /name="email"[^>]* value="ada@example\.com"/)
    assert.doesNotMatch(form, /Calculated at checkout/)
    const incomplete = await submit(open([missing]), '/en/checkout/address', address)
    assert.equal(incomplete.status, 400)
    assert.match(await incomplete.text(), /id="region-error"/)
    const complete = await submit(open([missing]), '/en/checkout/address', { ...address, region: 'CA' })
    assert.deepEqual([complete.status, complete.headers.get('location')], [303, '/en/checkout'])

    const known = { billingAddress: { ...address, region: 'CA', postalCode: '94105', countryCode: 'US' } }
    const postalCode = { code: 'address_incomplete', path: '/billingAddress/postalCode', message: 'Enter it.' }
    assert.match(await page([postalCode], known), /id="postalCode-error"/)
    assert.match(await page([], known), /Berlin CA 94105\nUnited States<.*Continue to payment/s)
    assert.doesNotMatch(await page([]), /name="recipientName"/, 'where tax needs no address')
  })

  test('goes to the cart with a notice if a product is gone or another tab pays', async () => {
    const saves = async () => cartOf()
    const steps: [string, Record<string, string>][] = [
      ['/en/checkout/address', address],
      ['/en/checkout/shipping', { store_1: 'shp_1' }],
    ]
    const refusals: [object, RegExp][] = [
      [{ setPublicCartAddress: saves, quotePublicCart: refusing(409, 'sku_unavailable') }, /not for sale here/],
      [{ setPublicCartAddress: refusing(409, 'cart_locked') }, /in the middle of checkout/],
    ]
    for (const [service, notice] of refusals) {
      for (const [path, fields] of steps) {
        const session: Partial<Session> = { cartId: 'cart_1' }
        const answer = await submit(inCheckout(service, session), path, fields)
        assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/en/cart'], path)
        assert.match(session.notice?.text ?? '', notice, path)
      }
    }
  })

  test('of a cart that is being paid is the cart, which offers to continue or to cancel', async () => {
    const app = inCheckout({ getPublicCart: async () => cartOf({ status: 'locked' }) })
    for (const path of ['/en/checkout', '/en/checkout?edit'])
      assert.equal((await app.request(path)).headers.get('location'), '/en/cart', path)
    assert.match(await (await app.request('/en/cart')).text(), /Continue to payment.*Cancel checkout/s)
  })

  test('that a line prevents names the line and leads to the cart, without a guaranteed total', async () => {
    const path = '/lines/0'
    const app = inCheckout({
      getPublicCart: async () =>
        cartOf({
          ...{ contact: { email: 'ada@example.com' }, shippingOptions: [], shippingAddress: address },
          messages: [{ code: 'price_changed', severity: 'warning', path, text: 'The price has gone up.' }],
        }),
      quotePublicCartCheckout: async () => ({
        quote: { status: 'in_force', expiresAt: '2026-11-27T23:30:00Z' },
        blockers: [{ code: 'out_of_stock', path, message: 'This item is out of stock.' }],
      }),
    })
    const page = await (await app.request('/en/checkout')).text()
    assert.match(
      page,
      /Mug: The price has gone up\..*Mug: This item is out of stock\..*href="\/en\/cart" class="button"/s,
    )
    assert.doesNotMatch(page, /guaranteed|Continue to payment/)
  })

  test('continues if its button was pressed twice', async () => {
    const session: Partial<Session> = { cartId: 'cart_1' }
    const url = 'https://pages.example/checkout/cks_1'
    const service = {
      getPublicCart: async () => cartOf({ status: 'locked', checkoutSessionId: 'cks_1' }),
      quotePublicCartCheckout: async () => ({ blockers: [] }),
      quotePublicCart: refusing(409, 'cart_locked'),
      getHostedCheckoutSession: async () => ({ url }),
    }
    const answer = await submit(inCheckout(service, session), '/en/checkout', {})
    assert.deepEqual([answer.status, answer.headers.get('location'), session.notice], [303, url, undefined])
  })

  test('does not say that the cart has changed if there are too many requests', async (t) => {
    // It is logged.
    t.mock.method(console, 'error', () => undefined)
    const app = inCheckout({ setPublicCartAddress: refusing(429, 'rate_limited') })
    const answer = await submit(app, '/en/checkout/shipping', { store_1: 'shp_1' })
    assert.equal(answer.status, 500)
    assert.match(await answer.text(), /Nothing was changed/)
  })
})

describe('the cart', () => {
  test('shows its quantity of a line that is short, gone or sold in steps, and what is left to choose', async () => {
    for (const [facts, quantities] of [
      [{ maxQuantity: 1 }, ['1', '3']],
      [{ maxQuantity: 0 }, ['3']],
      [{ minQuantity: 3, step: 4 }, ['3', '7']],
      [{ minQuantity: 2, step: 2, maxQuantity: 4 }, ['2', '3', '4']],
    ] as const) {
      const app = opened({ getPublicCart: async () => cartOf({}, facts) }, undefined, { cartId: 'cart_1' })
      const [, form = ''] = (await (await app.request('/en/cart')).text()).split('name="quantity"')
      const options = [...form.split('</select>')[0]!.matchAll(/<option( selected)?[^>]*>(\d+)/g)]
      assert.deepEqual(
        options.map(([, , text]) => text),
        quantities,
      )
      assert.deepEqual(
        options.filter(([, selected]) => selected).map(([, , text]) => text),
        ['3'],
      )
    }
  })

  test('adds up where the prices of one store include tax and those of another do not', async () => {
    const [tax, total] = [119, 619].map((amount) => ({ ...MONEY, amount }))
    const line = { subtotal: MONEY, discountAllocations: [], total }
    const mixed = { status: 'final', included: false, amount: tax, added: { ...MONEY, amount: 50 } }
    const totals = { itemsSubtotal: MONEY, itemsDiscount: NOTHING, tax: mixed, total: { ...MONEY, amount: 550 } }
    const app = opened({ getPublicCart: async () => cartOf({ totals }, line) }, undefined, { cartId: 'cart_1' })
    const text = (await (await app.request('/en/cart')).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    assert.match(
      text,
      /Mug €5\.00 each .* Remove €5\.00 Subtotal €5\.00 .*Tax €0\.50 Total €5\.50 Includes tax of €0\.69/,
    )
    assert.doesNotMatch(text, /€6\.19/)
  })

  test('says in which quantities a product is sold', async () => {
    const session: Partial<Session> = { cartId: 'cart_1' }
    const addPublicCartItem = refusing(400, 'quantity_invalid', '/quantity', { min: 3, step: 2 })
    const app = opened({ getPublicCart: async () => cartOf(), addPublicCartItem }, undefined, session)
    await submit(app, '/en/cart/items', { skuId: 'sku_1', quantity: '3' })
    assert.equal(session.notice?.text, 'In total at least 3, in steps of 2.')
  })

  test('has the currency that was chosen while it was empty', async () => {
    const session: Partial<Session> = { cartId: 'cart_1' }
    const service = {
      getPublicCart: async () => cartOf({ lines: [] }),
      createPublicCart: async ({ body }: { body: object }) => cartOf({ ...body, id: 'cart_2' }),
    }
    const app = opened(service, undefined, session)
    await submit(app, '/en/preferences', { currency: 'USD', country: 'US' })
    assert.deepEqual([session.cartId, session.market], ['cart_2', { currency: 'USD', country: 'US' }])
  })

  test('moves to the language of the shop, with its code and address, unless that is refused or it is being paid', async () => {
    const address = { recipientName: 'Ada', line1: 'Weg 1', city: 'Berlin', postalCode: '10117', countryCode: 'DE' }
    const filled = cartOf({ promotion: { status: 'applied', code: 'WELCOME10' }, shippingAddress: address })
    const shown = async (cart: object, more: object = {}) => {
      const session: Partial<Session> = { cartId: 'cart_1' }
      const sent: object[] = []
      const service = {
        getPublicCart: async ({ params }: { params: { cartId: string } }) =>
          params.cartId === 'cart_1' ? cart : { ...cart, id: params.cartId, locale: 'de' },
        createPublicCart: async ({ body }: { body: object }) => cartOf({ ...body, lines: [], id: 'cart_2' }),
        setPublicCartAddress: async ({ params, body }: { params: object; body: object }) => sent.push({ params, body }),
        applyPublicCartPromotion: async ({ params, body }: { params: object; body: object }) =>
          sent.push({ params, body }),
        ...more,
      }
      const answer = await opened(service, undefined, session).request('/de/cart')
      assert.equal(answer.status, 200)
      return { cartId: session.cartId, sent }
    }
    const params = { cartId: 'cart_2' }
    assert.deepEqual(await shown(filled), {
      cartId: 'cart_2',
      sent: [
        { params, body: { shipping: address } },
        { params, body: { code: 'WELCOME10' } },
      ],
    })
    const refused = { applyPublicCartPromotion: refusing(409, 'promotion_inapplicable') }
    assert.equal((await shown(filled, refused)).cartId, 'cart_2')
    const kept = { cartId: 'cart_1', sent: [] }
    assert.deepEqual(await shown(filled, { createPublicCart: refusing(409, 'out_of_stock') }), kept)
    assert.deepEqual(await shown({ ...filled, status: 'locked' }), kept)
    assert.deepEqual(await shown({ ...filled, customer: { id: 'cus_1' } }), kept, 'that of a customer without a token')
  })

  test('moves to another currency for a customer whose sign-in has ended, and says to sign in again', async () => {
    const tokens: unknown[] = []
    const expired = refusing(400, 'validation_failed', '/customerToken')
    const service = {
      getPublicCart: async () => cartOf({ customer: { id: 'cus_1' } }),
      createPublicCart: async ({ body }: { body: { customerToken?: string } }) => {
        tokens.push(body.customerToken)
        return body.customerToken ? expired() : cartOf({ id: 'cart_2' })
      },
    }
    const customerToken = { value: 'token', expiresAt: new Date(Date.now() + 60_000).toISOString() }
    const session: Partial<Session> = { cartId: 'cart_1', customerToken }
    await submit(opened(service, undefined, session), '/en/preferences', { currency: 'USD', country: 'US' })
    assert.deepEqual(tokens, ['token', undefined])
    assert.deepEqual([session.cartId, session.market?.currency, session.customerToken], ['cart_2', 'USD', undefined])
    assert.match(session.notice?.text ?? '', /Sign in again/)
  })

  test('that waits for a bank transfer can be set aside, and is shown with the orders until it is paid', async () => {
    const session: Partial<Session> = { cartId: 'cart_1' }
    const line = {
      skuId: 'sku_1',
      name: 'Mug',
      quantity: 3,
      unitPrice: MONEY,
      subtotal: MONEY,
      discountAllocations: [],
    }
    const snapshot = { lines: [line], totals: cartOf().totals }
    const checkout = { id: 'cks_1', status: 'requires_action', url: 'https://pay.example/1', snapshot }
    let now: object = checkout
    const service = {
      getPublicCart: async () => cartOf({ status: 'locked', checkoutSessionId: 'cks_1' }),
      getHostedCheckoutSession: async () => now,
    }
    const app = opened(service, undefined, session, { orders: { some: () => [] } })
    assert.match(await (await app.request('/en/cart')).text(), /when your payment arrives[\s\S]*Start a new cart/)
    await submit(app, '/en/cart/new', {})
    assert.deepEqual([session.cartId, session.paying, session.units], [undefined, ['cks_1'], 0])
    assert.match(
      await (await app.request('/en/orders')).text(),
      /Waiting for your payment[\s\S]*3 × Mug[\s\S]*pay\.example/,
    )
    now = { ...checkout, status: 'completed', orderId: 'ord_1' }
    assert.doesNotMatch(await (await app.request('/en/orders')).text(), /Waiting for your payment/)
    assert.deepEqual([session.paying, session.orderIds], [[], ['ord_1']])
  })

  test('of a checkout that is not submitted yet cannot be set aside', async () => {
    const session: Partial<Session> = { cartId: 'cart_1' }
    const service = {
      getPublicCart: async () => cartOf({ status: 'locked', checkoutSessionId: 'cks_1' }),
      getHostedCheckoutSession: async () => ({
        id: 'cks_1',
        status: 'open',
        snapshot: { lines: [], totals: cartOf().totals },
      }),
    }
    const app = opened(service, undefined, session)
    assert.doesNotMatch(await (await app.request('/en/cart')).text(), /Start a new cart/)
    await submit(app, '/en/cart/new', {})
    assert.equal(session.cartId, 'cart_1')
  })

  test('stays as it is while it is being paid, so that its order is found', async () => {
    const session: Partial<Session> = { cartId: 'cart_1' }
    const service = { getPublicCart: async () => cartOf({ status: 'locked' }), createPublicCart: () => assert.fail() }
    await submit(opened(service, undefined, session), '/en/preferences', { currency: 'USD', country: 'US' })
    assert.deepEqual([session.cartId, session.market], ['cart_1', undefined])
    assert.match(session.notice?.text ?? '', /in the middle of checkout/)
  })
})

describe('a product', () => {
  test('that is not sold in the chosen currency or country says so instead of being not found', async () => {
    const shown = async (isSold: (query: { currency?: string; country?: string }) => boolean) => {
      const notFound = refusing(404, 'not_found')
      const service = {
        getStoreProduct: async ({ query }: { query: object }) => (isSold(query) ? { name: 'Mug' } : notFound()),
        listStoreProducts: async () => ({ data: [] }),
      }
      const answer = await opened(service).request('/en/p/loom/mug')
      return { status: answer.status, page: await answer.text() }
    }
    const inOtherCurrency = await shown(({ currency }) => currency !== 'EUR')
    assert.equal(inOtherCurrency.status, 200)
    assert.match(inOtherCurrency.page, /<h1>Mug<\/h1><p class="lead">This product has no price in EUR\./)
    const elsewhere = await shown(({ country }) => country !== 'DE')
    assert.equal(elsewhere.status, 200)
    assert.match(elsewhere.page, /<h1>Mug<\/h1><p class="lead">This product is not sold to Germany\./)
    assert.equal((await shown(() => false)).status, 404)
  })

  test('of a password-protected store can be added to the cart only with the key of the store', async () => {
    const price = { ...MONEY, amount: 4900 }
    const sku = { ...{ id: 'sku_1', code: '1', optionValues: {}, price, availability: 'in_stock' }, minQuantity: 1 }
    const product = {
      ...{ id: 'prod_1', slug: 'vase', name: 'Vase', store: { slug: 'atelier', name: 'Atelier' }, seo: {} },
      ...{ images: [], options: [], attributes: [], policies: [], categoryIds: [] },
      ...{ priceRange: { min: price, max: price }, skus: [{ ...sku, maxQuantity: 9, step: 1 }] },
    }
    const shown = async (mode: 'open' | 'password', ownSlug?: string) => {
      const service = {
        getStoreProduct: async () => product,
        listStoreProducts: async () => ({ data: [] }),
        getStore: async () => ({ access: { mode } }),
        getApiKeyIdentity: async () => (ownSlug ? { store: { slug: ownSlug } } : {}),
      }
      const storeAccess = { atelier: { token: 'token', expiresAt: '2999-01-01T00:00:00Z' } }
      return (await opened(service, undefined, { storeAccess }).request('/en/p/atelier/vase')).text()
    }
    const page = await shown('password')
    assert.match(page, /Atelier sells this only in its own shop\./)
    assert.doesNotMatch(page, /Add to cart/)
    assert.match(await shown('password', 'atelier'), /Add to cart/)
    assert.match(await shown('open'), /Add to cart/)
  })
})

describe('a list', () => {
  test('shows a discount only if it is that of every variant', async () => {
    const range = (min: number, max = min) => ({ min: { ...MONEY, amount: min }, max: { ...MONEY, amount: max } })
    const product = (id: string, priceRange: object, compareAtPriceRange: object) => {
      const store = { id: 'store_1', slug: 'loom', name: 'Loom' }
      return {
        id,
        slug: id,
        name: id,
        store,
        priceRange,
        compareAtPriceRange,
        availability: 'in_stock',
        categoryIds: [],
      }
    }
    const data = [product('whole', range(500), range(1000)), product('mixed', range(1000, 5000), range(10_000))]
    const meta = { page: { totalCount: 2, totalCountExact: true, nextCursor: null }, facets: [], appliedFilters: {} }
    const service = {
      searchCatalogProducts: async () => ({ data, meta }),
      listCatalogProducts: async () => ({ data, meta }),
    }
    const page = await (await opened(service).request(`${ORIGIN}/en/search?q=cup`)).text()
    assert.deepEqual(page.match(/−\d+ %/g), ['−50 %'])
  })
  test('begins again if its cursor has expired or is of another language', async () => {
    const app = opened({ listCatalogProducts: refusing(400, 'invalid_cursor') })
    const answer = await app.request(`${ORIGIN}/de/search?sort=newest&cursor=abc.def`)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/de/search?sort=newest'])
  })
})

describe('the filters of a list', () => {
  const page = { totalCount: 2, totalCountExact: true, nextCursor: null }
  const brands = Array.from({ length: 14 }, (_, index) => {
    return { value: `b${index}`, label: `Brand ${index}`, count: 1, selected: index < 13 }
  })
  const facets = [
    { key: 'brand', label: 'Brand', values: brands },
    { key: 'option.color', label: 'Color', values: [{ value: 'red', label: 'Red', count: 2, selected: true }] },
    { key: 'price', label: 'Price', values: ['-999', '1000-'].map((value) => ({ value, label: value, count: 1 })) },
  ]
  const withFacets = (found: object[]) =>
    opened({ searchCatalogProducts: async () => ({ data: [], meta: { page, facets: found, appliedFilters: {} } }) })

  test('all stay with the next choice: beyond the shown ones, of another price range, of no product', async () => {
    const others = ['brand=gone', 'option.color=red', 'option.color=gone', 'price=500-700', 'q=mug', 'match=literal']
    const chosen = [...brands.slice(0, 13).map(({ value }) => `brand=${value}`), 'availability=in_stock', ...others]
    const list = async (found: object[]) =>
      (await withFacets(found).request(`${ORIGIN}/en/search?${chosen.join('&')}&sort=newest&cursor=a.b`)).text()
    // A later page has no facets.
    for (const found of [facets, []]) {
      const [, form = ''] = (await list(found)).split('<form class="filters"')
      const input = /<input type="(hidden|checkbox|radio)" name="([^"]+)" value="([^"]+)"( checked)?/g
      const inputs = [...form.split('</form>')[0]!.matchAll(input)]
      const sent = inputs.filter(([, type, , , checked]) => type === 'hidden' || checked)
      assert.deepEqual(sent.map(([, , name, value]) => `${name}=${value}`).toSorted(), chosen.toSorted())
    }
    assert.match(await list(facets), /checked\/?><span>€5\.00 – €7\.00<\/span>/, 'a price range is shown as chosen')
  })

  test('lose the former price range once another is chosen', async () => {
    const list = await (await withFacets(facets).request(`${ORIGIN}/en/search?q=mug&price=-999`)).text()
    assert.equal(list.match(/name="price"/g)?.length, 2)
    assert.match(list, /name="price" value="-999" checked/)
  })
})

describe('an order', () => {
  const orderOf = (more: object) => ({
    ...{ id: 'ord_1', number: 'T-1', status: 'confirmed', paymentStatus: 'paid', fulfillmentStatus: 'unfulfilled' },
    ...{ locale: 'en', placedAt: '2026-11-27T23:30:00Z', customer: { emailMasked: 'a…@example.com' } },
    lines: ['Mug', 'Course'].map((name, index) => ({
      ...{ id: `oli_${index}`, name, optionLabels: [], subtotal: MONEY, discountAllocations: [], total: MONEY },
      quantity: { ordered: 2, current: 2, canceled: 0, returned: 0, fulfilled: 0 },
    })),
    ...{ fulfillments: [], cancellations: [], afterSales: [], timeline: [], addresses: {} },
    totals: { itemsSubtotal: MONEY, itemsDiscount: NOTHING, tax: { amount: NOTHING, added: NOTHING }, total: MONEY },
    money: { refunded: NOTHING, refundPending: NOTHING },
    ...more,
  })
  const shown = async (more: object, path = '/en/orders/ord_1') => {
    const orders = { refresh: async () => orderOf(more) }
    const app = opened({}, undefined, { orderIds: ['ord_1'] }, { orders })
    return (await app.request(path)).text()
  }

  test('shows what is in each parcel, and that one could not be delivered', async () => {
    const fulfillments = [
      { status: 'delivered', lines: [{ lineId: 'oli_1', quantity: 2 }] },
      { status: 'failed', lines: [{ lineId: 'oli_0', quantity: 1 }] },
    ]
    const text = (await shown({ fulfillments, fulfillmentStatus: 'partially_fulfilled' })).replaceAll(/<[^>]*>/g, ' ')
    assert.match(text, /Delivered\s+2 × Course\s+Could not be delivered\s+1 × Mug/)
  })

  test('thanks for an order only if its payment has not failed, and says that one is still expected', async () => {
    const path = '/en/orders/ord_1?new'
    const failed = await shown({ status: 'canceled', paymentStatus: 'failed' }, path)
    assert.match(failed, /<h1>Order T-1<.*The payment was not completed, so the order was canceled/s)
    assert.doesNotMatch(failed, /is confirmed/)
    assert.match(await shown({ paymentStatus: 'pending' }, path), /<h1>Thank you.*We are waiting for your payment/s)
  })

  test('offers the only item for a return with one unit selected', async () => {
    const maxByLine = { oli_1: 2 }
    const service = {
      getStorefrontOrderAfterSalesEligibility: async () => ({
        ...{ decision: 'eligible', reasons: [], eligibilityToken: 'token' },
        kinds: [{ kind: 'return', decision: 'eligible', maxByLine }],
      }),
    }
    const selected = async () => {
      const app = opened(service, undefined, { orderIds: ['ord_1'] }, { orders: { refresh: async () => orderOf({}) } })
      const text = await (await app.request('/en/orders/ord_1/return')).text()
      return [...text.matchAll(/name="line:(\w+)".*?<option selected value="(\d)"/g)].map(([, ...each]) => each)
    }
    assert.deepEqual(await selected(), [['oli_1', '1']])
    Object.assign(maxByLine, { oli_0: 1 })
    assert.deepEqual(await selected(), [
      ['oli_0', '0'],
      ['oli_1', '0'],
    ])
  })

  test('has a time with its zone, which the script replaces by that of the visitor', async () => {
    const page = await shown({ timeline: [{ at: '2026-11-27T23:30:00Z', text: 'The order was confirmed.' }] })
    assert.match(
      page,
      /<time datetime="2026-11-27T23:30:00Z" data-date="long" data-time="short">[^<]* (UTC|GMT|[A-Z]{3,})/,
    )
  })

  test('says whether its items are canceled, or the store has yet to decide', async () => {
    for (const [status, notice] of [
      ['requested', 'Your request was sent to the store.'],
      ['completed', 'The items are canceled.'],
    ]) {
      const session: Partial<Session> = { orderIds: ['ord_1'] }
      const app = opened({ cancelStorefrontOrder: async () => ({ status }) }, undefined, session)
      const answer = await submit(app, '/en/orders/ord_1/cancel', { 'line:oli_1': '1', reason: 'other' })
      assert.deepEqual([answer.status, session.notice?.text], [303, notice])
    }
  })
})
