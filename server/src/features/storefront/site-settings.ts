import { Bootstrap, type Image } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import { validate } from '../../platform/http/parse.ts'
import { checker } from '../../platform/http/schema-check.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision, type Revisions } from '../../platform/revisions/revisions.ts'
import { SITE } from './subjects.ts'

const { site, locales, currencies, countries } = Bootstrap.properties

/** Omitted lists default to what the open stores offer. The first of each list is the default. */
export const SiteSettingsInput = Type.Object(
  {
    name: site.properties.name,
    logo: site.properties.logo,
    locales: Type.Optional({ ...locales, minItems: 1 }),
    currencies: Type.Optional({ ...currencies, minItems: 1 }),
    countries: Type.Optional({ ...countries, minItems: 1 }),
  },
  { additionalProperties: false },
)
type SiteSettingsInput = Static<typeof SiteSettingsInput>

export interface SiteSettings {
  readonly name: string
  readonly logo: Image | null
  readonly locales: readonly string[] | null
  readonly currencies: readonly string[] | null
  readonly countries: readonly string[] | null
  readonly version: number
  readonly updated_at: Date
}

/** The name of a site without settings. */
export const DEFAULT_SITE_NAME = 'Vitrine'

const check = checker(SiteSettingsInput)
const read = statement<SiteSettings>(
  'storefront.read_site',
  'select name, logo, locales, currencies, countries, version, updated_at from site_settings',
)
const save = statement<SiteSettings>(
  'storefront.save_site',
  `insert into site_settings (name, logo, locales, currencies, countries, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $6)
   on conflict (only_row) do update set name = excluded.name, logo = excluded.logo, locales = excluded.locales,
     currencies = excluded.currencies, countries = excluded.countries, version = site_settings.version + 1,
     updated_at = excluded.updated_at
   returning name, logo, locales, currencies, countries, version, updated_at`,
)

/** The settings; `null` until first saved. */
export async function readSiteSettings(reader: Reader): Promise<SiteSettings | null> {
  return (await reader.row(read)) ?? null
}

const homeCountry = statement<{ country: string | null }>(
  'storefront.home_country',
  `select coalesce((select countries[1] from site_settings),
     (select countries[1] from stores where status = 'active' order by id limit 1)) as country`,
)

/** The first country that the site sells to, the default of {@link Bootstrap}. `null` without stores. */
export async function readHomeCountry(reader: Reader): Promise<string | null> {
  return (await reader.row(homeCountry))?.country ?? null
}

/**
 * Replaces the settings.
 *
 * Refusals: `validation_failed`, `unknown_field`.
 */
export async function saveSiteSettings(tx: Transaction, input: SiteSettingsInput, now: Date): Promise<SiteSettings> {
  validate(check, SiteSettingsInput, 'body', input)
  const { name, logo, locales, currencies, countries } = input
  const saved = await tx.row(save, [
    name,
    logo ? JSON.stringify(logo) : null,
    locales ?? null,
    currencies ?? null,
    countries ?? null,
    now,
  ])
  bumpRevision(tx, SITE)
  return saved!
}

/** The site's name as of this transaction. For frequent use, see `siteName`. */
export async function readSiteName(reader: Reader): Promise<string> {
  return (await readSiteSettings(reader))?.name ?? DEFAULT_SITE_NAME
}

/** Returns the site's name. */
type SiteName = (reader: Reader) => Promise<string>

/** Caches the site's name, which every page and mail shows, until it changes. */
export function siteName(revisions: Pick<Revisions, 'of'>): SiteName {
  let known: { readonly revision: bigint; readonly name: string } | null = null
  return async (reader) => {
    const revision = revisions.of(SITE)
    if (known?.revision !== revision) {
      known = { revision, name: await readSiteName(reader) }
    }
    return known.name
  }
}

export function presentSite(settings: SiteSettings | null): Static<typeof site> {
  return { name: settings?.name ?? DEFAULT_SITE_NAME, ...(settings?.logo ? { logo: settings.logo } : {}) }
}
