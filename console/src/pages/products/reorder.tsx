import { translate } from '../../language.ts'
import { Icon } from './icons.tsx'

interface ReorderButtonsProps {
  /** The name of the item in the labels of the buttons. */
  readonly name: string
  readonly index: number
  readonly count: number
  /** The arrows for earlier and later: a list runs to the right or down. */
  readonly icons: readonly ['left', 'right'] | readonly ['up', 'down']
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

/** Buttons that move a list item earlier or later, or remove it. */
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
