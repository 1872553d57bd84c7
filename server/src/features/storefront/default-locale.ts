import type { Category } from '@vitrine/contract'
import type { PublicReadContext } from '../../platform/http/handler.ts'
import { readSiteSettings, type SiteSettings } from './site-settings.ts'

/** Reads what all stores offer. Injected, because catalog ranks above storefront. */
export type ReadMarketplace = (context: PublicReadContext) => Promise<{
  /** The first one is the default of the catalog. */
  readonly locales: readonly string[]
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
  readonly hasStores: boolean
  categoriesIn(languages: readonly string[]): Promise<Category[]>
}>

type Marketplace = Pick<Awaited<ReturnType<ReadMarketplace>>, 'locales' | 'hasStores'>

/** The default locale of the marketplace. Without open stores it has no language of its own: then the first one of the site. */
export function defaultLocaleOf({ locales, hasStores }: Marketplace, settings: SiteSettings | null): string {
  return (hasStores ? undefined : settings?.locales?.[0]) ?? locales[0]!
}

/** The locale to serve if none of the requested ones is available: the one that bootstrap names. */
export async function readDefaultLocale(context: PublicReadContext, readMarketplace: ReadMarketplace): Promise<string> {
  const [marketplace, settings] = await Promise.all([readMarketplace(context), readSiteSettings(context.reader)])
  return defaultLocaleOf(marketplace, settings)
}
