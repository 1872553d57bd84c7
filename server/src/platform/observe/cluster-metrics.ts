import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client'

/**
 * The messages with which the primary process collects the metrics of its workers. prom-client's own collection fails
 * altogether if one worker hangs or has just died.
 */
interface MetricsRequest {
  readonly type: 'vitrine:metrics?'
  readonly id: number
}
interface MetricsResponse {
  readonly type: 'vitrine:metrics'
  readonly id: number
  readonly metrics: readonly MetricObject[]
}

/** Of a worker that does not respond in time, only the last known counts are included. */
const RESPONSE_MS_MAX = 1000

let lastId = 0

/** The last response of each worker. */
const latest = new Map<number, readonly MetricObject[]>()
/** The counts of all workers that have ended. */
let ended: readonly MetricObject[] = []

/**
 * The metrics of this process and its workers, aggregated. Counts of workers that are silent or have ended stay in the sum: Prometheus
 * takes a count that drops for one that began again at 0, and would report all that was ever counted as an increase.
 */
export async function clusterMetrics(own: Registry): Promise<Registry> {
  const hadWorkers = latest.size > 0 || ended.length > 0
  if (!hadWorkers && Object.keys(cluster.workers ?? {}).length === 0) return own
  const [ownMetrics, ...responded] = await Promise.all([
    own.getMetricsAsJSON() as Promise<readonly MetricObject[]>,
    ...Object.values(cluster.workers ?? {})
      .filter((worker) => worker !== undefined)
      .map(async (worker) => ((await responds(worker)) ? worker.id : null)),
  ])
  for (const [id, metrics] of latest) {
    if (cluster.workers?.[id]) continue
    latest.delete(id)
    ended = aggregated([ended, countsOf(metrics)]).getMetricsAsArray() as unknown as readonly MetricObject[]
  }
  const ofWorkers = [...latest].map(([id, metrics]) => (responded.includes(id) ? metrics : countsOf(metrics)))
  return aggregated([ownMetrics, ended, ...ofWorkers])
}

function aggregated(all: readonly (readonly MetricObject[])[]): Registry {
  return AggregatorRegistry.aggregate(all as unknown as object[]) as Registry
}

function countsOf(metrics: readonly MetricObject[]): readonly MetricObject[] {
  return metrics.filter(({ type }) => String(type) !== 'gauge')
}

/** Asks a worker for its metrics. False if it does not respond in time. */
function responds(worker: Worker): Promise<boolean> {
  if (!worker.isConnected()) return Promise.resolve(false)
  lastId += 1
  const id = lastId
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const receive = (message: MetricsResponse) => {
    if (message.type !== 'vitrine:metrics' || message.id !== id) return
    latest.set(worker.id, message.metrics)
    resolve(true)
  }
  const giveUp = () => resolve(false)
  const timer = setTimeout(giveUp, RESPONSE_MS_MAX)
  worker.on('message', receive).once('exit', giveUp)
  worker.send({ type: 'vitrine:metrics?', id } satisfies MetricsRequest, (error) => {
    if (error) giveUp()
  })
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', receive).off('exit', giveUp)
  })
}

/** Serves metrics to the primary process, if this is a worker. */
export function serveMetricsToPrimary(registry: Registry): void {
  if (!cluster.isWorker) return
  process.on('message', (message: MetricsRequest) => {
    if (message.type !== 'vitrine:metrics?') return
    void registry.getMetricsAsJSON().then((metrics) => {
      const response: MetricsResponse = {
        type: 'vitrine:metrics',
        id: message.id,
        metrics: metrics as unknown as MetricObject[],
      }
      // The primary may have ended meanwhile.
      if (process.connected) process.send?.(response)
    })
  })
}
