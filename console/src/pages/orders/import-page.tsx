import type { OperatorLineReport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Form, Select } from '../../ui/form/form.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ImportReport } from '../../ui/import-report.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'

const back = { to: '/orders', title: translate('Orders') }

/** Imports orders from another system, with their history. */
export function ImportOrdersPage() {
  const may = useMay()
  const { data, error, reload } = useCall('installations', async () =>
    may('listInstallations') ? call('listInstallations', { query: { limit: 100 } }) : null,
  )
  const [report, setReport] = useState<OperatorLineReport | null>(null)
  const [sent, setSent] = useState<number | null>(null)
  const [isInvalid, setIsInvalid] = useState(false)
  useUnsaved(() => sent !== null)

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

  const choices = data?.items.map(({ id, name, environment }) => {
    return [id, `${name} (${environment})`] as const
  })
  return (
    <Page
      title={translate('Import orders')}
      lead={translate(
        'Orders from another system, with their history, one per line. Importing the same file again changes nothing. No webhooks are sent.',
      )}
      back={back}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {report && <ImportReport report={report} />}
      <Section title={translate('File')}>
        <Form submit={sent === null ? translate('Import') : translate('Importing…')} by="importOrders" onSubmit={send}>
          {choices && (
            <Select
              name="installationId"
              label={translate('Installation')}
              hint={translate('For lines that do not specify one.')}
              options={[['', translate('As specified per line')], ...choices]}
            />
          )}
          <div class="field">
            <label for="orders-file">{translate('File')}</label>
            <p class="small">{translate('.jsonl, optionally gzipped.')}</p>
            <input id="orders-file" name="file" type="file" accept=".jsonl,.gz" aria-invalid={isInvalid} />
            {isInvalid && <p class="error">{translate('Choose a .jsonl or .jsonl.gz file.')}</p>}
          </div>
        </Form>
        {sent !== null && <progress value={sent} aria-label={translate('Upload progress')} />}
      </Section>
    </Page>
  )
}
