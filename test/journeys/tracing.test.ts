// test: alone: its tracer is that of the whole process
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { operatorClient } from '../support/operator.ts'
import { type EndedSpan, recordSpans } from '../support/spans.ts'
import type { InstallationClient } from '../support/world.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${CALLER}-01`

const spans = recordSpans()
const lines: string[] = []
let receiver: Awaited<ReturnType<typeof startReceiver>>
let shop: Shop
let caller: InstallationClient
before(async () => {
  receiver = await startReceiver()
  shop = await startShop({
    environment: { WEBHOOK_ALLOWED_TARGETS: receiver.target },
    onLogLine: (line) => void lines.push(line),
  })
  caller = await shop.client()
})

/** The spans that end while `work` runs. */
async function spansOf(work: () => Promise<unknown>): Promise<readonly EndedSpan[]> {
  const already = spans.length
  await work()
  // A span ends with its response, which may reach the client a moment earlier.
  await turn()
  return spans.slice(already)
}

describe('a request with a trace context', () => {
  test('has a span named after its operation, with route, status and request id', async () => {
    const created = await spansOf(() =>
      caller.post('/api/v1/open/storefront/carts', { currency: 'EUR', country: 'DE' }, { headers: { traceparent } }),
    )
    // The first request was refused for its missing nonce, in the same trace.
    const span = created.findLast(({ name }) => name === 'createPublicCart')
    assert.deepEqual([span?.traceId, span?.parentId, span?.status.code], [TRACE, CALLER, 0])
    assert.equal(span?.attributes['http.route'], '/api/v1/open/storefront/carts')
    assert.equal(span?.attributes['http.request.method'], 'POST')
    assert.equal(span?.attributes['http.response.status_code'], 200)

    const logLines = lines
      .map((line) => JSON.parse(line))
      .filter(({ requestId }) => requestId === span?.attributes['vitrine.request_id'])
    assert.ok(logLines.length > 0, 'its log line')
    for (const line of logLines) assert.equal(line.traceId, TRACE, JSON.stringify(line))
  })

  test('that is refused has the refusal code, and is not an error of the server', async () => {
    const [span] = await spansOf(() =>
      shop.anonymous.get('/api/v1/open/storefront/carts/cart_absent', { headers: { traceparent } }),
    )
    assert.equal(span?.attributes['error.type'], 'credential_missing')
    assert.deepEqual([span?.traceId, span?.status.code], [TRACE, 0])
  })
})

describe('an operator request with a trace context', () => {
  test('has a span like any other, and the log names the operation', async () => {
    const operator = await operatorClient(shop)
    const [span] = await spansOf(() => operator.get('/stores/ceramics', { traceparent }))
    assert.deepEqual([span?.name, span?.traceId, span?.parentId], ['operator.getStore', TRACE, CALLER])
    assert.equal(span?.attributes['http.route'], '/operator/v1/stores/{storeSlug}')
    assert.equal(span?.attributes['http.response.status_code'], 200)
    const line = lines.map((each) => JSON.parse(each)).find(({ operationId }) => operationId === 'operator.getStore')
    assert.deepEqual([line.traceId, line.requestId], [TRACE, span?.attributes['vitrine.request_id']])
  })

  test('that is refused has the refusal code and its own duration, and is not an error of the server', async () => {
    const operator = await operatorClient(shop)
    const [span] = await spansOf(() => operator.get('/stores/nowhere', { traceparent }))
    assert.deepEqual([span?.attributes['error.type'], span?.traceId, span?.status.code], ['not_found', TRACE, 0])
    await operator.get('/no/such/operation')
    const figures = await (await fetch(`${operator.origin}/metrics`)).text()
    assert.match(figures, /errors_total\{operation="operator.getStore",code="not_found"\} 1/)
    assert.match(figures, /errors_total\{operation="operator.none",code="not_found"\} 1/)
    const [, seconds] = /seconds_sum\{operation="operator.getStore",status="404"\} (\S+)/.exec(figures) ?? []
    assert.ok(Number(seconds) > 0, `${seconds} s`)
  })

  test('for a file or a health check is not counted', async () => {
    const { origin } = await operatorClient(shop)
    const spans = await spansOf(() => Promise.all(['/', '/livez'].map((path) => fetch(origin + path))))
    assert.deepEqual(spans, [])
    assert.doesNotMatch(await (await fetch(`${origin}/metrics`)).text(), /livez|operation="(none|)"/)
  })
})

describe('outgoing requests', () => {
  test('a webhook carries the trace context of its delivery, and stays signed', async () => {
    await caller.post('/api/v1/open/webhooks/endpoints', { url: receiver.url, events: ['*'] })
    const spans = await spansOf(async () => {
      const cart = await caller.post('/api/v1/open/storefront/carts', { currency: 'EUR', country: 'DE' })
      await caller.post(`/api/v1/open/storefront/carts/${cart.body.data.id}/revoke`, {})
      await shop.work()
    })
    const delivered = spans.find(({ name }) => name === 'webhook.deliver')
    const arrival = receiver.arrivals.at(-1)
    assert.equal(arrival?.headers.traceparent, `00-${delivered?.traceId}-${delivered?.spanId}-01`)
    assert.equal(delivered?.attributes['http.response.status_code'], 204)
    assert.ok(arrival?.headers['webhook-signature'])
  })
})
