/**
 * All checks before a change is submitted, except the tests: `npm run check`.
 *
 *   npm run check             all steps, two at a time
 *   npm run check -- --fast   without the slow ones
 *   npm run check -- types    only the named steps
 */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))

/** Slowest first, so that two at a time end together. */
const STEPS = [
  { name: 'openapi', what: 'the OpenAPI document is clean', run: ['scripts/lint-openapi.ts'], slow: true },
  { name: 'types', what: 'types', run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'] },
  // A type that an exported one needs has to be exported, too, which only declarations show.
  { name: 'declarations', what: 'types that are published', run: ['scripts/build.js', '--check'] },
  {
    name: 'console-types',
    what: 'types of the console',
    run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'console/tsconfig.json'],
  },
  {
    name: 'shop-types',
    what: 'types of the example shop',
    run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'shop/tsconfig.json'],
  },
  {
    name: 'site-types',
    what: 'types of the documentation',
    run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'site/tsconfig.json'],
  },
  { name: 'generated', what: 'generated pages are fresh', run: ['scripts/generate.ts', '--check'] },
  {
    name: 'compatibility',
    what: 'no undecided breaking change of the interface',
    run: ['scripts/check-compatibility.ts'],
  },
  {
    name: 'dead-code',
    what: 'no dead code, no unused package',
    run: ['node_modules/knip/bin/knip.js', '--no-progress'],
  },
  { name: 'licenses', what: 'licenses of what is installed', run: ['scripts/check-licenses.js'] },
  { name: 'sdk-size', what: 'the SDK is small', run: ['scripts/sdk-size.js'] },
  { name: 'imports', what: 'import rules', run: ['scripts/check-imports.ts'] },
  { name: 'tidy', what: 'the tree is tidy', run: ['--test', '--test-reporter=dot', 'test/architecture/tidy.test.ts'] },
  {
    name: 'lint',
    what: 'lint and format',
    run: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
]
const AT_ONCE = 2

const arguments_ = process.argv.slice(2)
const fast = arguments_.includes('--fast')
const named = arguments_.filter((argument) => argument !== '--fast')
const unknown = named.filter((name) => !STEPS.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are ${STEPS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const chosen = STEPS.filter((step) => (named.length > 0 ? named.includes(step.name) : !(fast && step.slow)))
const waiting = [...chosen]
const failed = []
const startedAt = performance.now()

await Promise.all(Array.from({ length: AT_ONCE }, work))

for (const { step, output } of failed) console.error(`\n── ${step.name}: ${step.what} ──\n${output.trim()}`)
const skipped = STEPS.length - chosen.length
const summary = [
  `${chosen.length - failed.length} of ${chosen.length} steps passed in ${secondsSince(startedAt)}`,
  skipped > 0 ? `${skipped} not requested` : '',
  failed.length > 0 ? `failed: ${failed.map(({ step }) => step.name).join(', ')}` : '',
]
console.log(`\n${summary.filter(Boolean).join('; ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Takes steps until none is left. */
async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const stepStartedAt = performance.now()
    console.log(`… ${step.what}`)
    const { code, output } = await outcomeOf(step.run)
    if (code !== 0) failed.push({ step, output })
    console.log(`${code === 0 ? '✓' : '✗'} ${step.what} (${secondsSince(stepStartedAt)})`)
  }
}

/** Runs a script on the Node that runs this one, and collects its output. */
function outcomeOf(run) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, run, {
      cwd: repository,
      env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

function secondsSince(then) {
  return `${((performance.now() - then) / 1000).toFixed(1)} s`
}
