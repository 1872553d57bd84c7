import type { operations } from '@vitrine/contract'
import type { Environment } from '../../../kernel/environment.ts'
import { lookUpLocale, matchLocale } from '../../../kernel/locale.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { publicCapabilities } from '../../installations/index.ts'
import { defaultLocaleOf, type ReadMarketplace } from '../default-locale.ts'
import { legalUrl } from '../legal.ts'
import { headsInForce } from '../read-legal.ts'
import { presentSite, readSiteSettings, type SiteSettings } from '../site-settings.ts'
import { LEGAL, READINESS, SITE } from '../subjects.ts'

export interface BootstrapDeps {
  readonly readMarketplace: ReadMarketplace
  /** Whether mails leave the service. Without SMTP they stay in the operator's mailbox. */
  readonly sendsMail: boolean
  /** The revision subject of the promotions of all owners, and whether an active promotion has a code. */
  readonly promotionCodes: { readonly subject: string; exist(reader: Reader): Promise<boolean> }
  /** Whether a payment method accepts one of the currencies. */
  readonly takesPayments: (reader: Reader, environment: Environment, currencies: readonly string[]) => Promise<boolean>
  /** The base URL of the hosted pages, without a trailing slash. */
  readonly pagesUrl: string
}

/** GET /api/v1/bootstrap */
export function getBootstrap(deps: BootstrapDeps): Handler<typeof operations.getBootstrap> {
  return async ({ query }, context) => {
    context.dependsOn(SITE)
    context.dependsOn(LEGAL)
    context.dependsOn(READINESS)
    context.dependsOn(deps.promotionCodes.subject)
    const { reader, now, languages, environment } = context
    const [settings, marketplace, capabilities, hasCodes] = await Promise.all([
      readSiteSettings(reader),
      deps.readMarketplace(context),
      publicCapabilities(reader),
      deps.promotionCodes.exist(reader),
    ])
    const isActivated = capabilities.some(({ id, available }) => id === 'production_activation' && available)
    const offered = offeredBy(settings, marketplace)
    const defaultLocale = defaultLocaleOf(marketplace, settings)
    const legal = await headsInForce(reader, { now, languages, defaultLocale })
    const locale = servedLocale(offered.locales, query.locale, { languages, defaultLocale })
    return {
      site: presentSite(settings),
      locale,
      ...offered,
      defaults: {
        locale: defaultLocale,
        currency: offered.currencies[0]!,
        country: offered.countries[0]!,
      },
      categories: await marketplace.categoriesIn([locale, ...languages]),
      links: {
        legal: legal.map(({ type, title }) => ({ type, title, url: legalUrl(deps.pagesUrl, { type }, locale) })),
        contact: '/api/v1/public/contact',
      },
      features: {
        registration: deps.sendsMail,
        passwordReset: deps.sendsMail,
        search: marketplace.hasStores,
        promotions: hasCodes,
        hostedCheckout:
          (environment === 'test' || isActivated) &&
          (await deps.takesPayments(reader, environment, offered.currencies)),
      },
    }
  }
}

/** The defaults of a marketplace without stores. */
const DEFAULTS = { locales: ['en'], currencies: ['EUR'], countries: ['DE'] }

function offeredBy(
  settings: SiteSettings | null,
  marketplace: Awaited<ReturnType<ReadMarketplace>>,
): { locales: string[]; currencies: string[]; countries: string[] } {
  const some = (members: readonly string[] | null | undefined, offered: readonly string[], otherwise: string[]) =>
    members ? [...members] : offered.length > 0 ? [...offered] : otherwise
  return {
    locales: some(settings?.locales, marketplace.locales, DEFAULTS.locales),
    currencies: some(settings?.currencies, marketplace.currencies, DEFAULTS.currencies),
    countries: some(settings?.countries, marketplace.countries, DEFAULTS.countries),
  }
}

function servedLocale(
  offered: readonly string[],
  requested: string | undefined,
  { languages, defaultLocale }: { readonly languages: readonly string[]; readonly defaultLocale: string },
): string {
  if (requested === undefined) return lookUpLocale(languages, offered, defaultLocale)
  const found = matchLocale([requested], offered)
  if (found !== undefined) return found
  const message = `${requested} is not available. Available: ${offered.join(', ')}.`.slice(0, 300)
  return refuse('unsupported_locale', { faults: [{ field: 'locale', code: 'not_allowed', message }] })
}
