import type { operatorOperations } from '@vitrine/contract/operator'
import { findStore, lockStore } from '../../../features/catalog/index.ts'
import {
  type DecorationContent,
  listDecorationVersions,
  PLAIN_THEME,
  previewDecorationDraft,
  publishColor,
  publishDecorationDraft,
  readDecorating,
  restoreVersion,
  saveDecorationDraft,
} from '../../../features/storefront/index.ts'
import { contrast, type Palette, palettesOf } from '../../../kernel/palette.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/stores/{storeSlug}/decoration */
const getStoreDecorationDraft: OperatorHandler<Rows['getStoreDecorationDraft']> = async ({ params }, { reader }) => {
  const storeId = await storeIdOf(reader, params.storeSlug)
  const [{ draft, published }, versions] = await Promise.all([
    readDecorating(reader, storeId),
    listDecorationVersions(reader, storeId),
  ])
  return {
    ...(draft && {
      draft: { content: draft.content, version: draft.version, updatedAt: draft.updated_at.toISOString() },
    }),
    ...(published && {
      published: {
        content: published.content,
        version: published.version,
        publishedAt: published.published_at.toISOString(),
      },
    }),
    versions: versions.map((each) => ({ ...each, publishedAt: each.publishedAt.toISOString() })),
  }
}

/** GET /operator/v1/stores/{storeSlug}/decoration/preview */
const previewStoreDecoration: OperatorHandler<Rows['previewStoreDecoration']> = async (
  { params, query },
  { reader, now },
) => {
  return previewDecorationDraft(reader, await storeIdOf(reader, params.storeSlug), { languages: [query.locale], now })
}

/** PUT /operator/v1/stores/{storeSlug}/decoration/draft */
const saveStoreDecorationDraft: OperatorHandler<Rows['saveStoreDecorationDraft']> = async (
  { params, body },
  { tx, now, audit },
) => {
  const { expectedVersion, ...content } = body
  const storeId = await storeIdOf(tx, params.storeSlug)
  const { draft } = await readDecorating(tx, storeId)
  const saved = await saveDecorationDraft(tx, storeId, content, { expectedVersion, now })
  audit({
    subject: { type: 'decoration', id: storeId },
    before: draft && { version: draft.version, ...outlineOf(draft.content) },
    after: { version: saved.version, ...outlineOf(content) },
  })
  return saved
}

/** POST /operator/v1/stores/{storeSlug}/decoration/publish */
const publishStoreDecoration: OperatorHandler<Rows['publishStoreDecoration']> = async (
  { params, body },
  { tx, now, audit },
) => {
  const storeId = await storeIdOf(tx, params.storeSlug)
  const { published } = await readDecorating(tx, storeId)
  const { expectedVersion } = body
  const done = await publishDecorationDraft(tx, storeId, { expectedVersion, now })
  audit({
    subject: { type: 'decoration', id: storeId },
    before: { published: published?.version ?? null },
    after: { published: done.version },
  })
  return done
}

/** POST /operator/v1/stores/{storeSlug}/decoration/take-up */
const takeUpStoreDecoration: OperatorHandler<Rows['takeUpStoreDecoration']> = async (
  { params, body },
  { tx, now, audit },
) => {
  const storeId = await storeIdOf(tx, params.storeSlug)
  const { draft } = await readDecorating(tx, storeId)
  const { version, expectedVersion } = body
  const saved = await restoreVersion(tx, storeId, version, { expectedVersion, now })
  audit({
    subject: { type: 'decoration', id: storeId },
    before: { version: draft?.version ?? null },
    after: { version: saved.version, from: version },
  })
  return saved
}

/** POST /operator/v1/stores/{storeSlug}/branding/preview */
const previewStoreBranding: OperatorHandler<Rows['previewStoreBranding']> = async ({ params, body }, { reader }) => {
  const { published } = await readDecorating(reader, await storeIdOf(reader, params.storeSlug))
  const { primaryColor } = body
  const { light, dark } = palettesOf({ ...(published?.content.theme ?? PLAIN_THEME), primaryColor })
  return { light: presentLook(light, primaryColor), dark: presentLook(dark, primaryColor) }
}

/** PUT /operator/v1/stores/{storeSlug}/branding */
const saveStoreBranding: OperatorHandler<Rows['saveStoreBranding']> = async ({ params, body }, { tx, now, audit }) => {
  const { id, slug, names, locales } = (await lockStore(tx, params.storeSlug)) ?? refuse('not_found')
  const { published } = await readDecorating(tx, id)
  const { primaryColor, expectedVersion } = body
  const [locale = 'en'] = locales
  const done = await publishColor(tx, { id, name: names[locale] ?? slug, locale }, primaryColor, {
    expectedVersion,
    now,
  })
  audit({
    subject: { type: 'decoration', id },
    before: { published: published?.version ?? null, primaryColor: published?.content.theme.primaryColor ?? null },
    after: { published: done.version, primaryColor },
  })
  return done
}

export const decorationOperations = {
  previewStoreBranding,
  saveStoreBranding,
  getStoreDecorationDraft,
  previewStoreDecoration,
  saveStoreDecorationDraft,
  publishStoreDecoration,
  takeUpStoreDecoration,
}

function presentLook({ paper, card, ink, soft, line, accent, onAccent }: Palette, chosen: string) {
  const colors = { paper, card, ink, soft, line, accent, onAccent }
  return { ...colors, contrast: contrast(chosen, card).toFixed(1), isAdjusted: accent !== chosen }
}

async function storeIdOf(reader: Reader, slug: string): Promise<string> {
  return ((await findStore(reader, slug)) ?? refuse('not_found')).id
}

/** The fields of a draft for the audit log: its theme and the number of blocks per page. Published versions are stored as a whole. */
function outlineOf({ theme, pages }: DecorationContent) {
  const blocks = Object.entries(pages).flatMap(([locale, each]) =>
    each.map(({ slug, blocks: list }) => [`${locale}/${slug}`, list.length] as const),
  )
  return { theme, blocks: Object.fromEntries(blocks) }
}
