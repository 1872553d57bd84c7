import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type Figure, interleaved, ratioFigure } from './figure.ts'

const CONNECTIONS = 16
const SECONDS = 3
const ROUNDS = 5
const TARGET = 0.6

/** A hot public read against fastify sending a prepared buffer of the same size. */
export async function benchRead(name: string, url: string): Promise<Figure> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  const bytes = (await response.arrayBuffer()).byteLength
  const limit = await startReadyMade(bytes)
  try {
    const [ours = 0, theirs = 0] = await interleaved(ROUNDS, [
      () => requestsPerSecond(url),
      () => requestsPerSecond(limit.url),
    ])
    return ratioFigure(
      `${name}, ${(bytes / 1024).toFixed(1)} KiB`,
      '/s',
      ours,
      { name: 'ready-made', value: theirs },
      TARGET,
    )
  } finally {
    await limit.stop()
  }
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

async function startReadyMade(bytes: number): Promise<{ url: string; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL('./ready-made.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(bytes)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `${line.toString('utf8').trim()}/ready-made`,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
