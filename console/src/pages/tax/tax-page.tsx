import type { OperatorStore, OperatorTaxRate, OperatorTaxScheme } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Editable } from '../../ui/form/editable.tsx'
import { Form, Select } from '../../ui/form/form.tsx'
import { countryOptions } from '../../ui/format/countries.ts'
import { formatDateTime } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { PerStorePage } from '../../ui/per-store-page.tsx'
import { toast } from '../../ui/toast.tsx'
import { TaxSheet } from './tax-sheet.tsx'

/** The tax rates of each store, by destination. */
export function TaxPage() {
  return (
    <PerStorePage
      title={translate('Tax')}
      lead={translate(
        'Tax rates by destination. A cart cannot be fully priced if a tax category has no rate for its destination. Enter 0 where no tax is due.',
      )}
    >
      {(store) => <TaxOfStore key={store.slug} store={store} />}
    </PerStorePage>
  )
}

function TaxOfStore({ store }: { readonly store: OperatorStore }) {
  const params = { storeSlug: store.slug }
  const { data, error, reload } = useCall(store.slug, () => call('getTaxRates', { params }))
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <Loading />
  const { rates, scheme, version, source, sources, lastFailure } = data
  const save = async (changed: { rates: OperatorTaxRate[]; scheme?: OperatorTaxScheme; source?: string }) => {
    await call('saveTaxRates', { params, body: { ...changed, expectedVersion: version } })
    toast(translate('Tax saved'))
    reload()
  }
  return (
    <>
      <Section title={translate('Rates of {name}', { name: store.name })}>
        {/* Not keyed by version: saving the scheme keeps unsaved edits here. */}
        <Editable by="saveTaxRates">
          <TaxSheet
            key={JSON.stringify(rates)}
            store={store}
            rates={rates}
            onSave={(changed) => save({ rates: changed })}
          />
        </Editable>
      </Section>
      {(sources.length > 1 || source !== TABLES) && (
        <Section title={translate('Source of tax')}>
          <SourceForm
            key={source}
            source={source}
            sources={sources}
            onSave={(changed) => save({ rates, source: changed })}
          />
          {source !== TABLES && lastFailure !== null && (
            <Notice>
              {translate('The tax provider last failed on {time}: {reason}. The rates above were used instead.', {
                time: formatDateTime(lastFailure.failedAt),
                reason: lastFailure.reason,
              })}
            </Notice>
          )}
        </Section>
      )}
      <Section title={translate('Scheme')}>
        <SchemeForm
          key={JSON.stringify(scheme)}
          scheme={scheme}
          onSave={(changed) => save({ rates, scheme: changed })}
        />
      </Section>
      <Section title={translate('Report')}>
        <Report storeSlug={store.slug} />
      </Section>
    </>
  )
}

/** Downloads the tax report or the invoices of a period. */
function Report({ storeSlug }: { readonly storeSlug: string }) {
  const quarter = lastQuarter(new Date())
  return (
    <form class="filters" action={`/operator/v1/stores/${storeSlug}/tax-report`} method="get">
      <label class="field">
        <span>{translate('From')}</span>
        <input type="date" name="from" value={quarter.from} required />
      </label>
      <label class="field">
        <span>{translate('Until')}</span>
        <input type="date" name="to" value={quarter.to} required />
      </label>
      <button type="submit">{translate('Download report (CSV)')}</button>
      <button type="submit" class="quiet" formaction={`/operator/v1/stores/${storeSlug}/invoices`}>
        {translate('Download invoices (CSV)')}
      </button>
    </form>
  )
}

/** The first and the last day of the previous quarter, in UTC. */
function lastQuarter(now: Date): { readonly from: string; readonly to: string } {
  const month = Math.floor(now.getUTCMonth() / 3) * 3 - 3
  const dayOf = (date: number) => new Date(date).toISOString().slice(0, 10)
  return {
    from: dayOf(Date.UTC(now.getUTCFullYear(), month, 1)),
    to: dayOf(Date.UTC(now.getUTCFullYear(), month + 3, 0)),
  }
}

const TABLES = 'tables'

interface SourceFormProps {
  readonly source: string
  readonly sources: readonly string[]
  readonly onSave: (source: string) => Promise<void>
}

/** Selects the source of the tax calculation. Shown only if there is a choice. */
function SourceForm({ source, sources, onSave }: SourceFormProps) {
  const nameOf = (each: string) =>
    each === TABLES ? translate('The rates of this store') : each === 'service' ? translate('The tax service') : each
  return (
    <Form
      submit={translate('Save source')}
      by="saveTaxRates"
      onSubmit={(fields) => onSave(String(fields.get('source')))}
    >
      <Select
        name="source"
        label={translate('Taxes are calculated by')}
        hint={translate(
          'A provider calculates each cart once its address is complete. Until then, and while the provider fails, the rates of this store apply.',
        )}
        pointer="/source"
        options={[...new Set([...sources, source])].map((each) => [each, nameOf(each)] as const)}
        value={source}
      />
    </Form>
  )
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

/** The country of the seller, and the tax scheme for consumers. */
function SchemeForm({ scheme, onSave }: SchemeFormProps) {
  return (
    <Form
      submit={translate('Save scheme')}
      by="saveTaxRates"
      onSubmit={(fields) =>
        onSave({
          country: String(fields.get('sellerCountry')),
          kind: KINDS.find(([kind]) => kind === fields.get('kind'))?.[0] ?? 'destination',
        })
      }
    >
      <Select
        name="sellerCountry"
        label={translate("Seller's country")}
        hint={translate('Businesses of other EU member states with a valid VAT number are then not charged tax.')}
        pointer="/scheme/country"
        options={[...(scheme ? [] : [['', translate('Not specified')] as const]), ...countryOptions(scheme?.country)]}
        value={scheme?.country ?? ''}
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
