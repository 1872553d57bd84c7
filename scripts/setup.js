/**
 * Installs the packages of package-lock.json that are missing or have another version: before `npm start`, `npm test` and
 * `npm run check`. Plain JavaScript without dependencies, for any Node (≥ 18) that the machine has.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const lockFolder = join(repository, '.cache')
const lockFile = join(lockFolder, 'setup.lock')
/** Exists while a process removes the lock of a dead one. */
const removal = join(lockFolder, 'setup.lock.removal')
const WAIT_MS = 200
/** Longer than it takes to write or remove a lock: what is older was left by a process that was killed meanwhile. */
const LEFT_MS = 10_000
const DOT_MS = 1000
const VITE = 'node_modules/vite/bin/vite.js'
/** The builds: their sources, the file that exists once they are built, and their programs with arguments. */
const BUILDS = {
  console: {
    folders: ['console/src', 'console/public', 'contract/src'],
    files: ['console/index.html', 'console/vite.config.ts'],
    result: 'console/dist/index.html',
    runs: [[VITE, 'build']],
  },
  shop: {
    folders: ['shop/src', 'shop/public', 'sdk/src', 'contract/src'],
    files: ['shop/vite.config.ts'],
    result: 'shop/dist/server/main.js',
    runs: [
      [VITE, 'build'],
      [VITE, 'build', '--ssr', 'src/main.tsx'],
    ],
  },
  site: {
    name: 'documentation',
    folders: ['site/src', 'docs', 'sdk/src', 'contract/src'],
    // The state machines that are drawn are in the features.
    files: ['sdk/README.md', ...machineFiles()],
    result: 'site/dist/index.html',
    runs: [['site/src/main.ts']],
  },
}

if (!isInstalled()) await underLock(install)
for (const name of Object.keys(BUILDS)) if (!isBuilt(name)) await underLock(() => build(name))

/** Compares what npm has installed with the lock file, so that a manual installation counts too. */
function isInstalled() {
  const wanted = readPackages('package-lock.json')
  const found = readPackages('node_modules/.package-lock.json')
  if (!wanted) fail('package-lock.json is missing: this is not a complete copy of the repository.')
  if (!found) return false
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    // A missing optional package is for another platform.
    return link || found[path]?.version === version || (optional && !found[path])
  })
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(repository, path), 'utf8')).packages
  } catch {
    return null
  }
}

async function install() {
  if (isInstalled()) return
  console.log('Installing packages (once, about half a minute) …')
  const npm = process.env.npm_execpath
  // npm removes node_modules first, and with it the Node that may be running this.
  const node = process.env.npm_node_execpath ?? process.execPath
  const [program, ...before] = npm ? [node, npm] : ['npm']
  // No package needs an install script, and npm ≥ 11 runs none: this way all versions do the same.
  const { status, error, stdout, stderr } = await run(
    program,
    [...before, 'ci', '--ignore-scripts', '--loglevel=error'],
    { cwd: repository, env: { ...process.env, NODE_ENV: 'development' } },
  )
  if (error) fail(`npm cannot be run: ${error.message}`)
  if (status !== 0) fail(`${stderr || stdout}\n${reasonOf(stderr)}`)
}

/** Runs a program whose output is hidden. A dot each second shows that it works. */
function run(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let dots = ''
    const timer = setInterval(() => {
      dots += '.'
      process.stdout.write('.')
    }, DOT_MS)
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
      const chunks = []
      stream.on('data', (chunk) => chunks.push(chunk))
      return chunks
    })
    let error
    child.once('error', (failure) => {
      error = failure
    })
    child.once('close', (status) => {
      clearInterval(timer)
      if (dots) process.stdout.write('\n')
      resolve({ status, error, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() })
    })
  })
}

function stampOf(name) {
  return join(lockFolder, `${name}-built-of`)
}

/** Whether it was built from the current sources. */
function isBuilt(name) {
  try {
    return existsSync(join(repository, BUILDS[name].result)) && readFileSync(stampOf(name), 'utf8') === hashOf(name)
  } catch {
    return false
  }
}

async function build(name) {
  if (isBuilt(name)) return
  const { name: title = name, runs } = BUILDS[name]
  console.log(`Building the ${title} (once, about two seconds) …`)
  for (const [program, ...args] of runs) {
    const cwd = join(repository, name)
    const { status, error, stdout, stderr } = await run(ownNode(), [join(repository, program), ...args], { cwd })
    if (error) fail(`The ${title} cannot be built: ${error.message}`)
    if (status !== 0) fail(`The ${title} cannot be built.\n${stderr || stdout}`)
  }
  mkdirSync(lockFolder, { recursive: true })
  writeFileSync(stampOf(name), hashOf(name))
}

/** The state machines that the documentation draws. */
function machineFiles() {
  const imports = readFileSync(join(repository, 'site/src/states.ts'), 'utf8').matchAll(
    /'\.\.\/\.\.\/(server\/[^']+)'/g,
  )
  return [...imports].map(([, file]) => file)
}

/** The hash of its sources, and of the versions of the packages that build it. */
function hashOf(name) {
  const hash = createHash('sha256')
  for (const folder of BUILDS[name].folders) {
    const names = readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    const paths = names.filter((each) => each.isFile()).map((each) => join(each.parentPath ?? each.path, each.name))
    for (const path of paths.sort()) hash.update(path).update(readFileSync(path))
  }
  for (const file of [...BUILDS[name].files, 'package-lock.json']) hash.update(readFileSync(join(repository, file)))
  return hash.digest('hex')
}

/** The Node of the project, if the running one is too old to build with. */
function ownNode() {
  const installed = join(repository, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(installed) ? installed : process.execPath
}

function reasonOf(words) {
  if (/\b(EACCES|EPERM|EROFS)\b/.test(words)) {
    return 'The packages cannot be installed: node_modules cannot be written by this user.'
  }
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/.test(words)) {
    return 'The packages cannot be installed: npm cannot reach its registry.'
  }
  return 'The packages cannot be installed: see what npm says above.'
}

/** Works under a lock: of two processes, one must not remove what the other installs. */
async function underLock(work) {
  for (let waitedMs = 0; !takeLock(); waitedMs += WAIT_MS) {
    if (waitedMs === LEFT_MS) {
      console.log(`Waiting for process ${readHolder()}. If it does not set up Vitrine, remove ${lockFile}.`)
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  const release = () => rmSync(lockFile, { force: true })
  process.once('exit', release)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  await work()
  // Not again at exit: another process may hold it by then.
  process.off('exit', release)
  release()
}

function takeLock() {
  try {
    mkdirSync(lockFolder, { recursive: true })
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') fail(`The packages cannot be installed: ${repository} cannot be written by this user.`)
  }
  removeDeadLock()
  return false
}

/** One process at a time: the lock that another sees may be a new one by now, whose holder lives. */
function removeDeadLock() {
  if (isHeld()) return
  try {
    mkdirSync(removal)
  } catch {
    if (ageMsOf(removal) > LEFT_MS) rmSync(removal, { recursive: true, force: true })
    return
  }
  try {
    if (!isHeld()) rmSync(lockFile, { force: true })
  } finally {
    rmdirSync(removal)
  }
}

/** The file is empty for a moment between its creation and the write. */
function isHeld() {
  const holder = readHolder()
  return holder === 0 ? ageMsOf(lockFile) < LEFT_MS : isAlive(holder)
}

function ageMsOf(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? Date.now() - found.mtimeMs : 0
}

function readHolder() {
  try {
    return Number(readFileSync(lockFile, 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function fail(words) {
  console.error(words.trim())
  process.exit(1)
}
