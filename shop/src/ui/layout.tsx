import { createHash } from 'node:crypto'
import type { Category } from '@vitrine/sdk'
import type { ComponentChildren } from 'preact'
import { LOCALES, textsIn } from '../texts/index.ts'
import { href, type Visit } from '../visit.ts'
import { Form, Link, QuietButton, Select, useVisit, VisitProvider } from './elements.tsx'

export interface Page {
  readonly title: string
  /** Default: 200. */
  readonly status?: 400 | 403 | 404 | 500 | 503
  readonly description?: string | undefined
  /** The canonical path for search engines and link previews. Only public pages have one. */
  readonly canonical?: string
  readonly image?: string | undefined
  /** Structured data, by the terms of schema.org. */
  readonly structured?: readonly object[]
  /** The number of seconds after which the page is reloaded. */
  readonly refresh?: number
  readonly main: ComponentChildren
}

/** The HTML document around a page. */
export function Document({ visit, page }: { visit: Visit; page: Page }) {
  return (
    <VisitProvider value={visit}>
      <html lang={visit.locale}>
        <Head page={page} />
        <body data-unknown={visit.texts.unknownOutcome}>
          <a class="skip" href="#main">
            {visit.texts.skip}
          </a>
          <Header />
          <main id="main" tabIndex={-1} data-refresh={page.refresh}>
            <Notice />
            {page.main}
          </main>
          <Footer />
        </body>
      </html>
    </VisitProvider>
  )
}

function Head({ page }: { page: Page }) {
  const { bootstrap, shop, url } = useVisit()
  const name = bootstrap.site.name
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{page.title === name ? name : `${page.title} · ${name}`}</title>
      {page.description && <meta name="description" content={page.description} />}
      <meta name="color-scheme" content="light dark" />
      {page.refresh && (
        <noscript>
          <meta http-equiv="refresh" content={`${page.refresh}; url=${url.pathname}${url.search}`} />
        </noscript>
      )}
      <SearchEngineTags page={page} />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <style dangerouslySetInnerHTML={{ __html: shop.assets.style }} />
      <script type="module" src={`/instant.js?${versionOf(shop.assets.script)}`} />
    </head>
  )
}

/** A changed script has another URL, so that browsers can cache it. */
const versionOf = (script: string) => createHash('sha256').update(script).digest('hex').slice(0, 8)

/** Search engines index only pages with a canonical path. */
function SearchEngineTags({ page: { title, description, canonical, image, structured = [] } }: { page: Page }) {
  const { locale, bootstrap, shop } = useVisit()
  if (!canonical) return <meta name="robots" content="noindex" />
  const url = shop.config.url + canonical
  return (
    <>
      <link rel="canonical" href={url} />
      {LOCALES.map((each) => (
        <link rel="alternate" hreflang={each} href={shop.config.url + canonical.replace(locale, each)} />
      ))}
      <meta property="og:title" content={title} />
      <meta property="og:site_name" content={bootstrap.site.name} />
      <meta property="og:url" content={url} />
      {description && <meta property="og:description" content={description} />}
      {image && <meta property="og:image" content={image} />}
      {structured.map((data) => (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: embedded(data) }} />
      ))}
    </>
  )
}

/** `<` is escaped, so that no text ends the element. */
const embedded = (data: object) =>
  JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')

function Notice() {
  const { session, texts } = useVisit()
  const { notice } = session
  if (!notice) return null
  return (
    <p class={`notice ${notice.tone}`} role="status">
      {notice.text} {notice.text === texts.added && <Link to="/cart">{texts.viewCart}</Link>}
    </p>
  )
}

function Header() {
  const { texts, bootstrap, session, url } = useVisit()
  return (
    <header class="top">
      <div class="bar">
        <Link to="/" class="brand">
          {bootstrap.site.name}
        </Link>
        <search>
          <form class="search" action={href(useVisit(), '/search')}>
            <input
              id="q"
              name="q"
              type="search"
              aria-label={texts.search}
              autocomplete="off"
              maxLength={200}
              placeholder={texts.searchHint}
              value={url.searchParams.get('q') ?? ''}
              data-suggest={href(useVisit(), '/suggest')}
            />
            <button type="submit" aria-label={texts.search}>
              <Icon path="M10.5 4a6.5 6.5 0 1 0 4 11.6l4.2 4.2 1.3-1.3-4.2-4.2A6.5 6.5 0 0 0 10.5 4m0 2a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9" />
            </button>
          </form>
        </search>
        <nav class="self" aria-label={texts.account}>
          <Link to={session.customer ? '/orders' : '/sign-in'} data-reload={!session.customer}>
            <Icon path="M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8m0 10c4.4 0 8 2 8 4.5V20H4v-1.5C4 16 7.6 14 12 14" />
            <span>{session.customer ? texts.yourOrders : texts.signIn}</span>
          </Link>
          <Link to="/cart" id="cart-link">
            <Icon path="M7 7V6a5 5 0 0 1 10 0v1h3l-1 13H5L4 7zm2 0h6V6a3 3 0 0 0-6 0z" />
            <span>{texts.cart}</span>
            {Boolean(session.units) && <b>{session.units}</b>}
          </Link>
        </nav>
      </div>
      <nav class="categories" aria-label={texts.menu}>
        <CategoryLinks />
        <Link to="/stores">{texts.stores}</Link>
      </nav>
    </header>
  )
}

export const categoryPath = ({ path }: Category) => `/c/${path.join('/')}`

/** The categories of the marketplace that have no parent. */
export const rootCategories = ({ bootstrap }: Visit) =>
  bootstrap.categories.filter(({ parentId, store }) => !parentId && !store)

/** Links to categories, by default to the root categories. */
export function CategoryLinks({ of = rootCategories(useVisit()) }: { of?: readonly Category[] }) {
  return of.map((category) => <Link to={categoryPath(category)}>{category.name}</Link>)
}

function Footer() {
  const visit = useVisit()
  const { texts, bootstrap, url, currency, country, formats } = visit
  return (
    <footer>
      <div class="columns">
        <nav aria-label={texts.help}>
          <h2>{texts.help}</h2>
          <Link to="/contact">{texts.contact}</Link>
          <Link to="/orders">{texts.yourOrders}</Link>
          <Link to="/stores">{texts.stores}</Link>
        </nav>
        <nav aria-label={texts.legal}>
          <h2>{texts.legal}</h2>
          {bootstrap.links.legal.map(({ type, title }) => (
            <Link to={`/legal/${type}`}>{title}</Link>
          ))}
        </nav>
        <Form to="/preferences" fields={{ back: url.pathname + url.search }} class="preferences">
          <h2>{texts.preferences}</h2>
          <p>
            {LOCALES.map((each) => (
              <a
                href={url.pathname.replace(/^\/[a-z]{2}/, `/${each}`) + url.search}
                lang={each}
                hreflang={each}
                aria-current={each === visit.locale ? 'true' : undefined}
                data-reload
              >
                {textsIn(each).language}
              </a>
            ))}
          </p>
          <Select
            label={texts.currency}
            name="currency"
            options={bootstrap.currencies.map((each) => [each, each])}
            selected={currency}
          />
          <Select
            label={texts.country}
            name="country"
            options={bootstrap.countries.map((each) => [each, formats.country(each)])}
            selected={country}
          />
          <QuietButton>{texts.apply}</QuietButton>
        </Form>
      </div>
      <p class="small">{texts.testShop}</p>
    </footer>
  )
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="currentColor">
      <path fill-rule="evenodd" d={path} />
    </svg>
  )
}

/** The breadcrumbs of a page. A step without a path is not a link. */
export function Breadcrumbs({ trail }: { trail: readonly { name: string; path?: string }[] }) {
  const { texts } = useVisit()
  return (
    <nav class="breadcrumbs" aria-label={texts.breadcrumbs}>
      <ol>
        {[{ name: texts.home, path: '/' }, ...trail].map(({ name, path }, index) => (
          <li>
            {path ? <Link to={path}>{name}</Link> : <span aria-current={index === trail.length && 'page'}>{name}</span>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
