import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from './format.ts'

/** The names that `vitrine backups` gives to its files. */
const NAME = /^vitrine-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.vitrine$/
/** The record of the last restore drill. */
export const DRILL_FILE = 'last-drill.json'

interface BackupFile {
  readonly name: string
  readonly at: Date
  readonly bytes: number
}

/** The record of a backup that was restored into a separate database. */
export interface Drill {
  readonly file: string
  readonly restoredAt: string
  readonly rows: number
  readonly seconds: number
}

export interface KeptBackups {
  /** Newest first; those of a clock that was ahead come last, so that they pass for the newest only if there is no other. */
  readonly files: readonly BackupFile[]
  /** `null`: none yet. */
  readonly drill: Drill | null
}

/** Clocks of two machines that share a directory may differ by this much. */
const CLOCK_SKEW_MS_MAX = 300_000

/** The name of a new backup. Names sort by time. */
export function nameOfBackup(now: Date): string {
  return `vitrine-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.vitrine`
}

/** Reads a directory of backups. It may not exist yet. */
export async function readBackups(directory: string, now: Date): Promise<KeptBackups> {
  const names = (await readdir(directory).catch(missingAs([]))).filter((name) => NAME.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ name, at: timeOf(name), bytes: (await stat(join(directory, name))).size })),
  )
  const soon = new Date(now.getTime() + CLOCK_SKEW_MS_MAX)
  const drill = await readFile(join(directory, DRILL_FILE), 'utf8').catch(missingAs(null))
  return {
    files: files.toSorted((one, other) => Number(one.at > soon) - Number(other.at > soon) || +other.at - +one.at),
    drill: drill === null ? null : drillOf(drill, directory),
  }
}

function drillOf(text: string, directory: string): Drill {
  try {
    return JSON.parse(text) as Drill
  } catch (error) {
    const message = `${join(directory, DRILL_FILE)} is damaged. Remove it: vitrine backups verify writes it again.`
    throw new BackupError(message, { cause: error })
  }
}

/** The time in the name: a copy on another disk has another modification time. */
function timeOf(name: string): Date {
  const [day = '', time = ''] = name.slice('vitrine-'.length, -'.vitrine'.length).split('T')
  return new Date(`${day}T${time.replaceAll('-', ':')}`)
}

function missingAs<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}

const DAY_MS = 86_400_000

/** The backups that are older than the retention period. The newest one is never outdated. */
export function outdatedBackups(files: readonly BackupFile[], now: Date, keepDays: number): readonly BackupFile[] {
  return files.slice(1).filter(({ at }) => now.getTime() - at.getTime() > keepDays * DAY_MS)
}
