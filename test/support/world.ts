import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from '@vitrine/contract'
import {
  type App,
  createApp,
  createInstallation,
  createKey,
  type Database,
  type IdSource,
  idSource,
  importCatalog,
  JobRunner,
  logger,
  openDatabase,
  pageOfMails,
  READINESS_PROOFS,
  readConfig,
  readMail,
  recordReadinessProof,
  type SimulatorServer,
} from '@vitrine/server'
import { recordAnsweredCodes } from './answered-codes.ts'
import { type Client, client, proofKey } from './client.ts'
import { type TestClock, testClock } from './clock.ts'
import { testSimulator } from './commerce/simulator.ts'
import { testDatabase } from './database.ts'
import { atFileEnd } from './file-end.ts'
import { OPERATOR_TOKEN } from './operator-token.ts'
import { freePort } from './processes/free-port.ts'
import { testRandomness } from './randomness.ts'
import { NO_LIMITS } from './rate-limits.ts'
import { SEALING_KEY } from './secrets.ts'

const PUBLIC_URL = 'https://shop.example'
export const ALL_SCOPES: readonly Scope[] = ['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write']

export interface InstallationOptions {
  readonly storeSlug?: string
  readonly environment?: 'test' | 'live'
  readonly origins?: readonly string[]
  readonly returnUrls?: readonly string[]
}

export interface KeyOptions extends InstallationOptions {
  /** A new installation by default. */
  readonly installationId?: string
  readonly scopes?: readonly Scope[]
  /** Bound to a key pair, with a proof in each request; true by default. */
  readonly bound?: boolean
  readonly expiresAt?: Date
}

/** A client with a key of an installation. */
export interface InstallationClient extends Client {
  readonly installationId: string
  readonly keyId: string
}

/** A mail as its recipient sees it. */
export interface Mail {
  readonly kind: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  /** The first link in the text. */
  readonly link: string
}

/** A server with its own database and a clock that only the test moves. */
export interface World {
  readonly app: App
  readonly database: Database
  readonly databaseUrl: string
  /** The same database as the owner of its tables. The world itself connects with the role of the application. */
  readonly ownerUrl: string
  readonly clock: TestClock
  readonly ids: IdSource
  readonly origin: string
  readonly publicUrl: string
  readonly pagesUrl: string
  /** The payment simulator, if the world was started with one. */
  readonly simulator: SimulatorServer | null
  /** Opens the pages door if it is not open yet. @returns its address, which is also `PAGES_URL` */
  openPages(): Promise<string>
  /** Opens the operator door, which accepts `OPERATOR_TOKEN`, if it is not open yet. @returns its address */
  openOperator(): Promise<string>
  /** A client without a credential. */
  readonly anonymous: Client
  installation(options?: InstallationOptions): Promise<string>
  /** A client with the key of an installation. */
  client(options?: KeyOptions): Promise<InstallationClient>
  /** Imports catalog lines, and fails if one is refused. */
  import(lines: readonly object[], storeSlug?: string): Promise<void>
  /** Runs all due work as a worker does: jobs, the jobs they enqueue, and webhook deliveries. */
  work(): Promise<void>
  /** `DATA_DIR`, which is removed at the end. */
  readonly dataDirectory: string
  /** The mails in the mailbox, newest first. */
  mails(): Promise<readonly Mail[]>
  /** Lifts the block on live keys. */
  activateProduction(): Promise<void>
  /** Loads revisions that other connections have committed, without waiting for the next poll. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export interface WorldOptions {
  /** Also starts the payment simulator, on the world's clock. */
  readonly simulator?: boolean
  /** Whether the public door listens at PUBLIC_URL, for clients that use URLs in responses. */
  readonly isReachable?: boolean
  readonly environment?: Readonly<Record<string, string>>
  /** The port of the operator door, which is then at `localhost`, because browsers create no passkeys for an IP address. */
  readonly operatorPort?: number
  /** The database to copy; by default one with the migrations only. */
  readonly template?: string
  /** Starts another node on the database and the clock of this world. */
  readonly sharedWith?: World
  /** Receives each log line, down to `debug`. Without it only errors are logged. */
  readonly onLogLine?: (line: string) => void
}

/** Turns off timers, whose queries would be among those that a test counts. Notifications report the changes of other nodes. */
const never = () => () => {}

/** The level `error` of pino. */
const ERROR_LEVEL = 50

/** Starts a world for a test file. It closes with the file, and fails it if the server logged an error. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { sharedWith } = options
  const clock = sharedWith?.clock ?? testClock()
  const randomness = testRandomness(sharedWith && `${process.env.SEED ?? Date.now()} second node`)
  const ids = idSource(clock, randomness)
  process.stdout.write(`seed ${randomness.seed}\n`)
  const faults: string[] = []
  const { onLogLine } = options
  const log = logger(onLogLine ? 'debug' : 'error', {
    write: (line: string) => {
      onLogLine?.(line)
      if (JSON.parse(line).level >= ERROR_LEVEL) faults.push(line)
    },
  })
  const pages = await freePort()
  const simulated = options.simulator ? await testSimulator(clock) : null
  const ownPort = options.isReachable ? await freePort() : 0
  const dataDirectory = join(tmpdir(), `vitrine-world-${process.pid}-${pages}`)
  const config = readConfig({
    DATA_DIR: dataDirectory,
    PUBLIC_URL: options.isReachable ? `http://127.0.0.1:${ownPort}` : PUBLIC_URL,
    PAGES_URL: `http://127.0.0.1:${pages}`,
    RATE_LIMITS: NO_LIMITS,
    // Race tests send more requests at once than a busy machine serves in time.
    REQUESTS_IN_FLIGHT: '2000',
    // Tests pay by bank transfer if the provider does not matter.
    TEST_PAYMENT_INSTRUCTIONS: options.environment?.PAYMENT_INSTRUCTIONS ?? 'IBAN DE02 1203 0000 0000 2020 51',
    BANK_TRANSFER_STOCK_PERCENT: '100',
    SEALING_KEY: SEALING_KEY.toString('base64'),
    ...(options.operatorPort !== undefined && { OPERATOR_URL: `http://localhost:${options.operatorPort}` }),
    ...simulated?.environment,
    ...options.environment,
  })
  const onConnectionError = (error: Error) => void faults.push(String(error))
  const {
    database,
    url: databaseUrl,
    ownerUrl,
  } = sharedWith
    ? {
        database: openDatabase({ url: sharedWith.databaseUrl, onConnectionError }),
        url: sharedWith.databaseUrl,
        ownerUrl: sharedWith.ownerUrl,
      }
    : await testDatabase(undefined, { onConnectionError, template: options.template, asApplication: true })
  const app = await createApp({ config, database, clock, randomness, log, repeat: never })
  recordAnsweredCodes(app.publicDoor)
  await app.start()
  const origin = await app.publicDoor.listen({ host: '127.0.0.1', port: ownPort })
  const { publicUrl, pagesUrl } = config
  const clientOptions = { origin, publicUrl, clock }

  let pagesOrigin: Promise<string> | null = null
  let operatorOrigin: Promise<string> | null = null
  const beforeClosing: (() => Promise<unknown>)[] = []

  const world: World = {
    app,
    database,
    databaseUrl,
    ownerUrl,
    dataDirectory,
    clock,
    ids,
    origin,
    publicUrl,
    pagesUrl,
    simulator: simulated?.simulator ?? null,
    anonymous: client(clientOptions),

    installation: ({ storeSlug, environment = 'test', origins = [], returnUrls = [] } = {}) =>
      database.transaction((tx) =>
        createInstallation(
          tx,
          { name: 'A test installation', storeSlug, environment, origins, returnUrls },
          { ids, now: clock.now() },
        ),
      ),

    async client({ installationId, scopes = ALL_SCOPES, bound = true, expiresAt, ...rest } = {}) {
      const installation = installationId ?? (await world.installation(rest))
      const proof = bound ? await proofKey() : undefined
      const { key, keyId } = await database.transaction((tx) =>
        createKey(
          tx,
          { installationId: installation, scopes, jkt: proof?.jkt, expiresAt },
          { ids, now: clock.now(), randomness },
        ),
      )
      return { ...client({ ...clientOptions, key, ...(proof && { proof }) }), installationId: installation, keyId }
    },

    openPages() {
      pagesOrigin ??= (async () => {
        const door = await app.pagesDoor()
        beforeClosing.push(() => door.close())
        return door.listen({ host: '127.0.0.1', port: pages })
      })()
      return pagesOrigin
    },

    openOperator() {
      operatorOrigin ??= (async () => {
        const door = await app.operatorDoor({ token: OPERATOR_TOKEN, isReady: () => database.isHealthy() })
        beforeClosing.push(() => door.close())
        return door.listen({ host: '127.0.0.1', port: options.operatorPort ?? 0 })
      })()
      return operatorOrigin
    },

    async import(lines, storeSlug) {
      const source = (async function* () {
        for (const line of lines) yield JSON.stringify(line)
      })()
      const report = await importCatalog({ database, storeSlug, source, now: clock.now(), ids } as Parameters<
        typeof importCatalog
      >[0])
      assert.deepEqual(report.refused, [], 'refused lines')
      await world.refresh()
    },

    async work() {
      await new JobRunner(app.jobs, { database, clock, ids, log }).runDue()
      await app.deliveries.runDue()
    },

    async mails() {
      const filter = { like: null, status: null, storeId: null, after: null, limit: 100 }
      const heads = await pageOfMails(database.reader, filter)
      const read = await Promise.all(heads.map(({ id }) => readMail(database.reader, id)))
      return read.map((mail) => ({
        kind: mail!.kind,
        recipient: mail!.recipient,
        subject: mail!.subject,
        text: mail!.body_text ?? '',
        link: /^https?:\/\/\S+$/m.exec(mail!.body_text ?? '')?.[0] ?? '',
      }))
    },

    async activateProduction() {
      await database.transaction(async (tx) => {
        for (const { code } of READINESS_PROOFS) recordReadinessProof(tx, code, 'seen in a test', clock.now())
      })
    },

    refresh: () => app.revisions.refresh(database.reader),

    async close() {
      await app.publicDoor.close()
      for (const end of beforeClosing) await end()
      await rm(dataDirectory, { recursive: true, force: true })
      await app.stop()
      await simulated?.simulator.close()
      if (sharedWith) await database.close()
      assert.deepEqual(faults, [], 'the server has logged no errors')
    },
  }
  atFileEnd(() => world.close())
  return world
}
