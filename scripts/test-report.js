/** Joins the events of all test files into one report, and counts. */
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import report from './test-reporter.js'

const RUNNER = fileURLToPath(new URL('test-runner.js', import.meta.url))
const COUNTS = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 }

export class TestReport {
  #repository
  #events = new Readable({ objectMode: true, read() {} })
  #counts = { ...COUNTS }
  #startedAt = performance.now()
  #printed = pipeline(Readable.from(report(this.#events)), process.stdout, { end: false })

  constructor(repository) {
    this.#repository = repository
  }

  /** Adds a file that has ended. Its events are reported together, without those of other files in between. */
  file(name, { events, durationMs, processorMs = 0 }) {
    const file = resolve(this.#repository, name)
    for (const event of events) this.#add(event, name, file)
    const details = { duration_ms: durationMs, processor_ms: processorMs }
    this.#events.push({ type: 'test:complete', data: { name, file, nesting: 0, details } })
  }

  #add({ type, data, reason }, name, file) {
    if (type === 'broken') this.#failFile(name, file, { failureType: 'testCodeFailure', text: reason })
    else if (type === 'test:summary') for (const count in COUNTS) this.#counts[count] += data.counts[count]
    // A hook at the top of a file, or the runner's own at its end, fails the file and no test of it.
    else if (type === 'test:fail' && (data.name === file || data.name === RUNNER))
      this.#failFile(name, file, data.details.error)
    else if (isReported(type, data)) this.#events.push({ type, data: restored(data) })
  }

  #failFile(name, file, error) {
    this.#counts.tests += 1
    this.#counts.failed += 1
    const details = { duration_ms: 0, error }
    this.#events.push({ type: 'test:fail', data: restored({ name, file, line: 1, column: 1, nesting: 0, details }) })
  }

  /** @returns whether everything passed */
  async end() {
    const { passed, failed, ...rest } = this.#counts
    const lines = { tests: rest.tests, suites: rest.suites, pass: passed, fail: failed, ...rest }
    lines.duration_ms = performance.now() - this.#startedAt
    for (const [name, value] of Object.entries(lines)) {
      this.#events.push({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${value}` } })
    }
    const isPassed = failed + rest.cancelled === 0
    this.#events.push({ type: 'test:summary', data: { success: isPassed, counts: this.#counts } })
    this.#events.push(null)
    await this.#printed
    return isPassed && rest.skipped + rest.todo === 0
  }
}

const REPORTED = ['test:start', 'test:pass', 'test:fail', 'test:complete', 'test:stdout', 'test:diagnostic']

/** The totals of each file are added up instead. */
function isReported(type, data) {
  return (
    REPORTED.includes(type) && !(type === 'test:diagnostic' && data.nesting === 0 && /^\w+ [\d.]+$/.test(data.message))
  )
}

function restored(data) {
  const error = data.details?.error
  if (!error) return data
  const cause = { [inspect.custom]: () => error.text }
  const { failureType } = error
  return { ...data, details: { ...data.details, error: { code: 'ERR_TEST_FAILURE', failureType, cause } } }
}
