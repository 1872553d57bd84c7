import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { LocalizedFields, readLocalized } from '../../ui/form/localized-text.tsx'
import { formatPlaces, formatRates, type Method, parsePlaces, parseRates, type Zone } from './shipping-rates.ts'

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
      submit={translate('Save')}
      cancel={onClose}
      onSubmit={(fields) =>
        onSave({
          ...zone,
          name: String(fields.get('name')).trim(),
          places: parsePlaces(String(fields.get('places'))),
          methods: zone?.methods ?? [],
        })
      }
    >
      <Field
        name="name"
        label={translate('Name')}
        hint={translate('Internal name.')}
        pointer={`/zones/${at}/name`}
        value={zone?.name}
        required
      />
      <Field
        name="places"
        label={translate('Countries and regions')}
        hint={translate('Countries such as DE, AT; regions such as US-CA; * for the rest of the world.')}
        pointer={`/zones/${at}/places`}
        value={zone ? formatPlaces(zone) : store.countries.join(', ')}
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
  const minimum = basis === 'weight' ? translate('minimum weight in grams') : translate('minimum subtotal')
  const [currency = 'EUR'] = store.currencies
  return (
    <Form
      submit={translate('Save')}
      cancel={onClose}
      onSubmit={async (fields) => {
        const typed = (name: string) => String(fields.get(name) ?? '').trim()
        await onSave({
          ...(method?.id && { id: method.id }),
          name: readLocalized(fields, 'name'),
          basis,
          minDays: Number(typed('minDays')),
          maxDays: Number(typed('maxDays')),
          taxCategory: typed('taxCategory'),
          rates: parseRates(typed('rates'), basis),
        })
      }}
    >
      <LocalizedFields
        name="name"
        label={translate('Name shown to customers')}
        locales={store.locales}
        {...(method && { value: method.name })}
      />
      <Field
        name="minDays"
        label={translate('Minimum delivery time (days)')}
        type="number"
        min={0}
        pointer={`${pointer}/minDays`}
        value={method?.minDays ?? 1}
      />
      <Field
        name="maxDays"
        label={translate('Maximum delivery time (days)')}
        type="number"
        min={0}
        pointer={`${pointer}/maxDays`}
        value={method?.maxDays ?? 3}
      />
      <Select
        name="basis"
        label={translate('Rate based on')}
        value={basis}
        onChange={(value) => setBasis(value === 'weight' ? 'weight' : 'subtotal')}
        options={[
          ['subtotal', translate('Order subtotal')],
          ['weight', translate('Weight in grams')],
        ]}
      />
      <TextField
        name="rates"
        label={translate('Rates')}
        hint={translate(
          'One rate per line: currency, {minimum}, price. For example: {currency} 0 4.90. Use – as the price where the method is not offered.',
          { minimum, currency },
        )}
        value={method ? formatRates(method) : `${currency} 0 4.90`}
      />
      <Field
        name="taxCategory"
        label={translate('Tax category')}
        hint={translate('As in the tax rates.')}
        pointer={`${pointer}/taxCategory`}
        value={method?.taxCategory ?? 'standard'}
        required
      />
    </Form>
  )
}
