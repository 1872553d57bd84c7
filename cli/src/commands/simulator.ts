import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig, type SimulatorServer, startSimulator, systemClock } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import type { CommandDeps } from '../local-database.ts'
import { keptSecret } from '../operator-token.ts'
import type { Output } from '../output.ts'

const PORT = 8084

/** The file of the simulator's payments, so that they survive a restart. */
const journalIn = (dataDirectory: string) => join(dataDirectory, 'simulator-books.jsonl')

/** `vitrine simulator`: a payment provider without real money, for a service whose roles run in separate processes. */
export async function simulatorCommand(options: { readonly port?: string }, output: Output): Promise<void> {
  const { io } = output
  const { dataDirectory } = readConfig(io.env)
  const port = options.port === undefined ? PORT : Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port must be from 0 to 65535.')
  await mkdir(dataDirectory, { recursive: true })
  const secret = io.env.SIMULATOR_SECRET || (await keptSecret(dataDirectory, 'simulator-secret'))
  const stop = io.stopSignal()
  const running = await startSimulator({ secret, clock: systemClock, port, journal: journalIn(dataDirectory) })
  output.result({ url: running.url }, [`The payment simulator listens at ${running.url}.`, 'Ctrl+C stops it.'])
  await stop
  await running.close()
}

const DEMO_ACCOUNT = 'IBAN DE02 1203 0000 0000 2020 51 (an example: send no money)'

/** Adds a payment simulator and an example account for the test environment to the dependencies, until it is closed. */
export async function withSimulator(
  deps: CommandDeps,
): Promise<{ readonly deps: CommandDeps; readonly simulator: SimulatorServer }> {
  const { dataDirectory } = deps.config
  const secret = await keptSecret(dataDirectory, 'simulator-secret')
  const simulator = await startSimulator({ secret, clock: systemClock, journal: journalIn(dataDirectory) })
  const { bankTransfer } = deps.config
  const accounts = { ...bankTransfer.accounts, test: bankTransfer.accounts.test ?? DEMO_ACCOUNT }
  const config = {
    ...deps.config,
    simulator: { url: simulator.url, secret },
    bankTransfer: { ...bankTransfer, accounts },
  }
  return { deps: { ...deps, config }, simulator }
}
