import type { SourceLine } from '../../../../platform/line-files/line-file.ts'
import type { ProductLine } from '../../writing/line-schema.ts'
import type { CategoryPath } from '../../writing/product-draft.ts'

type Sku = ProductLine['skus'][number]

/** A row of a table as it was read. */
export interface TableRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** A cell that cannot be used. */
export interface TableFault {
  readonly line: number
  /** The name of the column. */
  readonly column?: string
  readonly message: string
}

/** The data of a variant that its row has. */
export type PartialSku = Partial<Sku> & {
  readonly line: number
  /** The currencies that the table has compare-at prices in. In these, an empty cell means that the variant has none. */
  readonly compareAtIn: readonly string[]
}

/** The data of a product that its rows have. Absent members keep their stored values. */
export interface PartialProduct {
  readonly line: number
  readonly rows: readonly TableRow[]
  readonly id: string
  readonly slug?: string
  readonly status?: NonNullable<ProductLine['status']>
  readonly names?: Readonly<Record<string, string>>
  /** As in the file: text or HTML. */
  readonly descriptions?: Readonly<Record<string, string>>
  readonly brand?: string
  readonly categories?: readonly CategoryPath[]
  readonly attributes?: NonNullable<ProductLine['attributes']>
  readonly seoTitles?: Readonly<Record<string, string>>
  readonly seoDescriptions?: Readonly<Record<string, string>>
  readonly options?: NonNullable<ProductLine['options']>
  /** Whether the table has columns of options. */
  readonly hasOptionColumns: boolean
  readonly images?: readonly { readonly url: string; readonly alt?: string }[]
  readonly skus: readonly PartialSku[]
}

/** A line of an import with the rows it was made from. */
export type TableLine = SourceLine & {
  readonly rows?: readonly TableRow[]
  readonly faults?: readonly TableFault[]
  /** The categories with their names, for creating those that do not exist. */
  readonly categories?: readonly CategoryPath[]
  readonly isKnown?: boolean
  /** Set for a product that was completed with its stored values. */
  readonly lookup?: Lookup
  /** The status that a line without one leaves a known product with. */
  readonly keptStatus?: ProductLine['status']
}

/** A look-up of stored values, which someone may change before the product is written. */
interface Lookup {
  /** The revision of the catalog before it; `undefined` if it is unknown. */
  readonly revision: bigint | undefined
  /** Completes the product with its current stored values. */
  readonly complete: (known: ProductLine | undefined) => TableLine
}

/** Rows that cannot become a product. */
export function refusedRows(rows: readonly TableRow[], faults: readonly TableFault[]): TableLine {
  const problem = faults
    .slice(0, 10)
    .map(({ column, message }) => (column === undefined ? message : `${column}: ${message}`))
    .join(' ')
  return { line: faults[0]?.line ?? rows[0]?.line ?? 1, problem, rows, faults }
}
