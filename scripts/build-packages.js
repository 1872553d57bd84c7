/**
 * Packs the compiled workspaces that are published, and tries each tarball outside the repository: only what its manifest declares is
 * installed, a program runs, and a strict compiler accepts its types and the examples of its README.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The SDK has no dependencies. The others find only the packages that they declare. */
const PACKAGES = ['sdk', 'contract', 'server']

/** A user's program for each package. It is compiled for bundlers and for Node, and run. */
const PROGRAMS = {
  sdk: `
import { type Cart, type Order, VitrineError, generateKeyPair, oauth, verifyQuote, vitrine } from '@vitrine/sdk'
import { webhookVerifier } from '@vitrine/sdk/webhooks'

const answers: typeof fetch = async (url) =>
  String(url).endsWith('/runtime-config')
    ? Response.json({ data: { apiVersion: 'v1' } })
    : Response.json({ data: { orders: [{ id: 'ord_1' }], next: null } })
const privateKey = await generateKeyPair()
const shop = vitrine({ baseUrl: 'https://shop.example', key: 'sfk_test_1', privateKey, fetch: answers })
const { apiVersion } = await shop.getRuntimeConfig()
const ids: string[] = []
for await (const { id } of shop.iterate('listStorefrontOrders')) ids.push(id)
export const units = ({ lines }: Cart) => lines.reduce((sum, { quantity }) => sum + quantity, 0)
export const isLocked = (error: unknown) => error instanceof VitrineError && error.is('cart_locked')
export const total = ({ totals }: Order) => totals.total.amount
// @ts-expect-error the path parameter is cartId
export const mistake = () => shop.getPublicCart({ params: { id: 'cart_1' } })
export const helpers = [oauth, verifyQuote, webhookVerifier]
if (apiVersion !== 'v1' || ids.join() !== 'ord_1') throw new Error('The SDK does not work.')
`,
  contract: `
import { type OperationId, operations } from '@vitrine/contract'
import { openapiDocument } from '@vitrine/contract/openapi'

const id: OperationId = 'getPublicCart'
const { paths } = openapiDocument({ serverUrl: 'https://shop.example' })
if (!(operations[id].path in paths)) throw new Error('The contract does not work.')
`,
  server: `
import { readConfig } from '@vitrine/server/config'
import { migrate } from '@vitrine/server'

const { ports } = readConfig({})
if (ports.public !== 8080 || typeof migrate !== 'function') throw new Error('The server does not work.')
`,
}

/** @param npm runs npm in a folder */
export function packAndTry(repository, dist, npm) {
  const packed = join(dist, 'packages')
  mkdirSync(packed, { recursive: true })
  for (const name of PACKAGES) {
    cpSync(join(repository, 'LICENSE'), join(dist, name, 'LICENSE'))
    if (existsSync(join(repository, name, 'README.md'))) {
      cpSync(join(repository, name, 'README.md'), join(dist, name, 'README.md'))
    }
    npm(['pack', '--silent', '--pack-destination', packed], join(dist, name))
  }
  for (const name of PACKAGES) {
    const folder = mkdtempSync(join(tmpdir(), `vitrine-${name}-`))
    try {
      install(repository, packed, folder, name, npm)
      tryOut(repository, folder, name)
      console.log(`@vitrine/${name} installs and runs elsewhere.`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function tarballOf(packed, name) {
  const file = readdirSync(packed).find((each) => each.startsWith(`vitrine-${name}-`))
  return join(packed, file)
}

function install(repository, packed, folder, name, npm) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  if (name === 'sdk') {
    npm(['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarballOf(packed, name)], folder)
    const installed = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    const manifests = installed.filter((entry) => entry.name === 'package.json')
    if (manifests.length !== 1) throw new Error(`The SDK installs ${manifests.length} packages.`)
  } else unpack(repository, packed, folder, name)
}

/** Unpacks a tarball, and links its dependencies: npm would need a registry for them. */
function unpack(repository, packed, folder, name) {
  const target = join(folder, 'node_modules', '@vitrine', name)
  if (existsSync(target)) return
  mkdirSync(target, { recursive: true })
  run('tar', ['-xzf', tarballOf(packed, name), '-C', target, '--strip-components=1'], folder)
  const { dependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(dependencies)) {
    const [, own] = dependency.match(/^@vitrine\/(.+)$/) ?? []
    if (own) unpack(repository, packed, folder, own)
    else link(repository, name, folder, dependency)
  }
}

function link(repository, name, folder, dependency) {
  const places = [join(repository, name, 'node_modules', dependency), join(repository, 'node_modules', dependency)]
  const to = join(folder, 'node_modules', dependency)
  mkdirSync(dirname(to), { recursive: true })
  if (!existsSync(to))
    symlinkSync(
      places.find((place) => existsSync(place)),
      to,
    )
}

/** The globals that the examples of the README use. */
const README_GLOBALS = `
declare const key: string
declare const privateKey: import('@vitrine/sdk').PrivateJwk
declare const shop: import('@vitrine/sdk').VitrineClient
declare const cartId: string
declare const request: Request
declare const bytes: Uint8Array
declare const headers: Headers
`

/** The examples of the SDK's README, each as a module. */
function writeExamples(repository, folder) {
  const readme = readFileSync(join(repository, 'sdk/README.md'), 'utf8')
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => `${text}export {}\n`)
  const files = examples.map((text, index) => [`readme-${index + 1}.ts`, text])
  for (const [file, text] of [...files, ['globals.d.ts', README_GLOBALS]]) writeFileSync(join(folder, file), text)
  return [...files.map(([file]) => file), 'globals.d.ts']
}

function tryOut(repository, folder, name) {
  writeFileSync(join(folder, 'program.ts'), PROGRAMS[name])
  const examples = name === 'sdk' ? writeExamples(repository, folder) : []
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  // The declarations of the server name types of Node and of its packages, which a program that starts it does not need.
  const options = name === 'server' ? ['--skipLibCheck'] : ['--lib', 'es2024,esnext.disposable,dom,dom.iterable']
  for (const [module, resolution] of [
    ['esnext', 'bundler'],
    ['nodenext', 'nodenext'],
  ]) {
    const target = ['--strict', '--noEmit', '--target', 'es2024', '--types', '']
    const files = ['--module', module, '--moduleResolution', resolution, 'program.ts', ...examples]
    run(process.execPath, [tsc, ...target, ...options, ...files], folder)
  }
  run(process.execPath, ['program.ts'], folder)
}

function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`)
}
