import type { OperatorImportPreview } from '@vitrine/contract/operator'
import { Amount, Count, formatNumber, Status } from '../../ui/format/values.tsx'
import { describeReason } from '../../ui/import-report.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

type Preview = OperatorImportPreview
type Warning = Preview['warnings'][number]
type Sample = Preview['samples'][number]
type Fault = Preview['faults'][number]

/** A warning in a sentence, with what follows. */
function sentenceOf({ kind, count, examples }: Warning): string {
  const number = formatNumber(count)
  const first = `${examples.join(', ')}${count > examples.length ? ', …' : ''}`
  const sentences: Readonly<Record<Warning['kind'], string>> = {
    currency_added: `The store does not sell in ${first} yet. The import adds it to the currencies of the store.`,
    new_categories: `New categories that the import creates (${number}): ${first}.`,
    zero_prices: `Variants with a price of 0, which anyone can order for free (${number}): ${first}.`,
    repeated_codes: `SKUs that more than one variant has (${number}): ${first}.`,
    market_columns: `Prices of single markets are not imported (${number} columns): ${first}.`,
    skipped_columns: `Columns that are not imported (${number}): ${first}.`,
    no_stock: 'No column has the stock. New variants are always in stock.',
  }
  return sentences[kind]
}

const SERIOUS: readonly Warning['kind'][] = ['currency_added', 'zero_prices', 'repeated_codes', 'no_stock']

/** What is worth a look before the import. */
export function Warnings({ warnings }: { readonly warnings: Preview['warnings'] }) {
  if (warnings.length === 0) return null
  const ordered = warnings.toSorted((a, b) => Number(SERIOUS.includes(b.kind)) - Number(SERIOUS.includes(a.kind)))
  return (
    <Section title="Worth checking">
      <ul class="warnings">
        {ordered.map((warning) => (
          <li key={warning.kind} class={SERIOUS.includes(warning.kind) ? 'serious' : ''}>
            {sentenceOf(warning)}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const faultColumns: readonly Column<Fault>[] = [
  { title: 'Line', numeric: true, show: ({ line }) => <Count value={line} /> },
  { title: 'Column', show: ({ column }) => column ?? 'Whole row' },
  { title: 'Problem', wide: true, text: true, show: ({ message }) => describeReason(message) },
]

/** Rows that would not be imported. */
export function Faults({ faults, faultCount, refused }: Preview) {
  if (faultCount === 0) return null
  return (
    <Section title="Problems">
      <Notice kind="bad">
        <p>
          Products with problems, which would not be imported: {formatNumber(refused)}. The others would. You can
          correct the file and choose it again, or download the rejected rows after the import.
        </p>
      </Notice>
      <Table
        caption="Problems"
        items={faults}
        columns={faultColumns}
        keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
      />
      {faultCount > faults.length && <p class="small">{formatNumber(faultCount)} problems in all.</p>}
    </Section>
  )
}

const sampleColumns: readonly Column<Sample>[] = [
  {
    title: 'Product',
    text: true,
    show: ({ name, description }) => (
      <>
        <strong>{name}</strong>
        {description && <span class="small excerpt">{description.replaceAll(/[\\*_#]/g, '')}</span>}
      </>
    ),
  },
  { title: 'Change', show: ({ known }) => (known ? 'Exists: updated' : 'New') },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  {
    title: 'Brand and category',
    text: true,
    show: ({ brand, categories }) => [brand, ...categories].filter(Boolean).join(' · ') || '–',
  },
  { title: 'Pictures', numeric: true, show: ({ pictures }) => <Count value={pictures} /> },
  { title: 'Variants', text: true, show: (sample) => <Variants sample={sample} /> },
]

function Variants({ sample: { variants, variantCount } }: { readonly sample: Sample }) {
  const SHOWN = 3
  return (
    <ul class="variants">
      {variants.slice(0, SHOWN).map(({ code, options, prices, stock }, index) => (
        <li key={`${index} ${code}`}>
          {options || code}:{' '}
          {prices.map((price) => (
            <Amount key={price.currency} {...price} />
          ))}
          {stock === null ? '' : `, ${formatNumber(stock)} in stock`}
        </li>
      ))}
      {variantCount > SHOWN && <li class="small">and {formatNumber(variantCount - SHOWN)} more</li>}
    </ul>
  )
}

/** The first products as they would become. */
export function Samples({ samples }: { readonly samples: Preview['samples'] }) {
  if (samples.length === 0) return null
  return (
    <Section title="First products">
      <Table
        caption="First products"
        items={samples}
        columns={sampleColumns}
        keyOf={({ line, externalId }) => `${line} ${externalId}`}
      />
    </Section>
  )
}
