import type { InputOf } from '@vitrine/contract'
import type { OperatorImport, operatorOperations } from '@vitrine/contract/operator'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { go } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StoreChoice } from '../../ui/store-choice.tsx'
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

/** Chooses a file and its store, and shows how far the import is until it is over. */
export function NewImport({ onClose }: { readonly onClose: () => void }) {
  const [sending, setSending] = useState<File | null>(null)
  const [begun, setBegun] = useState<OperatorImport | null>(null)
  const [isUnknown, setIsUnknown] = useState(false)
  useRunningImport(sending, setBegun)

  async function send(fields: FormData): Promise<void> {
    const file = fields.get('file')
    const format = file instanceof File ? formatOf(file.name) : undefined
    setIsUnknown(!format)
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
    <Dialog title="Import a catalogue" onClose={onClose}>
      <Form submit={sending ? 'Importing …' : 'Import'} cancel={onClose} onSubmit={send}>
        <StoreChoice value="" label="Store of lines that name none" />
        <div class="field">
          <label for="import-file">File</label>
          <p class="small">.jsonl or .csv, also packed with gzip.</p>
          <input id="import-file" name="file" type="file" accept=".jsonl,.csv,.gz" aria-invalid={isUnknown} />
          {isUnknown && (
            <p class="fault">Choose a file whose name ends in .jsonl or .csv, or in one of them with .gz.</p>
          )}
        </div>
      </Form>
      {sending && <Progress file={sending} running={begun} />}
    </Dialog>
  )
}

/** Looks every second for the import that this upload began. */
function useRunningImport(file: File | null, show: (running: OperatorImport | null) => void): void {
  const shown = useRef(show)
  useEffect(() => {
    shown.current(null)
    if (file === null) return
    const startedAt = Date.now()
    const looking = setInterval(async () => {
      const { items } = await call('listImports', { query: { q: file.name, limit: 1 } }).catch(() => ({ items: [] }))
      const [newest] = items
      if (newest && newest.bytesTotal === file.size && Date.parse(newest.updatedAt) > startedAt - POLL_MS * 60) {
        shown.current(newest)
      }
    }, POLL_MS)
    return () => clearInterval(looking)
  }, [file])
}

function Progress({ file, running }: { readonly file: File; readonly running: OperatorImport | null }) {
  return (
    <div aria-live="polite">
      {running ? (
        <ImportFigures report={running} />
      ) : (
        <Notice>
          <p>Sending {file.name} …</p>
        </Notice>
      )}
      <p class="small">You may leave this open and look elsewhere in another tab. Closing this tab ends the import.</p>
    </div>
  )
}
