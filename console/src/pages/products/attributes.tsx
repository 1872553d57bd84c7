import { decimalSeparator, translate } from '../../language.ts'
import { type Draft, renamedAttribute } from './draft.ts'
import { Icon } from './icons.tsx'
import { TextInput } from './texts.tsx'

type Attributes = Draft['attributes']
type Attribute = Attributes[number]

/** Edits the attributes of a product, such as material, care and dimensions. */
export function AttributesEditor({
  attributes,
  saved,
  locale,
  onChange,
}: {
  readonly attributes: Attributes
  readonly saved: Attributes
  readonly locale: string
  readonly onChange: (attributes: Attributes, undo?: string) => void
}) {
  const change = (index: number, changed: Partial<Attribute>) =>
    onChange(attributes.map((each, nth) => (nth === index ? { ...each, ...changed } : each)))
  return (
    <>
      {attributes.map((attribute, index) => (
        <div key={index} class="attribute">
          <TextInput
            label={translate('Name')}
            value={attribute.labels?.[locale] ?? attribute.key}
            onInput={(label) => change(index, renamedAttribute(attribute, locale, label, { attributes, saved }))}
          />
          <TextInput
            label={translate('Value')}
            value={valueIn(attribute, locale)}
            onInput={(value) => change(index, { value: changedValue(attribute.value, locale, value) })}
          />
          <button
            type="button"
            class="quiet"
            aria-label={translate('Remove {name}', { name: attribute.labels?.[locale] ?? attribute.key })}
            onClick={() => onChange(attributes.toSpliced(index, 1), translate('Attribute removed.'))}
          >
            <Icon name="remove" />
          </button>
        </div>
      ))}
      <div class="actions">
        <button
          type="button"
          onClick={() => onChange([...attributes, { key: freeKey(attributes), value: { [locale]: '' } }])}
        >
          {translate('Add attribute')}
        </button>
      </div>
    </>
  )
}

const freeKey = (attributes: Attributes) => {
  const used = new Set(attributes.map(({ key }) => key))
  for (let number = attributes.length + 1; ; number += 1)
    if (!used.has(`attribute-${number}`)) return `attribute-${number}`
}

function valueIn({ value }: Attribute, locale: string): string {
  if (typeof value === 'object') return value[locale] ?? ''
  return typeof value === 'number' ? String(value).replace('.', decimalSeparator) : String(value)
}

/** A number is a text while it is typed. Saving it reads the number. */
function changedValue(value: Attribute['value'], locale: string, typed: string): Attribute['value'] {
  return typeof value === 'object' ? { ...value, [locale]: typed } : typed
}
