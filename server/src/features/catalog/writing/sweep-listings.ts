import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** How long a cursor is valid. */
export const CURSOR_LIFETIME_MS = 60 * 60 * 1000

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

const forgetSnapshots = (table: string) =>
  statement(`catalog.forget_snapshots_${table}`, `update ${table} set listed_by = '3' where superseded_by is null`)
const removeSuperseded = (table: string) =>
  statement(`catalog.remove_superseded_${table}`, `delete from ${table} where superseded_by is not null`)
const forgetSwept = statement('catalog.forget_swept', 'delete from swept_transactions')
const beginEpoch = statement('catalog.begin_epoch', 'update listing_epoch set epoch = epoch + 1')

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
  tx.write(forgetStatistics, [])
  tx.write(beginEpoch, [], { rows: 1 })
}
