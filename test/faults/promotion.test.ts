// test: alone, long: it kills a PostgreSQL and a server.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { migrate } from '@vitrine/server'
import { atFileEnd } from '../support/file-end.ts'
import { testRandomness } from '../support/randomness.ts'
import { factsOf, skusOf, waitingIn } from './facts.ts'
import { violationsOf } from './history.ts'
import { Recorder, type Shopper, shopper } from './load.ts'
import type { Pair } from './pair.ts'
import { startPostgres } from './postgres.ts'
import { openFilledShop, type ShopService, startShopService } from './service.ts'
import { until } from './until.ts'

/*
 * The short form of `npm run test:cluster`: two PostgreSQL servers from npm, which Vitrine reaches by a list of hosts, without proxy.
 */

const SHOPPERS = 3
const READY_MS_MAX = 90_000
/** Limit for the first write after a promotion. */
const BACK_MS_MAX = 10_000
const REST_MS_MAX = 180_000

const { seed, pick } = testRandomness()
const recorder = new Recorder()
let pair: Pair
let service: ShopService
let shoppers: readonly Shopper[]

before(async () => {
  process.stdout.write(`seed ${seed}\n`)
  pair = (await startPostgres({ form: 'pair', folder: null, listensOnLoopback: true })).pair ?? assert.fail('no pair')
  const [primary, standby] = [pair.primary, pair.standby].map(({ networkUrl }) => new URL(networkUrl))
  const hosts = (...urls: URL[]) => `postgres://postgres@${urls.map(({ host }) => host).join()}/vitrine`
  const environment = { DATABASE_URL: hosts(primary!, standby!), DATABASE_READ_URL: hosts(standby!, primary!) }
  await migrate(environment.DATABASE_URL)
  service = await startShopService(await openFilledShop(environment.DATABASE_URL), { environment })
  atFileEnd(() => {
    recorder.isStopped = true
  })
  const sku = await skusOf(service)
  shoppers = await Promise.all(Array.from({ length: SHOPPERS }, () => shopper(service, { recorder, pick, sku })))
})

const isReady = ({ operator }: ShopService['nodes'][number]) => fetch(`${operator}/readyz`).then(({ ok }) => ok)

test('a promoted standby has every acknowledged write, and accepts writes within 10 s without a restart', async () => {
  const journeys = Promise.all(shoppers.map((each) => each.journey()))
  await until('some writes', READY_MS_MAX, async () => recorder.acknowledged >= SHOPPERS * 2)
  await pair.promote()
  const promotedAt = performance.now()
  await until('a write', BACK_MS_MAX, async () => recorder.lastDoneAt > promotedAt)
  for (const node of service.nodes) {
    await until('ready', READY_MS_MAX, () => isReady(node))
    node.assertAlive()
  }
  await journeys
  await Promise.all(shoppers.map((each) => each.settle()))
  const waiting = () => waitingIn(service)
  await until('at rest', REST_MS_MAX, async () => (await waiting()) === '', waiting)
  assert.deepEqual(violationsOf(recorder, await factsOf(service)), [])
})

test('a server starts after a promotion, even if the first of its hosts is gone', async () => {
  const [, node] = service.nodes
  await node.kill()
  await node.start()
  assert.equal(await isReady(node), true)
})
