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

/** A worker that does not respond in time is omitted. */
const RESPONSE_MS_MAX = 1000

let lastId = 0

/** The metrics of this process and its workers, aggregated. */
export async function clusterMetrics(own: Registry): Promise<Registry> {
  const workers = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected())
  if (workers.length === 0) return own
  const responses = await Promise.all([
    own.getMetricsAsJSON() as Promise<readonly MetricObject[]>,
    ...workers.map((worker) => metricsOf(worker as Worker)),
  ])
  return AggregatorRegistry.aggregate(responses.filter((response) => response !== null) as object[]) as Registry
}

/** `null` if the worker did not respond in time. */
function metricsOf(worker: Worker): Promise<readonly MetricObject[] | null> {
  lastId += 1
  const id = lastId
  const { promise, resolve } = Promise.withResolvers<readonly MetricObject[] | null>()
  const receive = (message: MetricsResponse) => {
    if (message.type === 'vitrine:metrics' && message.id === id) resolve(message.metrics)
  }
  const giveUp = () => resolve(null)
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
