import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'

/** The cursors of the pages before the shown one. A page that was opened by its link has none: the first page is before it. */
const cursorsBefore = (): readonly string[] => (history.state as { before?: readonly string[] } | null)?.before ?? []

/** Previous and next page of a list. Not by the history of the browser, which may lead to another page. */
export function Pagination({ nextCursor }: { readonly nextCursor: string | null | undefined }) {
  const [cursor, setCursor] = useQueryParameter('cursor')
  if (!cursor && !nextCursor) return null
  const showPrevious = () => {
    const before = cursorsBefore()
    setCursor(before.at(-1) ?? '', { before: before.slice(0, -1) })
  }
  return (
    <nav class="pager" aria-label={translate('Pagination')}>
      <button type="button" disabled={!cursor} onClick={showPrevious}>
        {translate('Previous')}
      </button>
      <button
        type="button"
        disabled={!nextCursor}
        onClick={() => setCursor(nextCursor ?? '', { before: [...cursorsBefore(), cursor] })}
      >
        {translate('Next')}
      </button>
    </nav>
  )
}
