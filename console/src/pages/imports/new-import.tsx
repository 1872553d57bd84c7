import type { InputOf } from '@vitrine/contract'
import type { OperatorImport, operatorOperations } from '@vitrine/contract/operator'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { go } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ImportFigures } from './import-figures.tsx'

type Format = InputOf<(typeof operatorOperations)['importCatalog']>['query']['format']

const FORMATS: readonly (readonly [ending: RegExp, format: Format])[] = [
  [/\.jsonl$/i, 'jsonl'],
  [/\.jsonl\.gz$/i, 'jsonl.gz'],
  [/\.csv$/i, 'csv'],
  [/\.csv\.gz$/i, 'csv.gz'],
]
const formatOf = (name: string) => FORMATS.find(([ending]) => ending.test(name))?.[1]

const POLL_MS = 1000

/** Selects a file and a store, and shows the progress of the import. */
export function NewImport({ onClose }: { readonly onClose: () => void }) {
  const [sending, setSending] = useState<File | null>(null)
  const [started, setStarted] = useState<OperatorImport | null>(null)
  const [isInvalid, setIsInvalid] = useState(false)
  useRunningImport(sending, setStarted)

  async function send(fields: FormData): Promise<void> {
    const file = fields.get('file')
    const format = file instanceof File ? formatOf(file.name) : undefined
    setIsInvalid(!format)
    if (!(file instanceof File) || !format) return
    setSending(file)
    try {
      const store = String(fields.get('storeSlug'))
      const query = { format, name: file.name, bytes: file.size, ...(store && { store }) }
      const report = await upload('importCatalog', file, { query }, () => {})
      go(`/imports/${report.id}`)
    } finally {
      setSending(null)
    }
  }

  return (
    <Dialog title="Import catalog" onClose={onClose}>
      <Form submit={sending ? 'Importing…' : 'Import'} cancel={onClose} onSubmit={send}>
        <StoreChoice value="" label="Default store" />
        <div class="field">
          <label for="import-file">File</label>
          <p class="small">.jsonl or .csv, optionally gzipped.</p>
          <input id="import-file" name="file" type="file" accept=".jsonl,.csv,.gz" aria-invalid={isInvalid} />
          {isInvalid && <p class="fault">Choose a .jsonl, .csv, .jsonl.gz, or .csv.gz file.</p>}
        </div>
      </Form>
      {sending && <Progress file={sending} running={started} />}
    </Dialog>
  )
}

/** Polls every second for the import that this upload started. */
function useRunningImport(file: File | null, show: (running: OperatorImport | null) => void): void {
  const shown = useRef(show)
  useEffect(() => {
    shown.current(null)
    if (file === null) return
    const startedAt = Date.now()
    const polling = setInterval(async () => {
      const { items } = await call('listImports', { query: { q: file.name, limit: 1 } }).catch(() => ({ items: [] }))
      const [newest] = items
      if (newest && newest.bytesTotal === file.size && Date.parse(newest.updatedAt) > startedAt - POLL_MS * 60) {
        shown.current(newest)
      }
    }, POLL_MS)
    return () => clearInterval(polling)
  }, [file])
}

function Progress({ file, running }: { readonly file: File; readonly running: OperatorImport | null }) {
  return (
    <div aria-live="polite">
      {running ? (
        <ImportFigures report={running} />
      ) : (
        <Notice>
          <p>Uploading {file.name}…</p>
        </Notice>
      )}
      <p class="small">Keep this tab open until the import is complete. You can continue working in another tab.</p>
    </div>
  )
}
