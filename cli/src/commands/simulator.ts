import { once } from 'node:events'
import { join } from 'node:path'
import { readConfig, type SimulatorServer, startSimulator, systemClock } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import type { House } from '../house.ts'
import { keptSecret } from '../operator-token.ts'
import type { Output } from '../output.ts'

const PORT = 8084

/** Where the simulator writes down what it did, so that its books outlive it. */
const journalIn = (dataDirectory: string) => join(dataDirectory, 'simulator-books.jsonl')

/** `vitrine simulator`: a payment provider that moves no real money, for a service whose roles run apart. */
export async function simulatorCommand(options: { readonly port?: string }, output: Output): Promise<void> {
  const { dataDirectory } = readConfig(process.env)
  const port = options.port === undefined ? PORT : Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port must be from 0 to 65535.')
  const secret = process.env.SIMULATOR_SECRET || (await keptSecret(dataDirectory, 'simulator-secret'))
  const stop = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const running = await startSimulator({ secret, clock: systemClock, port, journal: journalIn(dataDirectory) })
  output.result({ url: running.url }, [`The payment simulator listens at ${running.url}.`, 'Ctrl+C stops it.'])
  await stop
  await running.close()
}

/** A house whose payments in the test environment are made with a simulator of its own, until that is closed. */
export async function withSimulator(
  house: House,
): Promise<{ readonly house: House; readonly simulator: SimulatorServer }> {
  const { dataDirectory } = house.config
  const secret = await keptSecret(dataDirectory, 'simulator-secret')
  const simulator = await startSimulator({ secret, clock: systemClock, journal: journalIn(dataDirectory) })
  return { house: { ...house, config: { ...house.config, simulator: { url: simulator.url, secret } } }, simulator }
}
