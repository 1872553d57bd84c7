import type { OperatorLineReport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { Form, Select } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LineReport } from '../../ui/import-report.tsx'
import { Page, Section } from '../../ui/page.tsx'

const back = { to: '/orders', title: 'Orders' }

/** Orders of another system, with their past. */
export function ImportOrdersPage() {
  const installations = useCall('installations', () => call('listInstallations', { query: { limit: 100 } }))
  const [report, setReport] = useState<OperatorLineReport | null>(null)
  const [sent, setSent] = useState<number | null>(null)
  const [isUnknown, setIsUnknown] = useState(false)

  async function send(fields: FormData): Promise<void> {
    const file = fields.get('file')
    const isFile = file instanceof File && /\.jsonl(\.gz)?$/i.test(file.name)
    setIsUnknown(!isFile)
    if (!isFile) return
    setReport(null)
    setSent(0)
    const installationId = String(fields.get('installationId'))
    const format = /\.gz$/i.test(file.name) ? 'jsonl.gz' : 'jsonl'
    const query = { format, ...(installationId && { installationId }) } as const
    try {
      setReport(await upload('importOrders', file, { query }, (part, total) => setSent(part / total)))
    } finally {
      setSent(null)
    }
  }

  const choices = installations.answer?.items.map(({ id, name, environment }) => {
    return [id, `${name} (${environment})`] as const
  })
  return (
    <Page
      title="Import orders"
      lead="Orders of another system, with their past: one a line. They are frozen, so the same file again changes nothing. Nobody who listens is told of them."
      back={back}
    >
      {report && <LineReport report={report} made="new" />}
      <Section title="The file">
        <Form submit={sent === null ? 'Import' : 'Importing …'} onSubmit={send}>
          <Select
            name="installationId"
            label="Installation"
            hint="Of lines that name none."
            options={[['', 'As each line says'], ...(choices ?? [])]}
          />
          <div class="field">
            <label for="orders-file">File</label>
            <p class="small">.jsonl, also packed with gzip.</p>
            <input id="orders-file" name="file" type="file" accept=".jsonl,.gz" aria-invalid={isUnknown} />
            {isUnknown && <p class="fault">Choose a file whose name ends in .jsonl or .jsonl.gz.</p>}
          </div>
        </Form>
        {sent !== null && <progress value={sent} aria-label="How much of the file has been sent" />}
      </Section>
    </Page>
  )
}
