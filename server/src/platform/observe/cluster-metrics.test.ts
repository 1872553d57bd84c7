// test: alone: its workers stay in the metrics of the process
import assert from 'node:assert/strict'
import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { createMetrics } from './metrics.ts'

/** A worker without a process. */
class TestWorker extends EventEmitter {
  readonly metrics = createMetrics()
  readonly id: number
  isSilent = false

  constructor(id: number) {
    super()
    this.id = id
    this.metrics.gauge({ name: 'test_processes', help: 'Processes.' }, () => 1)
  }
  isConnected(): boolean {
    return true
  }
  send({ id }: { readonly id: number }): void {
    if (this.isSilent) return
    void this.metrics.registry
      .getMetricsAsJSON()
      .then((metrics) => this.emit('message', { type: 'vitrine:metrics', id, metrics: structuredClone(metrics) }))
  }
}

describe('the metrics of several processes', () => {
  test('keep the counts of a process that is silent or has ended, and nothing else of it', async () => {
    const workers = cluster.workers as Record<number, Worker>
    const primary = createMetrics()
    const add = (id: number) => {
      const worker = new TestWorker(id)
      workers[id] = worker as unknown as Worker
      return worker
    }
    const [first, second] = [add(1), add(2)]
    const read = async () => {
      const text = await (await primary.everywhere()).metrics()
      return ['vitrine_request_errors_total', 'vitrine_request_duration_seconds_count', 'test_processes'].map((name) =>
        Number(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'm').exec(text)?.[1]),
      )
    }
    for (const { metrics } of [first, second]) {
      for (let times = 0; times < 5; times += 1) metrics.answered('getStore', 404, 'not_found', 0.01)
    }
    assert.deepEqual(await read(), [10, 10, 2])
    second.isSilent = true
    first.metrics.answered('getStore', 404, 'not_found', 0.01)
    assert.deepEqual(await read(), [11, 11, 1])

    // It is killed, and another process takes its place.
    delete workers[2]
    const third = add(3)
    third.metrics.answered('getStore', 404, 'not_found', 0.01)
    assert.deepEqual(await read(), [12, 12, 2])
    delete workers[3]
    assert.deepEqual(await read(), [12, 12, 1])
    assert.deepEqual(await read(), [12, 12, 1], 'each ended process is counted once')
  })
})
