import { LOCALES } from './texts/index.ts'
import { decimalOf, productPath } from './ui/products.tsx'
import type { Shop } from './visit.ts'

/** The maximum number of URLs in a sitemap. @see https://www.sitemaps.org/protocol.html */
const SITEMAP_MAX = 50_000

const xml = (text: string) =>
  text
    .replace(/[<>&"']/g, (mark) => `&#${mark.codePointAt(0)};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')

/** Home, categories and products in each language, with their last change. */
export async function sitemap({ client, config, bootstrap }: Shop): Promise<string> {
  const { categories } = await bootstrap(LOCALES[0]!)
  const pages: { path: string; changedAt?: string }[] = [
    { path: '' },
    { path: '/stores' },
    ...categories.filter(({ store }) => !store).map(({ path }) => ({ path: `/c/${path.join('/')}` })),
  ]
  for await (const { slug, store, updatedAt } of client.iterate('listCatalogProducts', {
    query: { limit: 100, facets: ['none'] },
  })) {
    pages.push({ path: productPath({ slug, store }), changedAt: updatedAt })
    if (pages.length * LOCALES.length >= SITEMAP_MAX) break
  }
  const entries = pages.flatMap(({ path, changedAt }) =>
    LOCALES.map((locale) => {
      const links = LOCALES.map(
        (each) => `<xhtml:link rel="alternate" hreflang="${each}" href="${xml(`${config.url}/${each}${path}`)}"/>`,
      )
      return `<url><loc>${xml(`${config.url}/${locale}${path}`)}</loc>${changedAt ? `<lastmod>${changedAt}</lastmod>` : ''}${links.join('')}</url>`
    }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join('\n')}\n</urlset>\n`
}

/** All SKUs in the format of Google Merchant Center. @see https://support.google.com/merchants/answer/7052112 */
export async function merchantFeed({ client, config, bootstrap }: Shop, locale: string): Promise<string> {
  const { site } = await bootstrap(locale)
  const items: string[] = []
  for await (const product of client.iterate('listApiKeyCatalogProducts', {}, { language: locale })) {
    for (const sku of product.skus) {
      const image = sku.image ?? product.images[0]
      const choice = new URLSearchParams(sku.optionValues).toString()
      const fields: [string, string | undefined][] = [
        // Unlike `sku.code`, which products and stores may share.
        ['g:id', sku.id],
        ['g:item_group_id', product.id],
        ['g:title', product.name],
        ['g:description', product.description?.text ?? product.subtitle ?? product.name],
        ['g:link', `${config.url}/${locale}${productPath(product)}${choice && `?${choice}`}`],
        ['g:image_link', image?.url],
        ['g:availability', sku.availability === 'low_stock' ? 'in_stock' : sku.availability],
        ['g:price', `${decimalOf(sku.compareAtPrice ?? sku.price)} ${sku.price.currency}`],
        ['g:sale_price', sku.compareAtPrice && `${decimalOf(sku.price)} ${sku.price.currency}`],
        ['g:brand', product.brand],
        ['g:condition', 'new'],
      ]
      const filled = fields.flatMap(([name, value]) => (value ? [`<${name}>${xml(value)}</${name}>`] : []))
      items.push(`<item>${filled.join('')}</item>`)
    }
  }
  const about = `<title>${xml(site.name)}</title><link>${xml(config.url)}</link><description>${xml(site.name)}</description>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${about}\n${items.join('\n')}\n</channel></rss>\n`
}

/** Excludes carts, checkouts and orders from search engines. */
export function robots({ config }: Shop): string {
  const hidden = ['cart', 'checkout', 'orders', 'sign-in', 'search', 'suggest'].flatMap((path) =>
    LOCALES.map((locale) => `Disallow: /${locale}/${path}`),
  )
  return ['User-agent: *', ...hidden, `Sitemap: ${config.url}/sitemap.xml`, ''].join('\n')
}
