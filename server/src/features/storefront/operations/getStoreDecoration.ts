import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { STORES } from '../../access/index.ts'
import { presentDecoration } from '../decoration.ts'
import { findActiveStore, latestDecoration } from '../decoration-store.ts'
import { decorationOf } from '../subjects.ts'

/** GET /api/v1/storefront-decorations/merchants/{slug} */
export const getStoreDecoration: Handler<typeof operations.getStoreDecoration> = async ({ params }, context) => {
  const { reader, dependsOn, languages } = context
  dependsOn(STORES)
  const store = await findActiveStore(reader, params.slug)
  if (!store) refuse('not_found')
  dependsOn(decorationOf(store.id))
  const row = await latestDecoration(reader, store.id)
  if (!row) refuse('not_found')
  const { version, published_at: publishedAt, content } = row
  return presentDecoration({ storeId: store.id, version, publishedAt, content }, languages, store.locales[0] ?? null)
}
