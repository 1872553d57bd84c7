import { operations } from '@vitrine/contract'
import { ownerKey } from '../../../kernel/owner.ts'
import { hashOfFilters, openCursor, refuseCursor, sealCursor } from '../../../platform/http/cursor.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { listCategories, listCategoriesInUse } from '../reading/categories.ts'
import { listVisibleStores, resolveMarket } from '../reading/market-context.ts'
import { catalogSeenBy } from '../subjects.ts'

/** Categories per page. Most catalogs fit on one page. */
const PAGE = 1000

/** GET /api/v1/open/catalog/categories */
export function listApiKeyCatalogCategories(
  cursorSecret: Secret,
): Handler<typeof operations.listApiKeyCatalogCategories> {
  return async ({ query }, { reader, principal, languages, revisionOf }) => {
    const { path } = operations.listApiKeyCatalogCategories
    const list = hashOfFilters([path, ownerKey(principal)])
    const after = query.cursor === undefined ? null : (openCursor(cursorSecret, list, query.cursor) as string)
    const market = resolveMarket(await listVisibleStores(reader, principal), { languages })

    const categories = await (principal.storeId === null ? listCategories : listCategoriesInUse)(reader, market)

    const at = categories.findIndex((category) => category.id === after)
    if (after !== null && at === -1)
      refuseCursor('expired', 'The last category of the page before is gone. Start again.')
    const from = at + 1
    const data = categories.slice(from, from + PAGE)
    const last = data.at(-1)
    const hasNextPage = last !== undefined && from + PAGE < categories.length
    return {
      data,
      meta: {
        next: hasNextPage ? `${path}?cursor=${sealCursor(cursorSecret, list, last.id)}` : null,
        catalogRevision: revisionOf(catalogSeenBy(principal)),
        locale: market.locale,
      },
    }
  }
}
