import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMetrics } from './metrics.ts'

const told = async (metered: ReturnType<typeof createMetrics>) => {
  const text = await (await metered.everywhere()).metrics()
  return text.split('\n').filter((line) => line.includes('test_'))
}

describe('figures', () => {
  test('of a gauge are read when somebody looks', async () => {
    const metered = createMetrics()
    let waiting = 3
    metered.gauge({ name: 'test_waiting', help: 'Who waits.' }, () => waiting)
    assert.deepEqual(await told(metered), [
      '# HELP test_waiting Who waits.',
      '# TYPE test_waiting gauge',
      'test_waiting 3',
    ])
    waiting = 0
    assert.equal((await told(metered)).at(-1), 'test_waiting 0')
  })

  test('of a count that somebody else keeps are a counter', async () => {
    const metered = createMetrics()
    let sent = 1
    metered.counter({ name: 'test_sent_total', help: 'Sent.', labels: ['how'] }, () => [
      { labels: { how: 'well' }, value: sent },
    ])
    assert.equal((await told(metered))[1], '# TYPE test_sent_total counter')
    sent = 5
    assert.equal((await told(metered)).at(-1), 'test_sent_total{how="well"} 5')
  })

  test('with labels that are gone are gone', async () => {
    const metered = createMetrics()
    let readings = [{ labels: { kind: 'mail' }, value: 2 }]
    metered.gauge({ name: 'test_queue', help: 'A queue.', labels: ['kind'] }, () => readings)
    assert.equal((await told(metered)).at(-1), 'test_queue{kind="mail"} 2')
    readings = []
    assert.equal((await told(metered)).length, 2)
  })

  test('that one question answers are asked for once', async () => {
    const metered = createMetrics()
    let asked = 0
    metered.gauges({
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
    const lines = await told(metered)
    assert.deepEqual([lines.includes('test_due 4'), lines.includes('test_dead 1'), asked], [true, true, 1])
  })

  test('that cannot be had, or not in time, are left out, and the others are told', async () => {
    const metered = createMetrics()
    let answers = true
    const gauges = [{ name: 'test_due', help: 'Due.' }] as const
    const read = async () => (answers ? { test_due: 4 } : assert.fail('the database is away'))
    metered.gauges({ timeoutMs: 1000, gauges, read })
    metered.gauges({
      timeoutMs: 10,
      gauges: [{ name: 'test_slow', help: 'Slow.' }],
      read: () => new Promise<never>(() => {}),
    })
    metered.gauge({ name: 'test_other', help: 'Another.' }, () => 1)
    const samples = async () => (await told(metered)).filter((line) => !line.startsWith('#'))
    assert.deepEqual(await samples(), ['test_due 4', 'test_other 1'])
    answers = false
    assert.deepEqual(await samples(), ['test_other 1'])
  })
})
