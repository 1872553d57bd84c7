import type { Image } from '@vitrine/sdk'
import { recently } from '../recently.ts'
import { storesOf } from '../stores.ts'
import { Hero, heroOf, StoreCards, themed } from '../ui/blocks.tsx'
import { Link } from '../ui/elements.tsx'
import { categoryPath, type Page, rootCategories } from '../ui/layout.tsx'
import { Picture, ProductGrid } from '../ui/products.tsx'
import { href, type Visit } from '../visit.ts'

/** The home page: the hero of the first store, the newest products, the categories and the stores. */
export async function homePage(visit: Visit): Promise<Page> {
  const { client, texts, bootstrap, shop, locale, currency, country } = visit
  const name = bootstrap.site.name
  const roots = rootCategories(visit)
  const [stores, pictures, newest] = await Promise.all([
    storesOf(visit),
    Promise.all(roots.map(({ id }) => pictureOf(visit, id))),
    client.listCatalogProducts({ query: { locale, currency, country, limit: 8, facets: ['none'] } }),
  ])
  const first = stores.find(({ decoration }) => heroOf(decoration))
  const hero = heroOf(first?.decoration ?? null)
  const main = (
    <>
      <h1 class="visually-hidden">{name}</h1>
      {first && hero && (
        <div style={themed(first.decoration)}>
          <Hero
            {...hero}
            above={first.store.name}
            action={{ url: href(visit, `/stores/${first.store.slug}`), label: texts.visitStore }}
          />
        </div>
      )}
      <section>
        <div class="heading">
          <h2>{texts.newest}</h2>
          <Link to="/search?sort=newest">{texts.seeAll}</Link>
        </div>
        <ProductGrid products={newest.data} />
      </section>
      <section>
        <h2>{texts.shopByCategory}</h2>
        <ul class="tiles">
          {roots.map((category, index) => (
            <li>
              {pictures[index] && <Picture image={pictures[index]} width={240} />}
              <Link to={categoryPath(category)}>{category.name}</Link>
              <span class="small">{texts.products(category.productCount)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{texts.meetStores}</h2>
        <StoreCards stores={stores} level="h3" />
      </section>
    </>
  )
  const url = shop.config.url + href(visit, '/')
  return {
    title: name,
    description: stores.map(({ store }) => store.name).join(' · '),
    canonical: href(visit, '/'),
    image: hero?.image?.url,
    structured: [
      {
        '@type': 'WebSite',
        name,
        url,
        potentialAction: {
          '@type': 'SearchAction',
          target: `${url}/search?q={query}`,
          'query-input': 'required name=query',
        },
      },
    ],
    main,
  }
}

const pictures = recently<Image | null>(60_000)

/** The picture of a category, with a text in the visitor's language, or of its most expensive product. */
function pictureOf({ client, categories, locale }: Visit, id: string): Promise<Image | null> {
  return pictures(`${locale} ${id}`, async () => {
    const own = categories.get(id)?.image
    if (own) return own
    const query = { category: [id], sort: 'price_desc', limit: 1, facets: ['none'] } as const
    const { data } = await client.listCatalogProducts({ query })
    return data[0]?.thumbnail ? { ...data[0].thumbnail, alt: '' } : null
  })
}
