import type { InputOf } from '@vitrine/contract'
import type { operatorOperations } from '@vitrine/contract/operator'
import { useRef, useState } from 'preact/hooks'
import { upload } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { chooseFile } from './chosen-file.ts'

type Format = InputOf<(typeof operatorOperations)['importCatalog']>['query']['format']

const FORMATS: readonly (readonly [ending: RegExp, format: Format])[] = [
  [/\.jsonl$/i, 'jsonl'],
  [/\.jsonl\.gz$/i, 'jsonl.gz'],
  [/\.csv$/i, 'csv'],
  [/\.csv\.gz$/i, 'csv.gz'],
]
const formatOf = (name: string) => FORMATS.find(([ending]) => ending.test(name))?.[1]

/** Selects a file and a store. A table opens its preview; another file is uploaded, with its progress, and opens its import. */
export function NewImport({ onClose }: { readonly onClose: () => void }) {
  const [sent, setSent] = useState<number | null>(null)
  const isSending = useRef(false)
  useUnsaved(() => isSending.current)
  const [isInvalid, setIsInvalid] = useState(false)
  const [isTable, setIsTable] = useState(false)

  async function send(fields: FormData): Promise<void> {
    const file = fields.get('file')
    const format = file instanceof File ? formatOf(file.name) : undefined
    setIsInvalid(!format)
    if (!(file instanceof File) || !format) return
    const store = String(fields.get('storeSlug'))
    if (format === 'csv' || format === 'csv.gz') {
      chooseFile({ file, format, store })
      navigate('/imports/new')
      return
    }
    setSent(0)
    isSending.current = true
    try {
      const query = { format, name: file.name, bytes: file.size, ...(store && { store }) }
      const report = await upload('importCatalog', file, { query }, (part, total) => setSent(part / total))
      isSending.current = false
      navigate(`/imports/${report.id}`)
    } finally {
      isSending.current = false
      setSent(null)
    }
  }

  return (
    <Dialog title={translate('Import catalog')} onClose={onClose}>
      <Form
        submit={sent === null ? (isTable ? translate('Preview') : translate('Import')) : translate('Uploading…')}
        cancel={onClose}
        guarded={false}
        onSubmit={send}
      >
        <StoreSelect value="" label={translate('Default store')} />
        <div class="field">
          <label for="import-file">{translate('File')}</label>
          <p class="small">
            {translate(
              'A product export from Shopify, any other .csv, or .jsonl catalog lines; optionally gzipped. You see what a .csv file changes before it is imported.',
            )}
          </p>
          <input
            id="import-file"
            name="file"
            type="file"
            accept=".jsonl,.csv,.gz"
            aria-invalid={isInvalid}
            onChange={({ currentTarget: { files } }) => setIsTable(/\.csv(\.gz)?$/i.test(files?.[0]?.name ?? ''))}
          />
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
