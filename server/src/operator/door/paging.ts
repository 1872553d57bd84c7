import { LIMIT_DEFAULT } from '@vitrine/contract/operator'
import { hashOfFilters, openCursor, sealCursor } from '../../platform/http/cursor.ts'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'

interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** Keyset paging of operator lists: a page begins after the key of its cursor. */
export interface Paging<Key> {
  /** One more than the page size, to know whether there is a next page. */
  readonly limit: number
  readonly after: Key | null
  /** Presents a page and the cursor of the next one. */
  page<Row, Item>(
    found: readonly Row[],
    keyOf: (row: Row) => Key,
    show: (row: Row) => Item,
  ): { readonly items: Item[]; readonly nextCursor: string | null }
}

/**
 * Reads the cursor of a list request. Refuses `invalid_cursor` if the cursor belongs to another list or other filters.
 *
 * @param list the name and the filters of the list, which its cursors are bound to
 */
export function pagingOf<Key>(
  secret: Secret,
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

/**
 * A LIKE pattern that matches the text anywhere; `null` without a search text. For ids the queries drop its first
 * percent sign (`substr($1, 2)`): an id is found by its start, else "ada" would find one random id in a thousand.
 */
export function likeOf(q: string | undefined): string | null {
  return q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`
}
