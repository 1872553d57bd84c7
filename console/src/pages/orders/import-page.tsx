import type { OperatorLineReport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { upload } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Form } from '../../ui/form/form.tsx'
import { InstallationSelect } from '../../ui/form/installation-select.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { ImportReport } from '../../ui/import-report.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { EarlierUploads, UploadProgress } from '../imports/earlier-uploads.tsx'

const back = { to: '/orders', title: translate('Orders') }

/** Imports orders from another system, with their history. */
export function ImportOrdersPage() {
  const may = useMay()
  const [report, setReport] = useState<OperatorLineReport | null>(null)
  const [sent, setSent] = useState<number | null>(null)
  const [isInvalid, setIsInvalid] = useState(false)
  // Once the server has the file, it no longer needs this page.
  useUnsaved(() => sent !== null && sent < 1)

  async function send(fields: FormData): Promise<void> {
    const file = fields.get('file')
    const isFile = file instanceof File && /\.jsonl(\.gz)?$/i.test(file.name)
    setIsInvalid(!isFile)
    if (!isFile) return
    setReport(null)
    setSent(0)
    const installationId = fields.get('installationId')?.toString()
    const format = /\.gz$/i.test(file.name) ? 'jsonl.gz' : 'jsonl'
    const query = { format, ...(installationId && { installationId }) } as const
    try {
      setReport(await upload('importOrders', file, { query }, (part, total) => setSent(part / total)))
    } finally {
      setSent(null)
    }
  }

  return (
    <Page
      title={translate('Import orders')}
      lead={translate(
        'Orders from another system, with their history, one per line. Importing the same file again changes nothing. No webhooks are sent.',
      )}
      back={back}
    >
      {report && <ImportReport report={report} />}
      <Section title={translate('File')}>
        <Form submit={sent === null ? translate('Import') : translate('Importing…')} by="importOrders" onSubmit={send}>
          {may('listInstallations') && (
            <InstallationSelect
              name="installationId"
              label={translate('Installation')}
              hint={translate('For lines that do not specify one.')}
              none={translate('As specified per line')}
              value=""
            />
          )}
          <div class="field">
            <label for="orders-file">{translate('File')}</label>
            <p class="small">{translate('.jsonl, optionally gzipped.')}</p>
            <input id="orders-file" name="file" type="file" accept=".jsonl,.gz" aria-invalid={isInvalid} />
            {isInvalid && <p class="error">{translate('Choose a .jsonl or .jsonl.gz file.')}</p>}
          </div>
        </Form>
        {sent !== null && <UploadProgress sent={sent} />}
      </Section>
      {may('listAuditLog') && <EarlierUploads operation="importOrders" round={sent === null} />}
    </Page>
  )
}
