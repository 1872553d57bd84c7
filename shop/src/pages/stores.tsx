import type { StoreProfile } from '@vitrine/sdk'
import type { Answer } from '../app.tsx'
import { decorationOf, productsOfBlocks, storeBy, storesOf } from '../stores.ts'
import { Blocks, StoreCards, themed } from '../ui/blocks.tsx'
import { Field, Form, useVisit } from '../ui/elements.tsx'
import { Breadcrumbs, type Page } from '../ui/layout.tsx'
import { accessTo, href, isRefused, type Visit } from '../visit.ts'
import { filtersOf, Listing, SORTS } from './listing.tsx'

/** All stores. */
export async function storesPage(visit: Visit): Promise<Page> {
  const stores = await storesOf(visit)
  return {
    title: visit.texts.stores,
    canonical: href(visit, '/stores'),
    main: (
      <>
        <h1>{visit.texts.stores}</h1>
        <StoreCards stores={stores} level="h2" />
      </>
    ),
  }
}

/** A store with its decoration and products, or its password form. */
export async function storePage(visit: Visit, slug: string): Promise<Page | null> {
  const store = await storeBy(visit, slug)
  if (!store) return null
  const { client, texts, shop } = visit
  const path = `/stores/${slug}`
  const [list, decoration] = await Promise.all([
    client.listStoreProducts({ params: { slug }, query: filtersOf(visit) }, accessTo(visit, slug)).catch(gated),
    decorationOf(visit, slug),
  ])
  if (!list) return gatedStorePage(store)
  const isFirstPage = visit.url.search === ''
  const blocks = (isFirstPage && decoration?.pages[0]?.blocks) || []
  const products = await productsOfBlocks(visit, slug, blocks)
  return {
    title: store.name,
    description: store.description,
    canonical: href(visit, path),
    image: store.logo?.url,
    structured: [{ '@type': 'Organization', name: store.name, url: shop.config.url + href(visit, path) }],
    main: (
      <div style={themed(decoration)}>
        <Breadcrumbs trail={[{ name: texts.stores, path: '/stores' }, { name: store.name }]} />
        <h1>{store.name}</h1>
        <p class="lead">{store.description}</p>
        <Blocks blocks={blocks} products={products} />
        <Listing products={list.data} meta={list.meta} without={['store', 'brand']} sorts={SORTS} />
      </div>
    ),
  }
}

function gated(error: unknown): null {
  if (isRefused(error, 'store_access_required')) return null
  throw error
}

const gatedStorePage = (store: StoreProfile, fault?: string): Page => ({
  title: store.name,
  main: <PasswordForm store={store} fault={fault} />,
})

function PasswordForm({ store: { slug, name, description }, fault }: { store: StoreProfile; fault?: string }) {
  const { texts } = useVisit()
  return (
    <section class="narrow">
      <h1>{texts.storeGated(name)}</h1>
      <p class="lead">{description}</p>
      <p>{texts.storeGatedText}</p>
      <Form to={`/stores/${slug}`} class="stack">
        <Field
          name="password"
          type="password"
          label={texts.password}
          fault={fault}
          maxLength={128}
          autocomplete="off"
          required
        />
        <button type="submit">{texts.enter}</button>
      </Form>
    </section>
  )
}

/** Answers the store's challenge with a password. */
export async function enterStore(visit: Visit, slug: string, password: string): Promise<Answer> {
  const { client, session, texts } = visit
  const params = { store: slug }
  try {
    const body = { kind: 'password', purpose: 'store_access' } as const
    const { id: challengeId } = await client.createStorefrontChallenge({ params, body })
    const { accessToken, expiresAt } = await client.verifyStorefrontChallenge({
      params,
      body: { challengeId, password },
    })
    session.storeAccess[slug] = { token: accessToken, expiresAt }
    return href(visit, `/stores/${slug}`)
  } catch (error) {
    if (!isRefused(error, 'challenge_failed', 'challenge_attempts_exceeded', 'validation_failed')) throw error
    const store = await storeBy(visit, slug)
    return store && { ...gatedStorePage(store, texts.wrongPassword), status: 403 }
  }
}
