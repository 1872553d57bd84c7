import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../api.ts'
import { ErrorNotice, sentenceOfFault } from '../notice.tsx'
import { FieldFault } from './field-error.ts'

/** The error of each field, by its JSON pointer. */
const Faults = createContext<ReadonlyMap<string, string>>(new Map())

function faultsOf(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof FieldFault) return new Map([[error.pointer, error.message]])
  if (!(error instanceof ApiError)) return new Map()
  return new Map(error.answer.details.map(({ pointer, message }) => [pointer, sentenceOfFault(message)]))
}

export interface FormProps {
  readonly submit: string
  /** Called with the fields by name. Errors it throws are shown next to the fields. */
  readonly onSubmit: (fields: FormData) => Promise<void>
  readonly danger?: boolean
  readonly children?: ComponentChildren
  readonly cancel?: () => void
  readonly cancelLabel?: string
}

/** A form that is sent once at a time, and shows server errors next to the fields. */
export function Form({ submit, onSubmit, danger, children, cancel, cancelLabel = 'Cancel' }: FormProps) {
  const [error, setError] = useState<unknown>(null)
  const [sending, setSending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // Scroll to the error: in a long form the submit button is far below it.
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (error) form.current?.querySelector('.fault, [role="alert"]')?.scrollIntoView({ block: 'nearest' })
  }, [error])

  async function send(event: { readonly currentTarget: HTMLFormElement; preventDefault(): void }): Promise<void> {
    event.preventDefault()
    if (sending) return
    const fields = new FormData(event.currentTarget)
    setSending(true)
    setError(null)
    try {
      await onSubmit(fields)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSending(false)
    }
  }

  return (
    <form ref={form} onSubmit={(event) => void send(event)} noValidate>
      <Faults.Provider value={faultsOf(error)}>
        {error ? <ErrorNotice error={error} /> : null}
        {children}
        <div class="actions">
          <button type="submit" class={danger ? 'danger' : 'primary'} aria-disabled={sending}>
            {sending ? 'Please wait…' : submit}
          </button>
          {cancel && (
            <button type="button" onClick={cancel}>
              {cancelLabel}
            </button>
          )}
        </div>
      </Faults.Provider>
    </form>
  )
}

interface FieldFrame {
  readonly label: string
  readonly hint?: string
  /** The JSON pointer by which the server names it. Default: `/name`. */
  readonly pointer?: string
}

function useField(name: string, { hint, pointer }: Pick<FieldFrame, 'hint' | 'pointer'>) {
  const id = useId()
  const fault = useContext(Faults).get(pointer ?? `/${name}`)
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return {
    id,
    fault,
    wired: { id, name, 'aria-invalid': Boolean(fault), ...(described && { 'aria-describedby': described }) },
  }
}

function Frame({
  id,
  label,
  hint,
  fault,
  children,
}: FieldFrame & { id: string; fault?: string | undefined; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="small">
          {hint}
        </p>
      )}
      {children}
      {fault && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
  )
}

interface InputProps extends FieldFrame {
  readonly name: string
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'date' | 'datetime-local' | 'search' | 'color'
  readonly value?: string | number
  readonly placeholder?: string
  readonly autocomplete?: string
  readonly required?: boolean
  readonly min?: number | string
  readonly max?: number | string
  readonly step?: number | string
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
}

/** A single-line input. */
export function Field({ name, label, hint, pointer, value, type = 'text', ...rest }: InputProps) {
  const { id, fault, wired } = useField(name, { ...(hint && { hint }), ...(pointer && { pointer }) })
  return (
    <Frame id={id} label={label} {...(hint && { hint })} fault={fault}>
      <input {...rest} {...wired} {...({ type } as { type: 'text' })} defaultValue={value} />
    </Frame>
  )
}

interface TextProps extends FieldFrame {
  readonly name: string
  readonly value?: string
  readonly rows?: number
  readonly required?: boolean
}

/** A multi-line input. */
export function TextField({ name, label, hint, pointer, value, rows = 4, ...rest }: TextProps) {
  const { id, fault, wired } = useField(name, { ...(hint && { hint }), ...(pointer && { pointer }) })
  return (
    <Frame id={id} label={label} {...(hint && { hint })} fault={fault}>
      <textarea rows={rows} {...rest} {...wired} defaultValue={value} />
    </Frame>
  )
}

interface SelectProps extends FieldFrame {
  readonly name: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly value?: string
  readonly onChange?: (value: string) => void
}

/** A select. */
export function Select({ name, label, hint, pointer, options, value, onChange }: SelectProps) {
  const { id, fault, wired } = useField(name, { ...(hint && { hint }), ...(pointer && { pointer }) })
  return (
    <Frame id={id} label={label} {...(hint && { hint })} fault={fault}>
      <select {...wired} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** A checkbox. */
export function Check({
  name,
  label,
  value = 'on',
  checked,
}: {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly checked?: boolean
}) {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} /> {label}
    </label>
  )
}
