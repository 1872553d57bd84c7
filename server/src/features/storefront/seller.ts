import type { ContactChannel, Decoration, Image } from '@vitrine/contract'
import { type Language, writingFor } from '../../kernel/languages/languages.ts'
import { matchLocale } from '../../kernel/locale.ts'
import { palettesOf } from '../../kernel/palette.ts'
import { type LoadLetterhead, type MailSender, readMailSenders, type SavedSender } from '../../platform/mail/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { RevisionCache } from '../../platform/revisions/revision-cache.ts'
import type { Revisions } from '../../platform/revisions/revisions.ts'
import { readContactChannels } from './contact.ts'
import { type LegalType, legalUrl, servedLocale } from './legal.ts'
import { versionsInForce } from './legal-store.ts'
import { readSellerRecords, type SellerRecord, sellerOf } from './seller-record.ts'
import { DEFAULT_SITE_NAME, readSiteSettings } from './site-settings.ts'
import { CONTACT, decorationOf, LEGAL, SITE, STORES } from './subjects.ts'

/** The seller that shoppers see: the store, or the marketplace if there are several stores or none. */
export interface Seller {
  readonly name: string
  /** The names of the stores. */
  readonly stores: readonly string[]
  readonly logo: Pick<Image, 'url' | 'alt'> | null
  /** The published theme of the store. */
  readonly theme: Decoration['theme'] | null
  readonly contact: readonly SellerContact[]
  /** The documents in force, of the marketplace and of the stores. */
  readonly documents: readonly SellerDocument[]
}

export interface SellerContact {
  readonly type: ContactChannel['type']
  readonly value: string
  readonly url?: string | undefined
}

interface SellerDocument {
  readonly id: string
  readonly type: LegalType
  readonly title: string
}

interface SellerQuery {
  /** Empty: the marketplace. */
  readonly storeIds: readonly string[]
  readonly languages: readonly string[]
  readonly now: Date
}

interface StoreRow {
  readonly id: string
  readonly names: Readonly<Record<string, string>>
  readonly locales: readonly string[]
  readonly logo: { readonly url: string; readonly alt?: Readonly<Record<string, string>> } | null
  readonly contact: { readonly email?: string; readonly phone?: string; readonly url?: string }
  readonly theme: Decoration['theme'] | null
}

const readStores = statement<StoreRow>(
  'storefront.sellers',
  `select id, names, locales, logo, contact,
     (select content -> 'theme' from decorations where store_id = stores.id order by version desc limit 1) as theme
   from stores where id = any ((select $1::text[])::text[]) order by array_position($1::text[], id)`,
)

/** Loads the seller in the best matching language, with four statements at once. */
async function loadSeller(reader: Reader, { storeIds, languages, now }: SellerQuery): Promise<Seller> {
  const [stores, settings, channels, versions] = await Promise.all([
    storeIds.length === 0 ? [] : reader.rows(readStores, [storeIds]),
    readSiteSettings(reader),
    readContactChannels(reader),
    versionsInForce(reader, now, storeIds),
  ])
  const preferred = settings?.locales?.[0] ?? null
  const names = stores.map((store) => textIn(store.names, languages, store.locales[0]) ?? store.id)
  const documents = versions.flatMap(({ id, type, titles, locales, store_id }) => {
    const locale = servedLocale(languages, locales, preferred)
    const title = locale === undefined ? undefined : titles[locale]
    return title === undefined
      ? []
      : [{ id, type, title, owner: names[stores.findIndex((each) => each.id === store_id)] }]
  })
  const only = stores.length === 1 ? stores[0] : undefined
  const site = {
    name: settings?.name ?? DEFAULT_SITE_NAME,
    logo: settings?.logo ?? null,
    contact: channels.get(servedLocale(languages, [...channels.keys()], preferred) ?? '') ?? [],
  }
  const ofStore = only ? contactOf(only) : []
  return {
    name: only ? names[0]! : site.name,
    stores: names,
    logo: only ? logoOf(only, languages) : site.logo,
    theme: only?.theme ?? null,
    contact: ofStore.length > 0 ? ofStore : site.contact.map(({ type, value, url }) => ({ type, value, url })),
    documents: documents
      .map(({ owner, ...document }) => ({
        ...document,
        // The terms of a store apply with those of the marketplace, and often have the same title.
        title:
          owner !== undefined && isRepeated(document.title, documents)
            ? `${document.title} (${owner})`
            : document.title,
      }))
      .toSorted((one, other) => SHOWN.indexOf(one.type) - SHOWN.indexOf(other.type)),
  }
}

/** The imprint has to be easy to find, so it comes first. */
const SHOWN: readonly LegalType[] = [
  'imprint',
  'terms_of_use',
  'return_policy',
  'shipping_policy',
  'privacy_policy',
  'cookie_policy',
]

function isRepeated(title: string, documents: readonly { readonly title: string }[]): boolean {
  return documents.filter((each) => each.title === title).length > 1
}

function textIn(
  texts: Readonly<Record<string, string>> | undefined,
  languages: readonly string[],
  fallback: string | undefined,
): string | undefined {
  const available = Object.keys(texts ?? {}).sort()
  const wanted = fallback === undefined ? languages : [...languages, fallback]
  return texts?.[matchLocale(wanted, available) ?? available[0] ?? '']
}

function logoOf({ logo, locales }: StoreRow, languages: readonly string[]): Seller['logo'] {
  return logo && { url: logo.url, alt: textIn(logo.alt, languages, locales[0]) ?? '' }
}

function contactOf({ contact: { email, phone, url } }: StoreRow): SellerContact[] {
  return [
    ...(email ? [{ type: 'email' as const, value: email, url: `mailto:${email}` }] : []),
    ...(phone ? [{ type: 'phone' as const, value: phone, url: `tel:${phone.replaceAll(/[^+\d]/g, '')}` }] : []),
    ...(url ? [{ type: 'form' as const, value: url, url }] : []),
  ]
}

/** Loads the seller. */
export type LoadSeller = (reader: Reader, query: SellerQuery) => Promise<Seller>

/** Caches the seller, which every page shows, by stores and language until it changes. */
export function sellers(revisions: Pick<Revisions, 'of'>): LoadSeller {
  const cache = new RevisionCache<Seller>(revisions)
  return (reader, query) => {
    const { storeIds, languages } = query
    const ofStores = storeIds.length === 0 ? [] : [STORES, ...storeIds.map(decorationOf)]
    const key = [languages.join(' '), ...storeIds].join('/')
    return cache.get(key, [SITE, LEGAL, CONTACT, ...ofStores], () => loadSeller(reader, query))
  }
}

/** The documents that a mail links to: about its sender, and about the use of the address. */
const IN_MAILS: ReadonlySet<LegalType> = new Set(['imprint', 'privacy_policy'])

/** The letterhead of mails. */
export function letterheads({ pagesUrl, publicUrl }: { pagesUrl: string; publicUrl: string }): LoadLetterhead {
  return async (reader, { storeIds, locale, now }) => {
    const [seller, senders, records] = await Promise.all([
      loadSeller(reader, { storeIds, languages: [locale], now }),
      readMailSenders(reader, storeIds),
      readSellerRecords(reader, storeIds),
    ])
    // The seller of several stores is the marketplace.
    const record = sellerOf(records, storeIds.length === 1 ? storeIds[0]! : '')
    const documents = seller.documents.filter(({ type }) => IN_MAILS.has(type))
    return {
      name: seller.name,
      stores: seller.stores,
      logoUrl: seller.logo?.url ?? null,
      colors: seller.theme && palettesOf(seller.theme),
      imprint: record ? imprintOf(record, locale) : [],
      footer: [
        ...seller.contact.flatMap(({ value, url }) => (url === undefined ? [] : [{ label: value, url }])),
        ...documents.map(({ id, title }) => ({ label: title, url: legalUrl(pagesUrl, { document: id }, locale) })),
      ],
      publicUrl,
      sender: senderOf(seller, senders, storeIds),
    }
  }
}

/** A store sends in its own name, from its own address or else that of the marketplace, and receives the replies. */
function senderOf(seller: Seller, senders: readonly SavedSender[], storeIds: readonly string[]): MailSender {
  const isOfStore = storeIds.length === 1
  const own = senders.find(({ storeId }) => storeId === (isOfStore ? storeIds[0] : null))
  const market = senders.find(({ storeId }) => storeId === null)
  return {
    name: own?.name ?? (isOfStore ? seller.name : null),
    address: own?.address ?? market?.address ?? null,
    replyTo: own?.replyTo ?? seller.contact.find(({ type }) => type === 'email')?.value ?? market?.replyTo ?? null,
  }
}

const imprintTexts: Readonly<Record<Language, { readonly vatId: string; readonly representative: string }>> = {
  en: { vatId: 'VAT ID', representative: 'Represented by' },
  de: { vatId: 'USt-IdNr.', representative: 'Vertreten durch' },
}

/** The countries whose postal code follows the city and the region. */
const CODE_LAST: ReadonlySet<string> = new Set(['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'US'])

/** The sender details that a business letter must have: name, address, register, representative and VAT ids. */
function imprintOf(
  { legalName, address, country, vatIds, registration, representative }: SellerRecord,
  locale: string,
): readonly string[] {
  const { language, locale: named } = writingFor(locale)
  const texts = imprintTexts[language]
  const { line1, line2, postalCode, city, region } = address
  const place = CODE_LAST.has(country) ? [city, region, postalCode] : [postalCode, city]
  const countryName = new Intl.DisplayNames(named, { type: 'region' }).of(country)
  const own = vatIds.toSorted((one, other) => Number(other.country === country) - Number(one.country === country))
  return [
    legalName,
    [line1, line2, place.filter(Boolean).join(' '), countryName].filter(Boolean).join(', '),
    ...(registration === null ? [] : [registration]),
    ...(representative === null ? [] : [`${texts.representative} ${representative}`]),
    ...(own.length === 0 ? [] : [`${texts.vatId}: ${own.map(({ id }) => id).join(', ')}`]),
  ]
}
