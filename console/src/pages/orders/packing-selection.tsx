import type { ComponentChildren } from 'preact'
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
    title: 'Select',
    pick: true,
    show: (item) => (
      <input
        type="checkbox"
        aria-label={`Select ${numberOf(item)}`}
        checked={isPicked(item)}
        onChange={() => toggle(item)}
      />
    ),
  }
}

/** So many fit into one address and one pile of paper. */
export const SELECTED_MAX = 50

interface SelectionProps {
  readonly orderIds: readonly string[]
  readonly onClear: () => void
  /** What else can be done with the selection. */
  readonly children?: ComponentChildren
}

/** What can be done with selected orders. */
export function PackingSelection({ orderIds, onClear, children }: SelectionProps) {
  const ids = [...new Set(orderIds)]
  if (ids.length === 0) return null
  return (
    <section class="order-selection" aria-label="Selection">
      <strong role="status">{ids.length} selected</strong>
      {children}
      {ids.length <= SELECTED_MAX ? (
        <Link to={`/orders/packing-slips?orders=${ids.join(',')}`} class="button">
          Packing slips
        </Link>
      ) : (
        <span class="small">Packing slips: select at most {SELECTED_MAX} orders.</span>
      )}
      <button type="button" class="quiet" onClick={onClear}>
        Clear
      </button>
    </section>
  )
}
