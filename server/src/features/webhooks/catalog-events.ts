import type { EventKind } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { JobHandler } from '../../platform/jobs/index.ts'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { claimSettledChanges, type SettledChange } from '../catalog/index.ts'

/** A hundred per second: the events of an import of 19,406 products take about three minutes and do not hold up others. */
const PRODUCTS_PER_RUN = 500
const RUN_INTERVAL_MS = 5000

/** The event to publish for a product change; `null` if the product was not visible before or after. */
export function eventKindOf({
  wasPublished,
  isPublished,
}: Pick<SettledChange, 'wasPublished' | 'isPublished'>): Extract<EventKind, `catalog.${string}`> | null {
  if (isPublished) return 'catalog.product.updated'
  return wasPublished ? 'catalog.product.deleted' : null
}

interface Subscription {
  readonly store_id: string
  readonly kind: string
  readonly environment: Environment
}
const readSubscriptions = statement<Subscription>(
  'webhooks.read_catalogue_listeners',
  `select distinct asked.store_id, asked.kind, endpoint.environment
   from unnest($1::text[], $2::text[]) as asked (store_id, kind)
   join webhook_endpoints endpoint on endpoint.status = 'enabled' and endpoint.events && array['*', asked.kind]
   join installations installation on installation.id = endpoint.installation_id and installation.status = 'active'
   left join oauth_grants granted on granted.id = endpoint.grant_id
   where (installation.store_id is null or installation.store_id = asked.store_id)
     and (endpoint.grant_id is null or granted.store_id = asked.store_id and granted.ends_at > $3)
   union
   select asked.store_id, asked.kind, endpoint.environment
   from unnest($1::text[], $2::text[]) as asked (store_id, kind)
   join webhook_endpoints endpoint on endpoint.status = 'enabled' and endpoint.events && array['*', asked.kind]
   join integrations integration on integration.id = endpoint.integration_id and integration.access ? 'catalog'
     and (integration.expires_at is null or integration.expires_at > $3)
   where integration.store_id is null or integration.store_id = asked.store_id`,
)

/**
 * Publishes product changes in the environments that have subscribers. Without a subscriber no event is stored.
 *
 * @returns the numbers of claimed changes and published events
 */
async function publishChanges(tx: Transaction, context: EventContext, limit: number) {
  const claimed = await claimSettledChanges(tx, { now: context.now, limit })
  const changes = claimed.flatMap((change) => {
    const kind = eventKindOf(change)
    return kind === null ? [] : [{ ...change, kind }]
  })
  if (changes.length === 0) return { claimed: claimed.length, published: 0 }

  const subscriptions = await tx.rows(readSubscriptions, [
    changes.map(({ storeId }) => storeId),
    changes.map(({ kind }) => kind),
    context.now,
  ])
  let published = 0
  for (const { kind, productId, storeId, slug } of changes) {
    for (const { store_id, kind: subscribed, environment } of subscriptions) {
      if (store_id !== storeId || subscribed !== kind) continue
      const data = { productId, storeId, slug }
      publishEvent(tx, { kind, environment, installationId: null, storeId, subjectId: productId, data }, context)
      published += 1
    }
  }
  return { claimed: claimed.length, published }
}

/** Publishes settled product changes, and runs again five seconds later. The limit does not count changes without subscribers. */
export const publishCatalogEvents: JobHandler = async (_job, { database, now, ids }) => {
  let published = 0
  let claimed: number
  do {
    const done = await database.transaction((tx) => publishChanges(tx, { ids, now }, PRODUCTS_PER_RUN))
    claimed = done.claimed
    published += done.published
  } while (claimed > 0 && published < PRODUCTS_PER_RUN)
  return new Date(now.getTime() + RUN_INTERVAL_MS)
}
