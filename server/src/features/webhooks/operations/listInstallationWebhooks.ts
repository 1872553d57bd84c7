import { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { WebhookDeps } from '../deps.ts'
import { readStats } from '../endpoints/stats.ts'
import { listEndpoints } from '../endpoints/store.ts'
import { presentEndpoint } from '../endpoints/view.ts'
import { type CursorList, nextPageLink, openPageCursor, PAGE_LIMIT, trimPage } from '../page.ts'

/** GET /api/v1/open/webhooks/endpoints */
export function listInstallationWebhooks({
  cursorSecret,
}: WebhookDeps): Handler<typeof operations.listInstallationWebhooks> {
  return async ({ query }, { reader, principal }) => {
    const { path } = operations.listInstallationWebhooks
    const list: CursorList = { cursorSecret, path, principal, filters: {} }
    const afterId = openPageCursor(list, query.cursor)

    const { shown, lastId } = trimPage(await listEndpoints(reader, principal, { afterId, limit: PAGE_LIMIT + 1 }))
    const stats = await readStats(
      reader,
      shown.map((endpoint) => endpoint.id),
    )

    return {
      operation: 'listInstallationWebhooks',
      status: 'succeeded',
      result: {
        endpoints: shown.map((endpoint) => presentEndpoint(endpoint, stats(endpoint.id))),
        next: nextPageLink(list, lastId),
      },
    }
  }
}
