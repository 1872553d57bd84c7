import { LEGAL_DOCUMENT_TYPES } from '@vitrine/contract'
import { readDemoFile } from '../../../demo/index.ts'
import {
  type DecorationContent,
  publishDecorationDraft,
  publishLegalDocument,
  type SellerRecord,
  saveContactChannels,
  saveDecorationDraft,
  saveSellerRecord,
  saveSiteSettings,
} from '../../features/storefront/index.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Transaction } from '../../platform/postgres/index.ts'
import { type KnownIds, parseWithIds } from './known-ids.ts'

interface DemoSite {
  readonly known: KnownIds
  readonly ids: IdSource
  readonly now: Date
  /** Replaces the names of pictures with their addresses. */
  readonly linkPictures: (json: string) => string
}

const LOCALES = ['en', 'de'] as const
const LEGAL_VERSION = '2026-11-01'

type Contact = Readonly<Record<(typeof LOCALES)[number], Parameters<typeof saveContactChannels>[1]['channels']>>

type Seller = Omit<SellerRecord, 'storeId' | 'vatIds' | 'representative' | 'phone' | 'version'>

/** Writes the demo's name, legal documents, contact channels, sellers and decorations. */
export async function writeDemoSite(tx: Transaction, { known, ids, now, linkPictures }: DemoSite): Promise<void> {
  await saveSiteSettings(tx, { name: 'Vitrine', locales: [...LOCALES] }, now)
  const contact = JSON.parse(readDemoFile('contact.json')) as Contact
  for (const locale of LOCALES) {
    for (const type of LEGAL_DOCUMENT_TYPES) {
      const document = {
        type,
        version: LEGAL_VERSION,
        locale,
        ...legalText(readDemoFile(`legal/${type}.${locale}.md`)),
      }
      await publishLegalDocument(tx, document, { storeId: null, ids, now })
    }
    saveContactChannels(tx, { locale, channels: contact[locale] }, now)
  }
  const sellers = JSON.parse(readDemoFile('sellers.json')) as Readonly<Record<string, Seller>>
  for (const [slug, storeId] of known.stores) {
    const seller = sellers[slug]
    if (seller) await saveSellerRecord(tx, { ...seller, storeId, vatIds: [], representative: null, phone: null }, now)
    const decoration = linkPictures(readDemoFile(`decorations/${slug}.json`))
    await saveDecorationDraft(tx, storeId, parseWithIds<DecorationContent>(decoration, known), { now })
    await publishDecorationDraft(tx, storeId, { now })
  }
}

/** The heading of a page and the text below it. */
function legalText(page: string) {
  const end = page.indexOf('\n\n')
  const content = { format: 'markdown' as const, text: page.slice(end).trim() }
  return { title: page.slice('# '.length, end), content }
}
