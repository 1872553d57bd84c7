/**
 * Runs the tests on one PostgreSQL: `npm test`.
 *
 *   npm test                                      all of them, on a PostgreSQL of their own
 *   npm test -- server/src/kernel/money.test.ts   one file
 *   npm test -- --test-name-pattern=money         what `node --test` takes; a value stands behind `=`
 *   npm run test:database -- postgres://…         all of them, on a server whose user may create databases
 */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const WORKSPACES = ['contract', 'server', 'sdk', 'cli', 'bench', 'test']
/** A test that takes longer hangs. */
const TIMEOUT_MS = 300_000

const { databaseUrl, options, files } = readArguments(process.argv.slice(2))
if (databaseUrl) process.env.TEST_DATABASE_URL = databaseUrl

const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > 22 || (major === 22 && minor >= 18)
process.exitCode = isNewEnough
  ? await test()
  : await run(join(repository, 'node_modules/.bin/node'), process.argv.slice(1))

async function test() {
  // What tests leave in the temporary folder goes with it, even where they were killed.
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-tests-'))
  // As root, PostgreSQL runs as nobody and must get through.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  // Each file is a process: compiling the server anew was half of what most of them cost, 0.8 s of processor time.
  process.env.NODE_COMPILE_CACHE ??= join(repository, '.cache', 'compiled')
  const { startTestServer } = await import('../test/support/postgres.ts')
  const server = await startTestServer()
  try {
    process.env.TEST_DATABASE_URL = server.url
    const chosen = files.length > 0 ? files : await findTests()
    return await run(process.execPath, [
      '--test',
      '--test-concurrency=2',
      `--test-timeout=${TIMEOUT_MS}`,
      `--test-reporter=${join(repository, 'scripts/test-reporter.js')}`,
      '--test-reporter-destination=stdout',
      ...options,
      ...chosen,
    ])
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function readArguments(words) {
  const at = words.indexOf('--database')
  if (at >= 0 && !/^postgres(ql)?:\/\//.test(words[at + 1] ?? '')) {
    console.error('Say which: npm run test:database -- postgres://user:password@host:5432/postgres')
    process.exit(2)
  }
  const others = at >= 0 ? [...words.slice(0, at), ...words.slice(at + 2)] : words
  return {
    databaseUrl: at >= 0 ? words[at + 1] : null,
    options: others.filter((word) => word.startsWith('--')),
    files: others.filter((word) => !word.startsWith('--')),
  }
}

async function findTests() {
  const found = await Promise.all(WORKSPACES.map((workspace) => testsBelow(join(repository, workspace))))
  return found.flat().sort()
}

async function testsBelow(folder) {
  const found = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist')
      found.push(...(await testsBelow(path)))
    else if (entry.name.endsWith('.test.ts')) found.push(relative(repository, path))
  }
  return found
}

/** Runs a program to its end and gives its exit code. A signal to us is passed on, and we clean up when it has ended. */
function run(program, parameters) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { cwd: repository, stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
