import type { OperatorImportPreview, operatorOperations } from '@vitrine/contract/operator'
import {
  findStore,
  type Mapping,
  type PreviewSample,
  previewTable,
  readCategoryPaths,
  readMapping,
  recallMapping,
  type TablePreview,
  tableContext,
} from '../../../features/catalog/index.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

const VARIANTS_SHOWN = 20
const DESCRIPTION_SHOWN = 300

/** POST /operator/v1/imports/preview */
export const previewImport: OperatorHandler<Rows['previewImport']> = async (
  { query },
  { database, reader, upload },
) => {
  const store = (await findStore(reader, query.store)) ?? refuse('not_found')
  const mapping = mappingOf(query.mapping)
  const preview = await previewTable({
    bytes: upload,
    isGzipped: query.format === 'csv.gz',
    mapping,
    recall: (header) => recallMapping(reader, query.store, header),
    context: await tableContext(database, query.store, mapping),
    store: {
      currencies: store.currencies,
      categoryPaths: await readCategoryPaths(reader, query.store),
    },
  }).catch(refuseFile)
  return presentPreview(preview ?? refuseField('format', 'not_possible', 'The file has no header.'))
}

/** The mapping of a query. Refuses `validation_failed`. */
export function mappingOf(json: string | undefined): Mapping | null {
  if (json === undefined) return null
  try {
    return readMapping(json)
  } catch (error) {
    if (!(error instanceof InvalidLine)) throw error
    return refuseField('mapping', 'not_possible', error.message)
  }
}

function refuseFile(error: unknown): never {
  if (error instanceof InvalidLine) refuseField('format', 'not_possible', error.message)
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (code?.startsWith('Z_')) refuseField('format', 'not_possible', `The file is damaged: ${message}.`)
  throw error
}

function presentPreview(preview: TablePreview): OperatorImportPreview {
  const { mapping, isWhole, samples, columns, faults, warnings, ...rest } = preview
  const { currency, locale, decimal } = mapping
  return {
    ...rest,
    currency,
    locale,
    decimal,
    whole: isWhole,
    columns: columns.map(({ header, ...column }) => ({ header: header.slice(0, 10_000), ...column })),
    samples: samples.map((sample) => presentSample(sample, locale)),
    faults: faults.map(({ line, column, message }) => ({
      line,
      ...(column !== undefined && { column: column.slice(0, 10_000) }),
      message: message.slice(0, 20_000),
    })),
    warnings: warnings.map(({ kind, count, examples }) => ({ kind, count, examples: [...examples] })),
  }
}

function presentSample({ line, isKnown, status, product }: PreviewSample, locale: string) {
  const text = product.texts[locale] ?? Object.values(product.texts)[0]
  return {
    line,
    known: isKnown,
    externalId: product.externalId,
    name: text?.name ?? '',
    status,
    ...(product.brand !== null && { brand: product.brand }),
    description: (text?.description ?? '').slice(0, DESCRIPTION_SHOWN),
    categories: product.categories.map(({ names }) => names.join(' > ')),
    pictures: product.images.length,
    variants: product.skus.slice(0, VARIANTS_SHOWN).map(({ code, optionValues, prices, stock }) => ({
      code,
      options: Object.values(optionValues).join(', '),
      prices: prices.map(({ amount, currency }) => wireMoney(BigInt(amount), currency)),
      stock,
    })),
    variantCount: product.skus.length,
  }
}
