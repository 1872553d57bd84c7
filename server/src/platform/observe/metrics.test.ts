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

  test('leave out gauges that fail or time out, and keep the others', async () => {
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
