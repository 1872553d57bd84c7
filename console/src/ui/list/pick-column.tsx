import { translate } from '../../language.ts'
import type { Column } from './list-page.tsx'

interface Picking<Item> {
  readonly idOf: (item: Item) => string
  readonly nameOf: (item: Item) => string
  /** Whether a row has a checkbox. Default: each has one. */
  readonly isPickable?: (item: Item) => boolean
  readonly selected: readonly Item[]
  readonly onChange: (selected: readonly Item[]) => void
}

/** A column of checkboxes, with one for all rows of the page in its heading. */
export function pickColumn<Item>(picking: Picking<Item>): Column<Item> {
  const { idOf, nameOf, isPickable = () => true, selected, onChange } = picking
  const among = (items: readonly Item[]) => (item: Item) => items.some((each) => idOf(each) === idOf(item))
  const isPicked = among(selected)
  const toggle = (items: readonly Item[], isOn: boolean) => {
    const others = selected.filter((item) => !among(items)(item))
    onChange(isOn ? [...others, ...items] : others)
  }
  return {
    title: translate('Select'),
    pick: true,
    head: (items) => {
      const pickable = items.filter(isPickable)
      return (
        <input
          type="checkbox"
          aria-label={translate('Select all on this page')}
          checked={pickable.every(isPicked)}
          disabled={pickable.length === 0}
          onChange={({ currentTarget }) => toggle(pickable, currentTarget.checked)}
        />
      )
    },
    show: (item) =>
      isPickable(item) && (
        <input
          type="checkbox"
          aria-label={translate('Select {name}', { name: nameOf(item) })}
          checked={isPicked(item)}
          onChange={({ currentTarget }) => toggle([item], currentTarget.checked)}
        />
      ),
  }
}
