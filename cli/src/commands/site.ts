import { LEGAL_DOCUMENT_TYPES } from '@vitrine/contract'
import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'
import { UsageError } from '../failure.ts'
import type { Answer, Input } from '../operator-client.ts'
import { commaSeparated, oneOf, readJsonFile, readTextFile, time } from '../options.ts'

const LOGO_PIXELS = 400

type NewVersion = NonNullable<Input<'publishLegalDocument'>['body']>
type Channels = NonNullable<Input<'saveContactList'>['body']>['channels']
type Draft = NonNullable<Input<'saveStoreDecorationDraft'>['body']>

interface SiteOptions {
  readonly name: string
  readonly locales?: string[]
  readonly currencies?: string[]
  readonly countries?: string[]
  readonly logo?: string
}
interface LegalOptions {
  readonly type: NewVersion['type']
  readonly version: string
  readonly locale: string
  readonly title: string
  readonly effective?: string
  readonly store?: string
  readonly plain?: boolean
}
interface StoreOption {
  readonly store: string
}

/** `site`, `legal`, `contact` and `decoration`. */
export function addSiteCommands(cli: CommandLine): void {
  addSite(cli)
  addLegal(cli)
  addContact(cli)
  addDecoration(cli)
}

function addSite({ command, group, operator, out }: CommandLine): void {
  const site = group('site', 'name and markets of the site')
  command(site, 'show', 'show the site settings').action(async () => {
    const settings = await operator((client) => client.call('getSite'))
    if (settings.version === 0) {
      out.result(null, ['Nothing is set yet: the site is called Vitrine, and offers what its open stores offer.'])
      return
    }
    const offered = (values?: readonly string[]) => values?.join(', ') ?? 'what the open stores offer'
    out.result(presentSite(settings), [
      settings.name,
      `  languages   ${offered(settings.locales)}`,
      `  currencies  ${offered(settings.currencies)}`,
      `  countries   ${offered(settings.countries)}`,
      `  logo        ${settings.logo?.url ?? 'none'}`,
    ])
  })
  command(site, 'set', 'set the site settings; what you omit is taken from the open stores')
    .requiredOption('--name <name>', 'name')
    .option('--locales <locales>', 'languages, the default first: en,de', commaSeparated)
    .option('--currencies <currencies>', 'currencies, the default first: EUR,USD', commaSeparated)
    .option('--countries <countries>', 'countries, the default first: DE,AT', commaSeparated)
    .option('--logo <url>', 'URL of the logo, 400 by 400 pixels')
    .action(async ({ name, logo, locales, currencies, countries }: SiteOptions) => {
      const offered = {
        ...(locales && { locales }),
        ...(currencies && { currencies }),
        ...(countries && { countries }),
      }
      const picture = logo && { logo: { url: logo, alt: name, width: LOGO_PIXELS, height: LOGO_PIXELS } }
      const saved = await operator((client) => client.call('saveSite', { body: { name, ...offered, ...picture } }))
      out.result(presentSite(saved), [`The site is called ${saved.name} from now on.`])
    })
}

function presentSite({ name, version, ...rest }: Answer<'getSite'>) {
  const { logo = null, locales = null, currencies = null, countries = null } = rest
  return { name, logo, locales, currencies, countries, version }
}

function addLegal({ command, group, operator, out }: CommandLine): void {
  const legal = group('legal', 'legal documents and their versions')
  command(legal, 'publish <file>', 'publish a version in one language; it cannot be changed afterwards')
    .requiredOption('--type <type>', LEGAL_DOCUMENT_TYPES.join(', '), oneOf('--type', LEGAL_DOCUMENT_TYPES))
    .requiredOption('--version <version>', 'name of the version, such as 2026-03-01')
    .requiredOption('--locale <locale>', 'language of the text')
    .requiredOption('--title <title>', 'title')
    .option('--effective <time>', 'when it takes effect; at once by default', time('--effective'))
    .option('--store <slug>', 'store that owns the document; the marketplace by default')
    .option('--plain', 'the text is not Markdown')
    .action(async (file: string, options: LegalOptions) => {
      const { type, version, locale, title, effective, store, plain = false } = options
      const content = { format: plain ? 'plain' : 'markdown', text: await readTextFile(file) } as const
      const scope = { ...(effective && { effectiveAt: effective }), ...(store && { storeSlug: store }) }
      const body = { type, version, locale, title, content, ...scope }
      const { result } = await operator((client) => client.call('publishLegalDocument', { body }))
      out.result({ type, version, locale, result }, [
        result === 'published'
          ? `Published version ${version} of ${type} in ${locale}.`
          : `Version ${version} of ${type} was published with this text already.`,
      ])
    })
  command(legal, 'list', 'list all published versions')
    .option('--store <slug>', 'of this store; of the marketplace by default')
    .action(async ({ store }: { store?: string }) => {
      const query = store === undefined ? {} : { storeSlug: store }
      const { items } = await operator((client) => client.call('listLegalVersions', { query }))
      const shown = items.map(({ standing: _, ...version }) => version)
      const rows = shown.map((each) => [each.type, each.version, each.effectiveAt, each.locales.join(','), each.id])
      const heads = ['TYPE', 'VERSION', 'EFFECTIVE', 'LANGUAGES', 'ID']
      out.table(shown, heads, rows, 'Nothing is published yet: vitrine legal publish FILE …')
    })
}

function addContact({ command, group, operator, out }: CommandLine): void {
  const contact = group('contact', 'contact channels')
  command(contact, 'save <file>', 'save the channels of one language: a JSON list in display order')
    .requiredOption('--locale <locale>', 'language')
    .action(async (file: string, { locale }: { locale: string }) => {
      const channels = (await readJsonFile(file)) as Channels
      await operator((client) => client.call('saveContactList', { params: { locale }, body: { channels } }))
      out.result({ locale, channels: channels.length }, [`Saved ${channels.length} channels in ${locale}.`])
    })
  command(contact, 'list', 'list the channels in each language').action(async () => {
    const { items } = await operator((client) => client.call('listContactLists'))
    const channels = items.flatMap(({ locale, channels: each }) => each.map((channel) => ({ ...channel, locale })))
    const rows = channels.map(({ locale, id, type, label, value }) => [locale, id, type, label, value])
    const none = 'There is no channel yet: vitrine contact save FILE --locale en'
    out.table(channels, ['LANGUAGE', 'ID', 'TYPE', 'LABEL', 'VALUE'], rows, none)
  })
}

function addDecoration({ command, group, operator, out }: CommandLine): void {
  const decoration = group('decoration', 'design of a store: draft, preview, publish')
  const ofStore = (parent: Command) => parent.requiredOption('--store <slug>', 'store')
  const inStore = ({ store: storeSlug }: StoreOption) => ({ params: { storeSlug } })
  const version = (text: string) => {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`A version is a whole number such as 3, not "${text}".`)
    return Number(text)
  }
  ofStore(command(decoration, 'draft <file>', 'save a draft, as JSON'))
    .option('--expected-version <number>', 'refuse if the draft has another version', version)
    .action(async (file: string, { expectedVersion, ...option }: StoreOption & { expectedVersion?: number }) => {
      const draft = (await readJsonFile(file)) as Draft
      const body = { ...draft, ...(expectedVersion !== undefined && { expectedVersion }) }
      const saved = await operator((client) => client.call('saveStoreDecorationDraft', { ...inStore(option), body }))
      const next = `The draft of ${option.store} has version ${saved.version}. See it: vitrine decoration preview`
      out.result(saved, [next])
    })
  ofStore(command(decoration, 'preview', 'show the draft as it would be published'))
    .option('--locale <locale>', 'language', 'en')
    .action(async ({ locale, ...option }: StoreOption & { locale: string }) => {
      const preview = await operator((client) =>
        client.call('previewStoreDecoration', { ...inStore(option), query: { locale } }),
      )
      out.result(preview, [JSON.stringify(preview, null, 2)])
    })
  ofStore(command(decoration, 'publish', 'publish the draft')).action(async (option: StoreOption) => {
    const published = await operator((client) =>
      client.call('publishStoreDecoration', { ...inStore(option), body: {} }),
    )
    const outcome = published.result === 'published' ? 'is published' : 'is published already, with this content'
    out.result(published, [`Version ${published.version} of ${option.store} ${outcome}.`])
  })
  ofStore(command(decoration, 'list', 'list the published versions')).action(async (option: StoreOption) => {
    const { versions } = await operator((client) => client.call('getStoreDecorationDraft', inStore(option)))
    const rows = versions.map((each) => [`${each.version}`, each.publishedAt, each.contentHash])
    out.table(
      versions,
      ['VERSION', 'PUBLISHED', 'HASH'],
      rows,
      'Nothing is published yet: vitrine decoration draft FILE',
    )
  })
  ofStore(command(decoration, 'take-up <version>', 'make an older version the draft again')).action(
    async (text: string, option: StoreOption) => {
      const body = { version: version(text) }
      const saved = await operator((client) => client.call('takeUpStoreDecoration', { ...inStore(option), body }))
      out.result(saved, [`Version ${text} is the draft again. Publish it: vitrine decoration publish`])
    },
  )
}
