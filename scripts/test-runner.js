/**
 * Runs test files one after another in this process, as scripts/test.js sends their names, and sends back their events.
 *
 * Each `run()` makes a separate root, so the hooks and tests at the top of a file belong to that file only. It ends when
 * nothing is left that keeps the event loop going: the channel to the parent does not count meanwhile.
 */

import hooks from 'node:async_hooks'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/**
 * Node's runner follows every asynchronous resource to know the test that it belongs to. Only the declaration of tests needs
 * it; left on, it takes a tenth of the processor time of the tests.
 */
let tracking = null
const { createHook } = hooks
hooks.createHook = (callbacks) => {
  tracking = createHook(callbacks)
  return tracking
}
const { after, run } = await import('node:test')
hooks.createHook = createHook

process.env.VITRINE_TEST_RUNNER = 'yes'
const { endFile } = await import('../test/support/file-end.ts')

const WATCHED_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'beforeExit']
/** Where OpenTelemetry keeps what is global. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1')
const RealDate = Date
const realSetTimeout = setTimeout

/** What is still open this long after the cleanup of the file is a leak. */
const DRAIN_MS = 10_000
/** Playwright kills a browser that has not ended 30 s after it was closed. */
const CLEANUP_MS = 60_000
const NO_TEST_MS = 500

let isRunning = false
// A file that fails while it is imported, or has no test of the given name, leaves nothing to wait for before its end is sent.
process.on('beforeExit', () => {
  if (isRunning) setTimeout(() => {}, 1)
})
process.on('disconnect', () => process.exit())
process.on('message', async (file) => {
  isRunning = true
  const before = process.cpuUsage()
  await runFile(file)
  isRunning = false
  process.channel.ref()
  const { user, system } = process.cpuUsage(before)
  process.send({ type: 'end', processorMs: (user + system) / 1000 })
})
process.send({ type: 'ready' })

async function runFile(file) {
  const before = processState()
  let check
  let tests = 0
  let isBlamed = false
  const stray = []
  const events = run({ files: [file], isolation: 'none' })
  // Before it is read, nothing may keep the event loop going: that would look like its end.
  setImmediate(() => import(pathToFileURL(resolve(file))).catch(() => {}).finally(declared))
  after(() => watch(CLEANUP_MS, 'during its cleanup'))
  after(() => endFile().finally(() => watch(DRAIN_MS, 'after its cleanup')))
  for await (const { type, data } of events) {
    if (type === 'test:start') tests += 1
    if (type === 'test:fail') isBlamed = true
    if (type === 'test:diagnostic' && data.nesting === 0) stray.push(data.message)
    process.send({ type, data: plain(data) })
  }
  clearTimeout(check)
  if (process.exitCode && !isBlamed) process.send({ type: 'broken', reason: stray.join('\n') })
  process.exitCode = 0

  const changed = Object.entries(processState()).filter(([name, value]) => value !== before[name])
  for (const [name, value] of changed) {
    process.send({ type: 'broken', reason: `leaves ${name} changed, from ${before[name]} to ${value}` })
  }

  function watch(limitMs, when) {
    clearTimeout(check)
    check = setTimeout(() => {
      // The runner does not wait for the hooks of a file without a test of the given name: the next file gets a new process.
      if (tests === 0) return process.send({ type: 'untested' }, () => process.exit())
      check = setTimeout(failAsOpen, limitMs, when).unref()
    }, NO_TEST_MS).unref()
  }
}

/** Tests start after this. */
function declared() {
  tracking?.disable()
  process.channel.unref()
}

function failAsOpen(when) {
  const open = process.getActiveResourcesInfo().join(', ')
  process.send({ type: 'broken', reason: `leaves open ${when}: ${open}` }, () => process.exit())
}

/** What a file could leave behind in its process for the next. */
function processState() {
  const listeners = WATCHED_EVENTS.map((name) => `${name} ${process.listenerCount(name)}`)
  return {
    'the global tracer': process.env.VITRINE_TEST_ALONE ? 'its own' : String(globalThis[OPEN_TELEMETRY]?.trace),
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
