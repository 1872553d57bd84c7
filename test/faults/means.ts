import { execFile } from 'node:child_process'
import { open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atFileEnd } from '../support/file-end.ts'
import { temporaryFolder } from '../support/processes/command.ts'

/*
 * The requirements of some faults, which not every machine meets: see README.md.
 */

/** A file system with the files of PostgreSQL, and little else. */
export interface Disk {
  readonly folder: string
  /** Fills all free space. */
  fill(): Promise<void>
  free(): Promise<void>
}

const MEGABYTE = Buffer.alloc(2 ** 20, 1)
const PAGE = Buffer.alloc(4096, 1)

export function diskIn(folder: string): Disk {
  const filler = join(folder, 'filler')
  const free = () => rm(filler, { force: true })
  atFileEnd(free)
  return {
    folder,
    free,
    async fill() {
      const file = await open(filler, 'w')
      // Other files grow meanwhile, and space that is too small for a megabyte may still fit a page.
      for (const piece of [MEGABYTE, PAGE]) while (await fits(file.write(piece), piece.length));
      await file.close()
    },
  }
}

async function fits(writing: Promise<{ readonly bytesWritten: number }>, bytes: number): Promise<boolean> {
  try {
    return (await writing).bytesWritten === bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}

/** The clock of one process, changed by libfaketime. */
export interface ShownClock {
  /** The environment of the process. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the difference from the real time: -3600 is an hour slow. */
  shift(seconds: number): Promise<void>
}

const LIBRARIES = '/usr/lib'

/** Debian's libfaketime, if it is installed. @see https://github.com/wolfcw/libfaketime */
export async function shownClock(): Promise<ShownClock | null> {
  const folders = await readdir(LIBRARIES)
  const found = await Promise.all(
    folders
      .filter((name) => name.endsWith('-linux-gnu'))
      .map(async (name) => {
        const folder = join(LIBRARIES, name, 'faketime')
        return (await readdir(folder).catch((): string[] => [])).includes('libfaketime.so.1') ? folder : null
      }),
  )
  const folder = found.find((each) => each !== null)
  if (!folder) return null
  const file = join(await temporaryFolder(), 'clock')
  const shift = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  await shift(0)
  const environment = {
    LD_PRELOAD: join(folder, 'libfaketime.so.1'),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // The monotonic clock measures timeouts, and is not affected by a wrong time of day.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { environment, shift }
}

/** Drops packets of ports on loopback without an answer. */
export interface Packets {
  drop(): Promise<void>
  pass(): Promise<void>
}

/** Uses iptables, which needs root. */
export function packetsOf(ports: () => readonly string[]): Packets {
  let dropped: readonly string[] = []
  const filter = async (action: '--insert' | '--delete') => {
    for (const port of dropped) {
      for (const side of ['--dport', '--sport']) {
        const rule = ['INPUT', '--in-interface', 'lo', '--protocol', 'tcp', side, port, '--jump', 'DROP']
        await promisify(execFile)('iptables', ['--wait', action, ...rule])
      }
    }
  }
  const pass = async () => {
    await filter('--delete')
    dropped = []
  }
  atFileEnd(pass)
  return {
    pass,
    async drop() {
      dropped = ports()
      await filter('--insert')
    },
  }
}
