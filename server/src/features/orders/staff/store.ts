import { refuseField } from '../../../kernel/refusal.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { normalizeTags } from './tags.ts'

/** A note by a member of staff on an order. Shoppers and installations never see it. */
interface StaffNote {
  readonly id: string
  readonly text: string
  /** The operator, as in the audit log. */
  readonly author: string
  readonly at: Date
}

/** The notes and tags of an order. */
interface StaffRecord {
  /** Oldest first. */
  readonly notes: readonly StaffNote[]
  readonly tags: readonly string[]
}

/** The maximum number of notes that are shown. These are the newest. */
const NOTES_SHOWN_MAX = 1000

const notesOf = statement<StaffNote>(
  'orders.notes_of_order',
  'select id, text, author, at from order_notes where order_id = $1 order by at desc, id desc limit $2',
)
const tagsOf = statement<{ tag: string }>(
  'orders.tags_of_order',
  'select tag from order_tags where order_id = $1 order by lower(tag), tag',
)
const insertNote = statement(
  'orders.insert_note',
  'insert into order_notes (id, order_id, text, author, at) values ($1, $2, $3, $4, $5)',
)
const clearTags = statement(
  'orders.clear_tags',
  'delete from order_tags where order_id = $1 and tag <> all($2::text[])',
)
const insertTags = statement(
  'orders.insert_tags',
  'insert into order_tags (tag, order_id) select unnest($2::text[]), $1 on conflict do nothing',
)
// A loose index scan: it jumps from tag to tag in the index, however many orders have each.
const allTags = statement<{ tag: string }>(
  'orders.all_tags',
  `with recursive each (tag) as (
     (select tag from order_tags order by tag limit 1)
     union all
     select (select tag from order_tags where order_tags.tag > each.tag order by tag limit 1) from each where each.tag is not null)
   select tag from each where tag is not null limit $1`,
)

const tagsOfStore = statement<{ tag: string }>(
  'orders.tags_of_store',
  'select distinct tag from order_tags join orders on orders.id = order_id where store_id = $2 order by tag limit $1',
)

/** Reads the notes and tags of an order. */
export async function readStaffRecord(reader: Reader, orderId: string): Promise<StaffRecord> {
  const [notes, tags] = await Promise.all([
    reader.rows(notesOf, [orderId, NOTES_SHOWN_MAX]),
    reader.rows(tagsOf, [orderId]),
  ])
  return { notes: notes.toReversed(), tags: tags.map(({ tag }) => tag) }
}

/** Adds a note to an order. Refuses `validation_failed`. */
export function addStaffNote(
  tx: Transaction,
  orderId: string,
  { text, author }: Pick<StaffNote, 'text' | 'author'>,
  { ids, now }: EventContext,
): StaffNote {
  const note = { id: ids.next('note'), text: text.trim(), author, at: now }
  if (note.text === '') refuseField('text', 'required', 'Required.')
  tx.write(insertNote, [note.id, orderId, note.text, author, now])
  return note
}

/** Replaces the tags of an order, which is locked. Refuses `validation_failed`. */
export function setStaffTags(tx: Transaction, orderId: string, typed: readonly string[]): readonly string[] {
  const tags = normalizeTags(typed)
  tx.write(clearTags, [orderId, tags])
  if (tags.length > 0) tx.write(insertTags, [orderId, tags])
  return tags
}

/** Lists the distinct tags of all orders, or of the orders of one store. */
export async function listStaffTags(
  reader: Reader,
  { limit, storeId }: { readonly limit: number; readonly storeId: string | undefined },
): Promise<readonly string[]> {
  const rows = await (storeId === undefined
    ? reader.rows(allTags, [limit])
    : reader.rows(tagsOfStore, [limit, storeId]))
  return rows.map(({ tag }) => tag)
}
