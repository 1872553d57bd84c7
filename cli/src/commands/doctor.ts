import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { type Config, openDatabase, readConfig, statement } from '@vitrine/server'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'

interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly told: string
}

const NODE_MIN = [22, 18] as const
const POSTGRES_MIN = 150_000
const CLOCK_SKEW_MS_MAX = 5000
const FREE_BYTES_MIN = 512 * 1024 * 1024

/** `vitrine doctor`: looks at everything that this service stands on and says what is wrong with it. */
export async function doctorCommand(output: Output): Promise<void> {
  const findings: Finding[] = [checkNode()]
  const config = await attempt(findings, 'configuration', async () => {
    const read = readConfig(process.env)
    findings.push({ check: 'configuration', status: 'ok', told: `public address ${read.publicUrl}` })
    findings.push(checkPublicUrl(read))
    return read
  })
  if (config) {
    await attempt(findings, 'ports', async () => findings.push(await checkPorts(config)))
    await attempt(findings, 'disk', async () => findings.push(await checkDisk(config)))
    await attempt(findings, 'database', async () => findings.push(...(await checkDatabase(output))))
  }
  const failed = findings.some((finding) => finding.status === 'failed')
  const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }
  output.result(
    { healthy: !failed, findings },
    findings.map(({ check, status, told }) => `${marks[status]}  ${check.padEnd(14)} ${told}`),
  )
  if (failed) process.exitCode = 1
}

/** Runs a check; what it throws is a finding, not the end. */
async function attempt<Result>(
  findings: Finding[],
  check: string,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run()
  } catch (error) {
    findings.push({ check, status: 'failed', told: (error as Error).message })
    return undefined
  }
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
  const told = `Node ${process.versions.node}${fits ? '' : `, needs ${NODE_MIN.join('.')} or later`}`
  return { check: 'node', status: fits ? 'ok' : 'failed', told }
}

function checkPublicUrl(config: Config): Finding {
  const https = config.publicUrl.startsWith('https://')
  return {
    check: 'public address',
    status: https ? 'ok' : 'warning',
    told: https ? 'is https' : 'PUBLIC_URL is not https: fine on your own machine, not for real customers',
  }
}

const DOORS = ['public', 'pages', 'operator'] as const

/** A port that is taken is fine where a Vitrine runs: then we look at what is at work. */
async function checkPorts({ host, ports }: Config): Promise<Finding> {
  if (await isVitrine(ports.operator)) return { check: 'ports', status: 'ok', told: 'a Vitrine runs on them' }
  const free = await Promise.all(DOORS.map((door) => isFree(door === 'operator' ? '127.0.0.1' : host, ports[door])))
  const taken = DOORS.filter((_, index) => !free[index])
  if (taken.length === 0) return { check: 'ports', status: 'ok', told: DOORS.map((door) => ports[door]).join(', ') }
  const told = taken.map(
    (door) => `${ports[door]} is taken by another program: stop it, or set ${door.toUpperCase()}_PORT`,
  )
  return { check: 'ports', status: 'failed', told: told.join('; ') }
}

async function isVitrine(operatorPort: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${operatorPort}/livez`, { signal: AbortSignal.timeout(1000) })
    return ((await response.json()) as { status?: string }).status === 'alive'
  } catch {
    // Nobody there, or somebody else: both are the answer.
    return false
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

async function checkDisk(config: Config): Promise<Finding> {
  const directory = await statfs(config.dataDirectory).catch(() => statfs('.'))
  const free = directory.bavail * directory.bsize
  const told = `${Math.floor(free / 1024 / 1024).toLocaleString('en')} MiB free`
  return { check: 'disk', status: free < FREE_BYTES_MIN ? 'warning' : 'ok', told }
}

const look = statement<{ version: number; now: Date; size: bigint; fsync: string; stores: bigint; dead_jobs: bigint }>(
  'doctor.look',
  `select current_setting('server_version_num')::integer as version, clock_timestamp() as now,
          pg_database_size(current_database()) as size, current_setting('fsync') as fsync,
          (select count(*) from stores) as stores, (select count(*) from jobs where dead_at is not null) as dead_jobs`,
)

function checkDatabase(output: Output): Promise<Finding[]> {
  return inHouse(output, async ({ database, migrated, now, config }) => {
    const row = await database.reader.row(look)
    if (!row) throw new Error('The database answered nothing.')
    const skewMs = Math.abs(row.now.getTime() - now().getTime())
    const findings: Finding[] = [
      {
        check: 'database',
        status: row.version >= POSTGRES_MIN ? 'ok' : 'failed',
        told: `PostgreSQL ${Math.floor(row.version / 10_000)}, ${config.databaseUrl === null ? 'embedded' : 'your own'}, ${Math.ceil(Number(row.size) / 1024 / 1024)} MiB`,
      },
      { check: 'durability', status: row.fsync === 'on' ? 'ok' : 'failed', told: `fsync is ${row.fsync}` },
      {
        check: 'migrations',
        status: 'ok',
        told: migrated.length > 0 ? `up to date now, after ${migrated.length}` : 'up to date',
      },
      {
        check: 'clock',
        status: skewMs < CLOCK_SKEW_MS_MAX ? 'ok' : 'failed',
        told: `${skewMs} ms from the database's`,
      },
      {
        check: 'stores',
        status: row.stores > 0n ? 'ok' : 'warning',
        told: `${row.stores} (vitrine demo load makes three)`,
      },
      {
        check: 'jobs',
        status: row.dead_jobs === 0n ? 'ok' : 'warning',
        told:
          row.dead_jobs === 0n
            ? 'none has given up'
            : `${row.dead_jobs} have given up; their last error is in the table jobs`,
      },
    ]
    if (config.databaseReadUrl !== null) findings.push(await checkReplica(config.databaseReadUrl))
    return findings
  })
}

async function checkReplica(url: string): Promise<Finding> {
  const replica = openDatabase({ url })
  try {
    const healthy = await replica.isHealthy()
    return { check: 'replica', status: healthy ? 'ok' : 'failed', told: healthy ? 'answers' : 'does not answer' }
  } finally {
    await replica.close()
  }
}
