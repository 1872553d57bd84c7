import type { OperatorSellerRecord } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { countryOptions } from '../../ui/format/countries.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

type VatId = NonNullable<OperatorSellerRecord['vatIds']>[number]

/** The legal details of the marketplace, or of one store. */
export function SellerDetails({ storeSlug }: { readonly storeSlug?: string }) {
  const query = storeSlug === undefined ? {} : { storeSlug }
  const { data, error, reload } = useCall(`seller ${storeSlug}`, () => call('getSellerRecord', { query }))
  const [saved, setSaved] = useState(false)
  return (
    <Section title={translate('Seller')}>
      <p class="small">
        {translate('The seller as shown on invoices. Invoices are issued once this is filled in.')}
        {storeSlug !== undefined &&
          ` ${translate('A store without these details sells in the name of the marketplace.')}`}
      </p>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {saved && (
        <Notice kind="good">
          <p>{translate('Seller details saved.')}</p>
        </Notice>
      )}
      {data && (
        <SellerForm
          record={data}
          storeSlug={storeSlug}
          onSaved={() => {
            setSaved(true)
            reload()
          }}
        />
      )}
    </Section>
  )
}

interface SellerFormProps {
  readonly record: OperatorSellerRecord
  readonly storeSlug: string | undefined
  readonly onSaved: () => void
}

const OWN_TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone
const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

function SellerForm({ record, storeSlug, onSaved }: SellerFormProps) {
  const { address, vatIds = [] } = record
  return (
    <Form
      key={record.version}
      submit={translate('Save')}
      by="saveSellerRecord"
      onSubmit={async (fields) => {
        await call('saveSellerRecord', { body: { ...readSeller(fields, storeSlug), expectedVersion: record.version } })
        onSaved()
      }}
    >
      <Field name="legalName" label={translate('Legal name')} value={record.legalName ?? ''} required />
      <Field
        name="line1"
        label={translate('Street address')}
        pointer="/address/line1"
        value={address?.line1 ?? ''}
        required
      />
      <Field name="line2" label={translate('Second line')} pointer="/address/line2" value={address?.line2 ?? ''} />
      <Field
        name="postalCode"
        label={translate('Postal code')}
        pointer="/address/postalCode"
        value={address?.postalCode ?? ''}
      />
      <Field name="city" label={translate('City')} pointer="/address/city" value={address?.city ?? ''} required />
      <Field
        name="region"
        label={translate('State or province')}
        pointer="/address/region"
        value={address?.region ?? ''}
      />
      <Select
        name="country"
        label={translate('Country')}
        hint={translate('Where the seller is established.')}
        value={record.country ?? ''}
        options={[['', translate('Choose a country')], ...countryOptions(record.country)]}
      />
      <VatNumbers vatIds={vatIds} />
      <Field name="taxNumber" label={translate('Tax number')} value={record.taxNumber ?? ''} />
      <Field
        name="registration"
        label={translate('Commercial register and number')}
        value={record.registration ?? ''}
      />
      <Field name="representative" label={translate('Represented by')} value={record.representative ?? ''} />
      <Field name="email" type="email" label={translate('Email')} value={record.email ?? ''} required />
      <Field name="phone" label={translate('Phone')} placeholder="+493012345678" value={record.phone ?? ''} />
      <Select
        name="timeZone"
        label={translate('Time zone')}
        hint={translate('The time zone of dates in invoices, reports, order pages and emails.')}
        value={record.timeZone ?? OWN_TIME_ZONE}
        options={TIME_ZONES.map((each) => [each, each.replaceAll('_', ' ')])}
      />
    </Form>
  )
}

/** The VAT numbers, one for each country that issued one. */
function VatNumbers({ vatIds }: { readonly vatIds: readonly VatId[] }) {
  const [rows, setRows] = useState<readonly Partial<VatId>[]>(vatIds.length > 0 ? vatIds : [{}])
  return (
    <fieldset>
      <legend>{translate('VAT numbers')}</legend>
      {rows.map((row, index) => (
        <div key={index} class="pair">
          <Select
            name="vatCountry"
            label={translate('Country')}
            pointer={`/vatIds/${index}/country`}
            value={row.country ?? ''}
            options={[['', translate('Choose a country')], ...countryOptions(row.country)]}
          />
          <Field
            name="vatId"
            label={translate('VAT number')}
            pointer={`/vatIds/${index}/id`}
            placeholder="DE136695976"
            value={row.id ?? ''}
          />
        </div>
      ))}
      <button type="button" class="quiet" onClick={() => setRows([...rows, {}])}>
        {translate('Add VAT number')}
      </button>
    </fieldset>
  )
}

const OPTIONAL = ['taxNumber', 'registration', 'representative', 'phone', 'timeZone'] as const
const OPTIONAL_OF_ADDRESS = ['line2', 'postalCode', 'region'] as const

function readSeller(fields: FormData, storeSlug: string | undefined) {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const given = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.flatMap((name) => (typed(name) ? [[name, typed(name)]] : []))) as Partial<
      Record<Name, string>
    >
  const countries = fields.getAll('vatCountry').map(String)
  const vatIds = fields
    .getAll('vatId')
    .map((id, at) => ({ country: countries[at] ?? '', id: String(id).trim().toUpperCase() }))
  return {
    ...(storeSlug !== undefined && { storeSlug }),
    legalName: typed('legalName'),
    address: { line1: typed('line1'), city: typed('city'), ...given(OPTIONAL_OF_ADDRESS) },
    country: typed('country'),
    vatIds: vatIds.filter(({ id }) => id !== ''),
    email: typed('email'),
    ...given(OPTIONAL),
  }
}
