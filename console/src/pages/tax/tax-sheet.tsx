import type { OperatorStore, OperatorTaxRate } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/form/field-error.ts'
import { Field, Form, fieldErrorsOf, Select } from '../../ui/form/form.tsx'
import { LocalizedFields, localizedText, readLocalized } from '../../ui/form/localized-text.tsx'
import { countryOptions } from '../../ui/format/countries.ts'
import { countryName } from '../../ui/format/display-names.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Cell, SaveBar, type Sheet, useSheet } from '../../ui/sheet.tsx'
import { TaxPreset } from './tax-preset.tsx'
import { cellErrorsOf, type Destination, keyOf, ratesOf, type TaxRow, type TaxTable, tableOf } from './tax-table.ts'

type Open = { readonly row: number } | 'category' | 'eu' | 'us'

interface TaxSheetProps {
  readonly store: OperatorStore
  readonly rates: readonly OperatorTaxRate[]
  readonly onSave: (rates: OperatorTaxRate[]) => Promise<unknown>
}

/** The tax rates of a store as a table that is edited in place. */
export function TaxSheet({ store, rates, onSave }: TaxSheetProps) {
  const sheet = useSheet(tableOf(rates), (table) => onSave(ratesOf(table)))
  const [open, setOpen] = useState<Open | null>(null)
  const { draft, edit, error } = sheet
  const { rows, categories } = draft
  const close = () => setOpen(null)
  const buttons = (
    <>
      <button type="button" onClick={() => setOpen({ row: rows.length })}>
        {translate('Add destination')}
      </button>
      <button type="button" onClick={() => setOpen('eu')}>
        {translate('EU VAT rates…')}
      </button>
      <button type="button" onClick={() => setOpen('us')}>
        {translate('US state rates…')}
      </button>
    </>
  )
  return (
    <>
      {error ? <ErrorNotice error={error} /> : null}
      {rows.length === 0 ? (
        <Empty
          title={translate('No tax rates yet')}
          hint={translate('Add a rate for each country that the store sells to, or start from a preset.')}
        >
          <div class="actions">{buttons}</div>
        </Empty>
      ) : (
        <>
          <Rows sheet={sheet} store={store} onOpen={(row) => setOpen({ row })} />
          <div class="actions">
            {buttons}
            <button type="button" class="quiet" onClick={() => setOpen('category')}>
              {translate('Add tax category')}
            </button>
          </div>
        </>
      )}
      <SaveBar {...sheet} />
      {open === 'category' && (
        <CategoryDialog
          onClose={close}
          onAdd={(category) => {
            edit((table) => ({ ...table, categories: [...new Set([...categories, category])] }))
            close()
          }}
        />
      )}
      {(open === 'eu' || open === 'us') && (
        <TaxPreset
          kind={open}
          store={store}
          table={draft}
          onClose={close}
          onApply={(table) => {
            edit(() => table, translate('Preset filled in. Nothing is saved yet.'))
            close()
          }}
        />
      )}
      {open !== null && typeof open === 'object' && (
        <DestinationDialog
          store={store}
          row={rows[open.row]}
          taken={rows.filter((_, index) => index !== open.row).map(keyOf)}
          onClose={close}
          onSave={(destination) => {
            edit((table) => ({ ...table, rows: withDestination(table.rows, open.row, destination) }))
            close()
          }}
        />
      )}
    </>
  )
}

function withDestination(rows: TaxTable['rows'], at: number, destination: Destination): TaxRow[] {
  return rows.toSpliced(at, 1, { ...destination, cells: rows[at]?.cells ?? {} })
}

interface RowsProps {
  readonly sheet: Sheet<TaxTable>
  readonly store: OperatorStore
  readonly onOpen: (row: number) => void
}

function Rows({ sheet: { draft, edit, error }, store, onOpen }: RowsProps) {
  const { rows, categories } = draft
  const errors = cellErrorsOf(draft, fieldErrorsOf(error))
  const fill = (at: number, category: string, typed: string) =>
    edit((table) => ({
      ...table,
      rows: table.rows.map((row, index) =>
        index === at ? { ...row, cells: { ...row.cells, [category]: typed } } : row,
      ),
    }))
  return (
    <div class="sheet">
      <table>
        <caption class="hidden">{translate('Tax rates in percent')}</caption>
        <thead>
          <tr>
            <th scope="col">{translate('Destination')}</th>
            <th scope="col">{translate('Tax')}</th>
            {categories.map((category) => (
              <th key={category} scope="col" class="numeric">
                {sentenceCase(category)} (%)
              </th>
            ))}
            <th scope="col">
              <span class="hidden">{translate('Remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${keyOf(row)} ${JSON.stringify(row.name)}`}>
              <td data-title={translate('Destination')}>
                <button type="button" class="link" onClick={() => onOpen(at)}>
                  {placeOf(row)}
                </button>
              </td>
              <td data-title={translate('Tax')}>{localizedText(row.name, store.locales) ?? row.code}</td>
              {categories.map((category) => (
                <td key={category} class="numeric" data-title={`${sentenceCase(category)} (%)`}>
                  <Cell
                    label={`${sentenceCase(category)}, ${placeOf(row)}`}
                    value={row.cells[category] ?? ''}
                    inputMode="decimal"
                    error={errors.get(`${at}/${category}`)}
                    onInput={(typed) => fill(at, category, typed)}
                  />
                </td>
              ))}
              <td class="buttons">
                <button
                  type="button"
                  class="quiet"
                  aria-label={translate('Remove {place}', { place: placeOf(row) })}
                  onClick={() =>
                    edit(
                      (table) => ({ ...table, rows: table.rows.toSpliced(at, 1) }),
                      translate('{place} removed.', { place: placeOf(row) }),
                    )
                  }
                >
                  <Icon name="close" />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The display name of a destination. */
function placeOf({ country, region, postalCodes }: Destination): string {
  const range =
    postalCodes && (postalCodes.from === postalCodes.to ? postalCodes.from : Object.values(postalCodes).join('–'))
  return [countryName(country), region, range].filter(Boolean).join(', ')
}

const CATEGORY = /^[a-z0-9]+(_[a-z0-9]+)*$/

interface CategoryProps {
  readonly onAdd: (category: string) => void
  readonly onClose: () => void
}

function CategoryDialog({ onAdd, onClose }: CategoryProps) {
  return (
    <Dialog title={translate('Add tax category')} onClose={onClose}>
      <Form
        submit={translate('Add')}
        cancel={onClose}
        guarded={false}
        onSubmit={async (fields) => {
          const category = String(fields.get('category'))
            .trim()
            .toLowerCase()
            .replaceAll(/[\s-]+/g, '_')
          if (!CATEGORY.test(category))
            throw new FieldError('/category', translate('Use letters and digits, such as books.'))
          onAdd(category)
        }}
      >
        <Field
          name="category"
          label={translate('Tax category')}
          hint={translate('As set on products and shipping methods, such as reduced or books.')}
          required
        />
      </Form>
    </Dialog>
  )
}

interface DestinationProps {
  readonly store: OperatorStore
  readonly row: TaxRow | undefined
  /** The keys of the other rows. */
  readonly taken: readonly string[]
  readonly onSave: (destination: Destination) => void
  readonly onClose: () => void
}

/** The destination and the name of a tax. */
function DestinationDialog({ store, row, taken, onSave, onClose }: DestinationProps) {
  return (
    <Dialog title={row ? translate('Edit destination') : translate('Add destination')} onClose={onClose}>
      <Form
        submit={row ? translate('Apply') : translate('Add')}
        cancel={onClose}
        guarded={false}
        onSubmit={async (fields) => {
          const destination = readDestination(fields)
          if (taken.includes(keyOf(destination)))
            throw new FieldError('/country', translate('The table already has this destination.'))
          onSave(destination)
        }}
      >
        <Select
          name="country"
          label={translate('Country')}
          options={countryOptions(row?.country)}
          value={row?.country ?? store.countries[0] ?? ''}
        />
        <Field
          name="region"
          label={translate('Region')}
          hint={translate('Region code as in addresses, such as CA. Leave empty for the whole country.')}
          value={row?.region}
        />
        <Field
          name="postalFrom"
          label={translate('Postal codes from')}
          hint={translate(
            'Leave empty for all. The first digits are enough: 35 to 35 is the province of Las Palmas. Replaces the other rate with the same code there.',
          )}
          value={row?.postalCodes?.from}
        />
        <Field name="postalTo" label={translate('Postal codes to')} value={row?.postalCodes?.to} />
        <LocalizedFields
          name="name"
          label={translate('Name shown to customers')}
          locales={store.locales}
          value={row?.name ?? { [store.locales[0] ?? 'en']: 'VAT' }}
        />
        <Field
          name="code"
          label={translate('Code')}
          hint={translate('Distinguishes several taxes of one destination, such as gst and pst.')}
          value={row?.code ?? 'vat'}
          required
        />
      </Form>
    </Dialog>
  )
}

function readDestination(fields: FormData): Destination {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const region = typed('region')
  const [from, to] = [typed('postalFrom'), typed('postalTo')]
  return {
    country: typed('country').toUpperCase(),
    ...(region && { region }),
    ...((from || to) && { postalCodes: { from: from || to, to: to || from } }),
    code: typed('code'),
    name: readLocalized(fields, 'name'),
  }
}
