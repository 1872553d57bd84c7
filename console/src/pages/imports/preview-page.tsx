import type { OperatorImportPreview } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { translate, translateCount } from '../../language.ts'
import { Link, navigate } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Select } from '../../ui/form/form.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { formatNumber } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { type ChosenFile, chosenFile } from './chosen-file.ts'
import './imports.css'
import { MappingTable } from './mapping-table.tsx'
import { Faults, Samples, Warnings } from './preview-report.tsx'

const back = { to: '/imports', title: translate('Imports') }

interface Mapping {
  readonly columns: readonly string[]
  readonly currency: string
  readonly locale: string
  readonly decimal: OperatorImportPreview['decimal']
}

/** Previews the import of a table, with its column mapping. Nothing changes until the import starts. */
export function PreviewPage() {
  const chosen = chosenFile()
  if (!chosen) {
    return (
      <Page title={translate('Import preview')} back={back}>
        <Empty
          title={translate('No file chosen')}
          hint={translate('Choose the file again. It is lost when the page is reloaded.')}
        >
          <Link to="/imports" class="button">
            {translate('Back to imports')}
          </Link>
        </Empty>
      </Page>
    )
  }
  return <Preview key={chosen.file.name} chosen={chosen} />
}

const FORMS: Readonly<Record<OperatorImportPreview['form'], string>> = {
  spreadsheet: translate(
    'This is a catalog spreadsheet: its columns are imported by their names, and its amounts are in minor units.',
  ),
  shopify: translate('This is a product export from Shopify. Its columns are recognized.'),
  export: translate('This is a product export of this console. Its columns are recognized.'),
  remembered: translate('The columns are matched as in the last file with the same header.'),
  given: translate('The columns are matched as you chose.'),
  guessed: translate('The columns were guessed by their names. Check them before you import.'),
}

function Preview({ chosen: { file, format, store } }: { readonly chosen: ChosenFile }) {
  const [mapping, setMapping] = useState<Mapping | null>(null)
  const query = { store, format, ...(mapping && { mapping: JSON.stringify(mapping) }) }
  const { data, error, loading, reload } = useCall(JSON.stringify(query), () =>
    upload('previewImport', file, { query }, () => {}),
  )
  const [sent, setSent] = useState<number | null>(null)
  const { actionError, busy, run } = useAction(() => {})
  const start = (preview: OperatorImportPreview) =>
    run(async () => {
      setSent(0)
      try {
        const text = preview.form === 'spreadsheet' ? {} : { mapping: JSON.stringify(mappingOf(preview)) }
        const query = { format, store, name: file.name, bytes: file.size, ...text }
        const report = await upload('importCatalog', file, { query }, (part, total) => setSent(part / total))
        navigate(`/imports/${report.id}`)
      } finally {
        setSent(null)
      }
    })
  return (
    <Page
      title={translate('Import {name}', { name: file.name })}
      lead={translate('Check what the file would change. Nothing changes until you start the import.')}
      back={back}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError !== null && <ErrorNotice error={actionError} />}
      {!data && loading && <p class="lead">{translate('Reading the file…')}</p>}
      {data && (
        <div class={loading ? 'stacked loading' : 'stacked'} aria-busy={loading}>
          <Overview preview={data} store={store} />
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={busy || loading || data.created + data.changed === 0}
              onClick={() => start(data)}
            >
              {sent === null
                ? translateCount(data.created + data.changed, {
                    one: 'Import {count} product',
                    other: 'Import {count} products',
                  })
                : translate('Uploading…')}
            </button>
            <Link to="/imports" class="button">
              {translate('Cancel')}
            </Link>
          </div>
          {sent !== null && <progress value={sent} aria-label={translate('Upload progress')} />}
          <Warnings warnings={data.warnings} />
          {data.columns.length > 0 && <Columns preview={data} store={store} onChange={setMapping} />}
          <Faults {...data} />
          <Samples samples={data.samples} />
        </div>
      )}
    </Page>
  )
}

function mappingOf({ columns, currency, locale, decimal }: OperatorImportPreview): Mapping {
  return { columns: columns.map(({ target }) => target), currency, locale, decimal }
}

function Overview({ preview, store }: { readonly preview: OperatorImportPreview; readonly store: string }) {
  const { form, created, changed, variants, refused, whole } = preview
  return (
    <Section title={translate('What would change')}>
      <Notice>
        <p>{FORMS[form]}</p>
      </Notice>
      {!whole && <p>{translate('Only the first 50,000 rows were checked. The import reads all of them.')}</p>}
      <DescriptionList
        items={[
          [translate('Store'), storeName(store)],
          [translate('New products'), formatNumber(created)],
          [translate('Existing products'), formatNumber(changed)],
          [translate('Variants'), formatNumber(variants)],
          [translate('Products with problems'), formatNumber(refused)],
        ]}
      />
    </Section>
  )
}

interface ColumnsProps {
  readonly preview: OperatorImportPreview
  readonly store: string
  readonly onChange: (mapping: Mapping) => void
}

const RECOGNIZED: readonly OperatorImportPreview['form'][] = ['shopify', 'export', 'remembered']

/** The column mapping, with the currency, language and decimal mark, which the file does not contain. */
function Columns({ preview, store, onChange }: ColumnsProps) {
  const { data } = useCall(store, () => call('getStore', { params: { storeSlug: store } }))
  const mapping = mappingOf(preview)
  const change = (more: Partial<Mapping>) => onChange({ ...mapping, ...more })
  const choices = (values: readonly string[], current: string) =>
    [...new Set([...values, current])].map((value) => [value, value] as const)
  const currencies = [...(data?.currencies ?? []), ...Intl.supportedValuesOf('currency')]
  return (
    <Section title={translate('Columns')}>
      <div class="filters">
        <Select
          name="currency"
          label={translate('Currency of prices')}
          value={mapping.currency}
          options={choices(currencies, mapping.currency)}
          onChange={(currency) => change({ currency })}
        />
        <Select
          name="locale"
          label={translate('Language of texts')}
          value={mapping.locale}
          options={choices(data?.locales ?? [], mapping.locale).map(([code]) => [code, languageName(code)])}
          onChange={(locale) => change({ locale })}
        />
        <Select
          name="decimal"
          label={translate('Decimal mark')}
          value={mapping.decimal}
          options={[
            ['point', translate('Point: 1,234.56')],
            ['comma', translate('Comma: 1.234,56')],
          ]}
          onChange={(decimal) => change({ decimal: decimal === 'comma' ? 'comma' : 'point' })}
        />
      </div>
      <p class="small">
        {translate(
          'Rows with the same product ID are the variants of one product. Fields without a column and empty cells change nothing.',
        )}
      </p>
      <details open={!RECOGNIZED.includes(preview.form)}>
        <summary>{translate('Column mapping')}</summary>
        <MappingTable columns={preview.columns} onChange={(columns) => change({ columns })} />
      </details>
    </Section>
  )
}
