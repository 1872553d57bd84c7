import type { EventKind } from '@vitrine/contract'
import type { JobHandler } from '../../platform/jobs/index.ts'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type SettledChange, takeSettledChanges } from '../catalog/index.ts'

/** A hundred a second: an import of 19,406 products is told over some three minutes, and other events in between. */
const PRODUCTS_PER_TURN = 500
const TURN_EVERY_MS = 5000

/** What a change of a product is to those who listen, or `null` where it is nothing to them. */
export function kindOfChange({
  wasPublished,
  isPublished,
}: Pick<SettledChange, 'wasPublished' | 'isPublished'>): Extract<EventKind, `catalog.${string}`> | null {
  if (isPublished) return 'catalog.product.updated'
  return wasPublished ? 'catalog.product.deleted' : null
}

interface Listening {
  readonly store_id: string
  readonly kind: string
  readonly environment: 'test' | 'live'
}
const readListening = statement<Listening>(
  'webhooks.read_catalogue_listeners',
  `select distinct asked.store_id, asked.kind, endpoint.environment
   from unnest($1::text[], $2::text[]) as asked (store_id, kind)
   join webhook_endpoints endpoint on endpoint.status = 'enabled' and endpoint.events && array['*', asked.kind]
   join installations installation on installation.id = endpoint.installation_id
   where installation.store_id is null or installation.store_id = asked.store_id`,
)

/**
 * Tells the environments in which somebody listens what has become of products. Where nobody listens, nothing is written:
 * nobody would read it.
 *
 * @returns how many changes it took, and how many events it announced
 */
async function announceChanges(tx: Transaction, context: EventContext, limit: number) {
  const changes = await takeSettledChanges(tx, { now: context.now, limit })
  const told = changes.flatMap((change) => {
    const kind = kindOfChange(change)
    return kind === null ? [] : [{ ...change, kind }]
  })
  if (told.length === 0) return { taken: changes.length, announced: 0 }

  const listening = await tx.rows(readListening, [told.map(({ storeId }) => storeId), told.map(({ kind }) => kind)])
  let announced = 0
  for (const { kind, productId, storeId, slug } of told) {
    for (const each of listening) {
      if (each.store_id !== storeId || each.kind !== kind) continue
      const { environment } = each
      const data = { productId, storeId, slug }
      publishEvent(tx, { kind, environment, installationId: null, storeId, subjectId: productId, data }, context)
      announced += 1
    }
  }
  return { taken: changes.length, announced }
}

/**
 * Announces products that have changed, five hundred at most, and comes back five seconds later. What nobody listens to is
 * taken off as far as there is any.
 */
export const announceCatalogue: JobHandler = async (_job, { database, now, ids }) => {
  let announced = 0
  let taken: number
  do {
    const done = await database.transaction((tx) => announceChanges(tx, { ids, now }, PRODUCTS_PER_TURN))
    taken = done.taken
    announced += done.announced
  } while (taken > 0 && announced < PRODUCTS_PER_TURN)
  return new Date(now.getTime() + TURN_EVERY_MS)
}
