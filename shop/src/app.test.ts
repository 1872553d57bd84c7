import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { CallOptions } from '@vitrine/sdk'
import { runnerImport } from 'vite'
import type { Shop } from './visit.ts'

const ORIGIN = 'http://127.0.0.1:8083'

/** Loads the app as the build does, because Node does not read JSX. */
let shopApp: typeof import('./app.tsx')['shopApp']
before(async () => {
  const oxc = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const
  const loaded = await runnerImport<typeof import('./app.tsx')>(join(import.meta.dirname, 'app.tsx'), { oxc })
  shopApp = loaded.module.shopApp
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

/** The app on a fake service with these answers. */
function opened(service: object, start: Shop['bootstrap'] = async (locale) => bootstrap(locale) as never) {
  return shopApp({
    config: { url: ORIGIN, stores: [] },
    client: service,
    sessions: { load: () => ({ orderIds: [], storeAccess: {} }), save: () => 'token' },
    assets: { style: '', script: '', icon: '' },
    orders: { receive: async (request: Request) => void (await request.text()) },
    bootstrap: start,
  } as unknown as Shop)
}

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
