import { useEffect, useRef, useState } from 'preact/hooks'
import { translate, translateMessage } from '../language.ts'
import { FieldFault, useField } from './form/form.tsx'
import './picker.css'

/** Something that can be picked. */
export interface Choice {
  readonly id: string
  readonly name: string
  /** Distinguishes it from others with the same name. */
  readonly hint?: string
}

interface PickerProps {
  readonly label: string
  readonly hint?: string
  /** What it means that nothing is chosen. */
  readonly none?: string | undefined
  readonly chosen: readonly Choice[]
  /** The caller shows and removes the chosen items. */
  readonly isShownApart?: boolean
  /** The choices for what was typed, the best first. */
  readonly find: (typed: string) => Promise<readonly Choice[]>
  readonly onChange: (chosen: readonly Choice[]) => void
  /** The name of a form field that has the ids, one per line. */
  readonly name?: string
}

const NONE = -1
const TYPING_MS = 150

/** Picks several things from a search: arrows move, Enter picks, Backspace removes the last. */
export function Picker({ label, hint, none, chosen, isShownApart = false, find, onChange, name }: PickerProps) {
  const { id, error, attributes } = useField(name, label, { ...(hint && { hint }) })
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  // The text for which Enter was pressed before its choice was found. What was found for another text does not count.
  const [entered, setEntered] = useState<string | null>(null)
  const { found, searched, failure } = useFound(find, typed, isOpen || entered !== null)
  // The best choice for what was typed. Without a text, Enter submits the form.
  const [active, setActive] = useState(NONE)
  const shown = found.filter((choice) => !chosen.some((each) => each.id === choice.id))
  const pick = (choice: Choice | undefined) => {
    if (!choice) return
    setTyped('')
    setActive(NONE)
    // In a dialog, the list of all choices would cover the buttons.
    setOpen(false)
    onChange([...chosen, choice])
  }
  useEffect(() => {
    setActive(typed === '' ? NONE : 0)
    if (entered === null || entered !== searched) return
    setEntered(null)
    pick(shown[0])
  }, [found])
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (isOpen ? setActive(Math.min(active + 1, shown.length - 1)) : setOpen(true)),
    ArrowUp: () => setActive(Math.max(active - 1, 0)),
    ...((typed !== '' || active !== NONE) && {
      Enter: () => (searched === typed ? pick(shown[Math.max(active, 0)]) : setEntered(typed)),
    }),
    ...(isOpen && shown.length > 0 && { Escape: () => setOpen(false) }),
  }
  const isListed = isOpen && shown.length > 0
  const nothing = searched === typed && typed !== '' ? translate('Nothing found') : ''
  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="small">
          {hint}
        </p>
      )}
      {!isShownApart && <Chosen chosen={chosen} onChange={onChange} />}
      <input
        id={id}
        role="combobox"
        aria-invalid={attributes['aria-invalid']}
        autocomplete="off"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        {...(isListed && active !== NONE && { 'aria-activedescendant': `${id}-${active}` })}
        aria-describedby={attributes['aria-describedby']}
        value={typed}
        placeholder={(chosen.length === 0 && none) || translate('Search')}
        // Not on focus alone: in a dialog that has just been opened the list would cover the buttons.
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setOpen(true)
          setEntered(null)
          setTyped(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && typed === '' && !isShownApart) onChange(chosen.slice(0, -1))
          const act = keys[event.key]
          if (!act) return
          event.preventDefault()
          act()
        }}
      />
      <Choices id={id} label={label} choices={shown} active={active} isListed={isListed} onPick={pick} />
      <p class="small" role="status">
        {isOpen && !isListed && (failure || nothing)}
      </p>
      <FieldFault id={id} error={error} />
      {name && <HiddenIds name={name} ids={chosen.map((choice) => choice.id).join('\n')} />}
    </div>
  )
}

interface ChoicesProps {
  readonly id: string
  readonly label: string
  readonly choices: readonly Choice[]
  readonly active: number
  readonly isListed: boolean
  readonly onPick: (choice: Choice) => void
}

/** The list of choices. */
function Choices({ id, label, choices, active, isListed, onPick }: ChoicesProps) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} class="picker-list" hidden={!isListed}>
      {choices.map((choice, index) => (
        <div
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Before the input loses its focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onPick(choice)
          }}
        >
          {choice.name} {choice.hint && <span class="small">{choice.hint}</span>}
        </div>
      ))}
    </div>
  )
}

/** The ids as a form field. A change fires an `input` event, as typing does. */
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
  /** The text that they were found for. */
  readonly searched: string | null
  readonly failure: string
}

/** The choices for what was typed, after a short pause. A late answer to an earlier text is dropped. */
function useFound(find: PickerProps['find'], typed: string, isWanted: boolean): Found {
  const [state, setState] = useState<Found>({ found: [], searched: null, failure: '' })
  useEffect(() => {
    if (!isWanted) return
    let isLatest = true
    const answer = (found: readonly Choice[], failure = '') => {
      if (isLatest) setState({ found, searched: typed, failure })
    }
    const search = () => find(typed).then(answer, (error: Error) => answer([], translateMessage(error.message)))
    const waiting = setTimeout(() => void search(), TYPING_MS)
    return () => {
      isLatest = false
      clearTimeout(waiting)
    }
  }, [typed, isWanted])
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
