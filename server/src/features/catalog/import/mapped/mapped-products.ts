import { slugOf } from '../../text-normalization.ts'
import { type CategoryPath, shortHash } from '../../writing/product-draft.ts'
import {
  addressOf,
  amountOf,
  barcodeOf,
  CellFault,
  exactOf,
  gramsOf,
  statusOf,
  textOf,
  truthOf,
  unitsOf,
  whenOutOf,
} from './cells.ts'
import { type Mapping, OPTIONS_MAX } from './columns.ts'
import type { PartialProduct, PartialSku, TableFault, TableRow } from './partial-product.ts'

/** A table with the mapping of its columns. */
export interface MappedTable {
  readonly header: readonly string[]
  readonly mapping: Mapping
}

/** A row whose cells are found by the targets of their columns. */
class Row {
  readonly line: number
  readonly #cells: ReadonlyMap<string, string>
  readonly #headers: ReadonlyMap<string, string>
  readonly #faults: TableFault[]

  constructor({ line, cells }: TableRow, { header, mapping }: MappedTable, faults: TableFault[]) {
    this.line = line
    this.#faults = faults
    this.#headers = new Map(mapping.columns.map((target, column) => [target, header[column] ?? '']))
    this.#cells = new Map(
      mapping.columns.flatMap((target, column) => {
        const cell = (cells[column] ?? '').trim()
        return target === 'skip' || cell === '' ? [] : [[target, cell] as const]
      }),
    )
  }

  /** The cell, or `undefined` if it is empty or there is none. */
  get(target: string): string | undefined {
    return this.#cells.get(target)
  }

  /** Parses the cell. If that fails, it is a fault of the table. */
  read<Value>(target: string, parse: (cell: string) => Value): Value | undefined {
    const cell = this.#cells.get(target)
    if (cell === undefined) return undefined
    try {
      return parse(cell)
    } catch (error) {
      if (!(error instanceof CellFault)) throw error
      this.#faults.push({ line: this.line, column: this.#headers.get(target) || target, message: error.message })
      return undefined
    }
  }

  /** The targets with a cell that begin with `prefix`, and the rest of each as the qualifier. */
  qualified(prefix: string): [qualifier: string, target: string][] {
    return [...this.#cells.keys()].flatMap((target): [string, string][] =>
      target.startsWith(prefix) ? [[target.slice(prefix.length), target]] : [],
    )
  }
}

/** Targets that only a variant has. A row without any of them is a further picture of the product. */
const OF_A_VARIANT = /^(?:code|barcode|price|compareAt|price\..*|compareAt\..*|option.*Value|option\..*|skuImage)$/

/** The product in these rows, with the faults of their cells. */
export function partialProduct(
  rows: readonly TableRow[],
  table: MappedTable,
): { readonly product: PartialProduct; readonly faults: readonly TableFault[] } {
  const faults: TableFault[] = []
  const read = rows.map((row) => new Row(row, table, faults))
  const first = read[0]!
  // Rows of several products may have the same rounded id.
  first.read('id', exactOf)
  const { columns } = table.mapping
  const hasOptionColumns = columns.some((target) => target.startsWith('option'))
  const axes = optionsOf(read, table.mapping)
  const variants = read.filter(
    (row, index) => index === 0 || row.qualified('').some(([name]) => OF_A_VARIANT.test(name)),
  )
  const skus = variants.map((row) => skuOf(row, table.mapping, axes))
  const product: PartialProduct = {
    line: first.line,
    rows,
    id: idOf(first),
    ...defined({
      slug: first.read('slug', slugCell),
      status: productStatus(first),
      names: texts(first, 'name', table.mapping, 500),
      descriptions: texts(first, 'description', table.mapping, 50_000),
      brand: first.read('brand', (cell) => textOf(cell, 200)),
      categories: categoriesOf(first),
      attributes: attributesOf(first, table),
      seoTitles: texts(first, 'seoTitle', table.mapping, 200),
      seoDescriptions: texts(first, 'seoDescription', table.mapping, 500),
      images: imagesOf(read),
      options: hasOptionColumns ? axes.map((axis) => optionOf(axis, skus, table.mapping.locale)) : undefined,
    }),
    hasOptionColumns,
    skus,
  }
  const place = ({ column = '' }: TableFault) => table.header.indexOf(column)
  return { product, faults: faults.toSorted((a, b) => a.line - b.line || place(a) - place(b)) }
}

/** The id that the rows of one product share. `null`: there is no such column, and every row is a product. */
export function groupOf(row: TableRow, { mapping: { columns } }: MappedTable): string | null {
  const column = columns.indexOf('id')
  return column === -1 ? null : (row.cells[column] ?? '').trim()
}

function idOf(row: Row): string {
  const id = row.get('id') ?? row.get('code') ?? slugOf(row.get('name') ?? '') ?? ''
  return id.slice(0, 120)
}

function slugCell(cell: string): string {
  const slug = slugOf(cell, 240)
  if (slug === undefined) throw new CellFault(`"${cell}" has no letters or digits for a slug.`)
  return slug
}

/** A product that is not published in the online store becomes a draft. */
function productStatus(row: Row) {
  const status = row.read('status', statusOf)
  const isPublished = row.read('published', truthOf)
  if (status !== undefined && status !== 'published') return status
  return isPublished === undefined ? status : isPublished ? 'published' : 'draft'
}

function texts(row: Row, name: string, { locale }: Mapping, lengthMax: number): Record<string, string> | undefined {
  const plain = row.read(name, (cell) => textOf(cell, lengthMax))
  const localized = row.qualified(`${name}.`).flatMap(([language, target]): [string, string][] => {
    const text = row.read(target, (cell) => textOf(cell, lengthMax))
    return text === undefined ? [] : [[language, text]]
  })
  const all = { ...(plain !== undefined && { [locale]: plain }), ...Object.fromEntries(localized) }
  return Object.keys(all).length === 0 ? undefined : all
}

/** Category paths such as `Clothing > Shirts`, separated by vertical bars. Without a category, the type of the product is used. */
function categoriesOf(row: Row): readonly CategoryPath[] | undefined {
  const cell = row.get('category') ?? row.get('type')
  if (cell === undefined) return undefined
  return row.read(row.get('category') === undefined ? 'type' : 'category', () =>
    cell
      .split('|')
      .filter((path) => path.trim() !== '')
      .map((path) => {
        const names = path.split('>').map((name) => textOf(name.trim(), 200))
        if (names.length > 6) throw new CellFault('A category has at most six levels.')
        if (names.includes('')) throw new CellFault(`"${path.trim()}" has a level without a name.`)
        return { names, slugs: names.map((name) => slugOf(name) ?? shortHash(name)) }
      }),
  )
}

function attributesOf(row: Row, { header, mapping: { columns, locale } }: MappedTable) {
  const named = row.qualified('attribute.').map(([key, target]) => {
    const label = header[columns.indexOf(target)]?.trim() || key
    return {
      key,
      labels: { [locale]: label.slice(0, 200) },
      value: row.read(target, (cell) => textOf(cell, 10_000)) ?? '',
    }
  })
  const type = row.get('category') === undefined ? undefined : row.get('type')
  const tags = row.get('tags')
  const all = [
    ...named,
    ...(type === undefined ? [] : [{ key: 'type', labels: { [locale]: 'Type' }, value: type }]),
    ...(tags === undefined ? [] : [{ key: 'tags', labels: { [locale]: 'Tags' }, value: tags }]),
  ]
  return all.length === 0 ? undefined : all
}

function imagesOf(rows: readonly Row[]) {
  const images = rows.flatMap((row, index) => {
    const url = row.read('image', addressOf)
    if (url === undefined) return []
    const alt = row.read('imageAlt', (cell) => textOf(cell, 500))
    const position = Number(row.get('imagePosition') ?? index + 1)
    return [{ url, position: Number.isFinite(position) ? position : index + 1, ...(alt !== undefined && { alt }) }]
  })
  if (images.length === 0) return undefined
  const first = new Map(images.toReversed().map((image) => [image.url, image]))
  return [...first.values()]
    .toSorted((a, b) => a.position - b.position)
    .slice(0, 50)
    .map(({ position: _, ...image }) => image)
}

/** An option of the product. Its name comes from the first row that has one, its values from the rows of the variants. */
interface Axis {
  readonly name: string
  readonly label: string
  readonly target: string
}

function optionsOf(rows: readonly Row[], { columns }: Mapping): readonly Axis[] {
  const numbered = Array.from({ length: OPTIONS_MAX }, (_, index) => index + 1).flatMap((number): Axis[] => {
    const target = `option${number}Value`
    if (!columns.includes(target) || !rows.some((row) => row.get(target) !== undefined)) return []
    const label = rows.map((row) => row.get(`option${number}Name`)).find((name) => name !== undefined)
    return [{ label: label ?? `Option ${number}`, name: nameOf(label ?? `option-${number}`), target }]
  })
  const named = columns
    .filter((target) => target.startsWith('option.') && rows.some((row) => row.get(target) !== undefined))
    .map((target): Axis => ({ label: target.slice(7), name: target.slice(7), target }))
  // Shopify's placeholder for a product without options.
  return [...numbered, ...named].filter(
    ({ name, target }) =>
      !(name === 'title' && rows.every((row) => (row.get(target) ?? 'Default Title') === 'Default Title')),
  )
}

function nameOf(label: string): string {
  if (/^[a-z0-9]+([_-][a-z0-9]+)*$/.test(label) && label.length <= 40) return label
  return slugOf(label, 40) ?? shortHash(label)
}

function optionOf({ name, label, target: _ }: Axis, skus: readonly PartialSku[], locale: string) {
  const values = new Set(skus.flatMap(({ options }) => options?.[name] ?? []))
  return {
    name,
    ...(label !== name && { labels: { [locale]: label.slice(0, 80) } }),
    values: [...values].map((value) => ({ value })),
  }
}

function skuOf(row: Row, { columns, currency, decimal }: Mapping, axes: readonly Axis[]): PartialSku {
  const pairs = axes.flatMap(({ name, target }): [string, string][] => {
    const value = row.read(target, (cell) => textOf(cell, 80))
    return value === undefined ? [] : [[name, value]]
  })
  const compareAtOf = (code: string) =>
    columns.find((target) => target === `compareAt.${code}` || (target === 'compareAt' && code === currency))
  const priced: readonly [string, string][] = [[currency, 'price'], ...row.qualified('price.')]
  const prices = priced.flatMap(([code, target]) => {
    const amount = row.read(target, (cell) => amountOf(cell, code, decimal))
    const compareAt = row.read(compareAtOf(code) ?? '', (cell) => amountOf(cell, code, decimal))
    return amount === undefined
      ? []
      : [{ currency: code, amount, ...(compareAt !== undefined && compareAt > amount && { compareAt }) }]
  })
  // Without an inventory tracker, the number of units has no meaning.
  const isUntracked = columns.includes('stockTracked') && row.get('stockTracked') === undefined
  return {
    line: row.line,
    compareAtIn: priced.flatMap(([code]) => (compareAtOf(code) ? [code] : [])),
    ...(pairs.length > 0 && { options: Object.fromEntries(pairs) }),
    ...defined({
      code: row.read('code', (cell) => textOf(exactOf(cell), 250)),
      barcode: row.read('barcode', barcodeOf),
      prices: prices.length > 0 ? prices : undefined,
      stock: isUntracked ? null : row.read('stock', (cell) => unitsOf(cell, decimal)),
      whenOutOfStock: row.read('whenOutOfStock', whenOutOf),
      weightGrams:
        row.read('weightGrams', (cell) => gramsOf(cell, 1, decimal)) ??
        row.read('weightKilograms', (cell) => gramsOf(cell, 1000, decimal)),
      requiresShipping: row.read('requiresShipping', truthOf),
      taxCategory: row.read('taxCategory', taxCategoryOf),
      image: row.read('skuImage', (cell) => ({ url: addressOf(cell), width: 1, height: 1 })),
    }),
  }
}

function taxCategoryOf(cell: string): string {
  if (!/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(cell) || cell.length > 40)
    throw new CellFault(`"${cell}" is not a tax category.`)
  return cell
}

type Defined<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

/** Leaves out members that are `undefined`. */
function defined<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<Value>
}
