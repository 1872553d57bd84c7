import type { OperatorImportPreview } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { describeReason } from '../../ui/form/validation-messages.ts'
import { Amount, Count, formatNumber, Status } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

type Preview = OperatorImportPreview
type Warning = Preview['warnings'][number]
type Sample = Preview['samples'][number]
type Fault = Preview['faults'][number]

/** A warning as a sentence that names its consequence. */
function sentenceOf({ kind, count, examples }: Warning): string {
  const number = formatNumber(count)
  const first = `${examples.join(', ')}${count > examples.length ? ', …' : ''}`
  const sentences: Readonly<Record<Warning['kind'], string>> = {
    currency_added: translate(
      'The store does not sell in {first} yet. The import adds it to the currencies of the store.',
      { first },
    ),
    new_categories: translate('New categories that the import creates ({number}): {first}.', { number, first }),
    zero_prices: translate('Variants with a price of 0, which anyone can order for free ({number}): {first}.', {
      number,
      first,
    }),
    repeated_codes: translate('SKUs that several variants share ({number}): {first}.', { number, first }),
    market_columns: translate(
      'Columns with prices for individual markets, which are not imported ({number}): {first}.',
      {
        number,
        first,
      },
    ),
    skipped_columns: translate('Columns that are not imported ({number}): {first}.', { number, first }),
    no_stock: translate('No column contains the stock. New variants are always in stock.'),
  }
  return sentences[kind]
}

const SERIOUS: readonly Warning['kind'][] = ['currency_added', 'zero_prices', 'repeated_codes', 'no_stock']

/** The warnings, the serious ones first. */
export function Warnings({ warnings }: { readonly warnings: Preview['warnings'] }) {
  if (warnings.length === 0) return null
  const ordered = warnings.toSorted((a, b) => Number(SERIOUS.includes(b.kind)) - Number(SERIOUS.includes(a.kind)))
  return (
    <Section title={translate('Worth checking')}>
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
  { title: translate('Line'), numeric: true, show: ({ line }) => <Count value={line} /> },
  { title: translate('Column'), show: ({ column }) => column ?? translate('Whole row') },
  { title: translate('Problem'), wide: true, text: true, show: ({ message }) => describeReason(message) },
]

/** Rows that would not be imported. */
export function Faults({ faults, faultCount, refused }: Preview) {
  if (faultCount === 0) return null
  return (
    <Section title={translate('Problems')}>
      <Notice kind="bad">
        <p>
          {translate(
            'Products with problems, which would not be imported: {refused}. The others would. You can correct the file and choose it again, or download the rejected rows after the import.',
            { refused: formatNumber(refused) },
          )}
        </p>
      </Notice>
      <Table
        caption={translate('Problems')}
        items={faults}
        columns={faultColumns}
        keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
      />
      {faultCount > faults.length && (
        <p class="small">{translate('{faultCount} problems in all.', { faultCount: formatNumber(faultCount) })}</p>
      )}
    </Section>
  )
}

const sampleColumns: readonly Column<Sample>[] = [
  {
    title: translate('Product'),
    text: true,
    show: ({ name, description }) => (
      <>
        <strong>{name}</strong>
        {description && <span class="small excerpt">{description.replaceAll(/[\\*_#]/g, '')}</span>}
      </>
    ),
  },
  { title: translate('Change'), show: ({ known }) => (known ? translate('Exists: updated') : translate('New')) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  {
    title: translate('Brand and category'),
    text: true,
    show: ({ brand, categories }) => [brand, ...categories].filter(Boolean).join(' · ') || '–',
  },
  { title: translate('Pictures'), numeric: true, show: ({ pictures }) => <Count value={pictures} /> },
  { title: translate('Variants'), text: true, show: (sample) => <Variants sample={sample} /> },
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
          {stock === null ? '' : `, ${translate('{stock} in stock', { stock: formatNumber(stock) })}`}
        </li>
      ))}
      {variantCount > SHOWN && (
        <li class="small">{translate('and {count} more', { count: formatNumber(variantCount - SHOWN) })}</li>
      )}
    </ul>
  )
}

/** The first products as they would be imported. */
export function Samples({ samples }: { readonly samples: Preview['samples'] }) {
  if (samples.length === 0) return null
  return (
    <Section title={translate('First products')}>
      <Table
        caption={translate('First products')}
        items={samples}
        columns={sampleColumns}
        keyOf={({ line, externalId }) => `${line} ${externalId}`}
      />
    </Section>
  )
}
