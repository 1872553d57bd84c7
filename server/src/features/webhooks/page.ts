import { limits } from '@vitrine/contract'
import { type Owner, ownerKey } from '../../kernel/owner.ts'
import { hashOfFilters, openCursor, sealCursor } from '../../platform/http/cursor.ts'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'

export const PAGE_LIMIT = limits.pagination.limitDefaultInstallation

/** A list paged by id. Ids sort by time. */
export interface CursorList {
  readonly cursorSecret: Secret
  readonly path: string
  readonly principal: Owner
  /** As given in the query. A cursor is valid for these filters only. */
  readonly filters: Readonly<Record<string, string | undefined>>
}

/** The id after which the page begins; `null` on the first page. Refuses `invalid_cursor`. */
export function openPageCursor(list: CursorList, cursor: string | undefined): string | null {
  return cursor === undefined ? null : (openCursor(list.cursorSecret, identityOf(list), cursor) as string)
}

/** The link to the next page; `null` on the last. */
export function nextPageLink(list: CursorList, lastId: string | null): string | null {
  if (lastId === null) return null
  const filters = Object.entries(list.filters).filter(([, value]) => value !== undefined) as [string, string][]
  const cursor = sealCursor(list.cursorSecret, identityOf(list), lastId)
  return `${list.path}?${new URLSearchParams([...filters, ['cursor', cursor]])}`
}

/** Trims rows that were read with one more than the limit. `lastId` is set if there is another page. */
export function trimPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
): { readonly shown: readonly Row[]; readonly lastId: string | null } {
  const shown = rows.slice(0, PAGE_LIMIT)
  return { shown, lastId: rows.length > PAGE_LIMIT ? (shown.at(-1)?.id ?? null) : null }
}

function identityOf({ path, principal, filters }: CursorList): string {
  return hashOfFilters([
    path,
    principal.environment,
    ownerKey(principal),
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
}
