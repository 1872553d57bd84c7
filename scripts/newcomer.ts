import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { globalAgent } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { payOnPage, shopper } from '../bench/src/page-shopper.ts'

/**
 * Measures the time that a newcomer needs: `npm run newcomer`. In a clean clone of the last commit: from `npm start` until the shop
 * answers, and until a test order is paid with its forms. npm's cache decides about half of it: a second run measures with a
 * filled one.
 */

const LIMITS_S = { shop: 90, order: 180, silence: 15 }
const LOOK_MS = 250
const PORTS = { PUBLIC_PORT: '18280', PAGES_PORT: '18281', OPERATOR_PORT: '18282', SHOP_PORT: '18283' }
const SHOP = `http://127.0.0.1:${PORTS.SHOP_PORT}`
const ADDRESS = {
  email: 'newcomer@shop.example',
  recipientName: 'Nia Newcomer',
  line1: 'Lindenstraße 9',
  postalCode: '10969',
  city: 'Berlin',
  countryCode: 'DE',
}

const repository = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'vitrine-newcomer-'))
const clone = join(folder, 'vitrine')
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
git('clone', '--quiet', repository, clone)
git('-C', clone, 'checkout', '--quiet', '--detach', git('-C', repository, 'rev-parse', 'HEAD'))

const startedAt = performance.now()
const secondsSince = (at: number) => (performance.now() - at) / 1000
let spokeAt = startedAt
let silence = 0
// In a separate process group, so that it can be ended with all that it has started.
const npm = spawn('npm', ['start'], {
  cwd: clone,
  env: { ...ownEnvironment(), ...PORTS },
  stdio: ['ignore', 'pipe', 'pipe'],
  detached: true,
})
const ended = once(npm, 'exit')
for (const stream of [npm.stdout, npm.stderr]) {
  stream.on('data', (output: Buffer) => {
    silence = Math.max(silence, secondsSince(spokeAt))
    spokeAt = performance.now()
    process.stdout.write(output)
  })
}
try {
  await Promise.race([isOpen(), ended.then(([code]) => fail(`npm start ended with code ${code}.`))])
  const shop = secondsSince(startedAt)
  const number = await order()
  report({ shop, order: secondsSince(startedAt), silence }, number)
} finally {
  if (npm.exitCode === null) process.kill(-npm.pid!, 'SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

/** The environment without what `npm run` has added for this script. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$|NODE_OPTIONS$|DATA_DIR$)/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'))
  return { ...Object.fromEntries(entries), PATH: path.join(delimiter) }
}

async function isOpen(): Promise<void> {
  while (
    !(await fetch(`${SHOP}/en`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Buys a mug with the shop's forms, as a browser without scripts. @returns the order's number */
async function order(): Promise<string> {
  const visits = shopper(globalAgent)
  const product = await visits.get(`${SHOP}/en/p/havelton/daybreak-mug`)
  const [, skuId = ''] = /name="skuId" value="([^"]+)"/.exec(product.text) ?? []
  await visits.send(`${SHOP}/en/cart/items`, { skuId, quantity: '1' })
  await visits.send(`${SHOP}/en/checkout/address`, ADDRESS)
  const { location: checkout = '' } = await visits.send(`${SHOP}/en/checkout`, {})
  await payOnPage(visits, checkout)
  const sessionId = new URL(checkout).pathname.split('/')[2]
  for (;;) {
    const { location = '' } = await visits.get(`${SHOP}/en/checkout/return?sessionId=${sessionId}`)
    if (!location) continue
    const { text } = await visits.get(SHOP + location)
    return /T-\d+/.exec(text)?.[0] ?? fail(`${location} shows no order.`)
  }
}

function report(seconds: Readonly<Record<keyof typeof LIMITS_S, number>>, number: string): void {
  const row = (name: string, measure: keyof typeof LIMITS_S) =>
    `  ${name.padEnd(26)} ${seconds[measure].toFixed(1).padStart(6)} s  (at most ${LIMITS_S[measure]} s)`
  console.log(
    `\nFrom \`npm start\` in a clean clone, on ${availableParallelism()} cores with a load of ${loadavg()[0]?.toFixed(1)}:`,
  )
  console.log(row('the shop answers', 'shop'))
  console.log(row(`order ${number} is paid`, 'order'))
  console.log(row('the longest silence', 'silence'))
  const measures = Object.keys(LIMITS_S) as (keyof typeof LIMITS_S)[]
  if (measures.some((measure) => seconds[measure] > LIMITS_S[measure])) process.exitCode = 1
}

function fail(message: string): never {
  throw new Error(message)
}
