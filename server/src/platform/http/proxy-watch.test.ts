import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import type { Logger } from '../observe/logger.ts'
import { createMetrics } from '../observe/metrics.ts'
import { chainOf, operatorProxyWatch, proxyWatch } from './proxy-watch.ts'

const request = (forwarded?: string) =>
  ({ headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as Parameters<typeof chainOf>[0]

test('the proxies of a request are compared with the configured number', () => {
  assert.deepEqual(
    [
      [undefined, 0],
      ['198.51.100.7', 1],
      ['198.51.100.7, 203.0.113.9', 2],
    ].map(([forwarded, trusted]) => chainOf(request(forwarded as string), trusted as number)),
    ['as_configured', 'as_configured', 'as_configured'],
  )
  assert.equal(chainOf(request('198.51.100.7'), 0), 'too_many', 'a proxy that is not trusted')
  assert.equal(chainOf(request('198.51.100.7, 203.0.113.9'), 1), 'too_many')
  assert.equal(chainOf(request(), 1), 'too_few', 'a trusted proxy that sends none')
  assert.equal(chainOf(request('198.51.100.7'), 2), 'too_few')
})

test('each kind of mismatch is logged once and counted each time', async () => {
  const lines: object[] = []
  const metrics = createMetrics()
  const watch = proxyWatch({ warn: (facts: object) => lines.push(facts) } as unknown as Logger, metrics, 1)
  for (const forwarded of [undefined, '198.51.100.7', undefined, 'a, b', 'a, b']) {
    watch(request(forwarded) as Parameters<typeof watch>[0])
  }
  assert.deepEqual(lines, [
    { chain: 'too_few', trustedProxies: 1 },
    { chain: 'too_many', trustedProxies: 1 },
  ])
  assert.match(await metrics.registry.metrics(), /vitrine_proxied_requests_total\{chain="too_few"\} 2/)
})

test('requests of the operator door from unknown proxies, and those of proxies that name no client, are counted, and the first is logged', async () => {
  const lines: object[] = []
  const metrics = createMetrics()
  const operatorProxies = new BlockList()
  operatorProxies.addAddress('10.0.0.1')
  const settings = { operatorProxies, operatorUrl: 'https://console.shop.example' }
  const log = { warn: (facts: object) => lines.push(facts) } as unknown as Logger
  const watch = operatorProxyWatch(log, metrics, settings)
  const unknownOf = async (remoteAddress: string, headers: Readonly<Record<string, string>>) => {
    watch({ socket: { remoteAddress }, headers } as unknown as Parameters<typeof watch>[0])
    return Number(/vitrine_operator_unknown_clients_total (\d+)/.exec(await metrics.registry.metrics())?.[1])
  }
  const host = 'console.shop.example'
  assert.equal(await unknownOf('10.0.0.1', { host, 'x-forwarded-for': '203.0.113.9' }), 0)
  assert.equal(await unknownOf('127.0.0.1', { host: '127.0.0.1:8082' }), 0, 'without a proxy, as through SSH')
  assert.equal(await unknownOf('::ffff:10.0.0.2', { host, 'x-forwarded-for': '203.0.113.9' }), 1, 'another proxy')
  assert.equal(await unknownOf('10.0.0.1', { host }), 2, 'a proxy that does not name the client')
  assert.deepEqual(lines, [{ peer: '10.0.0.2' }])
})
