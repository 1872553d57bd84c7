import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { signatureHeaders } from '../../server/src/features/webhooks/endpoints/signing.ts'
import { openPage } from '../support/pages/browser.ts'

const SECRET = Buffer.alloc(32, 5)
const body = Buffer.from('{"id":"evt_a","type":"webhook.test","sequence":1, "data":{"message":"Grüße \\/ 🏺"}}')
const given = JSON.stringify({
  secret: `whsec_${SECRET.toString('base64')}`,
  bytes: [...body],
  headers: signatureHeaders({ id: 'evt_a', sentAt: new Date(), body }, [SECRET]),
})

/** The bundled verifier, a page that uses it, and a worker that does the same. */
const scripts: Readonly<Record<string, string>> = {
  '/webhooks.js': stripTypeScriptTypes(readFileSync(new URL('../../sdk/src/webhooks.ts', import.meta.url), 'utf8')),
  '/trying.js': `
    import { webhookVerifier } from '/webhooks.js'
    export async function trying() {
      const { secret, bytes, headers } = ${given}
      const verifier = webhookVerifier({ secret })
      const body = Uint8Array.from(bytes)
      const why = (verifying) => verifying.then(() => 'taken', (error) => error.reason ?? error.name)
      return [
        (await verifier.verify(new Request('/', { method: 'POST', body, headers }))).data.message,
        (await verifier.verify(body, headers)).type,
        await why(verifier.verify(body.slice(1), headers)),
        await why(verifier.verify(JSON.parse(new TextDecoder().decode(body)), headers)),
      ]
    }`,
  '/worker.js': `import { trying } from '/trying.js'; trying().then(postMessage, (error) => postMessage(String(error)))`,
}
const server = createServer((request, response) => {
  const script = scripts[request.url ?? '']
  response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
  response.end(script ?? '<!doctype html><html lang="en"><title>A page</title>')
})

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

after(() => server.close())

test('the verifier runs in a browser and its workers without dependencies', async () => {
  assert.doesNotMatch(scripts['/webhooks.js'] ?? '', /^import /m)
  const page = await openPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const expected = ['Grüße / 🏺', 'webhook.test', 'wrong_signature', 'TypeError']
  assert.deepEqual(await page.evaluate(`import('/trying.js').then(({ trying }) => trying())`), expected)
  const inWorker = `new Promise((resolve) => {
    new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => resolve(data)
  })`
  assert.deepEqual(await page.evaluate(inWorker), expected)
})
