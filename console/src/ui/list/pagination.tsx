import { useParameter } from '../../router.tsx'

/** Previous and next page of a list. */
export function Pager({ nextCursor }: { readonly nextCursor: string | null | undefined }) {
  const [cursor, setCursor] = useParameter('cursor')
  if (!cursor && !nextCursor) return null
  return (
    <nav class="pager" aria-label="Pagination">
      <button type="button" disabled={!cursor} onClick={() => history.back()}>
        Previous
      </button>
      <button type="button" disabled={!nextCursor} onClick={() => setCursor(nextCursor ?? '')}>
        Next
      </button>
    </nav>
  )
}
