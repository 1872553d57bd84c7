/**
 * Runs test files one after another in this process, as scripts/test.js sends their names, and sends back their events.
 *
 * Each `run()` makes a root of its own, so the hooks and tests at the top of a file are that file's alone. It ends when
 * nothing is left that keeps the event loop going: the channel to the parent does not count meanwhile.
 */
import { after, run } from 'node:test'
import { inspect } from 'node:util'

process.env.VITRINE_TEST_RUNNER = 'yes'
const { endFile } = await import('../test/support/file-end.ts')

const WATCHED_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'beforeExit']
const RealDate = Date
const realSetTimeout = setTimeout

/** What is open so long after the last test stays open. */
const DRAIN_MS = 10_000
const LOOK_MS = 500

let isRunning = false
// A file that fails while it is imported, or has no test of the given name, leaves nothing to wait for before its end is sent.
process.on('beforeExit', () => {
  if (isRunning) setTimeout(() => {}, 1)
})
process.on('disconnect', () => process.exit())
process.on('message', async (file) => {
  process.channel.unref()
  isRunning = true
  await runFile(file)
  isRunning = false
  process.channel.ref()
  process.send({ type: 'end' })
})
process.send({ type: 'ready' })

async function runFile(file) {
  const before = processState()
  let leakCheck
  const events = run({ files: [file], isolation: 'none' })
  after(() => {
    const endedAt = performance.now()
    // Where no test has the given name, the hooks before the tests run after those behind them: what they open is ended here.
    leakCheck = setInterval(async () => {
      await endFile().catch(() => {})
      if (performance.now() - endedAt < DRAIN_MS) return
      const open = process.getActiveResourcesInfo().join(', ')
      process.send({ type: 'broken', reason: `leaves open after its last test: ${open}` }, () => process.exit())
    }, LOOK_MS).unref()
  })
  after(endFile)
  for await (const { type, data } of events) process.send({ type, data: plain(data) })
  clearInterval(leakCheck)
  process.exitCode = 0

  const changed = Object.entries(processState()).filter(([name, value]) => value !== before[name])
  for (const [name, value] of changed) {
    process.send({ type: 'broken', reason: `leaves ${name} changed, from ${before[name]} to ${value}` })
  }
}

/** What a file could leave behind in its process for the next. */
function processState() {
  const listeners = WATCHED_EVENTS.map((name) => `${name} ${process.listenerCount(name)}`)
  return {
    'process.env': JSON.stringify({ ...process.env, NODE_TEST_WORKER_ID: '' }),
    'the working directory': process.cwd(),
    'listeners of the process': listeners.join(', '),
    Date: String(Date === RealDate && setTimeout === realSetTimeout),
  }
}

/** An error is sent as its text, in the shape in which the reporter reads one. */
function plain(data) {
  const error = data.details?.error
  if (!error) return data
  const { failureType, cause } = error
  return { ...data, details: { ...data.details, error: { failureType, text: inspect(cause ?? error) } } }
}
