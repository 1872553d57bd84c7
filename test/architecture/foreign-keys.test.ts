import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { statement } from '../../server/src/platform/postgres/index.ts'
import { testDatabase } from '../support/database.ts'

/*
 * Deleting a row searches for references to it. Without an index, that scans the whole table for each row: a sweep that is
 * fast in a test takes hours in production. A reference to rows that are never deleted needs no index.
 */

interface ForeignKey {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly cascades: boolean
  readonly has_index: boolean
}

/** An index counts if it begins with the columns of the key, even if it is partial and omits nulls. */
const foreignKeys = statement<ForeignKey>(
  'test.foreign_keys',
  `select conname::text as name, conrelid::regclass::text as from, confrelid::regclass::text as to, confdeltype = 'c' as cascades,
     exists (
       select from pg_index where indrelid = conrelid
         and (indkey::smallint[])[0:cardinality(conkey) - 1] @> conkey
         and (indpred is null or pg_get_expr(indpred, indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')) as has_index
   from pg_constraint where contype = 'f' order by conname`,
)

const SOURCES = join(import.meta.dirname, '../../server/src')

/** The tables that a statement deletes from, and those that the deletion cascades to. */
function deletedIn(keys: readonly ForeignKey[]): ReadonlySet<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const named = files.flatMap((file) => [
    ...readFileSync(join(SOURCES, file), 'utf8').matchAll(/\bdelete\s+from\s+(\w+)|\bsweepStatement\('(\w+)'/g),
  ])
  const deleted = new Set(named.map(([, deleted, swept]) => deleted ?? swept ?? ''))
  // Elements added during the iteration are visited too.
  for (const table of deleted)
    for (const { from, to, cascades } of keys) if (cascades && to === table) deleted.add(from)
  return deleted
}

let database: Awaited<ReturnType<typeof testDatabase>>['database']
before(async () => {
  ;({ database } = await testDatabase())
})

const lackingIndexes = (keys: readonly ForeignKey[]) => {
  const deleted = deletedIn(keys)
  return keys.filter(({ to, has_index }) => deleted.has(to) && !has_index).map(({ name }) => name)
}

describe('a deleted row', () => {
  test('is covered by an index on each reference to it', async () => {
    const keys = await database.reader.rows(foreignKeys)
    assert.ok(keys.length > 50)
    assert.deepEqual(lackingIndexes(keys), [])
  })

  test('is reported if the index is missing, also for cascaded deletions', async () => {
    // Sessions point to quotes, which go with their carts.
    await database.transaction((tx) => tx.change(statement('', 'drop index checkout_sessions_by_quote'), []))
    assert.deepEqual(lackingIndexes(await database.reader.rows(foreignKeys)), ['checkout_sessions_quote_id_fkey'])
  })
})
