import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { AnswerTimeout, type PrivateJwk, type VitrineClient, VitrineError, vitrine } from '@vitrine/sdk'
import { afterCheckout, beginCheckout } from '../../docs/guides/hosted-checkout.ts'
import { ensureItem, nextStep } from '../../docs/guides/retries.ts'
import { requestReturn, returnable } from '../../docs/guides/returns.ts'
import { enter, productsOf } from '../../docs/guides/store-access.ts'
import { FAULTS } from '../../server/src/features/payments/providers/simulator/faults.ts'
import { bought, lineOf, markArrived } from '../support/commerce/after-sales.ts'
import { CANCEL_URL, checkoutClient, paid, RETURN_URL, readyCart } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { testSimulator } from '../support/commerce/simulator.ts'
import { atFileEnd } from '../support/file-end.ts'
import { temporaryFolder } from '../support/processes/command.ts'
import { gate, PASSWORD } from '../support/store-access.ts'
import type { InstallationClient } from '../support/world.ts'

const repository = join(import.meta.dirname, '../..')
const run = promisify(execFile)

let shop: Shop
let client: InstallationClient
let app: VitrineClient
before(async () => {
  shop = await startShop({ isReachable: true })
  // The SDK has the clock of the machine.
  shop.clock.advance(Date.now() - shop.clock.now().getTime())
  client = await checkoutClient(shop)
  const { key, proof } = client
  assert.ok(key && proof)
  const privateKey = proof.privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
  app = vitrine({ baseUrl: shop.publicUrl, key, privateKey })
})

describe('the guide to retries', () => {
  test('adds an item once, however often its program runs', async () => {
    const { id: cartId } = await app.createPublicCart({ body: { currency: 'EUR', country: 'DE' } })
    const line = { cartId, skuId: shop.sku('MUG') }
    const intents = { keyOf: async (intent: string) => `key of ${intent}`.replaceAll(' ', '-') }
    await ensureItem(app, intents, 'order 7', line)
    const again = await ensureItem(app, intents, 'order 7', line)
    assert.equal(again.lines[0]?.quantity, 1)
  })

  test('tells what to do next after each kind of failure', async () => {
    const { id: cartId } = await app.createPublicCart({ body: { currency: 'EUR', country: 'DE' } })
    const refused = async (body: { skuId: string; quantity: number; expectedVersion?: number }) => {
      const error = await app.addPublicCartItem({ params: { cartId }, body }).catch((thrown: unknown) => thrown)
      assert.ok(error instanceof VitrineError)
      return error
    }
    const conflict = await refused({ skuId: shop.sku('MUG'), quantity: 1, expectedVersion: 9 })
    const missing = await refused({ skuId: shop.sku('MUG'), quantity: 0 })
    assert.deepEqual([nextStep(conflict), nextStep(missing)], ['read again', 'stop'])
    const lost = new VitrineError({ ...missing.answer, outcome: 'unknown' })
    const later = new VitrineError({ ...missing.answer, retry: { advice: 'same_request_later', afterMs: 1000 } })
    const foreign = new VitrineError({ ...missing.answer, retry: { advice: 'ask_the_moon' as never, afterMs: null } })
    const steps = [lost, later, foreign, new TypeError('fetch failed'), new AnswerTimeout('url', 1)].map(nextStep)
    assert.deepEqual(steps, ['run again', 'run again', 'unknown', 'run again', 'run again'])
    assert.throws(() => nextStep(new RangeError('a mistake of the program')), RangeError)
  })
})

test('the guide to hosted checkout follows a session from its start to the order', async () => {
  const urls = { returnUrl: RETURN_URL, cancelUrl: CANCEL_URL }
  const first = await readyCart(shop, client, { MUG: 1 })
  const { sessionId, url } = await beginCheckout(app, first.id, urls)
  assert.match(url ?? '', /^http/)
  assert.deepEqual(await afterCheckout(app, sessionId), { show: 'checkout', url })
  const open = await app.getHostedCheckoutSession({ params: { sessionId } })
  const { orderId } = await paid(shop, client, open as Parameters<typeof paid>[2])
  assert.deepEqual(await afterCheckout(app, sessionId), { show: 'order', orderId })

  const second = await readyCart(shop, client, { MUG: 1 })
  const canceled = await beginCheckout(app, second.id, urls)
  await app.cancelHostedCheckoutSession({ params: { sessionId: canceled.sessionId }, body: {} })
  assert.deepEqual(await afterCheckout(app, canceled.sessionId), { show: 'cart', cartId: second.id })
})

test('the guide to returns asks what may be returned, and requests it', async () => {
  const order = await bought(shop, client, { MUG: 2 })
  await markArrived(shop, order)
  const { decision, unitsByLine, eligibilityToken } = await returnable(app, order.id)
  const { id: lineId } = lineOf(shop, order, 'MUG')
  assert.notEqual(decision, 'ineligible')
  assert.equal(unitsByLine[lineId], 2)
  const { id, status } = await requestReturn(app, order.id, lineId, eligibilityToken)
  assert.match(`${id} ${status}`, /^asr_\w+ (requested|under_review|approved|awaiting_return)$/)
})

test('the guide to store access opens a store by its password and reads it', async () => {
  await gate(shop, { slug: 'books', mode: 'password', password: PASSWORD })
  const reader = vitrine({ baseUrl: shop.publicUrl })
  await assert.rejects(productsOf(reader, 'books', ''), VitrineError)
  const { data } = await productsOf(reader, 'books', await enter(reader, 'books', PASSWORD))
  assert.equal(data.length, 1)
  await assert.rejects(enter(reader, 'ceramics', PASSWORD), /asks for no password/)
})

/** A folder that looks like the one in which the server runs. */
async function folderWithKeys(): Promise<string> {
  const folder = await temporaryFolder()
  const { key: readKey } = await shop.client({ bound: false })
  const keys = { readKey, boundKey: client.key, privateKeyFile: 'key.json' }
  await mkdir(join(folder, '.data'))
  await writeFile(join(folder, '.data/demo-keys.json'), JSON.stringify(keys))
  await writeFile(join(folder, '.data/key.json'), JSON.stringify(client.proof?.privateKey.export({ format: 'jwk' })))
  await symlink(join(repository, 'docs'), join(folder, 'docs'))
  return folder
}

const PATH = `${dirname(process.execPath)}:${process.env.PATH}`

test('the guide to curl reads with a key, and makes a cart with a signed request', async () => {
  // The script has the clock of the machine. A proof may be 60 s old but only 10 s ahead, so the server’s clock goes 30 s fast.
  shop.clock.advance(Date.now() + 30_000 - shop.clock.now().getTime())
  const env = { ...process.env, PATH, VITRINE_URL: shop.publicUrl }
  const { stdout } = await run('/bin/sh', ['-e', 'docs/guides/curl.sh'], { cwd: await folderWithKeys(), env })
  assert.match(stdout, /\{"data":\[.*\{"data":\{"id":"cart_/s)
})

test('the proofs of the guide to curl need the right time, and say so', async () => {
  const env = { ...process.env, PATH, VITRINE_KEY: client.key ?? '', VITRINE_KEY_FILE: '.data/key.json' }
  const ahead = Date.now() + 120_000 - shop.clock.now().getTime()
  shop.clock.advance(ahead)
  const args = ['docs/guides/proof.js', 'POST', `${shop.publicUrl}/api/v1/open/storefront/carts`]
  const proving = run(process.execPath, args, { cwd: await folderWithKeys(), env })
  await assert.rejects(proving, {
    code: 1,
    stderr: /iat must be at most 60 s old.*\n.*set the clock: it is .* GMT here/,
  })
  shop.clock.advance(-ahead)
})

describe('the guide to testing', () => {
  test('makes the simulator decline the next charge', async () => {
    const { simulator, environment } = await testSimulator(shop.clock)
    atFileEnd(() => simulator.close())
    const env = { ...process.env, PATH, ...environment }
    const { stdout } = await run('/bin/sh', ['-e', 'docs/guides/testing.sh'], { cwd: repository, env })
    assert.deepEqual(JSON.parse(stdout), { waiting: [{ fault: 'decline' }] })
  })

  test('names faults that the simulator has', async () => {
    const guide = await readFile(join(repository, 'docs/guides/testing.md'), 'utf8')
    const [, table = ''] = guide.split('| `fault` |')
    const named = [...table.split('\n\n')[0]!.matchAll(/^\| `(\w+)`/gm)].map(([, fault]) => fault!)
    assert.ok(named.length > 5)
    assert.deepEqual(
      named.filter((fault) => !(fault in FAULTS)),
      [],
    )
  })
})
