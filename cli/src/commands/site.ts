import { readSiteSettings, type SiteSettings, saveSiteSettings } from '@vitrine/server'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'

const LOGO_PIXELS = 400

function viewSettings(settings: SiteSettings) {
  const { name, logo, locales, currencies, countries, version } = settings
  return { name, logo, locales, currencies, countries, version }
}

/** `vitrine site show`: what was said of the site. */
export async function showSiteCommand(output: Output): Promise<void> {
  const settings = await inHouse(output, ({ database }) => readSiteSettings(database.reader))
  if (!settings) {
    output.result(null, [
      'Nothing was said of the site yet: it is called Vitrine, and offers what its open stores offer.',
    ])
    return
  }
  const offered = (values: readonly string[] | null) => values?.join(', ') ?? 'what the open stores offer'
  output.result(viewSettings(settings), [
    settings.name,
    `  languages   ${offered(settings.locales)}`,
    `  currencies  ${offered(settings.currencies)}`,
    `  countries   ${offered(settings.countries)}`,
    `  logo        ${settings.logo?.url ?? 'none'}`,
  ])
}

export interface SiteOptions {
  readonly name: string
  readonly locales?: string
  readonly currencies?: string
  readonly countries?: string
  readonly logo?: string
}

/** `vitrine site set`: says what the site is. */
export async function setSiteCommand(options: SiteOptions, output: Output): Promise<void> {
  const { name, logo } = options
  const offered = Object.fromEntries(
    (['locales', 'currencies', 'countries'] as const).flatMap((each) => {
      const text = options[each]
      return text === undefined ? [] : [[each, text.split(',').map((value) => value.trim())]]
    }),
  )
  const picture = logo === undefined ? {} : { logo: { url: logo, alt: name, width: LOGO_PIXELS, height: LOGO_PIXELS } }
  const saved = await inHouse(output, ({ database, now }) =>
    database.transaction((tx) => saveSiteSettings(tx, { name, ...picture, ...offered }, now())),
  )
  output.result(viewSettings(saved), [`The site is called ${saved.name} from now on.`])
}
