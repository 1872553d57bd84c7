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
  /** By a socket. It changes when a standby is promoted. */
  url(): string
  /** As the servers reach it. */
  networkUrl(): string
  postmasterPid(): Promise<number>
  readonly pair: Pair | null
  /** The standbys that each COMMIT waits for, as long as nothing fails. */
  readonly standbys: string
}

export interface PostgresOptions {
  /**
   * `embedded`: the one from npm, as a server runs it. `pair`: the same programs, as a primary and a standby. A folder of
   * programs, such as `/usr/lib/postgresql/15/bin`: a pair of those.
   */
  readonly form: string
  /** Where its files are, or those of the first primary. */
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
  // The user of the server has to get through.
  await chmod(folder, 0o711)
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** It is restarted by the code that a server with an embedded one runs. */
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
