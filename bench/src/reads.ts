import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Connection, openConnection } from './connection.ts'
import { ceilingFigure, type Figure, interleaved, median, ratioFigure } from './figure.ts'
import { processMeter } from './processor-time.ts'
import { endWithRun } from './vitrine-process.ts'

const CONNECTIONS = 16
const CROWD = 64
const SENT_SHARE = 0.9
const UNCHANGED_SHARE = 0.95
/** The maximum p99, as a multiple of that of the limit. */
const CROWD_P99_MAX = 2
/** The time until the hot paths are compiled. */
const WARM_SECONDS = 2
/** A response that changes meanwhile is sent once to each connection. */
const CHANGED_SHARE_MAX = 0.01
/** The Accept-Encoding of browsers. */
const ENCODING = 'gzip, deflate, br'

export interface ReadLoad {
  readonly door: string
  /** The process of the door. */
  readonly serverId: number
  readonly rounds: number
  readonly seconds: number
}

/** A request, to the server or to the limit. */
interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Called for each measurement: an ETag changes with its response. */
type TargetOf = () => Promise<Target>

/** Hot public reads against fastify sending a prepared buffer of the same size and encoding, or 304. */
export async function hotReads(load: ReadLoad): Promise<Figure[]> {
  const { door } = load
  const list = `${door}/api/v1/catalog/products`
  const { data } = (await (await fetch(list)).json()) as { data: { slug: string }[] }
  const figures = [
    ...(await compare('hot list of products', list, load)),
    ...(await compare('hot product', `${list}/${data[0]?.slug}`, load)),
    ...(await compare('hot categories', `${door}/api/v1/catalog/categories`, load)),
    ...(await compare('hot bootstrap', `${door}/api/v1/bootstrap`, load)),
  ]
  return [...figures, ...(await compareUnchanged(list, load)), await crowd(list, load)]
}

async function compare(name: string, url: string, load: ReadLoad): Promise<Figure[]> {
  const { bytes, encoding, headers } = await headOf(url)
  const sized = `${name}, ${(bytes / 1024).toFixed(1)} KiB ${encoding}`
  const targetOf = (each: string) => async () => ({ url: each, headers: { 'accept-encoding': ENCODING } })
  return against([String(bytes), encoding, JSON.stringify(headers)], (limit) => {
    const targets = [url, `${limit.url}/ready-made`, `${limit.url}/same-headers`].map(targetOf)
    return shares(sized, targets, SENT_SHARE, limit.id, load)
  })
}

async function compareUnchanged(url: string, load: ReadLoad): Promise<Figure[]> {
  const targetOf = (each: string) => async () => {
    const { etag } = await headOf(url)
    return { url: each, headers: { 'accept-encoding': ENCODING, 'if-none-match': etag } }
  }
  const { 'content-type': _type, 'content-encoding': _encoding, ...headers } = (await headOf(url)).headers
  return against(['0', 'identity', JSON.stringify(headers)], (limit) => {
    const targets = [url, `${limit.url}/unchanged`, `${limit.url}/same-headers`].map(targetOf)
    return shares('hot list, unchanged (304)', targets, UNCHANGED_SHARE, limit.id, load)
  })
}

/** Requests a second and processor time of a request, as shares of the limit. */
async function shares(
  name: string,
  targets: readonly TargetOf[],
  share: number,
  limitId: number,
  { serverId, rounds, seconds }: ReadLoad,
): Promise<Figure[]> {
  const usedMs: number[][] = targets.map(() => [])
  const measured = (targetOf: TargetOf, id: number, into: number[]) => async () => {
    const meter = processMeter(id)
    const target = await targetOf()
    const before = await meter()
    const { perSecond, requests } = await requested(target, CONNECTIONS, seconds)
    into.push(((await meter()) - before) / requests)
    return perSecond
  }
  for (const targetOf of targets) await requested(await targetOf(), CONNECTIONS, WARM_SECONDS)
  const [oursPerSecond = 0, theirsPerSecond = 0, sameHeadersPerSecond = 0] = await interleaved(
    rounds,
    targets.map((each, index) => measured(each, index === 0 ? serverId : limitId, usedMs[index]!)),
  )
  const microseconds = usedMs.map((each) => median(each) * 1000)
  return [
    ratioFigure(name, '/s', oursPerSecond, { name: 'ready-made', value: theirsPerSecond }, share),
    // Inverted, so that more is better here as well.
    {
      ...ratioFigure(`${name}, processor time`, 'µs', microseconds[1]!, { name: '', value: microseconds[0]! }, share),
      measured: `${microseconds[0]!.toFixed(1)} µs`,
      reference: `${microseconds[1]!.toFixed(1)} µs ready-made`,
    },
    // The limit above sends none of the headers that the contract requires of each response.
    ratioFigure(
      `${name}, against the same headers`,
      '/s',
      oursPerSecond,
      { name: 'ready-made', value: sameHeadersPerSecond },
      share,
    ),
  ]
}

async function crowd(url: string, { rounds, seconds }: ReadLoad): Promise<Figure> {
  const { bytes, encoding } = await headOf(url)
  const headers = { 'accept-encoding': ENCODING }
  return against([String(bytes), encoding], async (limit) => {
    const [ours = 0, theirs = 0] = await interleaved(
      rounds,
      [url, `${limit.url}/ready-made`].map(
        (each) => async () => (await requested({ url: each, headers }, CROWD, seconds)).p99Ms,
      ),
    )
    const name = `hot list at ${CROWD} connections, p99 (ready-made ${theirs.toFixed(1)} ms)`
    return ceilingFigure(name, 'times that', ours / theirs, CROWD_P99_MAX)
  })
}

/**
 * Sends one request after another over each connection. Known load generators need more time to parse a header than the server for
 * the request, so they would be the limit for responses with many headers: at 10,000 requests a second the server was idle.
 */
export async function requested({ url, headers }: Target, connections: number, seconds: number) {
  const { origin, host, pathname } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const expected = headers['if-none-match'] === undefined ? 200 : 304
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(origin)))
  const latencies: number[] = []
  let changed = 0
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  const work = async (connection: Connection) => {
    for (let sentAt = performance.now(); sentAt < until; ) {
      const { status } = await connection.send(request)
      if (status >= 400) throw new Error(`${url} answered ${status}`)
      if (status !== expected) changed += 1
      const now = performance.now()
      latencies.push(now - sentAt)
      sentAt = now
    }
  }
  try {
    await Promise.all(open.map(work))
  } finally {
    for (const connection of open) connection.close()
  }
  if (changed > CHANGED_SHARE_MAX * latencies.length) throw new Error(`${url} has changed while it was measured.`)
  const perSecond = latencies.length / ((performance.now() - startedAt) / 1000)
  latencies.sort((one, other) => one - other)
  return { perSecond, requests: latencies.length, p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0 }
}

interface Head {
  readonly bytes: number
  readonly encoding: string
  readonly etag: string
  /** The headers that Node does not add by itself. */
  readonly headers: Readonly<Record<string, string>>
}

/** A response as it is sent, which `fetch` would decode. */
function headOf(url: string): Promise<Head> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': ENCODING } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => {
        const { date: _, connection, 'keep-alive': kept, 'content-length': length, ...headers } = response.headers
        const { etag = '', 'content-encoding': encoding = 'identity' } = headers
        if (response.statusCode === 200) resolve({ bytes, encoding, etag, headers: headers as Record<string, string> })
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}

/** Runs the limit in a separate process while something is measured against it. */
async function against<Result>(
  args: readonly string[],
  measure: (limit: { readonly url: string; readonly id: number }) => Promise<Result>,
): Promise<Result> {
  const script = fileURLToPath(new URL('./ready-made.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithRun(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  try {
    return await measure({ url: line.toString('utf8').trim(), id: child.pid as number })
  } finally {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
}
