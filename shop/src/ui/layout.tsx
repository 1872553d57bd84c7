import type { Category } from '@vitrine/sdk'
import type { ComponentChildren } from 'preact'
import { LOCALES, textsIn } from '../texts/index.ts'
import { href, type Visit } from '../visit.ts'

export interface Page {
  readonly title: string
  readonly description?: string | undefined
  /** For search engines and previews, on pages that are for everyone. */
  readonly canonical?: string
  readonly image?: string | undefined
  /** Structured data, by the terms of schema.org. */
  readonly structured?: readonly object[]
  /** Asks again after so many seconds. */
  readonly refresh?: number
  readonly main: ComponentChildren
}

/** The frame of each page. `style` and `script` are what the browser loads. */
export function Document({ visit, page, style }: { visit: Visit; page: Page; style: string }) {
  const { locale, texts, bootstrap, shop } = visit
  const name = bootstrap.site.name
  const canonical = page.canonical && shop.config.url + page.canonical
  return (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title === name ? name : `${page.title} · ${name}`}</title>
        {page.description && <meta name="description" content={page.description} />}
        <meta name="color-scheme" content="light dark" />
        {page.refresh && <meta http-equiv="refresh" content={`${page.refresh}; url=${visit.url.pathname}`} />}
        {canonical ? (
          <>
            <link rel="canonical" href={canonical} />
            {LOCALES.map((each) => (
              <link rel="alternate" hreflang={each} href={canonical.replace(`/${locale}`, `/${each}`)} />
            ))}
            <meta property="og:title" content={page.title} />
            <meta property="og:site_name" content={name} />
            <meta property="og:url" content={canonical} />
            {page.description && <meta property="og:description" content={page.description} />}
            {page.image && <meta property="og:image" content={page.image} />}
          </>
        ) : (
          <meta name="robots" content="noindex" />
        )}
        {page.structured?.map((data) => (
          // `<` is escaped, so that no text ends the element.
          <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: embedded(data) }} />
        ))}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <style dangerouslySetInnerHTML={{ __html: style }} />
        <script type="module" src="/instant.js" />
      </head>
      <body>
        <a class="skip" href="#main">
          {texts.skip}
        </a>
        <Header visit={visit} />
        <main id="main" tabIndex={-1}>
          <Notice visit={visit} />
          {page.main}
        </main>
        <Footer visit={visit} />
      </body>
    </html>
  )
}

const embedded = (data: object) =>
  JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')

function Notice({ visit: { session, texts, locale } }: { visit: Visit }) {
  const { notice } = session
  if (!notice) return null
  return (
    <p class={`notice ${notice.tone}`} role="status">
      {notice.text} {notice.text === texts.added && <a href={href({ locale }, '/cart')}>{texts.viewCart}</a>}
    </p>
  )
}

function Header({ visit }: { visit: Visit }) {
  const { texts, bootstrap, session, units } = visit
  const roots = bootstrap.categories.filter(({ parentId, store }) => !parentId && !store)
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href={href(visit, '/')}>
          {bootstrap.site.name}
        </a>
        <search>
          <form class="search" action={href(visit, '/search')}>
            <label class="visually-hidden" for="q">
              {texts.search}
            </label>
            <input
              id="q"
              name="q"
              type="search"
              autocomplete="off"
              maxLength={200}
              placeholder={texts.searchHint}
              value={visit.url.searchParams.get('q') ?? ''}
              data-suggest={href(visit, '/suggest')}
            />
            <button type="submit" aria-label={texts.search}>
              <Icon path="M10.5 4a6.5 6.5 0 1 0 4 11.6l4.2 4.2 1.3-1.3-4.2-4.2A6.5 6.5 0 0 0 10.5 4m0 2a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9" />
            </button>
          </form>
        </search>
        <nav class="self" aria-label={texts.account}>
          <a href={href(visit, session.customer ? '/orders' : '/sign-in')}>
            <Icon path="M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8m0 10c4.4 0 8 2 8 4.5V20H4v-1.5C4 16 7.6 14 12 14" />
            <span>{session.customer ? texts.yourOrders : texts.signIn}</span>
          </a>
          <a href={href(visit, '/cart')} id="cart-link">
            <Icon path="M7 7V6a5 5 0 0 1 10 0v1h3l-1 13H5L4 7zm2 0h6V6a3 3 0 0 0-6 0z" />
            <span>{texts.cart}</span>
            {units > 0 && <b>{units}</b>}
          </a>
        </nav>
      </div>
      <nav class="categories" aria-label={texts.menu}>
        {roots.map((category) => (
          <a href={categoryHref(visit, category)}>{category.name}</a>
        ))}
        <a href={href(visit, '/stores')}>{texts.stores}</a>
      </nav>
    </header>
  )
}

export const categoryHref = (visit: Visit, { path }: Category) => href(visit, `/c/${path.join('/')}`)

function Footer({ visit }: { visit: Visit }) {
  const { texts, bootstrap, url, currency, country, formats } = visit
  return (
    <footer>
      <div class="columns">
        <nav aria-label={texts.help}>
          <h2>{texts.help}</h2>
          <a href={href(visit, '/contact')}>{texts.contact}</a>
          <a href={href(visit, '/orders')}>{texts.yourOrders}</a>
          <a href={href(visit, '/stores')}>{texts.stores}</a>
        </nav>
        <nav aria-label={texts.legal}>
          <h2>{texts.legal}</h2>
          {bootstrap.links.legal.map(({ type, title }) => (
            <a href={href(visit, `/legal/${type}`)}>{title}</a>
          ))}
        </nav>
        <form method="post" action={href(visit, '/preferences')} class="preferences">
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
          <input type="hidden" name="back" value={url.pathname + url.search} />
          <label>
            {texts.currency}
            <select name="currency">
              {bootstrap.currencies.map((each) => (
                <option selected={each === currency}>{each}</option>
              ))}
            </select>
          </label>
          <label>
            {texts.country}
            <select name="country">
              {bootstrap.countries.map((each) => (
                <option value={each} selected={each === country}>
                  {formats.country(each)}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="quiet">
            {texts.apply}
          </button>
        </form>
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

export function Breadcrumbs({ visit, trail }: { visit: Visit; trail: readonly { name: string; href?: string }[] }) {
  return (
    <nav class="breadcrumbs" aria-label="Breadcrumb">
      <ol>
        <li>
          <a href={href(visit, '/')}>{visit.texts.home}</a>
        </li>
        {trail.map((step) => (
          <li>{step.href ? <a href={step.href}>{step.name}</a> : <span aria-current="page">{step.name}</span>}</li>
        ))}
      </ol>
    </nav>
  )
}
