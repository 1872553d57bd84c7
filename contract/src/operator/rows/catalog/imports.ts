import { type Static, Type } from 'typebox'
import { id, none, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, integer, leftOut, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Catalog imports'
const auth = { kind: 'operator' } as const
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
    ['running', 'completed', 'failed', 'interrupted'],
    'The status. `interrupted`: no progress for minutes; import the file again.',
  ),
  failure: Type.Optional(leftOut(text(1000, 'Why it has failed.', 'The file is damaged.'))),
  bytesRead: Bytes,
  bytesTotal: orNull(Bytes, 'The size of the file; `null` if unknown.'),
  read: count('Lines read.', 500),
  created: count('Lines that created something.', 480),
  updated: count('Lines that updated something.', 12),
  unchanged: count('Lines without changes.', 6),
  refused: count('Refused lines.', 2),
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
      'Refused lines: up to 100,000 in the answer to the import, 1,000 when it is read later.',
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
      'The body is the file. It is read while it is uploaded, and answered when the import ends; its progress can be read meanwhile. An invalid line is reported and affects no other line. Importing the same file again changes nothing.',
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
    description: 'Saved about once a second while it runs.',
    auth,
    params: closed('The import.', { importId: ImportId }),
    query: none,
    body: null,
    data: OperatorImportReport,
    meta: null,
    refusals: ['not_found'],
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
  }),
}
