import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { logger } from './logger.ts'
import { beginRequest, endRequest, inOwnTrace, inSpan, registerSpanContexts, traceHeaders, within } from './tracing.ts'

/** Without an SDK, nothing is recorded. */

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`

before(registerSpanContexts)

describe('without an SDK', () => {
  test('a request without a trace has no span and propagates none', () => {
    const request = beginRequest('getCart', {}, {})
    assert.equal(request, null)
    assert.deepEqual(
      within(request, () => traceHeaders()),
      {},
    )
    endRequest(request, 200, '')
  })

  test('the trace of the caller is propagated through asynchronous work', async () => {
    const request = beginRequest('getCart', {}, { traceparent: TRACEPARENT, tracestate: 'vendor=1,other=2' })
    const sent = await within(request, async () => {
      await turn()
      return inSpan('payment.call', { kind: 'client', attributes: {} }, async () => {
        await turn()
        return traceHeaders()
      })
    })
    assert.deepEqual(sent, { traceparent: TRACEPARENT, tracestate: 'vendor=1,other=2' })
    assert.deepEqual(traceHeaders(), {}, 'and nowhere else')
    endRequest(request, 200, '')
  })

  test('a call in a separate trace reveals nothing about the caller', async () => {
    const request = beginRequest('getCart', {}, { traceparent: TRACEPARENT, tracestate: 'vendor=1' })
    const sent = await within(request, () =>
      inOwnTrace('webhook.deliver', { kind: 'client', attributes: {} }, async () => traceHeaders()),
    )
    assert.deepEqual(sent, {})
    endRequest(request, 200, '')
  })

  test('log lines of a request contain its trace', () => {
    const lines: string[] = []
    const log = logger('info', { write: (line: string) => void lines.push(line) })
    within(beginRequest('getCart', {}, { traceparent: TRACEPARENT }), () => log.info('inside'))
    log.info('outside')
    const [inside, outside] = lines.map((line) => JSON.parse(line))
    assert.equal(inside.traceId, TRACE)
    assert.equal(outside.traceId, undefined)
  })

  for (const [what, traceparent] of [
    ['is malformed', 'hello'],
    ['has the invalid version ff', TRACEPARENT.replace('00-', 'ff-')],
    ['has uppercase letters', TRACEPARENT.toUpperCase()],
    ['has a trace id of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['has a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['is longer than its version defines', `${TRACEPARENT}-more`],
    ['was sent twice', `${TRACEPARENT}, ${TRACEPARENT}`],
  ] as const) {
    test(`a traceparent that ${what} is ignored`, () => {
      assert.equal(beginRequest('getCart', {}, { traceparent }), null)
    })
  }

  test('a later version of traceparent is accepted', () => {
    const request = beginRequest('getCart', {}, { traceparent: `${TRACEPARENT.replace('00-', '01-')}-more` })
    assert.deepEqual(
      within(request, () => traceHeaders()),
      { traceparent: TRACEPARENT },
    )
  })
})
