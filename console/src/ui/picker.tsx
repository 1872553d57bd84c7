import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { translate, translateIfKnown } from '../language.ts'
import './picker.css'

/** Something that can be picked. */
export interface Choice {
  readonly id: string
  readonly name: string
  /** What tells it from others of its name. */
  readonly hint?: string
}

interface PickerProps {
  readonly label: string
  readonly hint?: string
  readonly chosen: readonly Choice[]
  /** The choices for what was typed, the best first. */
  readonly find: (typed: string) => Promise<readonly Choice[]>
  readonly onChange: (chosen: readonly Choice[]) => void
  /** The name of a form field that has the ids, one a line. */
  readonly name?: string
}

const TYPING_MS = 150

/** Picks several things from a search: arrows move, Enter picks, Backspace removes the last. */
export function Picker({ label, hint, chosen, find, onChange, name }: PickerProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { found, isSearched, failure } = useFound(find, typed, isOpen)
  const [active, setActive] = useState(0)
  useEffect(() => setActive(0), [found])
  const shown = found.filter((choice) => !chosen.some((each) => each.id === choice.id))
  const pick = (choice: Choice | undefined) => {
    if (!choice) return
    setTyped('')
    setActive(0)
    onChange([...chosen, choice])
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive(Math.min(active + 1, shown.length - 1)),
    ArrowUp: () => setActive(Math.max(active - 1, 0)),
    Enter: () => pick(shown[active]),
    ...(isOpen && shown.length > 0 && { Escape: () => setOpen(false) }),
  }
  const isListed = isOpen && shown.length > 0
  const nothing = isSearched && typed !== '' ? translate('Nothing found') : ''
  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="small">
          {hint}
        </p>
      )}
      <Chosen chosen={chosen} onChange={onChange} />
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        {...(isListed && { 'aria-activedescendant': `${id}-${active}` })}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
        value={typed}
        placeholder={translate('Search')}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setOpen(true)
          setTyped(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && typed === '') onChange(chosen.slice(0, -1))
          const act = keys[event.key]
          if (!act) return
          event.preventDefault()
          act()
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} class="picker-list" hidden={!isListed}>
        {shown.map((choice, index) => (
          <div
            key={choice.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Before the input loses its focus.
            onMouseDown={(event) => {
              event.preventDefault()
              pick(choice)
            }}
          >
            {choice.name} {choice.hint && <span class="small">{choice.hint}</span>}
          </div>
        ))}
      </div>
      <p class="small" role="status">
        {isOpen && !isListed && (failure || nothing)}
      </p>
      {name && <HiddenIds name={name} ids={chosen.map((choice) => choice.id).join('\n')} />}
    </div>
  )
}

/** The ids as a field of the form, which learns of a change as of any typed one. */
function HiddenIds({ name, ids }: { readonly name: string; readonly ids: string }) {
  const input = useRef<HTMLInputElement>(null)
  const before = useRef(ids)
  useEffect(() => {
    if (ids !== before.current) input.current?.dispatchEvent(new Event('input', { bubbles: true }))
    before.current = ids
  }, [ids])
  return <input ref={input} type="hidden" name={name} value={ids} />
}

interface Found {
  readonly found: readonly Choice[]
  /** Whether a search has ended. */
  readonly isSearched: boolean
  readonly failure: string
}

/** The choices for what was typed, after a short pause. A late answer to an earlier text is dropped. */
function useFound(find: PickerProps['find'], typed: string, isOpen: boolean): Found {
  const [state, setState] = useState<Found>({ found: [], isSearched: false, failure: '' })
  useEffect(() => {
    if (!isOpen) return
    let isLatest = true
    const answer = (found: readonly Choice[], failure = '') => {
      if (isLatest) setState({ found, isSearched: true, failure })
    }
    const search = () => find(typed).then(answer, (error: Error) => answer([], translateIfKnown(error.message)))
    const waiting = setTimeout(() => void search(), TYPING_MS)
    return () => {
      isLatest = false
      clearTimeout(waiting)
    }
  }, [typed, isOpen])
  return state
}

function Chosen({ chosen, onChange }: Pick<PickerProps, 'chosen' | 'onChange'>) {
  if (chosen.length === 0) return null
  return (
    <div class="chips">
      {chosen.map((choice) => (
        <button
          key={choice.id}
          type="button"
          class="chip"
          aria-label={translate('Remove {name}', { name: choice.name })}
          onClick={() => onChange(chosen.filter((each) => each.id !== choice.id))}
        >
          {choice.name}{' '}
          <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="m4 4 8 8m0-8-8 8" />
          </svg>
        </button>
      ))}
    </div>
  )
}
