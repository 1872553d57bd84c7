import type { Product } from '@vitrine/contract'
import type { Environment } from '../../../kernel/environment.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Market } from './market-context.ts'
import { findProductId, hydrateProducts } from './product-store.ts'
import { presentProducts } from './product-view.ts'

/** The product with a slug in this market. Refuses `not_found`, also for a product that is not visible. */
export async function loadProduct(
  reader: Reader,
  slug: string,
  about: {
    readonly market: Market
    readonly environment: Environment
    readonly currency: string | undefined
    readonly catalogRevision: string
  },
): Promise<Product> {
  const { market } = about
  const id = await findProductId(reader, slug, [...market.storesById.keys()])
  if (id === undefined) return refuse('not_found')
  const [product] = presentProducts(await hydrateProducts(reader, [id], about), market, about)
  return product ?? refuse('not_found')
}
