import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findPrograms } from '../../server/src/platform/postgres/embedded/binaries.ts'
import { initialize, startCluster } from '../faults/cluster.ts'
import { until } from '../faults/until.ts'
import { atFileEnd } from '../support/file-end.ts'
import { administer } from '../support/postgres.ts'

const START_MS_MAX = 60_000

/** A PostgreSQL on loopback, with the role of deploy/production/compose.yaml: it owns its database and has no other right. */
export async function startDatabase(folder: string): Promise<string> {
  // The user of PostgreSQL has to get through.
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
  await run(`create role vitrine login nosuperuser nocreatedb nocreaterole password 'test'`)
  await run('create database vitrine owner vitrine')
  const url = new URL(cluster.networkUrl)
  url.username = 'vitrine'
  url.password = 'test'
  return url.href
}
