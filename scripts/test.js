/**
 * Runs the tests on one PostgreSQL: `npm test`.
 *
 *   npm test                                      all of them, on a separate PostgreSQL
 *   npm test -- server/src/kernel/money.test.ts   one file
 *   npm test -- --test-name-pattern=money         what `node --test` takes; the value follows `=`
 *   npm test -- --seed=7                          in a random order, which the seed repeats
 *   npm test -- --shard=1/3                       the first third
 *   npm run test:full                             all of them, with every random test at its full number of cases
 *   npm run test:fuzz                             50,000 requests of any kind; SEED=… repeats a run
 *   npm run test:faults                           200 faults under load; -- --minutes=30 for as long, see test/faults/README.md
 *   npm run test:database -- postgres://…         all of them, on a server whose user may create databases
 *
 * A few runner processes take one file after another from a queue. test/support/README.md says what a file may rely on.
 */
import { fork, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TestReport } from './test-report.js'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const WORKSPACES = ['contract', 'server', 'sdk', 'cli', 'shop', 'bench', 'test']
/** Each has worlds with their own connections to the one PostgreSQL. */
const RUNNERS_MAX = 4
/** In addition to one per core: runners that wait for a process, a browser or a lease leave their cores to others. */
const RUNNERS_MORE = 2
/** Room for young objects, as the launcher gives a server: V8 begins with 1 MiB, and collects it again and again. */
const RUNNER_FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=16']

const { databaseUrl, seed, shard, minutes, isFull, options, files } = readArguments(process.argv.slice(2))
if (isFull) process.env.VITRINE_TEST_RUNS = 'full'
if (minutes > 0) process.env.FAULTS_MINUTES = String(minutes)
/** A file that takes longer hangs: the longest takes 40 s, and took 300 s next to five times as many processes as cores. */
const TIMEOUT_MS = (isFull ? 3_600_000 : 900_000) + minutes * 60_000
const isWholeSuite = files.length === 0 && shard === '1/1' && options.length === 0
if (databaseUrl) process.env.TEST_DATABASE_URL = databaseUrl

const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > 22 || (major === 22 && minor >= 18)
process.exitCode = isNewEnough ? await test() : await runAgain(join(repository, 'node_modules/.bin/node'))

async function test() {
  const paths = files.length > 0 ? files : WORKSPACES
  const found = await Promise.all(paths.map(testsIn))
  const empty = files.filter((_, index) => found[index].length === 0)
  if (empty.length > 0) {
    console.error(`No tests (*.test.ts) in ${empty.join(', ')}.`)
    return 2
  }
  // What tests leave in this temporary folder is removed with it, even if they were killed.
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-tests-'))
  // If this is root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  process.env.VITRINE_TEST_RUN = String(process.pid)
  // Compiling the server again was half of what most processes cost, 0.8 s of processor time.
  process.env.NODE_COMPILE_CACHE ??= join(repository, '.cache', 'compiled')
  process.env.VITRINE_ANSWERED_CODES = join(folder, 'answered-codes')
  await mkdir(process.env.VITRINE_ANSWERED_CODES)
  // Each of 50 starts of the command line then takes 0.45 s less.
  if (isWholeSuite) await (await import('./bundle.js')).bundle(repository)
  const { startTestServer } = await import('../test/support/postgres.ts')
  const server = await startTestServer()
  try {
    process.env.TEST_DATABASE_URL = server.url
    if (server.application !== undefined) process.env.TEST_APPLICATION = server.application
    return await runAll(await inOrder(found.flat().sort()))
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The long files first, so that none is left over at the end; with a seed, any order. */
async function inOrder(all) {
  const { shuffled, shardOf, directivesOf } = await import('./test-queue.js')
  const chosen = await Promise.all(
    shardOf(all, shard).map(async (file) => ({ file, ...directivesOf(await readFile(file, 'utf8')) })),
  )
  if (seed === null) return chosen.sort((one, other) => Number(other.isLong) - Number(one.isLong))
  console.log(`--seed=${seed}`)
  return shuffled(chosen, seed)
}

async function runAll(queue) {
  const report = new TestReport(repository)
  const runners = new Set()
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      isStopped = true
      for (const runner of runners) end(runner)
    })
  }

  const count = Math.min(RUNNERS_MAX, availableParallelism() + RUNNERS_MORE, queue.length)
  await Promise.all(Array.from({ length: count }, takeFiles))
  await reportCodes(report)
  const isPassed = await report.end()
  return isPassed && !isStopped ? 0 : 1

  async function takeFiles() {
    let shared = null
    for (let next = queue.shift(); next && !isStopped; next = queue.shift()) {
      if (shared?.exitCode !== null || shared.signalCode !== null) shared = null
      if (!next.isAlone) shared ??= startRunner({})
      const runner = next.isAlone ? startRunner({ VITRINE_TEST_ALONE: 'yes' }) : shared
      report.file(next.file, await runFile(runner, next.file))
      if (next.isAlone && runner.connected) runner.disconnect()
    }
    if (shared?.connected) shared.disconnect()
  }

  function startRunner(environment) {
    const runner = fork(join(repository, 'scripts/test-runner.js'), {
      cwd: repository,
      env: { ...process.env, ...environment },
      execArgv: [...RUNNER_FLAGS, ...options],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A group of its own, which ends with what its tests have started.
      detached: true,
    })
    runners.add(runner)
    runner.once('exit', () => runners.delete(runner))
    return runner
  }
}

/** Ends a runner and the processes of its tests. */
function end(runner) {
  try {
    process.kill(-runner.pid, 'SIGKILL')
  } catch (error) {
    // It has just ended.
    if (error.code !== 'ESRCH') throw error
  }
}

/** A refusal is proven by its answer, not by the title of a test. */
async function reportCodes(report) {
  const { answeredCodes, unansweredCodes, unlistedCodes } = await import('../test/support/answered-codes.ts')
  const answered = answeredCodes(process.env.VITRINE_ANSWERED_CODES)
  for (const [problem, codes] of [
    ['these refusals were answered, but their rows do not list them', unlistedCodes(answered)],
    ['no test has answered these refusals of the rows', isWholeSuite ? unansweredCodes(answered) : []],
  ]) {
    if (codes.length === 0) continue
    const reason = `${problem}:\n${codes.join('\n')}`
    report.file('test/support/answered-codes.ts', { events: [{ type: 'broken', reason }], durationMs: 0 })
  }
}

/** The events of a file, in their order. A runner that ends before the file, or takes too long for it, has failed it. */
function runFile(runner, file) {
  const { promise, resolve: done } = Promise.withResolvers()
  const startedAt = performance.now()
  const events = []
  const hear = (event) => (event.type === 'end' ? finish(null, event.processorMs) : events.push(event))
  const print = (text) => events.push({ type: 'test:stdout', data: { file: resolve(file), message: String(text) } })
  const exit = (code, signal) => {
    const isExplained = events.some(({ type }) => type === 'broken' || type === 'untested')
    finish(isExplained ? null : `its process ended early: ${signal ?? `exit code ${code}`}`)
  }
  const timer = setTimeout(() => {
    finish(`it takes longer than ${TIMEOUT_MS / 1000} s`)
    end(runner)
  }, TIMEOUT_MS)
  runner.on('message', hear).once('exit', exit)
  runner.stdout.on('data', print)
  runner.stderr.on('data', print)
  runner.send(file)
  return promise

  function finish(reason, processorMs = 0) {
    clearTimeout(timer)
    runner.off('message', hear).off('exit', exit)
    runner.stdout.off('data', print)
    runner.stderr.off('data', print)
    if (reason) events.push({ type: 'broken', reason })
    done({ events, durationMs: performance.now() - startedAt, processorMs })
  }
}

function readArguments(words) {
  const at = words.indexOf('--database')
  if (at >= 0 && !/^postgres(ql)?:\/\//.test(words[at + 1] ?? '')) {
    console.error('Name the database: npm run test:database -- postgres://user:password@host:5432/postgres')
    process.exit(2)
  }
  const others = at >= 0 ? [...words.slice(0, at), ...words.slice(at + 2)] : words
  const option = (name) => others.find((word) => word.startsWith(`--${name}=`))?.split('=')[1]
  return {
    databaseUrl: at >= 0 ? words[at + 1] : null,
    seed: option('seed') ?? null,
    shard: option('shard') ?? '1/1',
    minutes: Number(option('minutes') ?? 0),
    isFull: others.includes('--full'),
    options: others.filter((word) => word.startsWith('--') && !/^--(seed=|shard=|minutes=|full$)/.test(word)),
    files: others.filter((word) => !word.startsWith('--')),
  }
}

/** The test file at a path, or those of a folder. */
async function testsIn(path) {
  const file = join(repository, relative(repository, resolve(path)))
  if (!existsSync(file)) return []
  return (await testsBelow(file)).filter((each) => each.endsWith('.test.ts'))
}

async function testsBelow(path) {
  if (!(await stat(path)).isDirectory()) return [relative(repository, path)]
  const entries = await readdir(path, { withFileTypes: true })
  const inside = entries.filter(
    (entry) =>
      (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist') ||
      entry.name.endsWith('.test.ts'),
  )
  return (await Promise.all(inside.map((entry) => testsBelow(join(path, entry.name))))).flat()
}

/** Runs this script again on another Node. */
function runAgain(node) {
  return new Promise((exited) => {
    const child = spawn(node, process.argv.slice(1), { cwd: repository, stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('error', (error) => {
      console.error(error.message)
      exited(1)
    })
    child.on('exit', (code) => exited(code ?? 1))
  })
}
