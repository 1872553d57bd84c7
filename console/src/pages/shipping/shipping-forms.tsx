import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { linesOf, type Method, placesIn, placesText, stepsIn, type Zone } from './shipping-rates.ts'

interface ZoneFormProps {
  readonly store: OperatorStore
  readonly zone: Zone | undefined
  /** Its index in the list. */
  readonly at: number
  readonly onSave: (zone: Zone) => Promise<void>
  readonly onClose: () => void
}

/** The name and the destinations of a shipping zone. */
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
      <Field name="name" label="Name" hint="Internal name." pointer={`/zones/${at}/name`} value={zone?.name} required />
      <Field
        name="places"
        label="Countries and regions"
        hint="Countries such as DE, AT; regions such as US-CA; * for the rest of the world."
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

/** The name, delivery time and rates of a shipping method. */
export function MethodForm({ store, method, pointer, onSave, onClose }: MethodFormProps) {
  const [basis, setBasis] = useState(method?.basis ?? 'subtotal')
  const minimum = basis === 'weight' ? 'minimum weight in grams' : 'minimum subtotal'
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
        label="Name shown to customers"
        locales={store.locales}
        {...(method && { value: method.name })}
      />
      <Field
        name="minDays"
        label="Minimum delivery time (days)"
        type="number"
        min={0}
        pointer={`${pointer}/minDays`}
        value={method?.minDays ?? 1}
      />
      <Field
        name="maxDays"
        label="Maximum delivery time (days)"
        type="number"
        min={0}
        pointer={`${pointer}/maxDays`}
        value={method?.maxDays ?? 3}
      />
      <Select
        name="basis"
        label="Rate based on"
        value={basis}
        onChange={(value) => setBasis(value === 'weight' ? 'weight' : 'subtotal')}
        options={[
          ['subtotal', 'Order subtotal'],
          ['weight', 'Weight in grams'],
        ]}
      />
      <TextField
        name="rates"
        label="Rates"
        hint={`One rate per line: currency, ${minimum}, price. For example: ${currency} 0 4.90. Use – as the price where the method is not offered.`}
        value={method ? linesOf(method) : `${currency} 0 4.90`}
      />
      <Field
        name="taxCategory"
        label="Tax category"
        hint="As in the tax rates."
        pointer={`${pointer}/taxCategory`}
        value={method?.taxCategory ?? 'standard'}
        required
      />
    </Form>
  )
}
