import { existsSync } from 'node:fs'
import {
  assertOpenable,
  type Config,
  type Database,
  keepsOwnKeys,
  LOOKUPS_MAX,
  migrationDrift,
  openDatabase,
  openKeyring,
  POSTGRES_MIN,
  removesSomething,
  sealingKeyFile,
  someSealingKey,
  statement,
} from '@vitrine/server'
import type { CommandDeps } from '../local-database.ts'
import { doubtful, type Finding, well, wrong } from './finding.ts'

const CLOCK_SKEW_MS_MAX = 5000
const LATENCY_MS_MAX = 20
/** Connections that PostgreSQL reserves for itself, and spare ones for administrators. */
const CONNECTIONS_SPARE = 5

interface Looked {
  readonly version: number
  readonly now: Date
  readonly size: bigint
  readonly fsync: string
  readonly synchronous_commit: string
  readonly connections: number
  readonly encoding: string
}

const look = statement<Looked>(
  'doctor.look',
  `select current_setting('server_version_num')::integer as version, clock_timestamp() as now,
     pg_database_size(current_database()) as size, current_setting('fsync') as fsync,
     current_setting('synchronous_commit') as synchronous_commit,
     current_setting('max_connections')::integer as connections, current_setting('server_encoding') as encoding`,
)
const lookInside = statement<{ stores: bigint }>('doctor.look_inside', 'select count(*) as stores from stores')
const ping = statement<{ one: number }>('doctor.ping', 'select 1 as one')

/** Checks the PostgreSQL server. The database may be empty, or have the schema of another version. */
export async function checkServer(deps: CommandDeps): Promise<readonly Finding[]> {
  const { database, now, config } = deps
  const latencyMs = await latencyOf(deps)
  const row = await database.reader.row(look)
  if (!row) throw new Error('The database returned no row.')
  const findings = [
    versionFinding(row, config),
    encodingFinding(row),
    latencyMs <= LATENCY_MS_MAX
      ? well('latency', `${latencyMs.toFixed(1)} ms to the database and back`)
      : doubtful(
          'latency',
          `${latencyMs.toFixed(1)} ms to the database and back`,
          'Move the database closer: each request waits for it several times.',
        ),
    durabilityFinding(row),
    connectionsFinding(row, config),
    clockFinding(Math.abs(row.now.getTime() - now().getTime())),
  ]
  if (config.databaseReadUrl !== null)
    findings.push(await checkReplica(config.databaseReadUrl, await clusterOf(database)))
  return findings
}

/** Checks that the database has the schema of this version. */
export async function checkMigrations({ database }: CommandDeps): Promise<Finding> {
  const { missing, unknown } = await migrationDrift(database.reader)
  if (unknown.length > 0 && missing.length === 0 && !unknown.some(removesSomething)) {
    const detail = `a later version has added ${unknown.join(', ')}, and this one still works`
    return doubtful('migrations', detail, 'Nothing, after going back to this version. Else start the later one.')
  }
  if (unknown.length > 0) {
    const detail = `the database is newer than this code, which does not know ${unknown.join(', ')}`
    return wrong('migrations', detail, 'Run the version that migrated it, or a later one.')
  }
  if (missing.length === 0) return well('migrations', 'up to date')
  const detail = `${missing.length} pending: ${missing[0]}${missing.length > 1 ? ` to ${missing.at(-1)}` : ''}`
  return doubtful('migrations', detail, 'vitrine migrate runs them, and so does the next start. Back up first.')
}

/** Checks the contents of a database with a current schema. */
export async function checkContents(deps: CommandDeps): Promise<readonly Finding[]> {
  const row = await deps.database.reader.row(lookInside)
  if (!row) throw new Error('The database returned no row.')
  return [
    row.stores > 0n
      ? well('stores', `${row.stores}`)
      : doubtful(
          'stores',
          'there is none',
          'vitrine demo load creates examples; vitrine catalog import creates yours.',
        ),
    await keysFinding(deps),
  ]
}

/** The best of three round trips: the first one also connects. */
async function latencyOf({ database }: CommandDeps): Promise<number> {
  const taken: number[] = []
  for (let times = 0; times < 3; times += 1) {
    const startedAt = performance.now()
    await database.reader.row(ping)
    taken.push(performance.now() - startedAt)
  }
  return Math.min(...taken)
}

function versionFinding({ version, size }: Looked, { databaseUrl }: Config): Finding {
  const whose = databaseUrl === null ? 'embedded' : 'your own'
  const detail = `PostgreSQL ${Math.floor(version / 10_000)}, ${whose}, ${Math.ceil(Number(size) / 1024 / 1024)} MiB`
  return version >= POSTGRES_MIN
    ? well('database', detail)
    : wrong('database', detail, 'Move to PostgreSQL 15 or later.')
}

function encodingFinding({ encoding }: Looked): Finding {
  if (encoding === 'UTF8') return well('encoding', encoding)
  const detail = `the encoding of the database is ${encoding}: texts in other scripts are refused or damaged`
  return wrong('encoding', detail, 'Back up, and restore into a database with the encoding UTF8.')
}

function durabilityFinding({ fsync, synchronous_commit: commit }: Looked): Finding {
  const detail = `fsync is ${fsync}, synchronous_commit is ${commit}`
  if (fsync === 'on' && commit !== 'off') return well('durability', detail)
  return wrong('durability', detail, 'Turn both on: otherwise a power failure loses confirmed orders.')
}

function connectionsFinding({ connections }: Looked, { writersMax, readersMax }: Config): Finding {
  // One connection listens for changes.
  const wanted = writersMax + readersMax + LOOKUPS_MAX + 1
  const detail = `a process takes ${wanted} of ${connections}`
  if (wanted + CONNECTIONS_SPARE <= connections) return well('connections', detail)
  return wrong('connections', detail, 'Raise max_connections, or lower DATABASE_WRITERS and DATABASE_READERS.')
}

function clockFinding(skewMs: number): Finding {
  const detail = `${skewMs} ms from the database’s`
  if (skewMs < CLOCK_SKEW_MS_MAX) return well('clock', detail)
  return wrong(
    'clock',
    detail,
    'Synchronize both machines with NTP: proofs, signatures and expiry depend on the clock.',
  )
}

/** Does not create a missing key: the start does that. */
async function keysFinding({ config, database, randomness }: CommandDeps): Promise<Finding> {
  const sealedWith = await someSealingKey(database.reader)
  if (sealedWith === null && keepsOwnKeys(config) && !existsSync(sealingKeyFile(config.dataDirectory)))
    return well('sealing key', 'is created at the first start')
  try {
    const ring = await openKeyring(config, randomness, sealedWith)
    await assertOpenable(database.reader, ring)
    return well('sealing key', `${ring.keyId} opens all sealed secrets of the database`)
  } catch (error) {
    const remedy = 'Restore the key from its copy. Without it, each secret has to be replaced.'
    return wrong('sealing key', (error as Error).message, remedy)
  }
}

const lookForCluster = statement<{ id: string }>(
  'doctor.look_for_cluster',
  `select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as id
   from pg_control_system()`,
)

/** The same for a primary and its standbys; `null`: this role may not ask. */
async function clusterOf({ reader }: Pick<Database, 'reader'>): Promise<string | null> {
  const found = await reader.row(lookForCluster).catch(() => undefined)
  return found?.id ?? null
}

async function checkReplica(url: string, primary: string | null): Promise<Finding> {
  const replica = openDatabase({ url })
  try {
    if (!(await replica.isHealthy()))
      return doubtful('replica', 'does not answer', 'Check DATABASE_READ_URL. Until then, reads go to the primary.')
    const own = await clusterOf(replica)
    if (own === null || primary === null || own === primary) return well('replica', 'answers')
    const detail = 'is not a standby of the database: shoppers are shown what another one has'
    return wrong('replica', detail, 'Set DATABASE_READ_URL to a standby of DATABASE_URL.')
  } finally {
    await replica.close()
  }
}
