import { type Static, Type } from 'typebox'
import { CurrencyCode, id, LocaleTag, Money, none, Slug, Timestamp } from '../../../schemas/common.ts'
import {
  closed,
  flag,
  formed,
  integer,
  leftOut,
  listOf,
  maybeEmpty,
  oneOf,
  orNull,
  text,
} from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Catalog imports'
const auth = { kind: 'operator', area: 'catalog' } as const
const COUNT_MAX = 2_147_483_647
const REFUSALS_MAX = 100_000
const count = (description: string, example: number) => integer(0, COUNT_MAX, description, example)
const Bytes = integer(0, Number.MAX_SAFE_INTEGER, 'Bytes of the file.', 1_048_576)
const Format = oneOf(['jsonl', 'jsonl.gz', 'csv', 'csv.gz'], 'The format of the file.')
const FileName = formed('^[^/\\\\\\u0000-\\u001f]{1,255}$', 255, 'The file name.', 'catalogue.jsonl.gz')
const ImportId = id('imp', 'The id of the import.')

const figures = {
  id: ImportId,
  store: Type.Optional(Slug),
  fileName: Type.Optional(FileName),
  format: Format,
  status: oneOf(
    ['uploading', 'waiting', 'running', 'completed', 'failed', 'canceled', 'interrupted'],
    'The status. `waiting`: uploaded and queued, behind earlier imports if there are any. `interrupted`: stopped before its end and not resumed; import the file again.',
  ),
  failure: Type.Optional(leftOut(text(1000, 'Why it has failed or was canceled.', 'The file is damaged.'))),
  unattended: flag('Whether it is due but no worker has taken it. Possibly no worker is running.', false),
  bytesRead: Bytes,
  bytesTotal: orNull(Bytes, 'The size of the file; `null` if unknown.'),
  read: count('Lines read.', 500),
  created: count('Lines that created something.', 480),
  updated: count('Lines that updated something.', 12),
  unchanged: count('Lines without changes.', 6),
  refused: count('Refused lines.', 2),
  undo: oneOf(
    ['none', 'possible', 'running', 'done'],
    'Whether it can be undone: for 30 days, if it has ended and has written products.',
  ),
  startedAt: Timestamp,
  updatedAt: Timestamp,
  finishedAt: Type.Optional(leftOut(Timestamp)),
}

export const OperatorImport = operatorNamed('OperatorImport', closed('A catalog import with its counts.', figures))
export type OperatorImport = Static<typeof OperatorImport>

export const OperatorImportReport = operatorNamed(
  'OperatorImportReport',
  closed('An import with its refused lines.', {
    ...figures,
    refusals: listOf(
      closed('A refused line and the reason.', {
        line: integer(1, COUNT_MAX, 'The line number.', 17),
        reason: text(4000, 'Why it was refused.', '/skus: must have required properties (skus).'),
      }),
      REFUSALS_MAX,
      'The first refused lines.',
    ),
  }),
)
export type OperatorImportReport = Static<typeof OperatorImportReport>

const MAPPING_LENGTH_MAX = 12_000
const MappingText = text(
  MAPPING_LENGTH_MAX,
  'The column mapping of a table, as JSON: `columns` with a target for each column, `currency` and `locale` for columns that name none, and `decimal` (`point` or `comma`).',
  '{"columns":["id","name","price"],"currency":"EUR","locale":"en","decimal":"point"}',
)
const Target = text(140, 'The field that the column is mapped to.', 'name')

export const OperatorImportPreview = operatorNamed(
  'OperatorImportPreview',
  closed('What an import of a table would do.', {
    form: oneOf(
      ['spreadsheet', 'shopify', 'export', 'remembered', 'given', 'guessed'],
      'The origin of the mapping. `spreadsheet`: our spreadsheet format, which needs none. `shopify`, `export`: the export format of Shopify or of this service. `remembered`: the last table with this header. `given`: the request. `guessed`: a guess from the header and the first rows.',
    ),
    columns: listOf(
      closed('A column of the table.', {
        header: maybeEmpty(10_000, 'Its name.', 'Variant Price'),
        target: Target,
        example: maybeEmpty(200, 'Its first value.', '19.90'),
      }),
      500,
      'The columns in their order.',
    ),
    currency: CurrencyCode,
    locale: LocaleTag,
    decimal: oneOf(['point', 'comma'], 'The decimal separator of amounts.'),
    created: count('Products that would be created.', 480),
    changed: count('Products that exist.', 20),
    variants: count('Variants of these products.', 1320),
    refused: count('Products with faults, which would not be imported.', 2),
    whole: flag('Whether the whole file was read, or only its first rows.', true),
    samples: listOf(
      closed('A product after the import.', {
        line: integer(1, COUNT_MAX, 'The line number.', 2),
        known: flag('Whether it exists.', false),
        externalId: text(120, 'The id of the store.', 'linen-shirt'),
        name: maybeEmpty(500, 'The name.', 'Linen shirt'),
        status: oneOf(['published', 'draft', 'archived'], 'The status.'),
        brand: Type.Optional(leftOut(text(200, 'The brand.', 'Loom'))),
        description: maybeEmpty(300, 'The beginning of the description.', 'Woven from linen.'),
        categories: listOf(text(1500, 'A path of names.', 'Clothing > Shirts'), 20, 'The categories.'),
        pictures: count('Pictures.', 2),
        variants: listOf(
          closed('A variant.', {
            code: text(250, 'The SKU.', 'LS-B'),
            options: maybeEmpty(500, 'Its options.', 'Blue, M'),
            prices: listOf(Money, 50, 'A price for each currency.'),
            stock: orNull(count('Units in stock.', 12), 'Units in stock; `null`: not tracked.'),
          }),
          20,
          'The first variants.',
        ),
        variantCount: count('All variants.', 6),
      }),
      10,
      'The first products.',
    ),
    faults: listOf(
      closed('A fault.', {
        line: integer(1, COUNT_MAX, 'The line number.', 17),
        column: Type.Optional(leftOut(text(10_000, 'The name of the column.', 'Variant Price'))),
        message: text(20_000, 'What is wrong.', '"free" is not an amount in EUR.'),
      }),
      100,
      'The first faults.',
    ),
    faultCount: count('All faults.', 2),
    warnings: listOf(
      closed('An effect of the import that may be unexpected.', {
        kind: oneOf(
          [
            'currency_added',
            'new_categories',
            'zero_prices',
            'repeated_codes',
            'market_columns',
            'skipped_columns',
            'no_stock',
          ],
          'The kind of warning.',
        ),
        count: count('How many.', 1),
        examples: listOf(maybeEmpty(1500, 'An example.', 'USD'), 5, 'The first examples.'),
      }),
      10,
      'Warnings.',
    ),
  }),
)
export type OperatorImportPreview = Static<typeof OperatorImportPreview>

export const OperatorImportUndo = operatorNamed(
  'OperatorImportUndo',
  closed('What undoing an import would do, or has done.', {
    state: oneOf(['none', 'possible', 'running', 'done'], 'Whether it can be undone.'),
    removed: count('Products that it created, to be removed.', 480),
    archived: count('Products that it created, archived because orders, carts or license keys refer to them.', 2),
    restored: count('Products restored to their earlier state.', 18),
    changedSince: count('Products that were changed since, which stay as they are.', 1),
    gone: count('Products that no longer exist.', 0),
    left: listOf(
      closed('A product that was changed since.', {
        id: id('prod', 'The id.'),
        name: text(500, 'The name.', 'Linen shirt'),
        updatedAt: Timestamp,
      }),
      100,
      'The first products that stay as they are.',
    ),
  }),
)
export type OperatorImportUndo = Static<typeof OperatorImportUndo>

const importParams = closed('The import.', { importId: ImportId })

export const importRows = {
  previewImport: operatorOperation({
    method: 'POST',
    path: '/operator/v1/imports/preview',
    tag,
    summary: 'Preview an import of a table.',
    description:
      'The body is a CSV file. Nothing is written. The answer has the columns with their targets, the first products after the import, faults and warnings. Without a mapping, that of the last table with the same header is used, or one is guessed. At most 50,000 rows are read.',
    auth,
    upload: true,
    unaudited: true,
    query: closed('The file.', {
      format: oneOf(['csv', 'csv.gz'], 'The format of the file.'),
      store: Slug,
      mapping: Type.Optional(MappingText),
    }),
    data: OperatorImportPreview,
    refusals: ['not_found', 'validation_failed'],
  }),
  importCatalog: operatorOperation({
    method: 'POST',
    path: '/operator/v1/imports',
    tag,
    summary: 'Import a catalog.',
    description:
      'The body is the file. The answer is sent when the file is uploaded; a worker then imports it, after earlier uploads. `getImport` returns the progress and the result. An incomplete upload imports nothing. An invalid line is reported and affects no other line. Importing the same file again changes nothing, and replaces an import of it that has not ended.',
    auth,
    upload: true,
    query: closed('The format of the file.', {
      format: Format,
      store: Type.Optional(Slug),
      missingStore: Type.Optional(
        oneOf(['refuse', 'create'], 'What to do if the store does not exist; `refuse` by default.'),
      ),
      name: Type.Optional(FileName),
      bytes: Type.Optional(Bytes),
      mapping: Type.Optional(MappingText),
    }),
    data: OperatorImportReport,
    refusals: ['not_found', 'validation_failed'],
  }),
  listImports: operatorOperation({
    method: 'GET',
    path: '/operator/v1/imports',
    tag,
    summary: 'List imports, newest first.',
    description: 'Including running imports.',
    auth,
    query: closed('Page.', { ...listQuery, store: Type.Optional(Slug) }),
    data: pageOf(OperatorImport, 'Imports, newest first.'),
    refusals: ['invalid_cursor'],
  }),
  getImport: operatorOperation({
    method: 'GET',
    path: '/operator/v1/imports/{importId}',
    tag,
    summary: 'Get an import with its progress and the lines it refused.',
    description: 'Saved after every 500 lines while it runs.',
    auth,
    params: closed('The import.', { importId: ImportId }),
    query: closed('The length of the report.', {
      refusals: Type.Optional(integer(0, REFUSALS_MAX, 'The maximum number of refused lines; 1,000 by default.', 1000)),
    }),
    data: OperatorImportReport,
    refusals: ['not_found'],
  }),
  cancelImport: operatorOperation({
    method: 'POST',
    path: '/operator/v1/imports/{importId}/cancel',
    tag,
    summary: 'Cancel an import that has not ended.',
    description: 'Lines that were imported stay. Its file is deleted.',
    auth,
    params: closed('The import.', { importId: ImportId }),
    body: none,
    data: OperatorImport,
    refusals: ['not_found', 'state_conflict'],
  }),
  getImportUndo: operatorOperation({
    method: 'GET',
    path: '/operator/v1/imports/{importId}/undo',
    tag,
    summary: 'Preview the undo of an import, or get its result.',
    description: 'Products that were changed since the import stay as they are.',
    auth,
    params: importParams,
    data: OperatorImportUndo,
    refusals: ['not_found'],
  }),
  undoImport: operatorOperation({
    method: 'POST',
    path: '/operator/v1/imports/{importId}/undo',
    tag,
    summary: 'Undo an import.',
    description:
      'A worker restores changed products to their earlier state and archives those that the import created. Two minutes later, it removes the archived ones that no order, cart or license key refers to. Products that were changed since stay as they are, and so do categories and stores. `getImportUndo` returns the result.',
    auth,
    params: importParams,
    body: none,
    data: OperatorImport,
    refusals: ['not_found', 'state_conflict'],
  }),
  exportImportRefusals: operatorOperation({
    method: 'GET',
    path: '/operator/v1/imports/{importId}/refusals',
    tag,
    summary: 'Download the refused lines of an import.',
    description:
      'A CSV file with the refused rows as they were and the reason in the last column. Correct it and import it. The cells of the first 10,000 refused lines are stored.',
    auth,
    download: 'text/csv',
    params: importParams,
    data: text(8_388_608, 'A row.', 'linen-shirt,Linen shirt,free,"Variant Price: not an amount."'),
    refusals: ['not_found'],
  }),
  exportProducts: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/products.csv',
    tag,
    summary: 'Export the products of a store as a table.',
    description:
      'A CSV file with a row for each variant, which can be imported again: fields without a column stay as they are. Amounts in major units.',
    auth,
    download: 'text/csv',
    params: closed('The store.', { storeSlug: Slug }),
    data: text(8_388_608, 'Rows.', 'linen-shirt,linen-shirt,published,Linen shirt'),
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  exportCatalog: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/catalogue',
    tag,
    summary: 'Export the catalog of a store.',
    description:
      'The store, its categories and its products, published or not, in our JSON Lines format. Importing them again changes nothing.',
    auth,
    download: 'application/x-ndjson',
    params: closed('The store.', { storeSlug: Slug }),
    data: text(8_388_608, 'A line.', '{"type":"store","slug":"loom"}'),
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
}
