import {
  type Both,
  contactChannels,
  type DemoBlock,
  type DemoDecoration,
  type DemoStore,
  decorations,
  drawn,
  LEGAL_VERSION,
  legalDocuments,
  pictureIn,
  stores,
} from '../../../demo/index.ts'
import {
  type DecorationContent,
  publishDecorationDraft,
  publishLegalDocument,
  saveContactChannels,
  saveDecorationDraft,
  saveSiteSettings,
} from '../../features/storefront/index.ts'
import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Transaction } from '../../platform/postgres/index.ts'
import type { KnownIds } from './demo-rules.ts'

/** What the site's own content is written with. */
interface DemoSite {
  readonly known: KnownIds
  readonly ids: IdSource
  readonly now: Date
  readonly pagesUrl: string
}

const LOCALES = ['en', 'de'] as const
type Column = 0 | 1

/** Writes the demo's name, legal documents, contact and decorations. */
export async function writeDemoSite(tx: Transaction, site: DemoSite): Promise<void> {
  const { known, ids, now } = site
  await saveSiteSettings(tx, { name: 'Vitrine', locales: [...LOCALES] }, now)
  for (const [column, locale] of LOCALES.entries()) {
    const text = (both: Both) => both[column as Column]
    for (const { type, title, text: body } of legalDocuments) {
      const content = { format: 'markdown', text: text(body) } as const
      const published = { type, version: LEGAL_VERSION, locale, title: text(title), content }
      await publishLegalDocument(tx, published, { storeId: null, ids, now })
    }
    saveContactChannels(tx, { locale, channels: contactChannels.map((channel) => channelIn(channel, text)) }, now)
  }
  for (const store of stores) {
    const storeId = present(known.stores.get(store.slug), store.slug)
    const decoration = present(decorations[store.slug], `the decoration of ${store.slug}`)
    await saveDecorationDraft(tx, storeId, contentOf(decoration, store, site), { now })
    await publishDecorationDraft(tx, storeId, { now })
  }
}

type InOneLanguage = (both: Both) => string

function channelIn({ id, type, label, value, url, hours }: (typeof contactChannels)[number], text: InOneLanguage) {
  return {
    id,
    type,
    label: text(label),
    value: text(value),
    ...(url && { url: text(url) }),
    ...(hours && { hours: text(hours) }),
    languages: ['en', 'de'],
  }
}

function contentOf({ theme, pages }: DemoDecoration, store: DemoStore, site: DemoSite): DecorationContent {
  const inLanguage = (text: InOneLanguage) =>
    pages.map(({ slug, title, blocks }) => ({
      slug,
      title: text(title),
      blocks: blocks.map((block, index) => blockOf(block, `${block.type}-${index + 1}`, { text, store, site })),
    }))
  return { theme, pages: { en: inLanguage(([en]) => en), de: inLanguage(([, de]) => de) } }
}

interface Drawing {
  readonly text: InOneLanguage
  readonly store: DemoStore
  readonly site: DemoSite
}

type Block = DecorationContent['pages'][string][number]['blocks'][number]

function blockOf(block: DemoBlock, id: string, drawing: Drawing): Block {
  const { text, site } = drawing
  switch (block.type) {
    case 'hero':
      return {
        id,
        type: 'hero',
        props: { heading: text(block.heading), text: text(block.text), image: imageOf(block.product, drawing) },
      }
    case 'text':
      return { id, type: 'rich_text', props: { content: { format: 'markdown', text: text(block.text) } } }
    case 'beside':
      return {
        id,
        type: 'columns',
        props: { columns: 2 },
        children: [
          { id: `${id}-image`, type: 'image', props: { image: imageOf(block.product, drawing) } },
          {
            id: `${id}-text`,
            type: 'rich_text',
            props: { content: { format: 'markdown', text: text(block.text) } },
          },
        ],
      }
    case 'products':
      return {
        id,
        type: 'product_list',
        props: { heading: text(block.heading), productIds: idsOf(block.products, site.known.products) },
      }
    case 'categories':
      return {
        id,
        type: 'category_list',
        props: { heading: text(block.heading), categoryIds: idsOf(block.categories, site.known.categories) },
      }
    case 'banner':
      return { id, type: 'banner', props: { text: text(block.text), tone: block.tone } }
    case 'divider':
      return { id, type: 'divider', props: { style: 'space' } }
  }
}

function idsOf(slugs: readonly string[], known: ReadonlyMap<string, string>): string[] {
  return slugs.map((slug) => present(known.get(slug), slug))
}

function imageOf(slug: string, { text, store, site }: Drawing) {
  const product = present(
    store.products.find((each) => each.slug === slug),
    slug,
  )
  const { path } = drawn(pictureIn(product, product.colours?.[0] ?? null), store.backdrop)
  return { url: `${site.pagesUrl}${path}`, alt: text(product.name), width: 800, height: 800 }
}
