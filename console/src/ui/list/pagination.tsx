import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'

/** Previous and next page of a list. */
export function Pagination({ nextCursor }: { readonly nextCursor: string | null | undefined }) {
  const [cursor, setCursor] = useQueryParameter('cursor')
  if (!cursor && !nextCursor) return null
  return (
    <nav class="pager" aria-label={translate('Pagination')}>
      <button type="button" disabled={!cursor} onClick={() => history.back()}>
        {translate('Previous')}
      </button>
      <button type="button" disabled={!nextCursor} onClick={() => setCursor(nextCursor ?? '')}>
        {translate('Next')}
      </button>
    </nav>
  )
}
