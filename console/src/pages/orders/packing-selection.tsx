import type { ComponentChildren } from 'preact'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'

/** The limit for one URL and one print. */
const SELECTED_MAX = 50

interface SelectionProps {
  readonly orderIds: readonly string[]
  readonly onClear: () => void
  /** Further actions for the selection. */
  readonly children?: ComponentChildren
}

/** The actions for the selected orders. */
export function PackingSelection({ orderIds, onClear, children }: SelectionProps) {
  const ids = [...new Set(orderIds)]
  if (ids.length === 0) return null
  return (
    <section class="order-selection" aria-label={translate('Selection')}>
      <strong role="status">{translate('{count} selected', { count: ids.length })}</strong>
      {children}
      {ids.length <= SELECTED_MAX ? (
        <Link to={`/orders/packing-slips?orders=${ids.join(',')}`} class="button">
          {translate('Packing slips')}
        </Link>
      ) : (
        <span class="small">{translate('Packing slips: select at most {max} orders.', { max: SELECTED_MAX })}</span>
      )}
      <button type="button" class="quiet" onClick={onClear}>
        {translate('Clear')}
      </button>
    </section>
  )
}
