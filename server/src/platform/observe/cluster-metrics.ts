import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client'

/**
 * What the first process of several asks of the others, and what they answer. prom-client has messages of its own, with which
 * one neighbour that is stuck or has just died leaves nobody with any figures.
 */
interface Question {
  readonly type: 'vitrine:metrics?'
  readonly id: number
}
interface Answer {
  readonly type: 'vitrine:metrics'
  readonly id: number
  readonly metrics: readonly MetricObject[]
}

/** Whoever has not answered by then is left out. */
const ANSWER_MS_MAX = 1000

let asked = 0

/** The figures of this process and of those that it has started, added up. */
export async function clusterMetrics(own: Registry): Promise<Registry> {
  const neighbours = Object.values(cluster.workers ?? {}).filter((each) => each?.isConnected())
  if (neighbours.length === 0) return own
  const answers = await Promise.all([
    own.getMetricsAsJSON() as Promise<readonly MetricObject[]>,
    ...neighbours.map((neighbour) => figuresOf(neighbour as Worker)),
  ])
  return AggregatorRegistry.aggregate(answers.filter((answer) => answer !== null) as object[]) as Registry
}

/** `null` where it did not answer in time. */
function figuresOf(neighbour: Worker): Promise<readonly MetricObject[] | null> {
  asked += 1
  const id = asked
  const { promise, resolve } = Promise.withResolvers<readonly MetricObject[] | null>()
  const hear = (message: Answer) => {
    if (message.type === 'vitrine:metrics' && message.id === id) resolve(message.metrics)
  }
  const giveUp = () => resolve(null)
  const timer = setTimeout(giveUp, ANSWER_MS_MAX)
  neighbour.on('message', hear).once('exit', giveUp)
  neighbour.send({ type: 'vitrine:metrics?', id } satisfies Question, (error) => {
    if (error) giveUp()
  })
  return promise.finally(() => {
    clearTimeout(timer)
    neighbour.off('message', hear).off('exit', giveUp)
  })
}

/** Answers the process that started this one, where there is one. */
export function serveMetricsToPrimary(registry: Registry): void {
  if (!cluster.isWorker) return
  process.on('message', (message: Question) => {
    if (message.type !== 'vitrine:metrics?') return
    void registry.getMetricsAsJSON().then((metrics) => {
      const answer: Answer = { type: 'vitrine:metrics', id: message.id, metrics: metrics as unknown as MetricObject[] }
      // Nobody is there any more to be told: we are about to end as well.
      if (process.connected) process.send?.(answer)
    })
  })
}
