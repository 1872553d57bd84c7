import type { OperatorImport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { storeName } from '../../stores.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { NewImport } from './new-import.tsx'

const columns: readonly Column<OperatorImport>[] = [
  { title: translate('File'), show: ({ fileName, format }) => fileName ?? format },
  { title: translate('Store'), show: ({ store }) => (store ? storeName(store) : translate('As specified per line')) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Created'), numeric: true, show: ({ created }) => <Count value={created} /> },
  { title: translate('Updated'), numeric: true, show: ({ updated }) => <Count value={updated} /> },
  { title: translate('Unchanged'), numeric: true, show: ({ unchanged }) => <Count value={unchanged} /> },
  { title: translate('Rejected'), numeric: true, show: ({ refused }) => <Count value={refused} /> },
  { title: translate('Started'), show: ({ startedAt }) => <DateTime at={startedAt} /> },
]

/** Catalog imports from files. */
export function ImportsPage() {
  const [importing, setImporting] = useState(false)
  const start = (
    <Allowed by="importCatalog">
      <button type="button" class="primary" onClick={() => setImporting(true)}>
        {translate('Import catalog')}
      </button>
    </Allowed>
  )
  return (
    <>
      <ListPage
        title={translate('Imports')}
        lead={translate(
          'Import products from Shopify or any spreadsheet, and whole catalogs from files. Importing the same file again changes nothing, and an import can be undone for 30 days.',
        )}
        actions={start}
        load={(query) => call('listImports', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/imports/${id}`}
        empty={{
          title: translate('No imports yet'),
          hint: translate(
            'Import a product export from Shopify, any .csv file, or catalog lines. A .csv file is previewed before anything changes.',
          ),
          action: start,
        }}
      />
      {importing && <NewImport onClose={() => setImporting(false)} />}
    </>
  )
}
