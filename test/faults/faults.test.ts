// test: alone, long: it kills servers, and waits for timeouts.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { atFileEnd } from '../support/file-end.ts'
import { testRandomness } from '../support/randomness.ts'
import { runsOf } from '../support/runs.ts'
import { factsOf, skusOf, waitingIn } from './facts.ts'
import { FAULT_NAMES, FAULTS, type Fault, type FaultName } from './faults.ts'
import { violationsOf } from './history.ts'
import { Recorder, type Shopper, shopper } from './load.ts'
import { type FaultyService, MEANS, startFaultyService } from './service.ts'
import { until } from './until.ts'

/*
 * A shop under load keeps its promises while its processes and network fail, one fault per round: see README.md.
 */

/**
 * The rounds of the short form: one fault of each main kind. The faults of a round follow one another, so that one wait is enough for
 * both. test/races/crash-matrix.test.ts covers the kill of a single server.
 */
const SHORT: readonly (readonly FaultName[])[] = [
  // First, so that the leases of the killed server expire during the other rounds.
  ['the standby is lost', 'a server and the postmaster are killed'],
  ['a COMMIT is cut after PostgreSQL has answered it', 'a backend is killed'],
  ['all connections are reset', 'the postmaster is killed'],
  ['a COMMIT vanishes', 'all connections fall silent'],
]
const { FAULTS_ROUNDS, FAULTS_MINUTES, FAULTS_ONLY } = process.env
const ROUNDS = Number(FAULTS_ROUNDS ?? runsOf({ full: 200, short: SHORT.length }))
/** The duration of a soak test, which also checks memory and queues; 0 for a test of rounds. */
const MINUTES = Number(FAULTS_MINUTES ?? 0)
/** Only faults with these names. */
const ONLY = FAULTS_ONLY ? new RegExp(FAULTS_ONLY) : null
const isShort = MINUTES === 0 && FAULTS_ROUNDS === undefined && ROUNDS === SHORT.length
const SHOPPERS = isShort ? 3 : 8
/** The maximum number of requests in a round before the fault: those of a journey. */
const REQUESTS_BEFORE = SHOPPERS * 12
/** A server takes 2 s to start, and 14 s on a busy machine; a silent connection is given up after 20 s. */
const RECOVERY_MS_MAX = 90_000
/** A server that reports to be ready accepts writes within the longest time of an answer. */
const WRITE_MS_MAX = 60_000
/** Some faults last until PostgreSQL notices that a client is gone. */
const STRIKE_MS_MAX = 120_000
/** The leases of dead processes take a minute. */
const REST_MS_MAX = 180_000

/** A shorter soak test says nothing about memory, because a server needs some minutes to warm up. */
const SOAK_MINUTES_MIN = 10
const MEMORY_GROWTH_MAX = 1.1
const SOAK_REST_MS_MAX = 60_000

let service: FaultyService
let shoppers: readonly Shopper[]
/** The faults that this machine can inject. */
let choice: readonly FaultName[]
const recorder = new Recorder()
const { seed, pick } = testRandomness()

before(async () => {
  process.stdout.write(`seed ${seed}\n`)
  service = await startFaultyService({ isShort })
  const missing = (name: FaultName) => {
    const { needs }: Fault = FAULTS[name]
    return needs && service.means[needs] === null ? needs : null
  }
  choice = FAULT_NAMES.filter((name) => !missing(name) && (!ONLY || ONLY.test(name)))
  assert.notEqual(choice.length, 0, 'no fault is left')
  for (const name of FAULT_NAMES) {
    const needs = missing(name)
    if (needs && !isShort) process.stdout.write(`skipped: ${name}. It needs ${MEANS[needs]}\n`)
  }
  // The memory of the first server is measured, so it is never killed.
  if (MINUTES > 0) service.victims.shift()
  const sku = await skusOf(service)
  atFileEnd(() => {
    recorder.isStopped = true
  })
  shoppers = await Promise.all(Array.from({ length: SHOPPERS }, () => shopper(service, { recorder, pick, sku })))
})

const isReady = async () => {
  const answers = service.nodes.map(({ operator }) =>
    fetch(`${operator}/readyz`).then(
      ({ status }) => status,
      () => 0,
    ),
  )
  return (await Promise.all(answers)).every((status) => status === 200)
}

async function strike(names: readonly FaultName[]): Promise<void> {
  for (const name of names) await FAULTS[name](service, pick)
}

/** @returns the time from the start of the fault until the service was ready again, in milliseconds */
async function round(names: readonly FaultName[]): Promise<number> {
  const name = names.join(', then ')
  const journeys = Promise.all(shoppers.map((each) => each.journey()))
  let isOver = false
  void journeys.finally(() => {
    isOver = true
  })
  const strikeAt = recorder.begun + pick(REQUESTS_BEFORE)
  while (recorder.begun < strikeAt && !isOver) await pause(1)
  const struckAt = performance.now()
  const fault = strike(names)
  // A fault that waits for a COMMIT may miss those of this round.
  await Promise.race([fault, journeys])
  await until(`ready after ${name}`, RECOVERY_MS_MAX, isReady)
  const readyAt = performance.now()
  const writing = (async () => {
    await journeys
    while (recorder.lastDoneAt < readyAt) await shoppers[0]?.journey()
  })()
  await until(`a write after ${name}`, WRITE_MS_MAX, async () => recorder.lastDoneAt >= readyAt)
  await writing
  // A further journey gives a waiting fault its COMMIT.
  let isStruck = false
  void fault.finally(() => {
    isStruck = true
  })
  await Promise.resolve()
  while (!isStruck) {
    assert(performance.now() - struckAt < STRIKE_MS_MAX, `${name}: it has not ended`)
    await shoppers[0]?.journey()
  }
  await fault
  await until(`ready at the end of ${name}`, RECOVERY_MS_MAX, isReady)
  for (const node of service.nodes) node.assertAlive()
  return readyAt - struckAt
}

/** @see proc_pid_status(5), VmRSS */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

test('a service under faults keeps every acknowledged write once, and has no effects that were never requested', async (t) => {
  const tookMs = new Map<string, number[]>()
  const endsAt = performance.now() + MINUTES * 60_000
  const isOn = (rounds: number) => (MINUTES > 0 ? performance.now() < endsAt : rounds < ROUNDS)
  const memory: number[] = []
  let rounds = 0
  for (; isOn(rounds); rounds += 1) {
    const names = (isShort && SHORT[rounds]) || [choice[pick(choice.length)]!]
    const took = await round(names)
    memory.push(await residentMegabytes(service.nodes[0].pid()))
    const name = names.join(', then ')
    tookMs.set(name, [...(tookMs.get(name) ?? []), took])
    t.diagnostic(`${rounds + 1}. ${name}: ready after ${Math.round(took)} ms; ${recorder.acknowledged} acknowledged`)
  }
  await Promise.all(shoppers.map((each) => each.settle()))
  const waiting = () => waitingIn(service)
  const restMs = await until('at rest', REST_MS_MAX, async () => (await waiting()) === '', waiting)

  const warm = median(memory.slice(memory.length / 4, memory.length / 2))
  const last = median(memory.slice((memory.length * 3) / 4))
  const facts = await factsOf(service)
  const outcomes = Map.groupBy(recorder.writes, ({ attempts }) => attempts.at(-1)?.outcome ?? 'none')
  const lines = [
    `seed ${seed}, ${service.postgres.name}: ${rounds} rounds, ${recorder.begun} requests, ${recorder.acknowledged} writes acknowledged`,
    `last answers: ${[...outcomes].map(([outcome, writes]) => `${outcome} ${writes.length}`).join(', ')}`,
    `${facts.orders.length} orders, ${facts.events.length} events, ${facts.arrivals.length} arrivals; at rest after ${Math.round(restMs)} ms`,
    `memory of a server: ${warm} MB when warm, ${last} MB at the end`,
    ...[...tookMs].map(
      ([name, each]) => `${name}: ${each.length} times, ready after ${Math.round(Math.max(...each))} ms at most`,
    ),
  ]
  for (const line of lines) process.stdout.write(`${line}\n`)
  assert.notEqual(facts.orders.length, 0, 'nothing was sold')
  assert.deepEqual(violationsOf(recorder, facts), [])
  if (MINUTES < SOAK_MINUTES_MIN) return
  assert(last <= warm * MEMORY_GROWTH_MAX, `its memory grew from ${warm} to ${last} MB`)
  assert(restMs <= SOAK_REST_MS_MAX, `its queues were empty after ${restMs} ms`)
})
