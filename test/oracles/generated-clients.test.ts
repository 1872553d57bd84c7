// test: long
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Client, makeProof } from '../support/client.ts'
import { orderedBy } from '../support/commerce/orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { temporaryFolder } from '../support/processes/command.ts'

/*
 * Clients that stock generators make of the OpenAPI document compile under `strict`, and do what an integrator does first. What they
 * cannot send or read is a fault of the document.
 */

const repository = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** What each program is given, and what it found. */
interface Setting {
  readonly baseUrl: string
  /** Adds the credential and a proof: no generator knows DPoP. */
  readonly fetch: typeof fetch
  readonly skuId: string
  readonly orderId: string
}
interface Found {
  readonly cartStatus: string
  readonly units: number
  readonly quotedAmount: number
  readonly orderNumber: string
  readonly missing: string
}

const SETTING = `
interface Setting { baseUrl: string; fetch: typeof fetch; skuId: string; orderId: string }
const key = () => ({ 'Idempotency-Key': crypto.randomUUID() })
`

/** Programs against the generated types: a cart, an item, a quote, an order, and an order that does not exist. */
const PROGRAMS = {
  'openapi-fetch': `
import createClient from 'openapi-fetch'
import type { paths } from './generated/paths.js'
${SETTING}
function answered<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (!data) throw new Error(JSON.stringify(error))
  return data
}
export async function program({ baseUrl, fetch, skuId, orderId }: Setting) {
  const shop = createClient<paths>({ baseUrl, fetch })
  const carts = '/api/v1/open/storefront/carts'
  const body = { currency: 'EUR', country: 'DE', lines: [{ skuId, quantity: 1 }] }
  const { data: cart } = answered(await shop.POST(carts, { params: { header: key() }, body }))
  const path = { cartId: cart.id }
  const { data: filled } = answered(
    await shop.POST(\`\${carts}/{cartId}/items\`, { params: { path }, headers: key(), body: { skuId, quantity: 2 } }),
  )
  const { data: quote } = answered(
    await shop.POST(\`\${carts}/{cartId}/quote\`, { params: { path, header: key() }, body: {} }),
  )
  const orders = '/api/v1/open/storefront/orders/{orderId}'
  const { data: order } = answered(await shop.GET(orders, { params: { path: { orderId } } }))
  const { error } = await shop.GET(orders, { params: { path: { orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' } } })
  const { status: cartStatus, counts: { units } } = filled
  return { cartStatus, units, quotedAmount: quote.totals.total.amount, orderNumber: order.number, missing: error?.code }
}`,
  'hey-api': `
import * as shop from './generated/hey-api/index.js'
import { client } from './generated/hey-api/client.gen.js'
${SETTING}
export async function program({ baseUrl, fetch, skuId, orderId }: Setting) {
  client.setConfig({ baseUrl, fetch })
  const throwOnError = true
  const body = { currency: 'EUR', country: 'DE', lines: [{ skuId, quantity: 1 }] }
  const { data: { data: cart } } = await shop.createPublicCart({ body, headers: key(), throwOnError })
  const path = { cartId: cart.id }
  const { data: { data: filled } } = await shop.addPublicCartItem({
    path, body: { skuId, quantity: 2 }, headers: key(), throwOnError,
  })
  const { data: { data: quote } } = await shop.quotePublicCart({ path, body: {}, headers: key(), throwOnError })
  const { data: { data: order } } = await shop.getStorefrontOrder({ path: { orderId }, throwOnError })
  const { error } = await shop.getStorefrontOrder({ path: { orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' } })
  const { status: cartStatus, counts: { units } } = filled
  return { cartStatus, units, quotedAmount: quote.totals.total.amount, orderNumber: order.number, missing: error?.code }
}`,
  'swagger-typescript-api': `
import { Api, type PublicErrorResponse } from './generated/swagger-typescript-api.js'
${SETTING}
export async function program({ baseUrl, fetch, skuId, orderId }: Setting) {
  const { api: shop } = new Api({ baseUrl, customFetch: fetch })
  const keyed = () => ({ headers: key() })
  const body = { currency: 'EUR', country: 'DE', lines: [{ skuId, quantity: 1 }] }
  const { data: { data: cart } } = await shop.createPublicCart(body, keyed())
  const { data: { data: filled } } = await shop.addPublicCartItem(cart.id, { skuId, quantity: 2 }, keyed())
  const { data: { data: quote } } = await shop.quotePublicCart(cart.id, {}, keyed())
  const { data: { data: order } } = await shop.getStorefrontOrder(orderId)
  const missing = await shop.getStorefrontOrder('ord_01k5b7m2q8e9rtv3w4x5y6z7a8').then(
    () => undefined,
    ({ error }: { error: PublicErrorResponse }) => error.code,
  )
  const { status: cartStatus, counts: { units } } = filled
  return { cartStatus, units, quotedAmount: quote.totals.total.amount, orderNumber: order.number, missing }
}`,
} as const

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: false,
    outDir: 'built',
  },
  include: ['*.ts', 'generated'],
}

/** Generates the clients, writes the programs next to them and compiles all of it. @returns the folder of the programs */
async function buildPrograms(): Promise<string> {
  const folder = await temporaryFolder()
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'built'))
  const files = { 'package.json': { type: 'module' }, 'tsconfig.json': TSCONFIG }
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), JSON.stringify(content))
  for (const [name, program] of Object.entries(PROGRAMS)) await writeFile(join(folder, `${name}.ts`), program)
  await run(process.execPath, [join(import.meta.dirname, 'generate-clients.ts'), folder])
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }) =>
    assert.fail(`it does not compile\n${stdout}`),
  )
  return join(folder, 'built')
}

let shop: Shop
let client: Client
let built: string
let setting: Setting
before(async () => {
  ;[shop, built] = await Promise.all([startShop({ isReachable: true }), buildPrograms()])
  const own = await shop.client()
  client = own
  const { id } = await orderedBy(shop, own, { MUG: 1 })
  setting = { baseUrl: shop.publicUrl, fetch: provenFetch, skuId: shop.sku('MUG'), orderId: id }
})

let nonce: string | undefined

/** `fetch` with the credential and a proof of possession, and once more with the nonce of the server. */
const provenFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const send = async (each: Request) => {
    const [token, key] = [client.key!, client.proof!]
    const { method, url } = each
    const proof = await makeProof(key, { method, url: url.split('?')[0]!, token, nonce, now: shop.clock.now() })
    each.headers.set('authorization', `DPoP ${token}`)
    each.headers.set('dpop', proof)
    const response = await fetch(each)
    nonce = response.headers.get('dpop-nonce') ?? nonce
    return response
  }
  const again = request.clone()
  const response = await send(request)
  const isWithoutNonce = response.status === 401 && /use_dpop_nonce/.test(await response.clone().text())
  return isWithoutNonce ? send(again) : response
}

describe('a client made from the document', () => {
  for (const name of Object.keys(PROGRAMS)) {
    test(`by ${name} compiles under strict, makes a cart and a quote, and reads an order and a refusal`, async () => {
      const { program } = (await import(pathToFileURL(join(built, `${name}.js`)).href)) as {
        program(given: Setting): Promise<Found>
      }
      const { orderNumber, quotedAmount, ...found } = await program(setting)
      assert.deepEqual(found, { cartStatus: 'active', units: 3, missing: 'not_found' })
      assert.match(orderNumber, /\d/)
      assert.ok(quotedAmount > 0)
    })
  }
})
