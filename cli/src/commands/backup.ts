import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import {
  BackupError,
  type BackupProgress,
  backupOf,
  embeddedExists,
  gunzipped,
  readConfig,
  restoreInto,
  systemClock,
} from '@vitrine/server'
import { CommandError, messageOf } from '../failure.ts'
import { withDatabase, withDatabaseAsIs } from '../local-database.ts'
import { columns, type Output } from '../output.ts'
import { sizeOf, writeWhole } from '../whole-file.ts'
import { decrypted, encryptedFor } from './backup/encryption.ts'

/** A backup contains personal data, so only its owner can read it. */
const OWNER_ALONE = 0o600

/** `vitrine backup FILE`: the whole database as of now, while it stays in use. */
export async function backupCommand(
  file: string,
  { recipients }: { readonly recipients: readonly string[] },
  output: Output,
): Promise<void> {
  const encrypt = encryptedFor(recipients)
  const path = resolve(file)
  const { databaseUrl: ownUrl, dataDirectory } = readConfig(output.io.env)
  if (ownUrl === null && !embeddedExists(dataDirectory))
    throw new CommandError(`There is no database in ${dataDirectory}: set DATA_DIR or DATABASE_URL.`)
  const progress = output.progress('Backing up')
  try {
    // As it is: the backup before an upgrade, too, is made by the later version.
    await withDatabaseAsIs(output, async ({ databaseUrl }) => {
      await mkdir(dirname(path), { recursive: true })
      const bytes = backupOf(databaseUrl, {
        now: systemClock.now(),
        onProgress: ({ table, tablesDone, tables }: BackupProgress) => progress.update(tablesDone, tables, table),
      })
      await writeWhole(path, (unfinished) =>
        pipeline(Readable.from(bytes), createGzip(), encrypt, createWriteStream(unfinished, { mode: OWNER_ALONE })),
      )
    })
  } finally {
    progress.stop()
  }
  const { size } = await stat(path)
  output.result({ file: path, bytes: size, encrypted: recipients.length > 0 }, [
    `${path}, ${(size / 1024 / 1024).toFixed(1)} MiB, ${recipients.length > 0 ? 'encrypted' : 'not encrypted: see --recipient'}.`,
    'It does not contain the key files of the data directory: keep copies of those in another place.',
    'It does not contain uploaded pictures either: copy the folder media of the data directory, or keep their bucket.',
  ])
}

/** `vitrine restore FILE`: fills an empty database from a backup, completely or not at all. */
export async function restoreCommand(
  file: string,
  { identityFile }: { readonly identityFile: string | null },
  output: Output,
): Promise<void> {
  await sizeOf(file)
  const progress = output.progress('Restoring')
  try {
    const restored = await withDatabaseAsIs(output, async ({ databaseUrl, ownerUrl }) =>
      restoreInto(ownerUrl ?? databaseUrl, gunzipped(await decrypted(createReadStream(file), identityFile)), {
        onProgress: ({ table, tablesDone, tables }) => progress.update(tablesDone, tables, table),
      }),
    )
    // Grants the role of the nodes its permissions.
    if (readConfig(output.io.env).databaseOwnerUrl !== null) await withDatabase(output, async () => {})
    const rows = Object.values(restored.rows).reduce((sum, each) => sum + each, 0)
    const { createdAt, credentials } = restored
    output.result({ createdAt, rows, credentials }, [
      `Restored ${rows} rows, as they were at ${createdAt}.`,
      'Everyone is signed out, and links in emails no longer work.',
      ...(credentials.length > 0
        ? [
            'These credentials were valid at that time. Revoke again those that were revoked since:',
            ...columns([['WHAT', 'ID', 'OF'], ...credentials.map(({ kind, id, of }) => [kind, id, of])]),
          ]
        : []),
    ])
  } catch (error) {
    if (error instanceof BackupError)
      throw new CommandError(`Cannot restore ${file}. ${error.message}`, { cause: error })
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw new CommandError(`${file} is not a backup or is damaged: ${messageOf(error)}.`, { cause: error })
    }
    throw error
  } finally {
    progress.stop()
  }
}
