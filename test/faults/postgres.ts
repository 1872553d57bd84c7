import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { startEmbedded } from '@vitrine/server'
import { findPrograms } from '../../server/src/platform/postgres/embedded/binaries.ts'
import { atFileEnd } from '../support/file-end.ts'
import { ANY_STANDBY, Pair } from './pair.ts'

/** A PostgreSQL that is restarted when it is killed. */
export interface Postgres {
  readonly name: string
  /** The URL of the primary, through a socket. It changes when a standby is promoted. */
  url(): string
  /** The URL for the servers. */
  networkUrl(): string
  postmasterPid(): Promise<number>
  readonly pair: Pair | null
  /** The value of `synchronous_standby_names` without a fault. */
  readonly standbys: string
}

export interface PostgresOptions {
  /**
   * `embedded`: the one from npm, as a server runs it. `pair`: the same programs, as a primary and a standby. A folder of
   * programs, such as `/usr/lib/postgresql/15/bin`: a pair of that PostgreSQL.
   */
  readonly form: string
  /** The folder for its files, or those of the first primary; the system's temporary folder if `null`. */
  readonly folder: string | null
  readonly listensOnLoopback: boolean
}

export async function startPostgres({ form, folder, listensOnLoopback }: PostgresOptions): Promise<Postgres> {
  const own = await temporaryFolder(folder ?? tmpdir())
  if (form === 'embedded') return startOne(own)
  const programs = form === 'pair' ? dirname((await findPrograms(own)).postgres) : form
  const pair = await Pair.start({ programs, folders: [own, await temporaryFolder(tmpdir())], listensOnLoopback })
  return {
    name: `PostgreSQL ${form === 'pair' ? 'from npm' : basename(dirname(programs))} with a standby`,
    url: () => pair.primary.url,
    networkUrl: () => pair.primary.networkUrl,
    postmasterPid: async () => pair.primary.pid(),
    pair,
    standbys: ANY_STANDBY,
  }
}

async function temporaryFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'vitrine-faults-'))
  // The user that PostgreSQL runs as has to reach its files below.
  await chmod(folder, 0o711)
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Restarted by the same code as in a server with an embedded PostgreSQL. */
async function startOne(dataDir: string): Promise<Postgres> {
  const embedded = await startEmbedded({ dataDir })
  atFileEnd(() => embedded.stop())
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  return {
    name: 'PostgreSQL from npm',
    url: () => embedded.url,
    networkUrl: () => embedded.url,
    postmasterPid: async () => Number.parseInt(await readFile(pidFile, 'utf8'), 10),
    pair: null,
    standbys: '',
  }
}
