import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../test/support/commerce/catalog.ts'
import { opened } from '../../../../test/support/commerce/webhook-endpoints.ts'
import { narrowedClient } from '../../../../test/support/pages/oauth.ts'
import { startWorld, type World } from '../../../../test/support/world.ts'
import type { Environment } from '../../kernel/environment.ts'
import { logger } from '../../platform/observe/logger.ts'
import { statement } from '../../platform/postgres/index.ts'
import { eventKindOf, publishCatalogEvents } from './catalog-events.ts'

const MINUTE_MS = 60_000

let world: World
before(async () => {
  world = await startWorld()
  await world.import([storeLine('mugs'), storeLine('books')])
})

const log = logger('silent')
const publish = () => {
  const { database, ids, clock } = world
  return publishCatalogEvents({} as never, {
    database,
    ids,
    now: clock.now(),
    log,
    signal: new AbortController().signal,
    isStopping: () => false,
  })
}
/** Lets the changes settle, and publishes them. */
async function settle(): Promise<void> {
  world.clock.advance(MINUTE_MS)
  await publish()
}

interface PublishedRow {
  readonly kind: string
  readonly environment: string
  readonly slug: string
  readonly sequence: bigint
}
const readPublished = statement<PublishedRow>(
  'test.published',
  `select kind, environment, product.slug, sequence
   from events, lateral (select convert_from(body, 'UTF8')::jsonb #>> '{data,slug}' as slug) product
   where kind like 'catalog.%' and product.slug like $1 order by id`,
)
const published = (slug: string) => world.database.reader.rows(readPublished, [slug])
const kinds = async (slug: string) => (await published(slug)).map(({ kind, environment }) => `${kind} ${environment}`)
const storeOf = statement<{ id: string }>('test.store', 'select id from stores where slug = $1')
const readWaiting = statement<{ count: bigint }>('test.waiting', 'select count(*) from product_changes')
const listen = async (events: readonly string[], storeSlug?: string, environment: Environment = 'test') =>
  opened(await world.client({ environment, ...(storeSlug !== undefined && { storeSlug }) }), { events })

describe('a change of a product', () => {
  const table = [
    [false, true, 'catalog.product.updated'],
    [true, true, 'catalog.product.updated'],
    [true, false, 'catalog.product.deleted'],
    [false, false, null],
  ] as const
  for (const [wasPublished, isPublished, kind] of table) {
    test(`published ${wasPublished} → ${isPublished}: ${kind ?? 'no event'}`, () =>
      assert.equal(eventKindOf({ wasPublished, isPublished }), kind))
  }

  test('without a subscriber is not published, and not stored for a later one', async () => {
    await world.import([productLine('alone')], 'mugs')
    await settle()
    await listen(['catalog.product.updated'], 'mugs')
    await settle()
    assert.deepEqual(await published('product-alone%'), [])
    assert.deepEqual(await world.database.reader.row(readWaiting), { count: 0n })
  })

  test('is published a minute after the last write, once for all writes', async () => {
    for (const price of [1, 2, 3]) {
      await world.import([productLine('busy', { price })], 'mugs')
      world.clock.advance(MINUTE_MS - 1)
      await publish()
    }
    assert.deepEqual(await kinds('product-busy%'), [])
    world.clock.advance(1)
    await publish()
    assert.deepEqual(await kinds('product-busy%'), ['catalog.product.updated test'])
    await settle()
    assert.equal((await published('product-busy%')).length, 1)
  })

  test('is published after five minutes, even if writes continue', async () => {
    for (let price = 1; price <= 7; price += 1) {
      await world.import([productLine('restless', { price })], 'mugs')
      world.clock.advance(MINUTE_MS - 1000)
      await publish()
    }
    assert.deepEqual(await kinds('product-restless%'), ['catalog.product.updated test'])
  })

  test('that changes nothing is not published', async () => {
    await world.import([productLine('same')], 'mugs')
    await settle()
    await world.import([productLine('same')], 'mugs')
    await settle()
    assert.equal((await published('product-same%')).length, 1)
  })

  test('that unpublishes it is published as deleted', async () => {
    await listen(['catalog.product.deleted'], 'mugs')
    await world.import([productLine('leaving')], 'mugs')
    await settle()
    await world.import([productLine('leaving', { status: 'archived' })], 'mugs')
    await settle()
    await world.import([productLine('hidden', { status: 'draft' })], 'mugs')
    await settle()
    assert.deepEqual(await kinds('product-leaving%'), ['catalog.product.updated test', 'catalog.product.deleted test'])
    assert.deepEqual(await kinds('product-hidden%'), [])
  })

  test('is published in each environment with a subscriber, each with its own sequence', async () => {
    await world.activateProduction()
    await world.import([productLine('twin')], 'mugs')
    await settle()
    await listen(['*'], undefined, 'live')
    await world.import([productLine('twin', { price: 5 })], 'mugs')
    await settle()
    const rows = (await published('product-twin%')).map(({ environment, sequence }) => `${environment} ${sequence}`)
    assert.deepEqual(rows.toSorted(), ['live 1', 'test 1', 'test 2'])
  })

  test('goes to endpoints whose installation can see its store', async () => {
    const [all, mugs, books] = [
      await listen(['*']),
      await listen(['catalog.product.updated'], 'mugs'),
      await listen(['*'], 'books'),
    ]
    await world.import([productLine('seen')], 'mugs')
    await settle()
    await world.app.deliveries.round()
    const deliveries = statement<{ endpoint_id: string }>(
      'test.deliveries_of',
      `select delivery.endpoint_id from webhook_deliveries delivery join events event on event.id = delivery.event_id
       where convert_from(event.body, 'UTF8')::jsonb #>> '{data,slug}' like 'product-seen%' and delivery.endpoint_id = any($1)`,
    )
    const rows = await world.database.reader.rows(deliveries, [[all.id, mugs.id, books.id]])
    assert.deepEqual(new Set(rows.map((row) => row.endpoint_id)), new Set([all.id, mugs.id]))
  })

  test('is not published for those that receive nothing: ended integrations and grants, and those of other goods', async () => {
    const own = await startWorld()
    await own.import([storeLine('mugs'), storeLine('books'), productLine('unheard', { store: 'mugs' })])
    const { database, ids, clock } = own
    const run = (text: string, values: readonly unknown[]) =>
      database.transaction(async (tx) => tx.change({ name: '', text }, values))
    for (const [id, access, endsAt] of [
      ['itg_expired', { catalog: 'read' }, clock.now()],
      ['itg_orders', { orders: 'read' }, null],
    ] as const) {
      await run(
        `insert into integrations (id, name, token_hash, token_hint, access, created_at, expires_at)
         values ($1, $1, sha256(convert_to($1, 'UTF8')), 'abcd', $2::jsonb, '2020-01-01', $3)`,
        [id, JSON.stringify(access), endsAt],
      )
      await run(
        `insert into webhook_endpoints (id, integration_id, environment, slot, url, events, created_at, updated_at)
         values ('whe_' || $1, $1, 'test', 1, 'https://erp.example/', '{*}', $2, $2)`,
        [id, clock.now()],
      )
    }
    for (const slug of ['books', 'mugs']) {
      const store = await database.reader.row(storeOf, [slug])
      await opened(await narrowedClient(own, (await own.client()).installationId, store!.id))
    }
    await run("update oauth_grants set ends_at = $1 where store_id = (select id from stores where slug = 'mugs')", [
      new Date(clock.now().getTime() + 1),
    ])

    clock.advance(MINUTE_MS)
    await publishCatalogEvents({} as never, {
      database,
      ids,
      now: clock.now(),
      log,
      signal: new AbortController().signal,
      isStopping: () => false,
    })

    assert.deepEqual(await database.reader.rows(readPublished, ['product-unheard%']), [])
  })

  test('of many products is published in batches of 500, so that other events are not held up', async () => {
    const lines = Array.from({ length: 1200 }, (_, index) => productLine(`many-${index}`))
    await world.import(lines, 'books')
    const counts: number[] = []
    world.clock.advance(MINUTE_MS)
    for (let turns = 0; turns < 4; turns += 1) {
      await publish()
      counts.push((await published('product-many-%')).filter(({ environment }) => environment === 'test').length)
    }
    assert.equal(counts.at(-1), 1200)
    assert(counts[0]! < 1200, `${counts}`)
  })
})
