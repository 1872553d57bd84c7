import type { InputOf } from '@vitrine/contract'
import type { operatorOperations } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { upload } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'

type Format = InputOf<(typeof operatorOperations)['importCatalog']>['query']['format']

const FORMATS: readonly (readonly [ending: RegExp, format: Format])[] = [
  [/\.jsonl$/i, 'jsonl'],
  [/\.jsonl\.gz$/i, 'jsonl.gz'],
  [/\.csv$/i, 'csv'],
  [/\.csv\.gz$/i, 'csv.gz'],
]
const formatOf = (name: string) => FORMATS.find(([ending]) => ending.test(name))?.[1]

/** Selects a file and a store, shows the progress of the upload, and opens the import. */
export function NewImport({ onClose }: { readonly onClose: () => void }) {
  const [sent, setSent] = useState<number | null>(null)
  const [isInvalid, setIsInvalid] = useState(false)

  async function send(fields: FormData): Promise<void> {
    const file = fields.get('file')
    const format = file instanceof File ? formatOf(file.name) : undefined
    setIsInvalid(!format)
    if (!(file instanceof File) || !format) return
    setSent(0)
    try {
      const store = String(fields.get('storeSlug'))
      const query = { format, name: file.name, bytes: file.size, ...(store && { store }) }
      const report = await upload('importCatalog', file, { query }, (part, total) => setSent(part / total))
      navigate(`/imports/${report.id}`)
    } finally {
      setSent(null)
    }
  }

  return (
    <Dialog title={translate('Import catalog')} onClose={onClose}>
      <Form submit={sent === null ? translate('Import') : translate('Uploading…')} cancel={onClose} onSubmit={send}>
        <StoreSelect value="" label={translate('Default store')} />
        <div class="field">
          <label for="import-file">{translate('File')}</label>
          <p class="small">{translate('.jsonl or .csv, optionally gzipped.')}</p>
          <input id="import-file" name="file" type="file" accept=".jsonl,.csv,.gz" aria-invalid={isInvalid} />
          {isInvalid && <p class="error">{translate('Choose a .jsonl, .csv, .jsonl.gz, or .csv.gz file.')}</p>}
        </div>
      </Form>
      {sent !== null && (
        <>
          <progress value={sent} aria-label={translate('Upload progress')} />
          <p class="small">
            {translate('Keep this tab open until the file is uploaded. The import then continues without it.')}
          </p>
        </>
      )}
    </Dialog>
  )
}
