import type { OperatorStore, OperatorTaxRate } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { TextsFields, textOf, textsIn } from '../../ui/form/localized-text.tsx'
import { countryName } from '../../ui/format/display-names.ts'
import { asSentence } from '../../ui/format/text.ts'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { StorePageFrame } from '../../ui/per-store-page.tsx'
import { percentOf, rateOf } from './percent.ts'

/** The tax rates of each store, by destination. */
export function TaxPage() {
  return (
    <StorePageFrame
      title="Tax"
      lead="Tax rates by destination. A cart cannot be fully priced if a tax category has no rate for its destination. Enter 0 where no tax is due."
    >
      {(store) => <TaxTable key={store.slug} store={store} />}
    </StorePageFrame>
  )
}

function TaxTable({ store }: { readonly store: OperatorStore }) {
  const params = { storeSlug: store.slug }
  const { answer, error, reload } = useCall(store.slug, () => call('getTaxRates', { params }))
  const { act, busy, failed } = useAct(reload)
  /** The index of the rate in the dialog. The index after the last is a new rate. */
  const [open, setOpen] = useState<number | null>(null)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { rates, version } = answer
  const save = (changed: readonly OperatorTaxRate[]) =>
    call('saveTaxRates', { params, body: { rates: [...changed], expectedVersion: version } })
  const remove = (rate: OperatorTaxRate) => {
    if (confirm(`Remove ${nameOf(rate, store)} for ${placeOf(rate)}?`))
      void act(() => save(rates.filter((each) => each !== rate)))
  }
  const add = (
    <button type="button" onClick={() => setOpen(rates.length)}>
      Add rate
    </button>
  )
  return (
    <Section title={store.name} actions={rates.length > 0 && add}>
      {failed ? <ErrorNotice error={failed} /> : null}
      {rates.length === 0 && (
        <Empty title="No tax rates yet" hint="Add a rate for each country that the store sells to.">
          {add}
        </Empty>
      )}
      <Table
        caption="Tax rates"
        items={rates}
        columns={columnsFor(store, rates, { edit: setOpen, remove, busy })}
        keyOf={keyOf}
      />
      {open !== null && (
        <Dialog title={rates[open] ? 'Edit rate' : 'Add rate'} onClose={() => setOpen(null)}>
          <RateForm
            store={store}
            rate={rates[open]}
            index={open}
            onClose={() => setOpen(null)}
            onSave={async (rate) => {
              await save(rates.toSpliced(open, 1, rate))
              setOpen(null)
              reload()
            }}
          />
        </Dialog>
      )}
    </Section>
  )
}

const keyOf = ({ country, region, category, code }: OperatorTaxRate) => [country, region, category, code].join(' ')
const placeOf = ({ country, region }: OperatorTaxRate) => [countryName(country), region].filter(Boolean).join(', ')
/** The name shown to customers, in the first language of the store. */
const nameOf = ({ name, code }: OperatorTaxRate, { locales }: OperatorStore) => textOf(name, locales) ?? code

interface RowActions {
  readonly edit: (index: number) => void
  readonly remove: (rate: OperatorTaxRate) => void
  readonly busy: boolean
}

function columnsFor(
  store: OperatorStore,
  rates: readonly OperatorTaxRate[],
  { edit, remove, busy }: RowActions,
): readonly Column<OperatorTaxRate>[] {
  return [
    { title: 'Destination', show: placeOf },
    { title: 'Tax category', show: ({ category }) => asSentence(category) },
    { title: 'Tax', wide: true, show: (rate) => nameOf(rate, store) },
    { title: 'Rate', figure: true, show: ({ rate }) => <span class="amount">{percentOf(rate)} %</span> },
    {
      title: 'Actions',
      acts: true,
      show: (rate) => (
        <div class="actions">
          <button type="button" onClick={() => edit(rates.indexOf(rate))}>
            Edit
          </button>
          <button type="button" class="danger" disabled={busy} onClick={() => remove(rate)}>
            Remove
          </button>
        </div>
      ),
    },
  ]
}

interface RateFormProps {
  readonly store: OperatorStore
  readonly rate: OperatorTaxRate | undefined
  readonly index: number
  readonly onSave: (rate: OperatorTaxRate) => Promise<void>
  readonly onClose: () => void
}

function RateForm({ store, rate, index, onSave, onClose }: RateFormProps) {
  const at = `/rates/${index}`
  return (
    <Form
      submit="Save"
      cancel={onClose}
      onSubmit={async (fields) => {
        const typed = (name: string) => String(fields.get(name) ?? '').trim()
        const region = typed('region')
        await onSave({
          country: typed('country').toUpperCase(),
          ...(region && { region }),
          category: typed('category'),
          code: typed('code'),
          name: textsIn(fields, 'name'),
          rate: rateOf(typed('rate'), `${at}/rate`),
        })
      }}
    >
      <Field
        name="country"
        label="Country"
        hint="Two-letter code, such as DE."
        pointer={`${at}/country`}
        value={rate?.country ?? store.countries[0]}
        required
      />
      <Field
        name="region"
        label="Region"
        hint="Region code as in addresses, such as CA. Leave empty for the whole country."
        pointer={`${at}/region`}
        value={rate?.region}
      />
      <Field
        name="category"
        label="Tax category"
        hint="The tax category of products and shipping methods, such as standard or reduced."
        pointer={`${at}/category`}
        value={rate?.category ?? 'standard'}
        required
      />
      <Field
        name="rate"
        label="Rate (%)"
        inputMode="decimal"
        pointer={`${at}/rate`}
        value={rate && percentOf(rate.rate)}
        required
      />
      <TextsFields
        name="name"
        label="Name shown to customers"
        locales={store.locales}
        value={rate?.name ?? { [store.locales[0] ?? 'en']: 'VAT' }}
      />
      <Field
        name="code"
        label="Code"
        hint="Distinguishes several taxes of one destination, such as gst and pst."
        pointer={`${at}/code`}
        value={rate?.code ?? 'vat'}
        required
      />
    </Form>
  )
}
