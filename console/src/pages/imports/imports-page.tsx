import type { OperatorImport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { NewImport } from './new-import.tsx'

const columns: readonly Column<OperatorImport>[] = [
  { title: 'File', show: ({ fileName, format }) => fileName ?? format },
  { title: 'Store', show: ({ store }) => store ?? 'As specified per line' },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Created', figure: true, show: ({ created }) => <Count value={created} /> },
  { title: 'Updated', figure: true, show: ({ updated }) => <Count value={updated} /> },
  { title: 'Unchanged', figure: true, show: ({ unchanged }) => <Count value={unchanged} /> },
  { title: 'Rejected', figure: true, show: ({ refused }) => <Count value={refused} /> },
  { title: 'Started', show: ({ startedAt }) => <When at={startedAt} /> },
]

/** Catalog imports from files. */
export function ImportsPage() {
  const [importing, setImporting] = useState(false)
  const start = (
    <button type="button" class="primary" onClick={() => setImporting(true)}>
      Import catalog
    </button>
  )
  return (
    <>
      <ListPage
        title="Imports"
        lead="Import stores, categories, and products from files. Importing the same file again changes nothing, and an invalid line does not affect others."
        actions={start}
        load={(query) => call('listImports', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/imports/${id}`}
        empty={{
          title: 'No imports yet',
          hint: 'Import a .jsonl or .csv file. You can follow its progress and see every rejected line.',
          action: start,
        }}
      />
      {importing && <NewImport onClose={() => setImporting(false)} />}
    </>
  )
}
