import type { StoreProfile } from '@vitrine/sdk'
import { decorationOf, productsOfBlocks, storeBy, storesOf } from '../stores.ts'
import { Blocks } from '../ui/blocks.tsx'
import { Breadcrumbs, type Page } from '../ui/layout.tsx'
import { accessTo, href, isRefused, type Visit } from '../visit.ts'
import { themed } from './home.tsx'
import { filtersOf, Listing } from './listing.tsx'

/** All stores. */
export async function storesPage(visit: Visit): Promise<Page> {
  const stores = await storesOf(visit)
  return {
    title: visit.texts.stores,
    canonical: href(visit, '/stores'),
    main: (
      <>
        <h1>{visit.texts.stores}</h1>
        <ul class="stores">
          {stores.map(({ slug, name, description }) => (
            <li>
              <h2>
                <a href={href(visit, `/stores/${slug}`)}>{name}</a>
              </h2>
              <p>{description}</p>
            </li>
          ))}
        </ul>
      </>
    ),
  }
}

/** A store as it presents itself, with its products; or the question for its password. */
export async function storePage(visit: Visit, slug: string, wrongPassword = false): Promise<Page | null> {
  const store = await storeBy(visit, slug)
  if (!store) return null
  const { client, texts } = visit
  try {
    const [list, decoration] = await Promise.all([
      client.call('listStoreProducts', { params: { slug }, query: filtersOf(visit) }, accessTo(visit, slug)),
      decorationOf(visit, slug),
    ])
    const isFirstPage = [...visit.url.searchParams].length === 0
    const blocks = (isFirstPage && decoration?.pages[0]?.blocks) || []
    const products = await productsOfBlocks(visit, slug, blocks)
    return {
      title: store.name,
      description: store.description,
      canonical: href(visit, `/stores/${slug}`),
      image: store.logo?.url,
      structured: [
        { '@type': 'Organization', name: store.name, url: visit.shop.config.url + href(visit, `/stores/${slug}`) },
      ],
      main: (
        <div style={decoration ? themed(decoration.theme) : undefined}>
          <Breadcrumbs
            visit={visit}
            trail={[{ name: texts.stores, href: href(visit, '/stores') }, { name: store.name }]}
          />
          <h1>{store.name}</h1>
          <p class="lead">{store.description}</p>
          <Blocks visit={visit} blocks={blocks} products={products} />
          <Listing
            visit={visit}
            products={list.data}
            meta={list.meta}
            without={['store', 'brand']}
            sorts={['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc']}
          />
        </div>
      ),
    }
  } catch (error) {
    if (isRefused(error, 'store_access_required')) return closedStorePage(visit, store, wrongPassword)
    throw error
  }
}

function closedStorePage(visit: Visit, { slug, name, description }: StoreProfile, wrongPassword: boolean): Page {
  const { texts } = visit
  return {
    title: name,
    main: (
      <section class="narrow">
        <h1>{texts.storeClosed(name)}</h1>
        <p class="lead">{description}</p>
        <p>{texts.storeClosedText}</p>
        <form method="post" action={href(visit, `/stores/${slug}`)} class="stack">
          <label>
            {texts.password}
            <input
              type="password"
              name="password"
              required
              maxLength={128}
              autocomplete="off"
              aria-invalid={wrongPassword ? 'true' : undefined}
              aria-describedby={wrongPassword ? 'password-error' : undefined}
            />
          </label>
          {wrongPassword && (
            <p class="error" id="password-error">
              {texts.wrongPassword}
            </p>
          )}
          <button type="submit">{texts.enter}</button>
        </form>
      </section>
    ),
  }
}

/** Solves the store's challenge with a password. @returns whether the visitor may enter */
export async function enterStore({ client, session }: Visit, store: string, password: string): Promise<boolean> {
  try {
    const challenge = await client.call('createStorefrontChallenge', {
      params: { store },
      body: { kind: 'password', purpose: 'store_access' },
    })
    const { accessToken, expiresAt } = await client.call('verifyStorefrontChallenge', {
      params: { store },
      body: { challengeId: challenge.id, password },
    })
    session.storeAccess[store] = { token: accessToken, expiresAt }
    return true
  } catch (error) {
    if (isRefused(error, 'challenge_failed', 'challenge_attempts_exceeded', 'validation_failed')) return false
    throw error
  }
}
