import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'

/** `vitrine migrate`: brings the database up to this version. Safe to run beside a running server, and twice. */
export async function migrateCommand(output: Output): Promise<void> {
  const migrated = await inHouse(output, async (house) => house.migrated)
  output.result(
    { applied: migrated },
    migrated.length > 0 ? migrated.map((name) => `applied ${name}`) : ['The database is up to date.'],
  )
}
