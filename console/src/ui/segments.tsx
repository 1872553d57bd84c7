interface SegmentsProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly (readonly [value: string, text: string])[]
}

/** A choice between a few, in a row. */
export function Segments({ label, value, onChange, options }: SegmentsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the border of a fieldset is broken by its legend.
    <div class="segments" role="group" aria-label={label}>
      {options.map(([each, text]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </div>
  )
}
