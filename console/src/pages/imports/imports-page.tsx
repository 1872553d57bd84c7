import type { OperatorImport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { NewImport } from './new-import.tsx'

const columns: readonly Column<OperatorImport>[] = [
  { title: 'File', show: ({ fileName, format }) => fileName ?? format },
  { title: 'Store', show: ({ store }) => store ?? 'as its lines say' },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Created', figure: true, show: ({ created }) => <Count value={created} /> },
  { title: 'Updated', figure: true, show: ({ updated }) => <Count value={updated} /> },
  { title: 'Unchanged', figure: true, show: ({ unchanged }) => <Count value={unchanged} /> },
  { title: 'Refused', figure: true, show: ({ refused }) => <Count value={refused} /> },
  { title: 'Begun', show: ({ startedAt }) => <When at={startedAt} /> },
]

/** Catalogues that came as files. */
export function ImportsPage() {
  const [importing, setImporting] = useState(false)
  const begin = (
    <button type="button" class="primary" onClick={() => setImporting(true)}>
      Import a catalogue
    </button>
  )
  return (
    <>
      <ListPage
        title="Imports"
        lead="Stores, categories and products from files. The same file again changes nothing, and a bad line takes no other with it."
        actions={begin}
        load={(query) => call('listImports', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/imports/${id}`}
        empty={{
          title: 'Nothing has been imported yet',
          hint: 'Import a .jsonl or .csv file of products. You see how far it is, and every line that could not be taken.',
          action: begin,
        }}
      />
      {importing && <NewImport onClose={() => setImporting(false)} />}
    </>
  )
}
