import { useParameter } from '../../router.tsx'

/** The way from a page of a list to the next one and back, where there is one. */
export function Pager({ nextCursor }: { readonly nextCursor: string | null | undefined }) {
  const [cursor, setCursor] = useParameter('cursor')
  if (!cursor && !nextCursor) return null
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={!cursor} onClick={() => history.back()}>
        Newer
      </button>
      <button type="button" disabled={!nextCursor} onClick={() => setCursor(nextCursor ?? '')}>
        Older
      </button>
    </nav>
  )
}
