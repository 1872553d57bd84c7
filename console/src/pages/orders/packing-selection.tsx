import type { ComponentChildren } from 'preact'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import type { Column } from '../../ui/list/list-page.tsx'

interface Picking<Item> {
  readonly numberOf: (item: Item) => string
  readonly isPicked: (item: Item) => boolean
  readonly toggle: (item: Item) => void
}

/** A column of checkboxes. */
export function pickColumn<Item>({ numberOf, isPicked, toggle }: Picking<Item>): Column<Item> {
  return {
    title: translate('Select'),
    pick: true,
    show: (item) => (
      <input
        type="checkbox"
        aria-label={translate('Select {number}', { number: numberOf(item) })}
        checked={isPicked(item)}
        onChange={() => toggle(item)}
      />
    ),
  }
}

/** The limit for one URL and one print. */
export const SELECTED_MAX = 50

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
