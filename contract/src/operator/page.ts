import { type TSchema, Type } from 'typebox'
import { Cursor } from '../schemas/common.ts'
import { closed, integer, listOf, orNull, text } from '../schemas/primitives.ts'

const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 50

/** The query of every operator list: a search text and a page. */
export const listQuery = {
  q: Type.Optional(text(200, 'The search text.', 'linen')),
  limit: Type.Optional(integer(1, LIMIT_MAX, 'Entries per page.', LIMIT_DEFAULT)),
  cursor: Type.Optional(Cursor),
}

/** A page of a list and the cursor of the next one. */
export function pageOf<Item extends TSchema>(item: Item, description: string) {
  return closed(description, {
    items: listOf(item, LIMIT_MAX, description),
    nextCursor: orNull(Cursor, 'The cursor of the next page; `null` on the last one.'),
  })
}
