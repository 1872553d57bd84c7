import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  DRILL_FILE,
  type Drill,
  nameOfBackup,
  outdatedBackups,
  readBackups,
  readConfig,
  statement,
  systemClock,
} from '@vitrine/server'
import { backupCommand, restoreCommand } from '../commands/backup.ts'
import { CommandError } from '../failure.ts'
import type { Io } from '../io.ts'
import { withDatabase } from '../local-database.ts'
import type { Output } from '../output.ts'
import { writeWhole } from '../whole-file.ts'

/** A backup contains personal data, so only its owner can read it. */
const OWNER_ALONE = { file: 0o600, directory: 0o700 }

/** `vitrine backups run`: writes a backup to BACKUP_DIR, and removes those older than BACKUP_KEEP_DAYS. */
export async function runBackups(output: Output): Promise<void> {
  const { directory, keepDays, recipients } = scheduled(output.io)
  await mkdir(directory, { recursive: true, mode: OWNER_ALONE.directory })
  await removeLeftovers(directory)
  const file = join(directory, nameOfBackup(systemClock.now()))
  const { bytes } = await resultOf<{ bytes: number }>(output, (inner) => backupCommand(file, { recipients }, inner))
  const now = systemClock.now()
  const outdated = outdatedBackups((await readBackups(directory, now)).files, now, keepDays)
  for (const { name } of outdated) await rm(join(directory, name))
  const removed = outdated.map(({ name }) => name)
  output.result({ file, bytes, removed }, [
    `${file}, ${(bytes / 1024 / 1024).toFixed(1)} MiB.`,
    ...removed.map((name) => `Removed ${name}, which is older than ${keepDays} days.`),
  ])
}

const DRILL = '.drill-'
/** Longer than a backup or a drill takes: both may be running. */
const LEFTOVER_MS = 86_400_000

/** Removes what killed commands have left: the decrypted database of a drill, or a part of a backup. */
async function removeLeftovers(directory: string): Promise<void> {
  const names = await readdir(directory)
  for (const name of names.filter((each) => each.startsWith(DRILL) || /^vitrine-.*\.unfinished$/.test(each))) {
    const path = join(directory, name)
    // Another command may just have finished it.
    const mtimeMs = await stat(path).then(
      (found) => found.mtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    if (systemClock.now().getTime() - mtimeMs > LEFTOVER_MS) await rm(path, { recursive: true, force: true })
  }
}

const count = statement<{ orders: bigint }>('backups.count', 'select count(*) as orders from orders')

/**
 * `vitrine backups verify`: restores the newest backup into a temporary embedded PostgreSQL, migrates it to this version, and
 * records the result.
 */
export async function verifyBackups(output: Output): Promise<void> {
  const { directory, identityFile } = scheduled(output.io)
  const [newest] = (await readBackups(directory, systemClock.now())).files
  if (!newest) throw new CommandError(`There is no backup in ${directory}: vitrine backups run creates one.`)
  await removeLeftovers(directory)
  const startedAt = performance.now()
  const place = await mkdtemp(join(directory, DRILL))
  try {
    // The database of the shop must not be used.
    const env = { ...output.io.env, DATABASE_URL: '', DATABASE_OWNER_URL: '', DATABASE_READ_URL: '', DATA_DIR: place }
    const apart: Output = { ...output, io: { ...output.io, env } }
    const restore = (inner: Output) => restoreCommand(join(directory, newest.name), { identityFile }, inner)
    const { rows } = await resultOf<{ rows: number }>(apart, restore)
    const orders = await withDatabase(apart, async ({ database }) => (await database.reader.row(count))?.orders ?? 0n)
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const drill: Drill = { file: newest.name, restoredAt: systemClock.now().toISOString(), rows, seconds }
    await record(directory, drill)
    output.result({ ...drill, orders: Number(orders) }, [
      `Restored ${newest.name}: ${rows} rows, ${orders} orders, in ${seconds} s.`,
    ])
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function record(directory: string, drill: Drill): Promise<void> {
  const text = `${JSON.stringify(drill)}\n`
  await writeWhole(join(directory, DRILL_FILE), (unfinished) => writeFile(unfinished, text, { mode: OWNER_ALONE.file }))
}

function scheduled({ env }: Io) {
  const { backup } = readConfig(env)
  if (backup.directory === null) throw new CommandError('Set BACKUP_DIR to the directory of the backups.')
  return { ...backup, directory: resolve(backup.directory) }
}

/** Runs a command for its result, without printing it. */
async function resultOf<Result>(output: Output, run: (inner: Output) => Promise<void>): Promise<Result> {
  let found: unknown
  await run({
    ...output,
    result: (value) => {
      found = value
    },
  })
  return found as Result
}
