/**
 * Compiles all workspaces into `dist/`, which needs nothing else of this repository: `npm ci --omit=dev` in it, then
 * `node cli/bin/vitrine.js start`. The layout is that of the sources, so that a path in the code means the same in both.
 * `dist/packages` has the tarballs of the published packages, and `vitrine-release-VERSION.tgz`: all of `dist/` as one file, for
 * images and machines (docs/guides/production.md). With `--check` it writes nothing, and only reports what does not compile.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packAndTry } from './build-packages.js'
import { bundle } from './bundle.js'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(repository, 'dist')
const WORKSPACES = ['contract', 'server', 'sdk', 'cli']
/** Files that the code reads and the compiler does not copy. */
const FILES = ['server/migrations', 'server/demo', 'cli/bin', 'console/dist', 'shop/dist', 'site/dist']
/** Files that an installation needs and no code reads. */
const PAPERS = ['LICENSE', 'SECURITY.md', 'deploy/production']

const isCheck = process.argv.includes('--check')
if (!isCheck) rmSync(dist, { recursive: true, force: true })
compile()
if (isCheck) process.exit()
for (const path of FILES.filter((each) => existsSync(join(repository, each)))) {
  cpSync(join(repository, path), join(dist, path), { recursive: true, filter: (file) => !file.endsWith('.ts') })
}
for (const workspace of WORKSPACES) writePackage(workspace)
await bundle(dist, { isRelease: true })
writeLockFile()
packAndTry(repository, dist, npm)
packRelease()

function compile() {
  const configFile = join(repository, '.cache', 'tsconfig.build.json')
  mkdirSync(dirname(configFile), { recursive: true })
  const config = {
    extends: '../tsconfig.json',
    compilerOptions: {
      noEmit: isCheck,
      noEmitOnError: true,
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      sourceMap: true,
      rootDir: '..',
      outDir: '../dist',
    },
    include: WORKSPACES.map((path) => `../${path}/**/*.ts`),
    exclude: ['../**/node_modules', '../**/dist', '../**/*.test.ts', '../test'],
  }
  writeFileSync(configFile, JSON.stringify(config, null, 2))
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', configFile], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** The workspace's package.json with its exports at the compiled files, linked by name as npm would install it. */
function writePackage(workspace) {
  const manifest = JSON.parse(readFileSync(join(repository, workspace, 'package.json'), 'utf8'))
  for (const [door, path] of Object.entries(manifest.exports ?? {}))
    manifest.exports[door] = path.replace(/\.ts$/, '.js')
  writeFileSync(join(dist, workspace, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const link = join(dist, 'node_modules', manifest.name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(manifest.name.includes('/') ? '../..' : '..', workspace), link)
}

/** The versions of package-lock.json for the workspaces of the release. npm drops those of the others, without a network. */
function writeLockFile() {
  const { license, type, engines, optionalDependencies } = JSON.parse(
    readFileSync(join(repository, 'package.json'), 'utf8'),
  )
  const { version } = JSON.parse(readFileSync(join(repository, 'cli/package.json'), 'utf8'))
  const manifest = {
    name: 'vitrine-release',
    version,
    private: true,
    license,
    type,
    engines,
    workspaces: WORKSPACES,
    optionalDependencies,
    files: [...WORKSPACES, ...FILES, ...PAPERS, 'npm-shrinkwrap.json'],
  }
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const file of ['package-lock.json', '.npmrc']) cpSync(join(repository, file), join(dist, file))
  npm(['install', '--package-lock-only', '--offline', '--ignore-scripts', '--loglevel=error'], dist)
}

/** npm packs a lock file only if it has this name. */
function packRelease() {
  for (const path of PAPERS) cpSync(join(repository, path), join(dist, path), { recursive: true })
  const shrinkwrap = join(dist, 'npm-shrinkwrap.json')
  cpSync(join(dist, 'package-lock.json'), shrinkwrap)
  npm(['pack', '--silent', '--pack-destination', join(dist, 'packages')], dist)
  rmSync(shrinkwrap)
  const { name, version } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'))
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--omit=dev']
  writeFileSync(join(dist, 'packages', `${name}-${version}.cdx.json`), npm(['sbom', ...options], dist))
}

function npm(args, cwd) {
  const { npm_execpath, npm_node_execpath } = process.env
  const [program, ...before] = npm_execpath ? [npm_node_execpath ?? process.execPath, npm_execpath] : ['npm']
  const options = { cwd, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1024 * 1024 }
  const { status, error, stdout } = spawnSync(program, [...before, ...args], options)
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}
