import type { OperatorLicencePool, OperatorLineReport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { Count } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LineReport } from '../../ui/import-report.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

/** The keys that are mailed to who has paid for them. */
export function LicencesPage() {
  const { answer, error, reload } = useCall('pools', () => call('listLicencePools'))
  const [filling, setFilling] = useState<Pick<OperatorLicencePool, 'skuId' | 'environment'> | null>(null)
  const [report, setReport] = useState<OperatorLineReport | null>(null)
  const fill = (
    <button type="button" class="primary" onClick={() => setFilling({ skuId: '', environment: 'live' })}>
      Import keys
    </button>
  )
  const waiting = answer?.items.filter(({ owed, free }) => owed > free).length ?? 0
  return (
    <Page
      title="Licence keys"
      lead="Keys that are mailed to who has paid for them, each given once. They lie here sealed: nobody reads them again."
      actions={fill}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {report && <LineReport report={report} made="new" />}
      {waiting > 0 && (
        <Notice kind="bad">
          <p>Shoppers have paid for keys that are not there. They get them as soon as you import some.</p>
        </Notice>
      )}
      {answer && <Table caption="Pools" items={answer.items} columns={columnsFor(setFilling)} keyOf={keyOf} />}
      {answer?.items.length === 0 && (
        <Empty
          title="Nothing is delivered by mail yet"
          hint="From the first import of keys on, a SKU is delivered by mail instead of by hand."
        >
          {fill}
        </Empty>
      )}
      {filling && (
        <Fill
          pool={filling}
          onClose={() => setFilling(null)}
          onDone={(done) => {
            setFilling(null)
            setReport(done)
            reload()
          }}
        />
      )}
    </Page>
  )
}

const keyOf = ({ skuId, environment }: OperatorLicencePool) => `${skuId}/${environment}`

function columnsFor(fill: (pool: OperatorLicencePool) => void): readonly Column<OperatorLicencePool>[] {
  return [
    { title: 'SKU', show: ({ skuCode }) => skuCode },
    { title: 'Environment', show: ({ environment }) => environment },
    { title: 'Free', figure: true, show: ({ free }) => <Count value={free} /> },
    { title: 'Given', figure: true, show: ({ given }) => <Count value={given} /> },
    { title: 'Owed', figure: true, show: ({ owed }) => <Count value={owed} /> },
    {
      title: 'Do',
      acts: true,
      show: (pool) => (
        <button type="button" onClick={() => fill(pool)}>
          Import keys
        </button>
      ),
    },
  ]
}

interface FillProps {
  readonly pool: Pick<OperatorLicencePool, 'skuId' | 'environment'>
  readonly onDone: (report: OperatorLineReport) => void
  readonly onClose: () => void
}

function Fill({ pool, onDone, onClose }: FillProps) {
  return (
    <Dialog title="Import keys" onClose={onClose}>
      <Form
        submit="Import"
        cancel={onClose}
        onSubmit={async (fields) => {
          const chosen = fields.get('file')
          const typed = String(fields.get('keys') ?? '')
          const file = chosen instanceof File && chosen.size > 0 ? chosen : new File([typed], 'keys.txt')
          const params = { skuId: String(fields.get('skuId')).trim() }
          const environment = fields.get('environment') === 'test' ? 'test' : 'live'
          onDone(await upload('importLicenceKeys', file, { params, query: { environment } }, () => {}))
        }}
      >
        <Field name="skuId" label="SKU" hint="Its id: sku_…" value={pool.skuId} required />
        <Select
          name="environment"
          label="Environment"
          value={pool.environment}
          options={[
            ['live', 'Live'],
            ['test', 'Test'],
          ]}
        />
        <div class="field">
          <label for="keys-file">File</label>
          <p class="small">One key a line. The same file again changes nothing.</p>
          <input id="keys-file" name="file" type="file" accept=".txt,.csv,text/plain" />
        </div>
        <TextField name="keys" label="Or type them" hint="One a line." rows={5} />
      </Form>
    </Dialog>
  )
}
