import { useEffect, useRef, useState } from 'preact/hooks'
import { translate } from '../language.ts'
import { useUnsaved } from './form/unsaved.ts'

/** A change that can be undone. */
export interface Undo<Draft> {
  readonly text: string
  readonly draft: Draft
}

/** A table that is edited in place and saved as a whole. */
export interface Sheet<Draft> {
  readonly draft: Draft
  readonly isDirty: boolean
  readonly saving: boolean
  readonly error: unknown
  /** The last change, if it can be undone. A later change ends that: undoing would lose it. */
  readonly undo: Undo<Draft> | null
  /** Changes the draft. With a text for the undo button, the change can be undone. */
  edit(change: (draft: Draft) => Draft, undo?: string): void
  takeBack(): void
  discard(): void
  save(): Promise<void>
}

/** Keeps the draft of a sheet until it is saved, and guards the page as long as it has changes. */
export function useSheet<Draft>(saved: Draft, onSave: (draft: Draft) => Promise<unknown>): Sheet<Draft> {
  const [draft, setDraft] = useState(saved)
  const [undo, setUndo] = useState<Undo<Draft> | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  const latest = useRef(draft)
  latest.current = draft
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsaved(() => isDirty && !saving)
  return {
    draft,
    isDirty,
    saving,
    error,
    undo,
    edit(change, undoText) {
      const before = latest.current
      latest.current = change(before)
      setDraft(latest.current)
      setUndo(undoText === undefined ? null : { text: undoText, draft: before })
    },
    takeBack() {
      if (undo) setDraft(undo.draft)
      setUndo(null)
    },
    discard() {
      setDraft(saved)
      setUndo(null)
      setError(null)
    },
    async save() {
      if (saving) return
      setSaving(true)
      setError(null)
      try {
        await onSave(draft)
        setUndo(null)
      } catch (thrown) {
        setError(thrown)
      } finally {
        setSaving(false)
      }
    },
  }
}

interface SaveBarProps extends Pick<Sheet<unknown>, 'isDirty' | 'saving' | 'save' | 'discard'> {
  /** The last change, while it can be undone. */
  readonly undo?: { readonly text: string } | null
  readonly takeBack?: () => void
}

/** Stays in view while a draft has unsaved changes or a change that can be undone. Ctrl+S saves. */
export function SaveBar({ isDirty, saving, save, discard, undo = null, takeBack }: SaveBarProps) {
  useEffect(() => {
    if (!isDirty) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void save()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  if (!isDirty && !undo) return null
  return (
    <section class="save-bar" aria-label={translate('Unsaved changes')}>
      <span role="status">{undo ? undo.text : translate('Unsaved changes')}</span>
      {undo && (
        <button type="button" class="quiet" onClick={takeBack}>
          {translate('Undo')}
        </button>
      )}
      <span class="actions">
        <button type="button" onClick={discard}>
          {translate('Discard')}
        </button>
        <button type="button" class="primary" aria-disabled={saving} onClick={() => void save()}>
          {saving ? translate('Saving…') : translate('Save')}
        </button>
      </span>
    </section>
  )
}

interface CellProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly error?: string | undefined
  readonly inputMode?: 'decimal' | 'numeric' | 'text'
  readonly placeholder?: string
}

/** An editable cell. Up, Down and Enter move to the cell of the next row, as in a spreadsheet. */
export function Cell({ label, value, onInput, error, inputMode = 'text', placeholder }: CellProps) {
  return (
    <input
      aria-label={label}
      value={value}
      inputMode={inputMode}
      placeholder={placeholder}
      aria-invalid={Boolean(error)}
      title={error}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        moveFrom(event.currentTarget, step)
      }}
    />
  )
}

/** Focuses the cell in the same column, `rows` further down. */
function moveFrom(input: HTMLInputElement, rows: number): void {
  const cell = input.closest('td')
  const row = cell?.closest('tr')
  const siblings = row?.parentElement?.querySelectorAll('tr') ?? []
  const next = row && siblings[[...siblings].indexOf(row) + rows]
  const target = cell && next?.children[[...(row?.children ?? [])].indexOf(cell)]?.querySelector('input')
  target?.focus()
  target?.select()
}

/** The changes that a preset would make, one per line. */
export function PresetChanges({ changes }: { readonly changes: readonly string[] }) {
  if (changes.length === 0) return <p class="calm">{translate('The table already has these values.')}</p>
  return (
    <ul aria-label={translate('Changes')}>
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  )
}
