import type { Bootstrap, Category, operations } from '@vitrine/contract'
import { lookUpLocale, matchLocale } from '../../../kernel/locale.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler, PublicReadContext } from '../../../platform/http/handler.ts'
import { LEGAL_PATH } from '../legal-path.ts'
import { headsInForce } from '../read-legal.ts'
import { presentSite, readSiteSettings, type SiteSettings } from '../site-settings.ts'
import { LEGAL, SITE } from '../subjects.ts'

/** What the stores offer together. The catalogue ranks above the storefront, so it is handed in. */
export type ReadMarketplace = (context: PublicReadContext) => Promise<{
  readonly locales: readonly string[]
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
  categoriesIn(languages: readonly string[]): Promise<Category[]>
}>

export interface BootstrapDeps {
  readonly readMarketplace: ReadMarketplace
  /** Where documents are shown to people, without a slash at the end. */
  readonly pagesUrl: string
}

/** What this version of the service does. What an operator closes is told by `getStoreAccessConfig`. */
const FEATURES: Bootstrap['features'] = {
  registration: true,
  passwordReset: true,
  search: true,
  promotions: true,
  hostedCheckout: true,
}

/** GET /api/v1/bootstrap */
export function getBootstrap(parts: BootstrapDeps): Handler<typeof operations.getBootstrap> {
  return async ({ query }, context) => {
    context.dependsOn(SITE)
    context.dependsOn(LEGAL)
    const { reader, now, languages } = context
    const [settings, marketplace, legal] = await Promise.all([
      readSiteSettings(reader),
      parts.readMarketplace(context),
      headsInForce(reader, { now, languages }),
    ])
    const offered = offeredBy(settings, marketplace)
    const locale = servedLocale(offered.locales, query.locale, languages)
    return {
      site: presentSite(settings),
      locale,
      ...offered,
      defaults: {
        locale: offered.locales[0]!,
        currency: offered.currencies[0]!,
        country: offered.countries[0]!,
      },
      categories: await marketplace.categoriesIn([locale, ...languages]),
      links: {
        legal: legal.map(({ type, title }) => ({ type, title, url: legalUrl(parts.pagesUrl, type, locale) })),
        contact: '/api/v1/public/contact',
      },
      features: { ...FEATURES },
    }
  }
}

/** A marketplace without stores still says what it counts in. */
const NOTHING_OFFERED = { locales: ['en'], currencies: ['EUR'], countries: ['DE'] }

function offeredBy(
  settings: SiteSettings | null,
  marketplace: Awaited<ReturnType<ReadMarketplace>>,
): { locales: string[]; currencies: string[]; countries: string[] } {
  const some = (members: readonly string[] | null | undefined, offered: readonly string[], otherwise: string[]) =>
    members ? [...members] : offered.length > 0 ? [...offered] : otherwise
  return {
    locales: some(settings?.locales, marketplace.locales, NOTHING_OFFERED.locales),
    currencies: some(settings?.currencies, marketplace.currencies, NOTHING_OFFERED.currencies),
    countries: some(settings?.countries, marketplace.countries, NOTHING_OFFERED.countries),
  }
}

function servedLocale(offered: readonly string[], asked: string | undefined, languages: readonly string[]): string {
  if (asked === undefined) return lookUpLocale(languages, offered, offered[0]!)
  const found = matchLocale([asked], offered)
  if (found !== undefined) return found
  const message = `${asked} is not offered here; ${offered.join(', ')} are.`.slice(0, 300)
  return refuse('unsupported_locale', {
    details: [{ in: 'query', pointer: '/locale', code: 'not_allowed', message }],
  })
}

function legalUrl(pagesUrl: string, type: string, locale: string): string {
  return `${pagesUrl}${LEGAL_PATH}?${new URLSearchParams({ type, locale })}`
}
