import { limits } from '@vitrine/contract'
import { hashOfFilters, openCursor, sealCursor } from '../../platform/http/cursor.ts'
import type { Principal } from '../../platform/http/handler.ts'

export const PAGE_LIMIT = limits.pagination.limitDefaultInstallation

/** A list that is walked by ids, which are in the order of time. */
export interface WalkedList {
  readonly cursorSecret: Buffer
  readonly path: string
  readonly principal: Pick<Principal, 'installationId' | 'environment'>
  /** The filters that the walk has, as they are asked for. */
  readonly filters: Readonly<Record<string, string | undefined>>
}

/** Behind which id the page begins; `null` on the first. Refuses `invalid_cursor`. */
export function beginOf(list: WalkedList, cursor: string | undefined): string | null {
  return cursor === undefined ? null : (openCursor(list.cursorSecret, identityOf(list), cursor) as string)
}

/** The link to the page behind this one, ready made; `null` on the last. */
export function nextOf(list: WalkedList, lastId: string | null): string | null {
  if (lastId === null) return null
  const asked = Object.entries(list.filters).filter(([, value]) => value !== undefined) as [string, string][]
  const cursor = sealCursor(list.cursorSecret, identityOf(list), lastId)
  return `${list.path}?${new URLSearchParams([...asked, ['cursor', cursor]])}`
}

/** What fits on a page of rows that were read one too many, and the id that the next one begins behind. */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
): { readonly shown: readonly Row[]; readonly lastId: string | null } {
  const shown = rows.slice(0, PAGE_LIMIT)
  return { shown, lastId: rows.length > PAGE_LIMIT ? (shown.at(-1)?.id ?? null) : null }
}

function identityOf({ path, principal, filters }: WalkedList): string {
  return hashOfFilters([
    path,
    principal.environment,
    principal.installationId,
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
}
