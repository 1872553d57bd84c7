/**
 * Runs a shop on a PostgreSQL with failover, takes a part of it down in each round, and compares the answers to shoppers with the
 * data: `npm run test:cluster`.
 *
 *   npm run test:cluster                        every fault once, in an order that the seed determines
 *   CLUSTER_ROUNDS=3 npm run test:cluster       three times
 *   CLUSTER_ONLY=primary npm run test:cluster   faults whose names match
 *   CLUSTER_REACH=hosts npm run test:cluster    by a list of hosts instead of HAProxy
 *   SEED=… npm run test:cluster                 the order and the choices of an earlier run
 *
 * See README.md.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { migrate } from '@vitrine/server'
import { Cluster } from '../../deploy/cluster/cluster.ts'
import type { Machine } from '../../deploy/cluster/machine.ts'
import { factsOf, skusOf, waitingIn } from '../faults/facts.ts'
import { violationsOf } from '../faults/history.ts'
import { Recorder, type Shopper, shopper } from '../faults/load.ts'
import { openFilledShop, type ShopService, startShopService } from '../faults/service.ts'
import { until } from '../faults/until.ts'
import { atFileEnd, endFile } from '../support/file-end.ts'
import { temporaryFolder } from '../support/processes/command.ts'
import { testRandomness } from '../support/randomness.ts'
import { CatalogReader } from './catalog-reader.ts'
import { type ClusterFault, cut, FAULTS, type Target } from './faults.ts'
import { keepLogs } from './logs.ts'
import { backAfterMs, type Round, reportOf } from './report.ts'

const SHOPPERS = 4
/** The maximum number of requests in a round before the fault. */
const REQUESTS_BEFORE = 60
/** Limit for the first write after a promotion, or after a fault without one. */
const BACK_MS_MAX = 10_000
/** `ttl`, an election, and some more because everything runs on one machine. */
const PROMOTION_MS_MAX = 60_000
/** Includes rewinding or copying standbys. */
const COMPLETE_MS_MAX = 180_000
const REST_MS_MAX = 180_000
const LOOK_AGAIN_MS = 50

const { CLUSTER_ROUNDS = '1', CLUSTER_ONLY = '', CLUSTER_REACH = 'proxy' } = process.env
const { seed, pick } = testRandomness()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void endFile().finally(() => process.exit(1)))
}

async function canDropPackets(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  return promisify(execFile)('iptables', ['--version']).then(
    () => true,
    () => false,
  )
}

/** The faults of this run, in a random order. */
async function chosenFaults(): Promise<readonly [string, ClusterFault][]> {
  const packets = await canDropPackets()
  const all = Object.entries(FAULTS).filter(([name]) => new RegExp(CLUSTER_ONLY).test(name))
  const [possible, left] = [all.filter(([, fault]) => packets || !fault.needsPackets), packets ? [] : all]
  for (const [name, { needsPackets }] of left) {
    if (needsPackets) process.stdout.write(`skipped: ${name}. It needs root and iptables\n`)
  }
  const times = Array.from({ length: Number(CLUSTER_ROUNDS) }, () => possible).flat()
  return times
    .map((each) => ({ each, at: pick(2 ** 30) }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each)
}

async function shoppersOf(shop: ShopService, recorder: Recorder): Promise<readonly Shopper[]> {
  const sku = await skusOf(shop)
  return Promise.all(Array.from({ length: SHOPPERS }, () => shopper(shop, { recorder, pick, sku })))
}

/** A load without a pause, until the test ends. @returns a function that stops the load, and rejects if a shopper has failed */
function keepBusy(recorder: Recorder, work: readonly (() => Promise<void>)[]): () => Promise<void> {
  let isOver = false
  const busy = work.map(async (each) => {
    while (!isOver && !recorder.isStopped) await each()
  })
  const all = Promise.all(busy)
  // The function below reports a failure.
  all.catch(() => {})
  return async () => {
    isOver = true
    await all
  }
}

async function promotionAfter({ cluster }: Target, before: Machine): Promise<void> {
  const others = cluster.machines.filter((machine) => machine !== before)
  for (const endsAt = performance.now() + PROMOTION_MS_MAX; ; await pause(LOOK_AGAIN_MS)) {
    const each = await Promise.all(others.map((machine) => machine.isPrimary()))
    if (each.some(Boolean)) return
    if (performance.now() < endsAt) continue
    // If etcd names no synchronous standby, Patroni restarts the old primary: the cluster was not complete.
    const again = (await before.isPrimary()) ? `; ${before.name} is the primary again` : ''
    assert.fail(`nothing else was promoted within ${PROMOTION_MS_MAX} ms${again}`)
  }
}

async function runRound(target: Target, recorder: Recorder, [name, fault]: [string, ClusterFault]): Promise<Round> {
  const strikeAt = recorder.begun + pick(REQUESTS_BEFORE)
  while (recorder.begun < strikeAt) await pause(1)
  const primary = await target.cluster.machineOf('primary')
  process.stdout.write(`${new Date().toISOString()} ${name}\n`)
  const begunAt = performance.now()
  const heal = await fault.strike(target)
  const struckAt = performance.now()
  if (fault.promotes) await promotionAfter(target, primary)
  const promotedAt = fault.promotes ? performance.now() : null
  const from = promotedAt ?? struckAt
  await until(`a write after: ${name}`, BACK_MS_MAX * 3, async () => recorder.lastDoneAt > from)
  await heal()
  await target.cluster.untilComplete(COMPLETE_MS_MAX)
  await until(`both nodes are ready after: ${name}`, BACK_MS_MAX, () => areReady(target.shop))
  for (const node of target.shop.nodes) node.assertAlive()
  return { name, begunAt, struckAt, promotedAt, endedAt: performance.now() }
}

async function areReady({ nodes }: ShopService): Promise<boolean> {
  const each = await Promise.all(nodes.map(({ operator }) => fetch(`${operator}/readyz`).then(({ ok }) => ok)))
  return each.every(Boolean)
}

test('a shop on a cluster keeps every acknowledged write once, and accepts writes within 10 s of a promotion', async () => {
  const folder = await temporaryFolder()
  const started: Started = {}
  try {
    await run(folder, started)
  } catch (error) {
    const logs = await keepLogs(folder, started.cluster?.machines ?? [], started.shop?.nodes ?? [])
    throw new Error(`${(error as Error).message}\n${logs}`, { cause: error })
  }
})

/** The parts that a run has started so far. */
interface Started {
  cluster?: Cluster
  shop?: ShopService
}

async function run(folder: string, started: Started): Promise<void> {
  process.stdout.write(`seed ${seed}\n`)
  const faults = await chosenFaults()
  const cluster = await Cluster.start({ folder })
  atFileEnd(() => cluster.stop())
  started.cluster = cluster
  await migrate(cluster.url)
  const isByProxy = CLUSTER_REACH !== 'hosts'
  const environment = {
    DATABASE_URL: isByProxy ? cluster.url : cluster.hostsUrl,
    DATABASE_READ_URL: isByProxy ? cluster.readUrl : cluster.hostsUrl,
  }
  const shop = await startShopService(await openFilledShop(cluster.url), { environment })
  started.shop = shop
  const recorder = new Recorder()
  atFileEnd(() => {
    recorder.isStopped = true
  })
  const target: Target = { cluster, shop, pick }
  const shoppers = await shoppersOf(shop, recorder)
  const reader = new CatalogReader(shop, recorder)
  const ended = keepBusy(recorder, [...shoppers.map((each) => each.journey), () => reader.read()])
  if (process.getuid?.() === 0) {
    for (const machine of cluster.machines) atFileEnd(() => cut(machine, false).catch(() => {}))
  }
  const rounds: Round[] = []
  for (const fault of faults) {
    rounds.push(await runRound(target, recorder, fault))
    process.stdout.write(`${reportOf(rounds.slice(-1), recorder, reader).at(-1)}\n`)
  }
  await ended()
  await Promise.all(shoppers.map((each) => each.settle()))
  const waiting = () => waitingIn(shop)
  const restMs = await until('at rest', REST_MS_MAX, async () => (await waiting()) === '', waiting)
  const facts = await factsOf(shop)

  const lines = [
    `seed ${seed}: ${rounds.length} rounds, ${recorder.begun} requests, ${recorder.acknowledged} writes acknowledged`,
    `${facts.orders.length} orders, ${facts.events.length} events, ${facts.arrivals.length} arrivals; at rest after ${Math.round(restMs)} ms`,
    ...reportOf(rounds, recorder, reader),
  ]
  for (const line of lines) process.stdout.write(`${line}\n`)
  assert.notEqual(facts.orders.length, 0, 'nothing was sold')
  assert.deepEqual(violationsOf(recorder, facts), [])
  for (const round of rounds) {
    const backMs = backAfterMs(recorder, round)
    assert(backMs <= BACK_MS_MAX, `${round.name}: back after ${Math.round(backMs)} ms`)
  }
}
