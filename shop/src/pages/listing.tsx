import type { CallInput, Facet, ProductSummary, SearchMeta } from '@vitrine/sdk'
import { Breadcrumbs, categoryHref, type Page } from '../ui/layout.tsx'
import { ProductGrid } from '../ui/products.tsx'
import { href, type Visit } from '../visit.ts'

type ListMeta = Omit<SearchMeta, 'correctedQuery'>
const SORTS = ['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc'] as const

/** A category with its products and facets, or `null` if there is none at this path. */
export async function categoryPage(visit: Visit, path: string): Promise<Page | null> {
  const { client, bootstrap, texts } = visit
  const category = bootstrap.categories.find((each) => each.path.join('/') === path && !each.store)
  if (!category) return null
  const chosen = visit.url.searchParams.getAll('category')
  const query = { ...filtersOf(visit), category: chosen.length > 0 ? chosen : [category.id] }
  const { data, meta } = await client.call('listCatalogProducts', { query })
  const trail = category.path.map((_, index) => {
    const step = bootstrap.categories.find(
      (each) => each.path.join('/') === category.path.slice(0, index + 1).join('/'),
    )!
    return step === category ? { name: step.name } : { name: step.name, href: categoryHref(visit, step) }
  })
  const children = bootstrap.categories.filter(({ parentId }) => parentId === category.id)
  return {
    title: category.name,
    description: category.description ?? texts.products(category.productCount),
    canonical: categoryHref(visit, category),
    image: data[0]?.thumbnail?.url,
    structured: [
      {
        '@type': 'BreadcrumbList',
        itemListElement: trail.map((step, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: step.name,
          ...(step.href && { item: visit.shop.config.url + step.href }),
        })),
      },
    ],
    main: (
      <>
        <Breadcrumbs visit={visit} trail={trail} />
        <h1>{category.name}</h1>
        {category.description && <p class="lead">{category.description}</p>}
        {children.length > 0 && (
          <p class="chips">
            {children.map((child) => (
              <a href={categoryHref(visit, child)}>{child.name}</a>
            ))}
          </p>
        )}
        <Listing visit={visit} products={data} meta={meta} without={['category']} sorts={SORTS} />
      </>
    ),
  }
}

/** What a search finds, with the corrected spelling if it was needed. */
export async function searchPage(visit: Visit): Promise<Page> {
  const { client, texts } = visit
  const q = visit.url.searchParams.get('q')?.trim() ?? ''
  const { data, meta } =
    q === ''
      ? await client.call('listCatalogProducts', { query: filtersOf(visit) })
      : await client.call('searchCatalogProducts', { query: { ...filtersOf(visit), q } })
  const corrected = ('correctedQuery' in meta && (meta as SearchMeta).correctedQuery) || null
  const title = q === '' ? texts.newest : texts.resultsFor(corrected ?? q)
  return {
    title,
    main: (
      <>
        <h1>{title}</h1>
        {corrected && (
          <p class="lead" role="status">
            {texts.correctedTo(q)}
          </p>
        )}
        <Listing visit={visit} products={data} meta={meta} sorts={q === '' ? SORTS : ['relevance', ...SORTS]} />
      </>
    ),
  }
}

type Filters = NonNullable<CallInput<'listStoreProducts'>['query']>

/** The filters of the address, as the operations take them. */
export function filtersOf({ url: { searchParams }, locale, currency, country }: Visit): Filters {
  const filters: Record<string, unknown> = { locale, currency, country, limit: 24 }
  for (const name of ['sort', 'cursor', 'availability', 'store', 'priceMin', 'priceMax']) {
    const value = searchParams.get(name)
    if (value) filters[name] = value
  }
  for (const name of searchParams.keys()) {
    if (name === 'category' || name === 'brand' || name.startsWith('option.')) filters[name] = searchParams.getAll(name)
  }
  // A range is one choice of a form.
  const [min, max] = searchParams.get('price')?.split('-') ?? []
  if (min) filters.priceMin = min
  if (max) filters.priceMax = max
  return filters as Filters
}

/** Products with their facets, sort order and a link to more. */
export function Listing({
  visit,
  products,
  meta,
  sorts,
  without = [],
}: {
  visit: Visit
  products: readonly ProductSummary[]
  meta: ListMeta
  sorts: readonly (keyof Visit['texts']['sorts'])[]
  without?: readonly string[]
}) {
  const { texts, url } = visit
  const facets = meta.facets.filter(({ key, values }) => !without.includes(key) && values.length > 1)
  const { nextCursor, totalCount } = meta.page
  const isFiltered = [...url.searchParams.keys()].some((name) => name !== 'q' && name !== 'sort')
  return (
    <div class="listing">
      <form class="filters" id="filters" action={url.pathname} data-auto>
        {url.searchParams.has('q') && <input type="hidden" name="q" value={url.searchParams.get('q')!} />}
        <details open={isFiltered}>
          <summary>{texts.filters}</summary>
          {facets.map((facet) => (
            <FacetChoices visit={visit} facet={facet} />
          ))}
        </details>
        <p class="buttons">
          <noscript>
            <button type="submit" class="quiet">
              {texts.showResults}
            </button>
          </noscript>
          {isFiltered && (
            <a
              href={
                url.pathname + (url.searchParams.has('q') ? `?q=${encodeURIComponent(url.searchParams.get('q')!)}` : '')
              }
            >
              {texts.clearFilters}
            </a>
          )}
        </p>
      </form>
      <section>
        <h2 class="visually-hidden">{texts.items}</h2>
        <div class="heading">
          <p class="small" role="status">
            {texts.products(totalCount)}
          </p>
          <label class="sort">
            {texts.sort}
            <select name="sort" form="filters">
              {sorts.map((sort) => (
                <option value={sort} selected={sort === meta.sort}>
                  {texts.sorts[sort]}
                </option>
              ))}
            </select>
          </label>
        </div>
        {products.length === 0 ? <p>{texts.noProducts}</p> : <ProductGrid visit={visit} products={products} />}
        {nextCursor && (
          <p class="more">
            <a class="button quiet" href={withCursor(url, nextCursor)} rel="next">
              {texts.more}
            </a>
          </p>
        )}
      </section>
    </div>
  )
}

function FacetChoices({ visit, facet }: { visit: Visit; facet: Facet }) {
  const { key, label, values } = facet
  const { searchParams } = visit.url
  const isOne = key === 'price' || key === 'availability' || key === 'store'
  return (
    <fieldset>
      <legend>
        <span>{label}</span>
      </legend>
      {values.slice(0, 12).map(({ value, label: text, count, selected }) => {
        const isChosen = key === 'price' ? searchParams.get('price') === value : selected
        return (
          <label class="choice">
            <input type={isOne ? 'radio' : 'checkbox'} name={key} value={value} checked={isChosen} />
            <span>{text}</span>
            <span class="small">{count}</span>
          </label>
        )
      })}
    </fieldset>
  )
}

function withCursor(url: URL, cursor: string): string {
  const query = new URLSearchParams(url.searchParams)
  query.set('cursor', cursor)
  return `${url.pathname}?${query}`
}

/** The list below the search field while a visitor types: products and categories whose names begin so. */
export async function Suggestions({ visit }: { visit: Visit }) {
  const { client, locale, currency, country, formats } = visit
  const q = visit.url.searchParams.get('q')?.trim() ?? ''
  if (q.length < 2) return <ul />
  const { data } = await client.call('searchCatalogProducts', {
    query: { q, locale, currency, country, limit: 6, facets: ['none'] },
  })
  const categories = visit.bootstrap.categories
    .filter(({ name, store }) => !store && name.toLocaleLowerCase(locale).includes(q.toLocaleLowerCase(locale)))
    .slice(0, 3)
  return (
    <ul>
      {categories.map((category) => (
        <li>
          <a href={categoryHref(visit, category)}>{category.name}</a>
        </li>
      ))}
      {data.map(({ name, store, slug, thumbnail, priceRange }) => (
        <li>
          <a href={href(visit, `/p/${store.slug}/${slug}`)}>
            {thumbnail && <img src={thumbnail.url} alt="" width={40} height={40} />}
            <span>{name}</span>
            <span class="small">{formats.money(priceRange.min)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
