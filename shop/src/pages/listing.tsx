import type { CallInput, Facet, ProductSummary, SearchMeta, Suggestion } from '@vitrine/sdk'
import type { VNode } from 'preact'
import { ButtonWithoutScript, Empty, Link, Select, useVisit, VisitProvider } from '../ui/elements.tsx'
import { Breadcrumbs, CategoryLinks, categoryPath, type Page } from '../ui/layout.tsx'
import { Picture, ProductGrid, productPath } from '../ui/products.tsx'
import { href, type Visit } from '../visit.ts'

type ListMeta = Omit<SearchMeta, 'correctedQuery' | 'understood' | 'suggestions' | 'redirect'>
type Filters = NonNullable<CallInput<'listStoreProducts'>['query']>
export const SORTS = ['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc'] as const

/** A category with its products and facets, or `null` if there is none at this path. */
export async function categoryPage(visit: Visit, path: string): Promise<Page | null> {
  const { client, bootstrap, texts, shop } = visit
  const all = bootstrap.categories.filter(({ store }) => !store)
  const category = all.find((each) => each.path.join('/') === path)
  if (!category) return null
  const { data, meta } = await client.listCatalogProducts({ query: { category: [category.id], ...filtersOf(visit) } })
  const trail = all
    .filter((each) => each.path.every((step, index) => step === category.path[index]))
    .toSorted((one, other) => one.path.length - other.path.length)
    .map((each) => (each === category ? { name: each.name } : { name: each.name, path: categoryPath(each) }))
  const children = all.filter(({ parentId }) => parentId === category.id)
  return {
    title: category.name,
    description: category.description ?? `${category.name}: ${texts.products(category.productCount)}`,
    canonical: href(visit, categoryPath(category)),
    image: data[0]?.thumbnail?.url,
    structured: [
      {
        '@type': 'BreadcrumbList',
        itemListElement: trail.map(({ name, path: to }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name,
          ...(to && { item: shop.config.url + href(visit, to) }),
        })),
      },
    ],
    main: (
      <>
        <Breadcrumbs trail={trail} />
        <h1>{category.name}</h1>
        {category.description && <p class="lead">{category.description}</p>}
        {children.length > 0 && (
          <p class="chips">
            <CategoryLinks of={children} />
          </p>
        )}
        <Listing products={data} meta={meta} without={['category']} sorts={SORTS} />
      </>
    ),
  }
}

/** The search results, with the corrected spelling if there is one, or the redirect that the operator has set for the query. */
export async function searchPage(visit: Visit): Promise<Page | string> {
  const { client, texts, url } = visit
  const q = url.searchParams.get('q')?.trim() ?? ''
  if (q === '') {
    const { data, meta } = await client.listCatalogProducts({ query: filtersOf(visit) })
    return {
      title: texts.newest,
      main: (
        <>
          <h1>{texts.newest}</h1>
          <Listing products={data} meta={meta} sorts={SORTS} />
        </>
      ),
    }
  }
  const { data, meta } = await client.searchCatalogProducts({ query: { ...filtersOf(visit), q } })
  if (meta.redirect) return meta.redirect.startsWith('/') ? href(visit, meta.redirect) : meta.redirect
  const title = texts.resultsFor(meta.correctedQuery ?? q)
  const isEmpty = data.length === 0 && !isFiltered(url)
  return {
    title,
    main: (
      <>
        {!isEmpty && <h1>{title}</h1>}
        {meta.correctedQuery && (
          <p class="lead" role="status">
            {texts.correctedTo(q)}
          </p>
        )}
        {(meta.correctedQuery || meta.understood) && (
          <p class="small">
            <Link to={`/search?${new URLSearchParams({ q, match: 'literal' })}`}>{texts.asTyped(q)}</Link>
          </p>
        )}
        {isEmpty ? (
          <Empty title={texts.noResultsFor(q)} text={texts.noResultsText}>
            <p class="chips">
              <CategoryLinks />
            </p>
          </Empty>
        ) : (
          <Listing products={data} meta={meta} sorts={['relevance', ...SORTS]} />
        )}
      </>
    ),
  }
}

/** The filters in the URL, as query parameters of the operations. */
export function filtersOf({ url: { searchParams }, locale, currency, country }: Visit): Filters {
  const filters: Record<string, unknown> = { locale, currency, country, limit: 24 }
  for (const name of ['sort', 'cursor', 'availability', 'store', 'match']) {
    const value = searchParams.get(name)
    if (value) filters[name] = value
  }
  for (const name of searchParams.keys()) {
    if (name === 'category' || name === 'brand' || name.startsWith('option.')) filters[name] = searchParams.getAll(name)
  }
  // A price range is one value of the form.
  const [min, max] = searchParams.get('price')?.split('-') ?? []
  if (min) filters.priceMin = min
  if (max) filters.priceMax = max
  return filters as Filters
}

const isFiltered = ({ searchParams }: URL) =>
  [...searchParams.keys()].some((name) => !['q', 'sort', 'cursor', 'match'].includes(name))

interface ListingProps {
  readonly products: readonly ProductSummary[]
  readonly meta: ListMeta
  readonly sorts: readonly (keyof Visit['texts']['sorts'])[]
  /** Facets that are not shown. */
  readonly without?: readonly string[]
}

/** Products with their facets, sort order and a link to more. */
export function Listing({ products, meta, sorts, without = [] }: ListingProps) {
  const visit = useVisit()
  const { texts, url } = visit
  const facets = meta.facets
    .filter(({ key }) => !without.includes(key))
    .flatMap((facet) => choicesOf(visit, facet, meta))
  const { nextCursor, totalCount } = meta.page
  const q = url.searchParams.get('q')
  return (
    <div class="listing">
      <form class="filters" id="filters" action={url.pathname} data-auto>
        {unshown(url, facets).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <details open={isFiltered(url)}>
          <summary>{texts.filters}</summary>
          {facets.map((facet) => (
            <FacetChoices facet={facet} />
          ))}
        </details>
        <ButtonWithoutScript>{texts.showResults}</ButtonWithoutScript>
        {isFiltered(url) && (
          <a href={url.pathname + (q ? `?${new URLSearchParams({ q })}` : '')}>{texts.clearFilters}</a>
        )}
      </form>
      <section>
        <h2 class="visually-hidden">{texts.items}</h2>
        <div class="heading">
          <p class="small" role="status">
            {texts.products(totalCount)}
          </p>
          <Select
            label={texts.sort}
            class="sort"
            name="sort"
            form="filters"
            options={sorts.map((sort) => [sort, texts.sorts[sort]])}
            selected={meta.sort}
          />
        </div>
        {products.length === 0 ? <p>{texts.noProducts}</p> : <ProductGrid products={products} eager={6} />}
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

/** The number of values that a facet shows, with those that are chosen. */
const VALUES_SHOWN = 12
const isOne = (key: string) => key === 'price' || key === 'availability' || key === 'store'

/** The facet with the values to choose from; empty if there is nothing to choose. */
function choicesOf({ url, currency, formats }: Visit, facet: Facet, { page }: ListMeta): Facet[] {
  const price = facet.key === 'price' ? url.searchParams.get('price') : null
  const all = facet.values.map((each) => (facet.key === 'price' ? { ...each, selected: each.value === price } : each))
  if (price && !all.some(({ selected }) => selected)) {
    // Other filters have changed the ranges.
    const [min, max] = price.split('-').map((limit) => limit && formats.money({ amount: Number(limit), currency }))
    const label = min && max ? `${min} – ${max}` : min ? `≥ ${min}` : `≤ ${max}`
    all.push({ value: price, label, count: page.totalCount, selected: true })
  }
  const values = all.filter(({ selected }, index) => selected || index < VALUES_SHOWN)
  return values.length > 1 || (values.length > 0 && url.searchParams.has(facet.key)) ? [{ ...facet, values }] : []
}

/**
 * The query and the filters that no shown choice has, such as a brand without products, or all on a
 * later page, which has no facets. The next choice would drop them.
 */
function unshown({ searchParams }: URL, facets: readonly Facet[]): [string, string][] {
  return [...searchParams].filter(([name, value]) => {
    if (name === 'sort' || name === 'cursor') return false
    const values = facets.find(({ key }) => key === name)?.values ?? []
    const chosen = values.filter(({ selected }) => selected)
    const expected = isOne(name) ? 1 : searchParams.getAll(name).length
    return chosen.length < expected && !chosen.some((each) => each.value === value)
  })
}

function FacetChoices({ facet: { key, label, values } }: { facet: Facet }) {
  return (
    <fieldset>
      <legend>
        <span>{label}</span>
      </legend>
      {values.map(({ value, label: text, count, selected }) => (
        <label class="choice">
          <input type={isOne(key) ? 'radio' : 'checkbox'} name={key} value={value} checked={selected} />
          <span>{text}</span>
          <span class="small">{count}</span>
        </label>
      ))}
    </fieldset>
  )
}

function withCursor(url: URL, cursor: string): string {
  const query = new URLSearchParams(url.searchParams)
  query.set('cursor', cursor)
  return `${url.pathname}?${query}`
}

/** The list below the search field while a visitor types: queries, categories and products. */
export async function suggestions(visit: Visit): Promise<VNode> {
  const { client, locale, currency, country, url } = visit
  const q = url.searchParams.get('q')?.trim()
  if (!q) return <ul />
  const { meta } = await client.searchCatalogProducts({
    query: { q, locale, currency, country, limit: 0, facets: ['none'] },
  })
  return (
    <VisitProvider value={visit}>
      <ul>
        {meta.suggestions.map((each) => (
          <li>
            <SuggestionLink {...each} />
          </li>
        ))}
      </ul>
    </VisitProvider>
  )
}

function SuggestionLink({ kind, text, slug = '', store, thumbnail, priceRange }: Suggestion) {
  const { formats, bootstrap } = useVisit()
  const category = kind === 'category' && bootstrap.categories.find((each) => each.slug === slug && !each.store)
  const query = `/search?${new URLSearchParams(kind === 'category' ? { category: slug } : { q: text })}`
  return (
    <Link to={store ? productPath({ store, slug }) : category ? categoryPath(category) : query}>
      {thumbnail && <Picture image={{ ...thumbnail, alt: '' }} width={40} isEager />}
      <span>{text}</span>
      {priceRange && <span class="small">{formats.money(priceRange.min)}</span>}
    </Link>
  )
}
