import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { firstQuote } from '../../docs/guides/first-quote.ts'
import { startShop } from '../support/commerce/shop.ts'
import { temporaryFolder } from '../support/processes/command.ts'

test('the guide to a first quote ends with a binding price and a valid signature', async () => {
  const shop = await startShop()
  // The SDK has the clock of the machine.
  shop.clock.advance(Date.now() - shop.clock.now().getTime())
  const { key, proof } = await shop.client()
  assert.ok(key && proof)
  const { product, quote, totals } = await firstQuote({
    baseUrl: shop.publicUrl,
    key,
    privateKey: proof.privateKey.export({ format: 'jwk' }) as never,
    fetch: (url, init) => fetch(String(url).replace(shop.publicUrl, shop.origin), init),
  })
  assert.equal(product, 'Mug')
  assert.equal(quote.status, 'in_force')
  assert.deepEqual(totals.total, { amount: 2 * 1254 + 490, currency: 'EUR' })
})

test('the program explains in one sentence that there is no demo, or that nothing answers', async () => {
  const folder = await temporaryFolder()
  const run = () =>
    new Promise((resolve) => {
      const program = join(import.meta.dirname, '../../docs/guides/first-quote.ts')
      // Port 9 is the discard service: nothing listens there.
      const env = { ...process.env, DATA_DIR: folder, PUBLIC_URL: 'http://127.0.0.1:9' }
      execFile(process.execPath, [program], { env }, (error, _out, printed) => resolve([error?.code, printed]))
    })
  const start = 'Run "npm start"'
  assert.deepEqual(await run(), [
    1,
    `There is no demo-keys.json in ${folder}. ${start} first, and this program in the same folder.\n`,
  ])

  await writeFile(join(folder, 'demo-keys.json'), JSON.stringify({ boundKey: null, privateKeyFile: 'key.json' }))
  await writeFile(join(folder, 'key.json'), 'null')
  assert.deepEqual(await run(), [
    1,
    `http://127.0.0.1:9 cannot be reached. ${start}, or set PUBLIC_URL to where it listens.\n`,
  ])
})
