import { type Static, Type } from 'typebox'
import { id, none, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, flag, formed, integer, leftOut, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
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
    'The status. `waiting`: uploaded, and its turn is next or after earlier imports. `interrupted`: it has not ended, and nothing continues it; import the file again.',
  ),
  failure: Type.Optional(leftOut(text(1000, 'Why it has failed or was canceled.', 'The file is damaged.'))),
  unattended: flag('Whether it is due and no worker has taken it: none may be running.', false),
  bytesRead: Bytes,
  bytesTotal: orNull(Bytes, 'The size of the file; `null` if unknown.'),
  read: count('Lines read.', 500),
  created: count('Lines that created something.', 480),
  updated: count('Lines that updated something.', 12),
  unchanged: count('Lines without changes.', 6),
  refused: count('Refused lines.', 2),
  unpriced: count('Products without a price in any currency of their store.', 0),
  startedAt: Timestamp,
  updatedAt: Timestamp,
  finishedAt: Type.Optional(leftOut(Timestamp)),
}

export const OperatorImport = operatorNamed('OperatorImport', closed('A catalog import in figures.', figures))
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

export const importRows = {
  importCatalog: operatorOperation({
    method: 'POST',
    path: '/operator/v1/imports',
    tag,
    summary: 'Import a catalog.',
    description:
      'The body is the file. It is answered when the file is uploaded; a worker then imports it, after the imports uploaded before it. `getImport` has its progress and its result. An upload that is cut off imports nothing. An invalid line is reported and affects no other line. Importing the same file again changes nothing, and replaces an import of it that has not ended.',
    auth,
    upload: true,
    params: none,
    query: closed('The format of the file.', {
      format: Format,
      store: Type.Optional(Slug),
      missingStore: Type.Optional(
        oneOf(['refuse', 'create'], 'What to do if the store does not exist; `refuse` by default.'),
      ),
      name: Type.Optional(FileName),
      bytes: Type.Optional(Bytes),
    }),
    body: null,
    data: OperatorImportReport,
    meta: null,
    refusals: ['not_found'],
  }),
  listImports: operatorOperation({
    method: 'GET',
    path: '/operator/v1/imports',
    tag,
    summary: 'List imports, newest first.',
    description: 'Including running imports.',
    auth,
    params: none,
    query: closed('Page.', { ...listQuery, store: Type.Optional(Slug) }),
    body: null,
    data: pageOf(OperatorImport, 'Imports, newest first.'),
    meta: null,
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
    query: closed('How much of it.', {
      refusals: Type.Optional(integer(0, REFUSALS_MAX, 'The most refused lines; 1,000 by default.', 1000)),
    }),
    body: null,
    data: OperatorImportReport,
    meta: null,
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
    query: none,
    body: none,
    data: OperatorImport,
    meta: null,
    refusals: ['not_found', 'state_conflict'],
  }),
  exportCatalog: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/catalogue',
    tag,
    summary: 'Export the catalog of a store.',
    description:
      'The store, its categories and its products as lines of our own form, published or not. Importing them again changes nothing.',
    auth,
    download: 'application/x-ndjson',
    params: closed('The store.', { storeSlug: Slug }),
    query: none,
    body: null,
    data: text(8_388_608, 'A line.', '{"type":"store","slug":"loom"}'),
    meta: null,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
}
