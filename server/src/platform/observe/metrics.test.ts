import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMetrics } from './metrics.ts'

const samples = async (metrics: ReturnType<typeof createMetrics>) => {
  const text = await (await metrics.everywhere()).metrics()
  return text.split('\n').filter((line) => line.includes('test_'))
}

describe('metrics', () => {
  test('read gauges at each scrape', async () => {
    const metrics = createMetrics()
    let waiting = 3
    metrics.gauge({ name: 'test_waiting', help: 'Who waits.' }, () => waiting)
    assert.deepEqual(await samples(metrics), [
      '# HELP test_waiting Who waits.',
      '# TYPE test_waiting gauge',
      'test_waiting 3',
    ])
    waiting = 0
    assert.equal((await samples(metrics)).at(-1), 'test_waiting 0')
  })

  test('include the metrics of the process, for each server in it', async () => {
    for (const metrics of [createMetrics(), createMetrics()]) {
      assert.match(await metrics.registry.metrics(), /^nodejs_eventloop_lag_p99_seconds \d/m)
    }
  })

  test('include counts that are kept elsewhere', async () => {
    const metrics = createMetrics()
    let sent = 1
    metrics.counter({ name: 'test_sent_total', help: 'Sent.', labels: ['how'] }, () => [
      { labels: { how: 'well' }, value: sent },
    ])
    assert.equal((await samples(metrics))[1], '# TYPE test_sent_total counter')
    sent = 5
    assert.equal((await samples(metrics)).at(-1), 'test_sent_total{how="well"} 5')
  })

  test('count responses by operation, status and duration', async () => {
    const metrics = createMetrics()
    for (const seconds of [0.0005, 0.00051, 2.6]) metrics.answered('getStore', 200, '', seconds)
    metrics.answered('getStore', 304, '', 0.0001)
    const text = await (await metrics.everywhere()).metrics()
    const of200 = text.split('\n').filter((line) => /^vitrine_request_duration_seconds.*"200"/.test(line))
    const counts = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, '+Inf'].map(
      (le, index) => `_bucket{le="${le}",operation="getStore",status="200"} ${[1, ...Array(11).fill(2), 3][index]}`,
    )
    const labels = '{operation="getStore",status="200"}'
    const expected = [...counts, `_sum${labels} ${0.0005 + 0.00051 + 2.6}`, `_count${labels} 3`]
    assert.deepEqual(
      of200,
      expected.map((line) => `vitrine_request_duration_seconds${line}`),
    )
    assert.match(text, /^vitrine_request_duration_seconds_count\{operation="getStore",status="304"\} 1$/m)
    await assert.doesNotReject(metrics.registry.getMetricsAsJSON().then(structuredClone), 'workers can send it')
  })

  test('drop label sets that no longer exist', async () => {
    const metrics = createMetrics()
    let readings = [{ labels: { kind: 'mail' }, value: 2 }]
    metrics.gauge({ name: 'test_queue', help: 'A queue.', labels: ['kind'] }, () => readings)
    assert.equal((await samples(metrics)).at(-1), 'test_queue{kind="mail"} 2')
    readings = []
    assert.equal((await samples(metrics)).length, 2)
  })

  test('read a group of gauges once', async () => {
    const metrics = createMetrics()
    let asked = 0
    metrics.gauges({
      timeoutMs: 1000,
      gauges: [
        { name: 'test_due', help: 'Due.' },
        { name: 'test_dead', help: 'Dead.' },
      ],
      read: async () => {
        asked += 1
        return { test_due: 4, test_dead: 1 }
      },
    })
    const lines = await samples(metrics)
    assert.deepEqual([lines.includes('test_due 4'), lines.includes('test_dead 1'), asked], [true, true, 1])
  })

  test('omit gauges that fail or time out, and keep the others', async () => {
    const metrics = createMetrics()
    let answers = true
    const gauges = [{ name: 'test_due', help: 'Due.' }] as const
    const read = async () => (answers ? { test_due: 4 } : assert.fail('the database is away'))
    metrics.gauges({ timeoutMs: 1000, gauges, read })
    metrics.gauges({
      timeoutMs: 10,
      gauges: [{ name: 'test_slow', help: 'Slow.' }],
      read: () => new Promise<never>(() => {}),
    })
    metrics.gauge({ name: 'test_other', help: 'Another.' }, () => 1)
    const values = async () => (await samples(metrics)).filter((line) => !line.startsWith('#'))
    assert.deepEqual(await values(), ['test_due 4', 'test_other 1'])
    answers = false
    assert.deepEqual(await values(), ['test_other 1'])
  })
})
