import type { OperatorStore, OperatorTaxRate, OperatorTaxScheme } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { LocalizedFields, localizedText, readLocalized } from '../../ui/form/localized-text.tsx'
import { countryName } from '../../ui/format/display-names.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { PerStorePage } from '../../ui/per-store-page.tsx'
import { askThen } from '../../ui/question.tsx'
import { formatPercent, parsePercent } from './percent.ts'

/** The tax rates of each store, by destination. */
export function TaxPage() {
  return (
    <PerStorePage
      title={translate('Tax')}
      lead={translate(
        'Tax rates by destination. A cart cannot be fully priced if a tax category has no rate for its destination. Enter 0 where no tax is due.',
      )}
    >
      {(store) => <TaxTable key={store.slug} store={store} />}
    </PerStorePage>
  )
}

function TaxTable({ store }: { readonly store: OperatorStore }) {
  const params = { storeSlug: store.slug }
  const { data, error, reload } = useCall(store.slug, () => call('getTaxRates', { params }))
  const { run, busy, actionError } = useAction(reload)
  /** The index of the rate in the dialog. The index after the last is a new rate. */
  const [open, setOpen] = useState<number | null>(null)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">{translate('Loading…')}</p>
  const { rates, scheme, version } = data
  const save = (changed: readonly OperatorTaxRate[]) =>
    call('saveTaxRates', { params, body: { rates: [...changed], expectedVersion: version } })
  const saveScheme = async (changed: OperatorTaxScheme) => {
    await call('saveTaxRates', { params, body: { rates, scheme: changed, expectedVersion: version } })
    reload()
  }
  const remove = (rate: OperatorTaxRate) => {
    const question = {
      title: translate('Remove {rate} for {place}?', { rate: nameOf(rate, store), place: placeOf(rate) }),
      consequences: translate('Carts and quotes are taxed without it from now on. Orders keep their tax.'),
      action: translate('Remove'),
    }
    askThen(question, () => run(() => save(rates.filter((each) => each !== rate))))
  }
  const add = (
    <button type="button" onClick={() => setOpen(rates.length)}>
      {translate('Add rate')}
    </button>
  )
  return (
    <Section title={store.name} actions={rates.length > 0 && add}>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <SchemeForm scheme={scheme} onSave={saveScheme} />
      <Report storeSlug={store.slug} />
      {rates.length === 0 && (
        <Empty
          title={translate('No tax rates yet')}
          hint={translate('Add a rate for each country that the store sells to.')}
        >
          {add}
        </Empty>
      )}
      <Table
        caption={translate('Tax rates')}
        items={rates}
        columns={columnsFor(store, rates, { edit: setOpen, remove, busy })}
        keyOf={keyOf}
      />
      {open !== null && (
        <Dialog title={rates[open] ? translate('Edit rate') : translate('Add rate')} onClose={() => setOpen(null)}>
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

const keyOf = ({ country, region, postalCodes, category, code }: OperatorTaxRate) =>
  [country, region, postalCodes?.from, category, code].join(' ')
const placeOf = ({ country, region, postalCodes }: OperatorTaxRate) =>
  [countryName(country), region, postalCodes && rangeOf(postalCodes)].filter(Boolean).join(', ')
const rangeOf = ({ from, to }: { readonly from: string; readonly to: string }) => (from === to ? from : `${from}–${to}`)

/** Downloads the taxes, or the invoices, of a period. */
function Report({ storeSlug }: { readonly storeSlug: string }) {
  const quarter = lastQuarter(new Date())
  return (
    <form class="filters" action={`/operator/v1/stores/${storeSlug}/tax-report`} method="get">
      <label class="field">
        <span>{translate('From')}</span>
        <input type="date" name="from" value={quarter.from} required />
      </label>
      <label class="field">
        <span>{translate('To')}</span>
        <input type="date" name="to" value={quarter.to} required />
      </label>
      <button type="submit">{translate('Download report (CSV)')}</button>
      <button type="submit" class="quiet" formaction={`/operator/v1/stores/${storeSlug}/invoices`}>
        {translate('Download invoices (CSV)')}
      </button>
    </form>
  )
}

/** The first and the last day of the quarter before, in UTC. */
function lastQuarter(now: Date): { readonly from: string; readonly to: string } {
  const month = Math.floor(now.getUTCMonth() / 3) * 3 - 3
  const dayOf = (date: number) => new Date(date).toISOString().slice(0, 10)
  return {
    from: dayOf(Date.UTC(now.getUTCFullYear(), month, 1)),
    to: dayOf(Date.UTC(now.getUTCFullYear(), month + 3, 0)),
  }
}

const KINDS = [
  ['destination', translate('Rates of the destination (One Stop Shop)')],
  ['origin', translate('Rates of this country within the EU (below the threshold)')],
  ['exempt', translate('No tax (small business)')],
] as const

interface SchemeFormProps {
  readonly scheme: OperatorTaxScheme | null
  readonly onSave: (scheme: OperatorTaxScheme) => Promise<void>
}

/** Where the seller is established, and whose rates consumers pay. */
function SchemeForm({ scheme, onSave }: SchemeFormProps) {
  return (
    <Form
      submit={translate('Save scheme')}
      onSubmit={(fields) =>
        onSave({
          country: String(fields.get('sellerCountry')).trim().toUpperCase(),
          kind: KINDS.find(([kind]) => kind === fields.get('kind'))?.[0] ?? 'destination',
        })
      }
    >
      <Field
        name="sellerCountry"
        label={translate("Seller's country")}
        hint={translate(
          'Two-letter code. Businesses of other EU member states with a valid VAT number are then not charged tax.',
        )}
        pointer="/scheme/country"
        value={scheme?.country}
        required
      />
      <Select
        name="kind"
        label={translate('Consumers pay')}
        pointer="/scheme/kind"
        options={KINDS}
        value={scheme?.kind ?? 'destination'}
      />
    </Form>
  )
}
/** The name shown to customers, in the first language of the store. */
const nameOf = ({ name, code }: OperatorTaxRate, { locales }: OperatorStore) => localizedText(name, locales) ?? code

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
    { title: translate('Destination'), show: placeOf },
    { title: translate('Tax category'), show: ({ category }) => sentenceCase(category) },
    { title: translate('Tax'), wide: true, show: (rate) => nameOf(rate, store) },
    {
      title: translate('Rate'),
      numeric: true,
      show: ({ rate }) => <span class="amount">{formatPercent(rate)} %</span>,
    },
    {
      title: translate('Actions'),
      buttons: true,
      show: (rate) => (
        <div class="actions">
          <button type="button" onClick={() => edit(rates.indexOf(rate))}>
            {translate('Edit')}
          </button>
          <button type="button" class="danger" disabled={busy} onClick={() => remove(rate)}>
            {translate('Remove')}
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

function PostalCodes({ rate, at }: { readonly rate: OperatorTaxRate | undefined; readonly at: string }) {
  return (
    <>
      <Field
        name="postalFrom"
        label={translate('Postal codes from')}
        hint={translate(
          'Leave empty for all. The beginning is enough: 35 to 35 is the Canary Islands. Replaces the other rate with the same code there.',
        )}
        pointer={`${at}/postalCodes/from`}
        value={rate?.postalCodes?.from}
      />
      <Field
        name="postalTo"
        label={translate('Postal codes to')}
        pointer={`${at}/postalCodes/to`}
        value={rate?.postalCodes?.to}
      />
    </>
  )
}

function RateForm({ store, rate, index, onSave, onClose }: RateFormProps) {
  const at = `/rates/${index}`
  return (
    <Form
      submit={translate('Save')}
      cancel={onClose}
      onSubmit={async (fields) => {
        const typed = (name: string) => String(fields.get(name) ?? '').trim()
        const region = typed('region')
        const [from, to] = [typed('postalFrom'), typed('postalTo')]
        await onSave({
          country: typed('country').toUpperCase(),
          ...(region && { region }),
          ...((from || to) && { postalCodes: { from: from || to, to: to || from } }),
          category: typed('category'),
          code: typed('code'),
          name: readLocalized(fields, 'name'),
          rate: parsePercent(typed('rate'), `${at}/rate`),
        })
      }}
    >
      <Field
        name="country"
        label={translate('Country')}
        hint={translate('Two-letter code, such as DE.')}
        pointer={`${at}/country`}
        value={rate?.country ?? store.countries[0]}
        required
      />
      <Field
        name="region"
        label={translate('Region')}
        hint={translate('Region code as in addresses, such as CA. Leave empty for the whole country.')}
        pointer={`${at}/region`}
        value={rate?.region}
      />
      <PostalCodes rate={rate} at={at} />
      <Field
        name="category"
        label={translate('Tax category')}
        hint={translate('The tax category of products and shipping methods, such as standard or reduced.')}
        pointer={`${at}/category`}
        value={rate?.category ?? 'standard'}
        required
      />
      <Field
        name="rate"
        label={translate('Rate (%)')}
        inputMode="decimal"
        pointer={`${at}/rate`}
        value={rate && formatPercent(rate.rate)}
        required
      />
      <LocalizedFields
        name="name"
        label={translate('Name shown to customers')}
        locales={store.locales}
        value={rate?.name ?? { [store.locales[0] ?? 'en']: 'VAT' }}
      />
      <Field
        name="code"
        label={translate('Code')}
        hint={translate('Distinguishes several taxes of one destination, such as gst and pst.')}
        pointer={`${at}/code`}
        value={rate?.code ?? 'vat'}
        required
      />
    </Form>
  )
}
