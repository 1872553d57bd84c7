import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** How long a cursor is valid. */
const CURSOR_LIFETIME_MS = 60 * 60 * 1000

/** How long notes of changes are kept for processes that have not read them. */
const CHANGES_KEPT_MS = 15 * 60 * 1000

/** Rows deleted per call. */
const BATCH = 5000

const sweep = (table: string) =>
  statement(
    `catalog.sweep_${table}`,
    `with gone as (
       delete from ${table} where ctid = any(array(
         select ctid from ${table} where superseded_by is not null and superseded_at < $1
         order by superseded_at limit ${BATCH}))
       returning superseded_by
     ), noted as (
       insert into swept_transactions (id) select distinct superseded_by from gone on conflict do nothing
     )
     select from gone`,
  )
const sweepListingRows = sweep('listings')
const sweepDocumentRows = sweep('search_documents')

/**
 * Deletes rows superseded longer ago than a cursor is valid, and records the superseding transactions.
 *
 * @returns whether there may be more
 */
export async function sweepListings(tx: Transaction, now: Date): Promise<boolean> {
  const before = [new Date(now.getTime() - CURSOR_LIFETIME_MS)]
  const listings = await tx.change(sweepListingRows, before)
  const documents = await tx.change(sweepDocumentRows, before)
  return listings === BATCH || documents === BATCH
}

const sweepChanges = statement(
  'catalog.sweep_changes',
  `with horizon as (
     select before from catalog_change_marks where at <= $1 order by at desc limit 1
   ), noted as (
     update listing_epoch set changes_swept_before = horizon.before from horizon
     where changes_swept_before < horizon.before
   )
   delete from catalog_changes where ctid = any(array(
     select ctid from catalog_changes where changed_by < (select before from horizon)
     order by changed_by limit ${BATCH}))`,
)
const addMark = statement(
  'catalog.add_change_mark',
  `insert into catalog_change_marks (at, before) values ($1, pg_snapshot_xmin(pg_current_snapshot()))
   on conflict do nothing`,
)
const sweepMarks = statement(
  'catalog.sweep_change_marks',
  `delete from catalog_change_marks
   where at < (select at from catalog_change_marks where at <= $1 order by at desc limit 1)`,
)

/**
 * Deletes notes of changes that every running process has read long ago, and records up to which transaction they may be missing.
 *
 * @returns whether there may be more
 */
export async function sweepCatalogChanges(tx: Transaction, now: Date): Promise<boolean> {
  const before = [new Date(now.getTime() - CHANGES_KEPT_MS)]
  const changes = await tx.change(sweepChanges, before)
  tx.write(sweepMarks, before)
  tx.write(addMark, [now])
  return changes === BATCH
}

const forgetSnapshots = (table: string) =>
  statement(`catalog.forget_snapshots_${table}`, `update ${table} set listed_by = '3' where superseded_by is null`)
const removeSuperseded = (table: string) =>
  statement(`catalog.remove_superseded_${table}`, `delete from ${table} where superseded_by is not null`)
const forgetSwept = statement('catalog.forget_swept', 'delete from swept_transactions')
const forgetChanges = statement('catalog.forget_changes', 'delete from catalog_changes')
const forgetMarks = statement('catalog.forget_change_marks', 'delete from catalog_change_marks')
const beginEpoch = statement(
  'catalog.begin_epoch',
  `update listing_epoch set epoch = epoch + 1, changes_swept_before = '0'`,
)

// Its transaction ids are those of the other cluster: everything is counted again.
const forgetStatistics = statement('catalog.forget_search_statistics', 'delete from search_statistics')

/**
 * Repairs the listings of a restored database, whose transaction ids start over: current rows become visible to all (3 is the
 * first transaction id of any database), and all cursors expire.
 */
export function rebaseListings(tx: Pick<Transaction, 'write'>): void {
  for (const table of ['listings', 'search_documents']) {
    tx.write(removeSuperseded(table), [])
    tx.write(forgetSnapshots(table), [])
  }
  tx.write(forgetSwept, [])
  tx.write(forgetChanges, [])
  tx.write(forgetMarks, [])
  tx.write(forgetStatistics, [])
  tx.write(beginEpoch, [], { rows: 1 })
}
