import type { Decoration, Image, StoreProfile } from '@vitrine/sdk'
import { decorationOf, storesOf } from '../stores.ts'
import { categoryHref, type Page } from '../ui/layout.tsx'
import { Picture, ProductGrid } from '../ui/products.tsx'
import { href, type Visit } from '../visit.ts'

/** The front page: what the stores put in their windows, what is new, and the categories. */
export async function homePage(visit: Visit): Promise<Page> {
  const { client, texts, bootstrap, locale, currency, country } = visit
  const [stores, newest] = await Promise.all([
    storesOf(visit),
    client.call('listCatalogProducts', { query: { locale, currency, country, limit: 8, facets: ['none'] } }),
  ])
  const windows = await Promise.all(
    stores.map(async (store) => ({ store, decoration: await decorationOf(visit, store.slug) })),
  )
  const heroes = windows.flatMap(({ store, decoration }) => {
    const hero = decoration?.pages[0]?.blocks.find((block) => block.type === 'hero')
    return decoration && hero ? [{ store, hero: hero.props, theme: decoration.theme }] : []
  })
  const [first] = heroes
  const roots = bootstrap.categories.filter(({ parentId, store }) => !parentId && !store)

  const main = (
    <>
      <h1 class="visually-hidden">{bootstrap.site.name}</h1>
      {first && <Window visit={visit} {...first} />}
      <section>
        <div class="heading">
          <h2>{texts.newest}</h2>
          <a href={href(visit, '/search?q=&sort=newest')}>{texts.seeAll}</a>
        </div>
        <ProductGrid visit={visit} products={newest.data} />
      </section>
      <section>
        <h2>{texts.shopByCategory}</h2>
        <ul class="tiles">
          {roots.map((category) => (
            <li>
              <a href={categoryHref(visit, category)}>
                <strong>{category.name}</strong>
                <span class="small">{texts.products(category.productCount)}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{texts.meetStores}</h2>
        <ul class="stores">
          {windows.map(({ store, decoration }) => (
            <li style={decoration ? themed(decoration.theme) : undefined}>
              <h3>
                <a href={href(visit, `/stores/${store.slug}`)}>{store.name}</a>
              </h3>
              <p>{store.description}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
  return {
    title: bootstrap.site.name,
    description: stores.map(({ name }) => name).join(' · '),
    canonical: href(visit, '/'),
    image: first?.hero.image?.url,
    structured: [
      {
        '@type': 'WebSite',
        name: bootstrap.site.name,
        url: visit.shop.config.url + href(visit, '/'),
        potentialAction: {
          '@type': 'SearchAction',
          target: `${visit.shop.config.url}${href(visit, '/search')}?q={query}`,
          'query-input': 'required name=query',
        },
      },
    ],
    main,
  }
}

/** A store's own colors, behind what is its own. */
export const themed = ({
  primaryColor,
  backgroundColor,
  textColor,
}: {
  primaryColor: string
  backgroundColor: string
  textColor: string
}) => `--window: ${backgroundColor}; --window-text: ${textColor}; --window-accent: ${primaryColor}`

interface WindowProps {
  readonly visit: Visit
  readonly store: StoreProfile
  readonly hero: { heading: string; text?: string; image?: Image }
  readonly theme: Decoration['theme']
}

/** What a store puts first on its own page. */
function Window({ visit, store, hero, theme }: WindowProps) {
  const { texts } = visit
  return (
    <section class="hero" style={themed(theme)}>
      <div>
        <p class="small">{store.name}</p>
        <h2>{hero.heading}</h2>
        {hero.text && <p>{hero.text}</p>}
        <a class="button" href={href(visit, `/stores/${store.slug}`)}>
          {texts.visitStore}
        </a>
      </div>
      {hero.image && <Picture image={hero.image} isFirst />}
    </section>
  )
}
