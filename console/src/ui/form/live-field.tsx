import { useId } from 'preact/hooks'

interface LiveProps {
  readonly label: string
  readonly value: string | number
  readonly onChange: (value: string) => void
}

/** A single-line input that reports each change. */
export function LiveField({
  label,
  value,
  onChange,
  type = 'text',
}: LiveProps & { readonly type?: 'text' | 'number' | 'color' | 'url' }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...({ type } as { type: 'text' })}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** A multi-line input. */
export function LiveText({ label, value, onChange, rows = 4 }: LiveProps & { readonly rows?: number }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} rows={rows} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    </div>
  )
}

/** A select. */
export function LiveSelect({
  label,
  value,
  onChange,
  options,
}: LiveProps & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
