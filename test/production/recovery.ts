/**
 * Follows the point-in-time recovery of docs/guides/production.md to a moment before a mistake, with the settings of
 * deploy/production/compose.yaml: `npm run test:recovery`.
 *
 * See README.md.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before } from 'node:test'
import { promisify } from 'node:util'
import { createInstallation, idSource, migrate, openDatabase, systemClock, systemRandomness } from '@vitrine/server'
import { parse } from 'yaml'
import { type Cluster, initialize, startCluster } from '../faults/cluster.ts'
import { until } from '../faults/until.ts'
import { atFileEnd } from '../support/file-end.ts'
import { administer, databaseUrl } from '../support/postgres.ts'
import { requirePackages } from './programs.ts'
import { step } from './steps.ts'

requirePackages(['postgresql-15'], true)

const PROGRAMS = '/usr/lib/postgresql/15/bin'
const START_MS_MAX = 60_000
/** The user that `initialize` runs PostgreSQL as. */
const SERVER_USER_ID = 65_534
const repository = join(import.meta.dirname, '../..')

let folder: string
let archive: string
let settings: Record<string, string>
let cluster: Cluster
let moment: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-recovery-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  archive = await folderOfServer('archive')
  const { services } = parse(await readFile(join(repository, 'deploy/production/compose.yaml'), 'utf8'), {
    merge: true,
  })
  const options = (services.postgres.command as string[]).slice(1).filter((each) => each !== '-c')
  settings = Object.fromEntries(
    options.map((option) => {
      const at = option.indexOf('=')
      return [option.slice(0, at), here(option.slice(at + 1))]
    }),
  )
})

async function folderOfServer(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { mode: 0o700 })
  await chown(path, SERVER_USER_ID, SERVER_USER_ID)
  return path
}

const here = (text: string) => text.replaceAll('/archive', archive)

async function start(name: string): Promise<void> {
  cluster = await startCluster(PROGRAMS, join(folder, name), { listensOnLoopback: false, settings })
  const started = cluster
  atFileEnd(() => started.end('SIGQUIT'))
  await until('PostgreSQL answers', START_MS_MAX, () =>
    ask('select pg_is_in_recovery() as is').then(([row]) => !row?.is),
  )
}

const ask = (text: string) =>
  administer(cluster.url, async (admin) => (await admin.query<Record<string, unknown>>(text)).rows)
const askShop = async (text: string) => {
  const database = openDatabase({ url: databaseUrl(cluster.url, 'vitrine'), writersMax: 1, readersMax: 1 })
  try {
    return await database.reader.rows({ name: text, text } as never)
  } finally {
    await database.close()
  }
}

/** Runs commands of the guide as the user of PostgreSQL. */
async function follow(commands: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { searchParams } = new URL(cluster.url)
  const place = { PGHOST: searchParams.get('host') ?? '', PGPORT: searchParams.get('port') ?? '' }
  await promisify(execFile)('sh', ['-ec', here(commands)], {
    cwd: folder,
    uid: SERVER_USER_ID,
    gid: SERVER_USER_ID,
    env: { PATH: `${PROGRAMS}:/usr/bin:/bin`, TZ: 'UTC', ...place, ...env },
  })
}

async function commandsOf(guide: RegExp): Promise<string> {
  const text = await readFile(join(repository, 'docs/guides/production.md'), 'utf8')
  return guide.exec(text)?.[1] ?? assert.fail(`production.md has no ${guide}`)
}

async function install(name: string): Promise<void> {
  const database = openDatabase({ url: databaseUrl(cluster.url, 'vitrine'), writersMax: 1, readersMax: 1 })
  const ids = idSource(systemClock, systemRandomness())
  const installation = { name, storeSlug: undefined, environment: 'test', origins: [], returnUrls: [] } as const
  try {
    await database.transaction((tx) => createInstallation(tx, installation, { ids, now: systemClock.now() }))
  } finally {
    await database.close()
  }
}

const installations = async () =>
  (await askShop('select name from installations order by name')).map((row) => (row as { name: string }).name)

step('a base is copied while the shop is in use, and its log is archived', async () => {
  await initialize(PROGRAMS, await folderOfServer('first'))
  await start('first')
  await ask('create database vitrine')
  await migrate(databaseUrl(cluster.url, 'vitrine'))
  await install('before the base')
  await follow(await commandsOf(/exec postgres sh -c '(pg_basebackup [^']+)'/), {})
  await install('after the base')
  const [row] = await ask('select clock_timestamp()::text as now')
  moment = String(row?.now)
})

step('then comes a mistake, and the machine is lost', async () => {
  await askShop('delete from installations')
  await install('after the mistake')
  assert.deepEqual(await installations(), ['after the mistake'])
  const [row] = await ask('select pg_walfile_name(pg_switch_wal()) as file')
  await until('the log is archived', START_MS_MAX, async () => {
    const [{ last } = {}] = await ask('select last_archived_wal as last from pg_stat_archiver')
    return String(last) >= String(row?.file)
  })
  await cluster.end('SIGQUIT')
})

step(
  'the recovered database has everything from before the mistake and nothing since, and accepts writes',
  async () => {
    const data = await folderOfServer('second')
    const commands = (await commandsOf(/```sh\n(cp -a \/archive\/base-[^`]+)```/))
      .replace(/base-[\d-]+/, `base-${new Date().toISOString().slice(0, 10)}`)
      .replace(/(recovery_target_time = ')[^']+/, `$1${moment}`)
    await follow(commands, { PGDATA: data })
    await start('second')
    assert.deepEqual(await installations(), ['after the base', 'before the base'])
    assert.deepEqual((await migrate(databaseUrl(cluster.url, 'vitrine'))).applied, [])
    await install('since')
    assert.equal((await installations()).length, 3)
    process.stdout.write(`recovered to ${moment}\n`)
  },
)
