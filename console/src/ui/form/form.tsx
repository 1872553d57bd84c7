import type { OperatorOperationId } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../api.ts'
import { translate } from '../../language.ts'
import { ErrorNotice } from '../notice.tsx'
import { Editable } from './editable.tsx'
import { FieldError } from './field-error.ts'
import { type FieldLabel, FieldLabels } from './field-labels.ts'
import { useUnsaved } from './unsaved.ts'
import { fieldErrorText } from './validation-messages.ts'

/** The errors of the fields, keyed by JSON pointer. */
const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map())

/** The error of each field, by its JSON pointer, in the language of the console. */
export function fieldErrorsOf(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof FieldError) return new Map([[error.pointer, error.message]])
  if (!(error instanceof ApiError)) return new Map()
  return new Map(error.response.details.map(({ pointer, message }) => [pointer, fieldErrorText(message)]))
}

export interface FormProps {
  readonly submit: string
  /** The operation that saves the form. Roles without it see the form, but cannot change it. */
  readonly by?: OperatorOperationId
  /** Called with the fields by name. Errors it throws are shown next to the fields. `false`: nothing was saved. */
  readonly onSubmit: (fields: FormData) => Promise<unknown>
  readonly danger?: boolean
  readonly children?: ComponentChildren
  readonly cancel?: () => void
  readonly cancelLabel?: string
  /** Whether leaving the page with changes asks for confirmation. Default: true; `false` for a form that saves nothing. */
  readonly guarded?: boolean
}

/** A form that sends one request at a time, and shows server errors next to the fields. */
export function Form({
  submit,
  by,
  onSubmit,
  danger,
  children,
  cancel,
  cancelLabel = translate('Cancel'),
  guarded = true,
}: FormProps) {
  const [error, setError] = useState<unknown>(null)
  const [sending, setSending] = useState(false)
  const [changed, setChanged] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const labels = useRef(new Map<string, FieldLabel>())
  // While the form is being sent, the page may navigate.
  const isSending = useRef(false)
  useUnsaved(() => guarded && changed && !isSending.current)
  // A layout effect: the focus has to move before the next key press is handled.
  useLayoutEffect(() => {
    // Scroll to the error: in a long form the submit button is far below it.
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (error) form.current?.querySelector('.error, [role="alert"]')?.scrollIntoView({ block: 'nearest' })
  }, [error])

  async function send(event: { readonly currentTarget: HTMLFormElement; preventDefault(): void }): Promise<void> {
    event.preventDefault()
    if (sending) return
    const fields = new FormData(event.currentTarget)
    setSending(true)
    isSending.current = true
    setError(null)
    try {
      if ((await onSubmit(fields)) !== false) setChanged(false)
    } catch (thrown) {
      setError(withRequired(thrown, labels.current))
    } finally {
      setSending(false)
      isSending.current = false
    }
  }

  return (
    <form
      ref={form}
      class={changed ? 'changed' : ''}
      onInput={() => setChanged(true)}
      onSubmit={(event) => void send(event)}
      noValidate
    >
      <Editable by={by}>
        <FieldErrors.Provider value={fieldErrorsOf(error)}>
          <FieldLabels.Provider value={labels.current}>
            {error ? <ErrorNotice error={error} /> : null}
            {children}
          </FieldLabels.Provider>
          <div class="actions">
            <button type="submit" class={danger ? 'danger' : 'primary'} aria-disabled={sending}>
              {sending ? translate('Please wait…') : submit}
            </button>
            {cancel && (
              <button type="button" onClick={cancel}>
                {cancelLabel}
              </button>
            )}
            {guarded && changed && !sending && <span class="small">{translate('Not saved yet')}</span>}
          </div>
        </FieldErrors.Provider>
      </Editable>
    </form>
  )
}

/** Reports an empty field as required instead of as an invalid format. */
function withRequired(error: unknown, labels: ReadonlyMap<string, FieldLabel>): unknown {
  if (!(error instanceof ApiError)) return error
  const details = error.response.details.map((detail) => {
    const field = document.getElementById(labels.get(detail.pointer)?.id ?? '')
    const isEmpty = field !== null && 'value' in field && field.value === ''
    return isEmpty && detail.message.includes('must match') ? { ...detail, message: translate('Required.') } : detail
  })
  return new ApiError({ ...error.response, details })
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
  /** The JSON pointer of the field in the API. Default: `/name`. */
  readonly pointer?: string
}

/** The attributes that connect an input with the errors of its form. An input without a name has no errors. */
export function useField(
  name: string | undefined,
  label: string,
  { hint, pointer = `/${name}` }: Pick<FieldProps, 'hint' | 'pointer'>,
) {
  const id = useId()
  const error = useContext(FieldErrors).get(pointer)
  const labels = useContext(FieldLabels)
  useLayoutEffect(() => {
    if (name === undefined) return
    labels?.set(pointer, { id, label })
    return () => void labels?.delete(pointer)
  }, [pointer, id, label])
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    error,
    attributes: {
      id,
      ...(name && { name }),
      'aria-invalid': Boolean(error),
      ...(described && { 'aria-describedby': described }),
    },
  }
}

function FieldLayout({
  id,
  label,
  hint,
  error,
  children,
}: FieldProps & { id: string; error?: string | undefined; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="small">
          {hint}
        </p>
      )}
      {children}
      <FieldFault id={id} error={error} />
    </div>
  )
}

/** The error of a field, which `useField` connects with its input. */
export function FieldFault({ id, error }: { readonly id: string; readonly error: string | undefined }) {
  if (!error) return null
  return (
    <p id={`${id}-error`} class="error">
      {error}
    </p>
  )
}

interface InputProps extends FieldProps {
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
  const { id, error, attributes } = useField(name, label, { ...(hint && { hint }), ...(pointer && { pointer }) })
  return (
    <FieldLayout id={id} label={label} {...(hint && { hint })} error={error}>
      <input {...rest} {...attributes} {...({ type } as { type: 'text' })} defaultValue={value} />
    </FieldLayout>
  )
}

interface TextProps extends FieldProps {
  readonly name: string
  readonly value?: string
  readonly rows?: number
  readonly required?: boolean
}

/** A multi-line input. */
export function TextField({ name, label, hint, pointer, value, rows = 4, ...rest }: TextProps) {
  const { id, error, attributes } = useField(name, label, { ...(hint && { hint }), ...(pointer && { pointer }) })
  return (
    <FieldLayout id={id} label={label} {...(hint && { hint })} error={error}>
      <textarea rows={rows} {...rest} {...attributes} defaultValue={value} />
    </FieldLayout>
  )
}

interface SelectProps extends FieldProps {
  readonly name: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly value?: string
  readonly onChange?: (value: string) => void
}

/** A select. */
export function Select({ name, label, hint, pointer, options, value, onChange }: SelectProps) {
  const { id, error, attributes } = useField(name, label, { ...(hint && { hint }), ...(pointer && { pointer }) })
  return (
    <FieldLayout id={id} label={label} {...(hint && { hint })} error={error}>
      <select {...attributes} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </FieldLayout>
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
