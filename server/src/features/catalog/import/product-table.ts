import { majorOf } from '../../../kernel/currencies.ts'
import { csvRow } from '../../../platform/line-files/csv-table.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { ProductLine } from '../writing/line-schema.ts'
import { productLinesOf } from '../writing/product-records.ts'
import { findStore } from '../writing/store-records.ts'

/** Columns that are repeated for each language, such as `Name (en)`. */
export const LOCALIZED_HEADERS = [
  { label: 'Name', target: 'name' },
  { label: 'Description', target: 'description' },
  { label: 'SEO title', target: 'seoTitle' },
  { label: 'SEO description', target: 'seoDescription' },
] as const

interface Columns {
  readonly locales: readonly string[]
  readonly currencies: readonly string[]
  readonly options: number
}

const readColumns = statement<{ locales: string[]; currencies: string[]; options: number }>(
  'catalog.columns_of_product_table',
  `select
     coalesce((select array_agg(distinct locale order by locale) from product_texts text
       join products product on product.id = text.product_id where product.store_id = $1), '{}') as locales,
     coalesce((select array_agg(distinct currency order by currency) from prices price join skus sku on sku.id = price.sku_id
       join products product on product.id = sku.product_id where product.store_id = $1), '{}') as currencies,
     coalesce((select max(jsonb_array_length(options)) from products where store_id = $1), 0) as options`,
)

/**
 * Exports the products of a store as a table with a row for each variant, which an import reads again. Amounts in major units.
 * Keeps one page of products in memory. `null` if the store does not exist.
 *
 * @see docs/reference/catalog-lines.md
 */
export async function exportProductTable(reader: Reader, storeSlug: string): Promise<AsyncIterable<string> | null> {
  const store = await findStore(reader, storeSlug)
  return store ? rowsOf(reader, store.id, store.locales[0] ?? 'en') : null
}

async function* rowsOf(reader: Reader, storeId: string, locale: string): AsyncGenerator<string> {
  const columns = (await reader.row(readColumns, [storeId])) ?? { locales: [], currencies: [], options: 0 }
  yield csvRow(headerOf(columns))
  for await (const line of productLinesOf(reader, storeId))
    yield productRows(line, columns, locale).map(csvRow).join('')
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

function headerOf({ locales, currencies, options }: Columns): string[] {
  return [
    'Product ID',
    'Slug',
    'Status',
    ...LOCALIZED_HEADERS.flatMap(({ label }) => locales.map((locale) => `${label} (${locale})`)),
    'Brand',
    'Categories',
    ...numbers(options).flatMap((number) => [`Option${number} name`, `Option${number} value`]),
    'SKU',
    'Barcode',
    ...currencies.flatMap((currency) => [`Price ${currency}`, `Compare-at price ${currency}`]),
    'Stock',
    'When out of stock',
    'Weight (g)',
    'Requires shipping',
    'Tax category',
    'SKU image',
    'Image',
    'Image alt text',
  ]
}

/** A row for each variant, and one for each further picture. The first row has the cells of the product. */
function productRows(line: ProductLine, columns: Columns, locale: string): string[][] {
  const images = line.images ?? []
  const count = Math.max(line.skus.length, images.length)
  return Array.from({ length: count }, (_, index) => [
    line.id,
    ...(index === 0 ? productCells(line, columns) : productCells(null, columns)),
    ...skuCells(line, line.skus[index], columns),
    images[index]?.url ?? '',
    images[index]?.alt?.[locale] ?? '',
  ])
}

function productCells(line: ProductLine | null, { locales }: Columns): string[] {
  const texts = (of: (locale: string) => string | undefined) => locales.map((locale) => (line && of(locale)) ?? '')
  return [
    line?.slug ?? '',
    line?.status ?? '',
    ...texts((locale) => line?.names[locale]),
    ...texts((locale) => line?.descriptions?.[locale]?.text),
    ...texts((locale) => line?.seo?.titles?.[locale]),
    ...texts((locale) => line?.seo?.descriptions?.[locale]),
    line?.brand ?? '',
    (line?.categories ?? []).map((path) => path.join(' > ')).join(' | '),
  ]
}

function skuCells(line: ProductLine, sku: ProductLine['skus'][number] | undefined, columns: Columns): string[] {
  const options = numbers(columns.options).flatMap((number) => {
    const name = line.options?.[number - 1]?.name
    return name === undefined || !sku ? ['', ''] : [name, sku.options?.[name] ?? '']
  })
  const prices = columns.currencies.flatMap((currency) => {
    const price = sku?.prices.find((each) => each.currency === currency)
    const major = (amount: number | undefined) => (amount === undefined ? '' : majorOf(BigInt(amount), currency))
    return [major(price?.amount), major(price?.compareAt)]
  })
  return [
    ...options,
    sku?.code ?? '',
    sku?.barcode ?? '',
    ...prices,
    sku?.stock === null || sku?.stock === undefined ? '' : String(sku.stock),
    sku?.whenOutOfStock ?? '',
    sku?.weightGrams === undefined ? '' : String(sku.weightGrams),
    sku === undefined ? '' : String(sku.requiresShipping ?? true),
    sku?.taxCategory ?? '',
    sku?.image?.url ?? '',
  ]
}
