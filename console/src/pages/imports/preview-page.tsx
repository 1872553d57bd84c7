import type { OperatorImportPreview } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { Link, navigate } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { formatNumber } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { type ChosenFile, chosenFile } from './chosen-file.ts'
import './imports.css'
import { MappingTable } from './mapping-table.tsx'
import { Faults, Samples, Warnings } from './preview-report.tsx'

const back = { to: '/imports', title: 'Imports' }

interface Mapping {
  readonly columns: readonly string[]
  readonly currency: string
  readonly locale: string
  readonly decimal: OperatorImportPreview['decimal']
}

/** What an import of a table would do, with pickers of its columns. Nothing changes until it starts. */
export function PreviewPage() {
  const chosen = chosenFile()
  if (!chosen) {
    return (
      <Page title="Import preview" back={back}>
        <Empty title="No file is chosen" hint="Choose the file again: a page that is loaded again does not keep it.">
          <Link to="/imports" class="button">
            Back to imports
          </Link>
        </Empty>
      </Page>
    )
  }
  return <Preview key={chosen.file.name} chosen={chosen} />
}

const FORMS: Readonly<Record<OperatorImportPreview['form'], string>> = {
  spreadsheet:
    'This is a catalog spreadsheet: its columns are imported by their names, and its amounts are in minor units.',
  shopify: 'This is a product export from Shopify. Its columns are recognized.',
  export: 'This is a product export of this console. Its columns are recognized.',
  remembered: 'The columns are matched as in the last file with the same header.',
  given: 'The columns are matched as you chose.',
  guessed: 'The columns were guessed by their names. Check them before you import.',
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
      title={`Import ${file.name}`}
      lead="Check what the file would change. Nothing changes until you start the import."
      back={back}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError !== null && <ErrorNotice error={actionError} />}
      {!data && loading && <p class="lead">Reading the file…</p>}
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
              {sent === null ? `Import ${formatNumber(data.created + data.changed)} products` : 'Uploading…'}
            </button>
            <Link to="/imports" class="button">
              Cancel
            </Link>
          </div>
          {sent !== null && <progress value={sent} aria-label="Upload progress" />}
          <Warnings warnings={data.warnings} />
          <Faults {...data} />
          <Samples samples={data.samples} />
          {data.columns.length > 0 && <Columns preview={data} store={store} onChange={setMapping} />}
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
    <Section title="What would change">
      <Notice>
        <p>{FORMS[form]}</p>
      </Notice>
      {!whole && <p>Only the first 50,000 rows were checked. The import reads all of them.</p>}
      <DescriptionList
        items={[
          ['Store', store],
          ['New products', formatNumber(created)],
          ['Existing products', formatNumber(changed)],
          ['Variants', formatNumber(variants)],
          ['Products with problems', formatNumber(refused)],
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

/** What the columns are, and what the file does not say: its currency, language and decimal mark. */
function Columns({ preview, store, onChange }: ColumnsProps) {
  const { data } = useCall(store, () => call('getStore', { params: { storeSlug: store } }))
  const mapping = mappingOf(preview)
  const change = (more: Partial<Mapping>) => onChange({ ...mapping, ...more })
  const choices = (values: readonly string[], current: string) =>
    [...new Set([...values, current])].map((value) => [value, value] as const)
  const currencies = [...(data?.currencies ?? []), ...Intl.supportedValuesOf('currency')]
  return (
    <Section title="Columns">
      <div class="filters">
        <Select
          name="currency"
          label="Currency of prices"
          value={mapping.currency}
          options={choices(currencies, mapping.currency)}
          onChange={(currency) => change({ currency })}
        />
        <Select
          name="locale"
          label="Language of texts"
          value={mapping.locale}
          options={choices(data?.locales ?? [], mapping.locale)}
          onChange={(locale) => change({ locale })}
        />
        <Select
          name="decimal"
          label="Decimal mark"
          value={mapping.decimal}
          options={[
            ['point', 'Point: 1,234.56'],
            ['comma', 'Comma: 1.234,56'],
          ]}
          onChange={(decimal) => change({ decimal: decimal === 'comma' ? 'comma' : 'point' })}
        />
      </div>
      <p class="small">
        Rows with the same product ID are the variants of one product. What has no column, and what a cell leaves empty,
        stays as it is.
      </p>
      <details open={!RECOGNIZED.includes(preview.form)}>
        <summary>What each column becomes</summary>
        <MappingTable columns={preview.columns} onChange={(columns) => change({ columns })} />
      </details>
    </Section>
  )
}
