import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { slugOf } from '../../ui/format/text.ts'
import type { Draft } from './draft.ts'
import { Icon } from './icons.tsx'

type Options = Draft['options']
type Option = Options[number]

const SUGGESTED = [translate('Size'), translate('Color'), translate('Material')]

/** Edits the options of the variants. A comma or Enter adds a value. */
export function OptionsEditor({
  options,
  locale,
  onChange,
}: {
  readonly options: Options
  readonly locale: string
  readonly onChange: (options: Options, undo?: string) => void
}) {
  const [name, setName] = useState('')
  const used = options.map((option) => option.name)
  const add = (label: string) => {
    const key = slugOf(label)
    setName('')
    if (key !== '' && !used.includes(key))
      onChange([...options, { name: key, labels: { [locale]: label.trim() }, values: [] }])
  }
  return (
    <div class="options">
      {options.map((option) => (
        <OptionEditor
          key={option.name}
          option={option}
          locale={locale}
          onChange={(changed) => onChange(options.map((each) => (each === option ? changed : each)))}
          onRemove={() =>
            onChange(
              options.filter((each) => each !== option),
              translate('{name} removed.', { name: labelOf(option) }),
            )
          }
        />
      ))}
      {options.length < 5 && (
        <div class="field add-option">
          <label for="new-option">{translate('Add an option')}</label>
          <div class="actions">
            <input
              id="new-option"
              value={name}
              placeholder={translate('Size')}
              list="option-names"
              onInput={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add(name)
              }}
            />
            <datalist id="option-names">
              {SUGGESTED.filter((each) => !used.includes(slugOf(each))).map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
            <button type="button" onClick={() => add(name)}>
              {translate('Add option')}
            </button>
          </div>
        </div>
      )}
    </div>
  )
}

const labelOf = ({ labels, name }: Option) => Object.values(labels ?? {})[0] ?? name

function OptionEditor({
  option,
  locale,
  onChange,
  onRemove,
}: {
  readonly option: Option
  readonly locale: string
  readonly onChange: (option: Option) => void
  readonly onRemove: () => void
}) {
  const [typed, setTyped] = useState('')
  const label = labelOf(option)
  const add = (text: string) => {
    const known = new Set(option.values.map(({ value }) => value))
    const added = text
      .split(',')
      .map((each) => ({ value: slugOf(each), labels: { [locale]: each.trim() } }))
      .filter(({ value }) => value !== '' && !known.has(value) && Boolean(known.add(value)))
    setTyped('')
    if (added.length > 0) onChange({ ...option, values: [...option.values, ...added] })
  }
  const remove = (value: string) =>
    onChange({ ...option, values: option.values.filter((each) => each.value !== value) })
  return (
    <fieldset class="option">
      <legend>{label}</legend>
      <div class="chips">
        {option.values.map(({ value, labels }) => (
          <button
            key={value}
            type="button"
            class="chip"
            onClick={() => remove(value)}
            aria-label={translate('Remove {name}', { name: labels?.[locale] ?? value })}
          >
            {labels?.[locale] ?? Object.values(labels ?? {})[0] ?? value} <Icon name="remove" />
          </button>
        ))}
        <input
          value={typed}
          placeholder={translate('Add a value')}
          aria-label={translate('Add a value of {label}', { label })}
          onInput={(event) => {
            const { value } = event.currentTarget
            if (value.includes(',')) add(value)
            else setTyped(value)
          }}
          onBlur={() => add(typed)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              add(typed)
            }
            const last = option.values.at(-1)
            if (event.key === 'Backspace' && typed === '' && last) remove(last.value)
          }}
        />
        <button
          type="button"
          class="quiet"
          onClick={onRemove}
          aria-label={translate('Remove the option {label}', { label })}
        >
          {translate('Remove')}
        </button>
      </div>
    </fieldset>
  )
}
