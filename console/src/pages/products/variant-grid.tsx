import { useRef, useState } from 'preact/hooks'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import {
  beforeCell,
  type Draft,
  type Environment,
  outCell,
  priceCell,
  stockCell,
  type Variant,
  variantName,
} from './draft.ts'
import { Icon } from './icons.tsx'
import { Thumbnail } from './picture.tsx'

interface GridProps {
  readonly draft: Draft
  readonly currencies: readonly string[]
  /** The errors of the cells, keyed by row and column: `0/code`. */
  readonly errors: ReadonlyMap<string, string>
  readonly onChange: (variants: readonly Variant[], undo?: string) => void
}

interface GridColumn {
  readonly name: string
  readonly title: string
  readonly numeric?: true
  readonly choices?: readonly (readonly [value: string, label: string])[]
}

type View = 'selling' | 'rules'
const OUT = [
  ['deny', translate('Stop selling')],
  ['backorder', translate('Backorder')],
  ['preorder', translate('Preorder')],
] as const
const SHIPPING = [
  ['yes', translate('Shipped')],
  ['no', translate('Not shipped')],
] as const

function columnsOf(view: View, currency: string, environment: Environment): readonly GridColumn[] {
  if (view === 'rules') {
    return [
      { name: 'taxCategory', title: translate('Tax category') },
      { name: 'shipping', title: translate('Shipping'), choices: SHIPPING },
      { name: outCell(environment), title: translate('When sold out'), choices: OUT },
      { name: 'minQuantity', title: translate('Minimum'), numeric: true },
      { name: 'maxQuantity', title: translate('Maximum'), numeric: true },
      { name: 'step', title: translate('Step'), numeric: true },
    ]
  }
  return [
    { name: priceCell(currency), title: translate('Price'), numeric: true },
    { name: beforeCell(currency), title: translate('Compare at'), numeric: true },
    { name: stockCell(environment), title: translate('Stock'), numeric: true },
    { name: 'code', title: translate('SKU code') },
    { name: 'barcode', title: translate('Barcode') },
    { name: 'weight', title: translate('Weight (g)'), numeric: true },
  ]
}

/** The variants of a product as a spreadsheet: arrow keys and Enter move, a pasted block fills cells, and all is saved together. */
export function VariantGrid({ draft, currencies, errors, onChange }: GridProps) {
  const [currency, setCurrency] = useState(currencies[0] ?? 'EUR')
  const [environment, setEnvironment] = useState<Environment>('live')
  const [view, setView] = useState<View>('selling')
  const [picturing, setPicturing] = useState<number | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const { variants } = draft
  const columns = columnsOf(view, currency, environment)

  /** Fills a block of cells, starting at one cell, as a spreadsheet does on paste. */
  function fill(row: number, column: number, block: readonly (readonly string[])[]): void {
    onChange(
      variants.map((variant, index) => {
        const values = block[index - row]?.map((text, nth) => [columns[column + nth]?.name, text] as const) ?? []
        const known = values.filter(([name]) => name !== undefined)
        return known.length === 0 ? variant : { ...variant, cells: { ...variant.cells, ...Object.fromEntries(known) } }
      }),
    )
  }
  function focusCell(row: number, column: number): void {
    const cell = grid.current?.querySelector<HTMLInputElement>(`[data-cell="${row}/${column}"]`)
    cell?.focus()
    if (cell instanceof HTMLInputElement) cell.select()
  }
  return (
    <div class="variant-grid" ref={grid}>
      <GridFilters
        {...{ currencies, currency, environment, view }}
        onCurrency={setCurrency}
        onEnvironment={setEnvironment}
        onView={setView}
      />
      <table>
        <caption class="hidden">{translate('Variants')}</caption>
        <thead>
          <tr>
            <th scope="col">{translate('Variant')}</th>
            {columns.map(({ name, title, numeric }) => (
              <th key={name} scope="col" class={numeric ? 'numeric' : ''}>
                {title}
              </th>
            ))}
            <th scope="col">
              <span class="hidden">{translate('Remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {variants.map((variant, row) => (
            <VariantRow
              key={variant.id ?? JSON.stringify(variant.options)}
              {...{ variant, row, columns, errors, draft }}
              onPicture={() => setPicturing(row)}
              onFill={(column, block) => fill(row, column, block)}
              onMove={focusCell}
              onRemove={(name) => onChange(variants.toSpliced(row, 1), translate('{name} removed.', { name }))}
            />
          ))}
        </tbody>
      </table>
      {picturing !== null && (
        <PictureDialog
          images={draft.images}
          name={variantName(variants[picturing] as Variant, draft.options)}
          onClose={() => setPicturing(null)}
          onChoose={(image) => {
            onChange(variants.map((variant, row) => (row === picturing ? { ...variant, image } : variant)))
            setPicturing(null)
          }}
        />
      )}
    </div>
  )
}

interface FiltersProps {
  readonly currencies: readonly string[]
  readonly currency: string
  readonly environment: Environment
  readonly view: View
  readonly onCurrency: (currency: string) => void
  readonly onEnvironment: (environment: Environment) => void
  readonly onView: (view: View) => void
}

/** Selects the columns of the grid. */
function GridFilters({ currencies, currency, environment, view, onCurrency, onEnvironment, onView }: FiltersProps) {
  return (
    <div class="filters">
      {currencies.length > 1 && (
        <GridSelect
          label={translate('Currency')}
          value={currency}
          options={currencies.map((each) => [each, each])}
          onChange={onCurrency}
        />
      )}
      <GridSelect
        label={translate('Stock of')}
        value={environment}
        options={[
          ['live', translate('Live')],
          ['test', translate('Test')],
        ]}
        onChange={(value) => onEnvironment(value === 'test' ? 'test' : 'live')}
      />
      <GridSelect
        label={translate('Columns')}
        value={view}
        options={[
          ['selling', translate('Prices, stock, codes')],
          ['rules', translate('Tax, shipping, quantities')],
        ]}
        onChange={(value) => onView(value === 'rules' ? 'rules' : 'selling')}
      />
    </div>
  )
}

interface RowProps extends Pick<GridProps, 'draft' | 'errors'> {
  readonly variant: Variant
  readonly row: number
  readonly columns: readonly GridColumn[]
  readonly onPicture: () => void
  readonly onFill: (column: number, block: readonly (readonly string[])[]) => void
  readonly onMove: (row: number, column: number) => void
  readonly onRemove: (name: string) => void
}

function VariantRow({ variant, row, columns, errors, draft, onPicture, onFill, onMove, onRemove }: RowProps) {
  const name = variantName(variant, draft.options)
  return (
    <tr>
      <td>
        <div class="variant">
          <button type="button" class="quiet" aria-label={translate('Picture of {name}', { name })} onClick={onPicture}>
            <Thumbnail url={variant.image?.url ?? draft.images[0]?.url} />
          </button>
          <span>
            {name}
            {variant.id === undefined && <span class="small"> {translate('New')}</span>}
          </span>
        </div>
      </td>
      {columns.map((column, index) => (
        <td key={column.name} data-title={column.title} class={column.numeric ? 'numeric' : ''}>
          <Cell
            column={column}
            at={`${row}/${index}`}
            label={`${column.title}, ${name}`}
            value={variant.cells[column.name] ?? ''}
            error={errors.get(`${row}/${column.name}`)}
            onInput={(block) => onFill(index, block)}
            onMove={(rows, cells) => onMove(row + rows, index + cells)}
          />
        </td>
      ))}
      <td class="buttons">
        <button
          type="button"
          class="quiet"
          disabled={draft.variants.length === 1}
          aria-label={translate('Remove {name}', { name })}
          onClick={() => onRemove(name)}
        >
          <Icon name="remove" />
        </button>
      </td>
    </tr>
  )
}

interface CellProps {
  readonly column: GridColumn
  /** Row and column, by which the arrow keys find the cell. */
  readonly at: string
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly onInput: (block: readonly (readonly string[])[]) => void
  readonly onMove: (rows: number, columns: number) => void
}

function Cell({ column, at, label, value, error, onInput, onMove }: CellProps) {
  const shared = { 'data-cell': at, 'aria-label': label, 'aria-invalid': Boolean(error), title: error }
  if (column.choices) {
    return (
      <select {...shared} onChange={(event) => onInput([[event.currentTarget.value]])}>
        {column.choices.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      {...shared}
      value={value}
      inputMode={column.numeric ? 'decimal' : 'text'}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => onInput([[event.currentTarget.value]])}
      onPaste={(event) => {
        const text = event.clipboardData?.getData('text/plain').trimEnd() ?? ''
        if (!/[\t\n]/.test(text)) return
        event.preventDefault()
        onInput(text.split(/\r?\n/).map((line) => line.split('\t').map((cell) => cell.trim())))
      }}
      onKeyDown={(event) => {
        const step = stepOf(event, event.currentTarget)
        if (!step) return
        event.preventDefault()
        onMove(...step)
      }}
    />
  )
}

/** The step of a key: up and down always, left and right only at the end of the text or with all of it selected. */
function stepOf(
  { key, shiftKey }: KeyboardEvent,
  input: HTMLInputElement,
): readonly [rows: number, columns: number] | null {
  const { selectionStart: start, selectionEnd: end, value } = input
  const isAll = start === 0 && end === value.length
  if (key === 'ArrowDown' || (key === 'Enter' && !shiftKey)) return [1, 0]
  if (key === 'ArrowUp' || key === 'Enter') return [-1, 0]
  if (key === 'ArrowLeft' && (isAll || end === 0)) return [0, -1]
  if (key === 'ArrowRight' && (isAll || start === value.length)) return [0, 1]
  return null
}

function GridSelect({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string) => void
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Chooses the picture of a variant from those of the product. */
function PictureDialog({
  images,
  name,
  onClose,
  onChoose,
}: {
  readonly images: Draft['images']
  readonly name: string
  readonly onClose: () => void
  readonly onChoose: (image: Variant['image']) => void
}) {
  return (
    <Dialog title={translate('Picture of {name}', { name })} onClose={onClose}>
      {images.length === 0 && <p class="small">{translate('The product has no pictures yet. Add them first.')}</p>}
      <div class="choices">
        {images.map((image, index) => (
          <button
            key={image.url}
            type="button"
            aria-label={translate('Picture {index}', { index: index + 1 })}
            onClick={() => onChoose(image)}
          >
            <Thumbnail url={image.url} />
          </button>
        ))}
      </div>
      <div class="actions">
        <button type="button" onClick={() => onChoose(null)}>
          {translate('Use the main picture')}
        </button>
      </div>
    </Dialog>
  )
}
