import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findPrograms } from '../../server/src/platform/postgres/embedded/binaries.ts'
import { initialize, startCluster } from '../faults/cluster.ts'
import { until } from '../faults/until.ts'
import { atFileEnd } from '../support/file-end.ts'
import { administer } from '../support/postgres.ts'

const START_MS_MAX = 60_000

/** The URLs of a database for its roles. */
export interface Database {
  readonly ownerUrl: string
  /** For the nodes. */
  readonly url: string
}

/** A PostgreSQL on loopback, with the roles of deploy/production/compose.yaml: one owns the database, the other one owns nothing. */
export async function startDatabase(folder: string): Promise<Database> {
  // The user that PostgreSQL runs as has to reach its files below.
  await chmod(folder, 0o711)
  const files = join(folder, 'postgres')
  await mkdir(files)
  const programs = dirname((await findPrograms(folder)).postgres)
  await initialize(programs, files)
  const settings = { wal_level: 'replica', max_wal_size: '1GB' }
  const cluster = await startCluster(programs, files, { listensOnLoopback: true, settings })
  atFileEnd(() => cluster.end('SIGQUIT'))
  const run = (query: string) => administer(cluster.url, (admin) => admin.query(query))
  const isThere = () => run('select').then(Boolean, () => false)
  await until('PostgreSQL answers', START_MS_MAX, isThere)
  const urlOf = async (role: string) => {
    await run(`create role ${role} login nosuperuser nocreatedb nocreaterole password 'test'`)
    return Object.assign(new URL(cluster.networkUrl), { username: role, password: 'test' }).href
  }
  const database = { ownerUrl: await urlOf('vitrine'), url: await urlOf('vitrine_app') }
  await run('create database vitrine owner vitrine')
  return database
}
