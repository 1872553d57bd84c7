import { LIMIT_DEFAULT } from '@vitrine/contract/operator'
import { hashOfFilters, openCursor, sealCursor } from '../../platform/http/cursor.ts'

interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** A list of the operator side, page by page: by a key that the next page begins behind. */
export interface Paging<Key> {
  /** One more than a page holds, to know whether there is another. */
  readonly limit: number
  readonly after: Key | null
  /** The page of what was found, and where the next one begins. */
  page<Row, Item>(
    found: readonly Row[],
    keyOf: (row: Row) => Key,
    show: (row: Row) => Item,
  ): { readonly items: Item[]; readonly nextCursor: string | null }
}

/**
 * Reads where a page of a list begins. Refuses `invalid_cursor` where the cursor is of another list or other filters.
 *
 * @param list its name and its filters: what a cursor belongs to
 */
export function pagingOf<Key>(
  secret: Buffer,
  list: readonly unknown[],
  { limit = LIMIT_DEFAULT, cursor }: ListQuery,
): Paging<Key> {
  const filters = hashOfFilters(list)
  return {
    limit: limit + 1,
    after: cursor === undefined ? null : (openCursor(secret, filters, cursor) as Key),
    page(found, keyOf, show) {
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      return {
        items: shown.map(show),
        nextCursor: last === undefined ? null : sealCursor(secret, filters, keyOf(last)),
      }
    },
  }
}

/** A text to look for as LIKE takes it, anywhere in what is looked at; `null` where nothing is looked for. */
export function likeOf(q: string | undefined): string | null {
  return q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`
}
