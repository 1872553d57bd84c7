import { translate } from '../../language.ts'
import { Icon } from './icons.tsx'

/** A list with one of its items at another place; as it was where there is no such place. */
export function moved<Item>(all: readonly Item[], from: number, to: number): Item[] {
  const item = all[from]
  if (item === undefined || to < 0 || to >= all.length) return [...all]
  return all.toSpliced(from, 1).toSpliced(to, 0, item)
}

interface ReorderButtonsProps {
  /** The item, as the labels of the buttons name it. */
  readonly name: string
  readonly index: number
  readonly count: number
  /** The ways to earlier and later items: a list runs to the right or down. */
  readonly icons: readonly ['left', 'right'] | readonly ['up', 'down']
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

/** The buttons that move an item of a list to another place, or remove it. */
export function ReorderButtons({ name, index, count, icons, onMove, onRemove }: ReorderButtonsProps) {
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
        aria-label={translate('Move {name} earlier', { name })}
      >
        <Icon name={icons[0]} />
      </button>
      <button
        type="button"
        class="quiet"
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
        aria-label={translate('Move {name} later', { name })}
      >
        <Icon name={icons[1]} />
      </button>
      <button type="button" class="quiet" onClick={onRemove} aria-label={translate('Remove {name}', { name })}>
        <Icon name="remove" />
      </button>
    </>
  )
}
