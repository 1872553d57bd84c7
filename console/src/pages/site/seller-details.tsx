import type { OperatorSellerRecord } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

/** The legal details of the marketplace, or of one store. */
export function SellerDetails({ storeSlug }: { readonly storeSlug?: string }) {
  const query = storeSlug === undefined ? {} : { storeSlug }
  const { data, error, reload } = useCall(`seller ${storeSlug}`, () => call('getSellerRecord', { query }))
  const [saved, setSaved] = useState(false)
  return (
    <Section title={translate('Seller')}>
      <p class="small">
        {translate('What invoices say of the seller. Invoices are issued once this is filled in.')}
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
      <Field
        name="country"
        label={translate('Country')}
        hint={translate('Where the seller is established, as two letters.')}
        placeholder="DE"
        value={record.country ?? ''}
        required
      />
      <TextField
        name="vatIds"
        label={translate('VAT numbers')}
        hint={translate('One per line: country, space, number. Example: DE DE136695976')}
        value={vatIds.map(({ country, id }) => `${country} ${id}`).join('\n')}
      />
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
        hint={translate('Invoices are dated in it, and reports begin and end in it.')}
        value={record.timeZone ?? OWN_TIME_ZONE}
        options={TIME_ZONES.map((each) => [each, each.replaceAll('_', ' ')])}
      />
    </Form>
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
  const vatLines = typed('vatIds').toUpperCase().split('\n')
  return {
    ...(storeSlug !== undefined && { storeSlug }),
    legalName: typed('legalName'),
    address: { line1: typed('line1'), city: typed('city'), ...given(OPTIONAL_OF_ADDRESS) },
    country: typed('country').toUpperCase(),
    vatIds: vatLines
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [country = '', ...id] = line.trim().split(/\s+/)
        return { country, id: id.join('') }
      }),
    email: typed('email'),
    ...given(OPTIONAL),
  }
}
