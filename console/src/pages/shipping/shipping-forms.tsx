import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { linesOf, type Method, placesIn, placesText, stepsIn, type Zone } from './shipping-rates.ts'

interface ZoneFormProps {
  readonly store: OperatorStore
  readonly zone: Zone | undefined
  /** Where it stands in the table. */
  readonly at: number
  readonly onSave: (zone: Zone) => Promise<void>
  readonly onClose: () => void
}

/** Asks what a zone is called and where it holds. */
export function ZoneForm({ store, zone, at, onSave, onClose }: ZoneFormProps) {
  return (
    <Form
      submit="Save"
      cancel={onClose}
      onSubmit={(fields) =>
        onSave({
          ...zone,
          name: String(fields.get('name')).trim(),
          places: placesIn(String(fields.get('places'))),
          methods: zone?.methods ?? [],
        })
      }
    >
      <Field
        name="name"
        label="Name"
        hint="For yourselves."
        pointer={`/zones/${at}/name`}
        value={zone?.name}
        required
      />
      <Field
        name="places"
        label="Places"
        hint="Countries such as DE, AT; regions such as US-CA; * is the rest of the world."
        pointer={`/zones/${at}/places`}
        value={zone ? placesText(zone) : store.countries.join(', ')}
        required
      />
    </Form>
  )
}

interface MethodFormProps {
  readonly store: OperatorStore
  readonly method: Method | undefined
  readonly pointer: string
  readonly onSave: (method: Method) => Promise<void>
  readonly onClose: () => void
}

/** Asks how something is shipped, how long that takes, and what it costs. */
export function MethodForm({ store, method, pointer, onSave, onClose }: MethodFormProps) {
  const [basis, setBasis] = useState(method?.basis ?? 'subtotal')
  const begins = basis === 'weight' ? 'the grams' : 'the price of the goods'
  const [currency = 'EUR'] = store.currencies
  return (
    <Form
      submit="Save"
      cancel={onClose}
      onSubmit={async (fields) => {
        const typed = (name: string) => String(fields.get(name) ?? '').trim()
        await onSave({
          ...(method?.id && { id: method.id }),
          name: textsIn(fields, 'name'),
          basis,
          minDays: Number(typed('minDays')),
          maxDays: Number(typed('maxDays')),
          taxCategory: typed('taxCategory'),
          rates: stepsIn(typed('rates'), basis),
        })
      }}
    >
      <TextsFields
        name="name"
        label="What buyers read"
        locales={store.locales}
        {...(method && { value: method.name })}
      />
      <Field
        name="minDays"
        label="Days at least"
        type="number"
        min={0}
        pointer={`${pointer}/minDays`}
        value={method?.minDays ?? 1}
      />
      <Field
        name="maxDays"
        label="Days at most"
        type="number"
        min={0}
        pointer={`${pointer}/maxDays`}
        value={method?.maxDays ?? 3}
      />
      <Select
        name="basis"
        label="Goes by"
        value={basis}
        onChange={(value) => setBasis(value === 'weight' ? 'weight' : 'subtotal')}
        options={[
          ['subtotal', 'The price of the goods'],
          ['weight', 'Their weight in grams'],
        ]}
      />
      <TextField
        name="rates"
        label="Costs"
        hint={`One step a line: currency, ${begins} from where on, what it costs. Such as ${currency} 0 4.90; – in place of a price: not offered from there.`}
        value={method ? linesOf(method) : `${currency} 0 4.90`}
      />
      <Field
        name="taxCategory"
        label="Taxed as"
        hint="The tax category, as in the tax table."
        pointer={`${pointer}/taxCategory`}
        value={method?.taxCategory ?? 'standard'}
        required
      />
    </Form>
  )
}
