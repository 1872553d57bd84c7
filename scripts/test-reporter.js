/**
 * The runner's own `spec` report, with the slowest tests and files before its summary, and the summary last even if tests
 * failed. A skipped test, or one left to do, fails the run.
 */
import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { spec as Spec } from 'node:test/reporters'

const SLOWEST = 10
const SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

// biome-ignore lint/style/noDefaultExport: the runner finds a reporter only by this name
export default async function* report(source) {
  const summary = []
  const tests = []
  const files = []
  for await (const text of Readable.from(events(source)).pipe(new Spec())) yield text

  yield '\nslowest tests\n'
  tests.sort((one, other) => other.durationMs - one.durationMs)
  for (const { name, file, durationMs } of tests.slice(0, SLOWEST)) {
    yield `  ${durationMs.toFixed(0).padStart(6)} ms  ${name} (${file})\n`
  }
  yield '\nslowest files, with the processor time of their runner\n'
  files.sort((one, other) => other.durationMs - one.durationMs)
  for (const { name, durationMs, processorMs } of files.slice(0, SLOWEST))
    yield `  ${durationMs.toFixed(0).padStart(6)} ms ${processorMs.toFixed(0).padStart(6)} ms  ${name}\n`
  const left = tests.filter((test) => test.isLeft)
  for (const { name, file } of left) yield `\n✖ skipped or left to do: ${name} (${file})\n`
  if (left.length > 0) process.exitCode = 1
  yield `\n${summary.map((line) => `ℹ ${line}\n`).join('')}`

  async function* events(all) {
    for await (const event of all) {
      const { type, data } = event
      if (type === 'test:diagnostic' && data.nesting === 0 && SUMMARY.test(data.message)) summary.push(data.message)
      else yield event
      if (type === 'test:complete' && isWholeFile(data))
        files.push({
          name: data.name,
          durationMs: data.details.duration_ms,
          processorMs: data.details.processor_ms ?? 0,
        })
      if ((type === 'test:pass' || type === 'test:fail') && data.details.type !== 'suite') tests.push(testOf(data))
    }
  }
}

/** A file is reported after its end as a test with its name, including the start of its process. */
function isWholeFile({ name, file, nesting }) {
  return nesting === 0 && file !== undefined && name === relative(process.cwd(), file)
}

function testOf({ name, file, details, skip, todo }) {
  return {
    name,
    file: file ? relative(process.cwd(), file) : '',
    durationMs: details.duration_ms,
    isLeft: skip !== undefined || todo !== undefined,
  }
}
