import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config, Role } from '@vitrine/server/config'

type DoorName = 'public' | 'pages' | 'operator'

/** An open door of a process with this data directory. */
interface OpenDoor {
  readonly url: string
  readonly pid: number
  /** The hash of its database URL; `null`: the embedded database. */
  readonly database: string | null
}

type Doors = { readonly [Name in DoorName]?: OpenDoor }

const fileIn = ({ dataDirectory }: Config) => join(dataDirectory, 'doors.json')
const databaseOf = ({ databaseUrl }: Config) =>
  databaseUrl === null ? null : createHash('sha256').update(databaseUrl).digest('hex')

const DOORS = ['public', 'pages', 'operator'] as const
/** What opens a port of this machine. */
type Port = keyof Config['ports']
/** Hosts that stand for every address of the machine. */
const EVERY_HOST = ['0.0.0.0', '::']

/** The doors that are to have one port, if a process with these roles has two such; `null`: none. */
export function sharedPort(config: Config, roles: readonly Role[]): string | null {
  return samePort(
    config,
    DOORS.filter((door) => roles.includes(door)),
  )
}

/** Two of these that are to have one port; `null`: none. */
export function samePort({ ports, host, operatorHost }: Config, doors: readonly Port[]): string | null {
  const hostOf = (door: Port) => (door === 'operator' ? operatorHost : host)
  const meet = (one: string, other: string) => one === other || [one, other].some((each) => EVERY_HOST.includes(each))
  const open = doors.filter((door) => ports[door] !== 0)
  for (const [index, door] of open.entries()) {
    const other = open.slice(index + 1).find((each) => ports[each] === ports[door] && meet(hostOf(each), hostOf(door)))
    if (other === undefined) continue
    const [one, two] = [door, other].map((each) => `${each.toUpperCase()}_PORT`)
    return `${one} and ${two} are both ${ports[door]} on ${hostOf(door)}`
  }
  return null
}

/** Records the doors of this process, so that commands with the same data directory find them. */
export async function recordDoors(config: Config, urls: { readonly [Name in DoorName]?: string }): Promise<void> {
  const database = databaseOf(config)
  const own = Object.entries(urls).map(([name, url]) => [name, { url, pid: process.pid, database }])
  await save(config, { ...(await readDoors(config)), ...Object.fromEntries(own) })
}

/** Removes the doors of this process. Those of others stay. */
export async function forgetDoors(config: Config): Promise<void> {
  const others = Object.entries(await readDoors(config)).filter(([, door]) => door.pid !== process.pid)
  await save(config, Object.fromEntries(others))
}

/** The URL of an open door of a running process on the database of this configuration, or `null`. */
export async function findDoor(config: Config, name: DoorName): Promise<string | null> {
  const door = (await readDoors(config))[name]
  if (!door || !isRunning(door.pid)) return null
  const isOther = config.databaseUrl !== null && databaseOf(config) !== door.database
  return isOther ? null : door.url
}

async function readDoors(config: Config): Promise<Doors> {
  const text = await readFile(fileIn(config), 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as Doors
  } catch {
    // Truncated by a crash: treat it as missing.
    return {}
  }
}

async function save(config: Config, doors: Doors): Promise<void> {
  const file = fileIn(config)
  if (Object.keys(doors).length === 0) return rm(file, { force: true })
  // A process without the operator door may be the first to write there.
  await mkdir(config.dataDirectory, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(doors, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, file)
}

/** Signal 0 only tests whether a process exists. An error of permission means that it does. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
