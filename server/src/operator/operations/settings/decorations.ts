import type { operatorOperations } from '@vitrine/contract/operator'
import { findStore } from '../../../features/catalog/index.ts'
import {
  type DecorationContent,
  listDecorationVersions,
  previewDecorationDraft,
  publishDecorationDraft,
  readDecorating,
  restoreVersion,
  saveDecorationDraft,
} from '../../../features/storefront/index.ts'
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

export const decorationOperations = {
  getStoreDecorationDraft,
  previewStoreDecoration,
  saveStoreDecorationDraft,
  publishStoreDecoration,
  takeUpStoreDecoration,
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
