import type { OperatorLicensePool, OperatorLineReport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call, upload } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { FieldError } from '../../ui/form/field-error.ts'
import { Form, Select, TextField } from '../../ui/form/form.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ImportReport } from '../../ui/import-report.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { SkuPicker } from '../../ui/record-picker.tsx'
import { EarlierUploads, UploadProgress } from '../imports/earlier-uploads.tsx'

/** License keys that are emailed to customers after payment. */
export function LicenseKeysPage() {
  const { data, error, reload } = useCall('pools', () => call('listLicensePools'))
  const environment = useEnvironment()
  const may = useMay()
  const [round, setRound] = useState(0)
  const [importing, setImporting] = useState<Pick<OperatorLicensePool, 'skuId' | 'environment'> | null>(null)
  const [report, setReport] = useState<OperatorLineReport | null>(null)
  const fill = (
    <Allowed by="importLicenseKeys">
      <button type="button" class="primary" onClick={() => setImporting({ skuId: '', environment })}>
        {translate('Import keys')}
      </button>
    </Allowed>
  )
  const waiting = data?.items.filter(({ owed, free }) => owed > free).length ?? 0
  return (
    <Page
      title={translate('License keys')}
      lead={translate(
        'Keys that are emailed to customers after payment, each only once. Keys are stored encrypted and cannot be viewed again.',
      )}
      actions={fill}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {report && <ImportReport report={report} />}
      {waiting > 0 && (
        <Notice kind="bad">
          <p>
            {translate(
              'Customers have paid for keys that are not in stock. They receive them as soon as you import more.',
            )}
          </p>
        </Notice>
      )}
      {data && (
        <Table
          caption={translate('License keys')}
          items={data.items}
          columns={columnsFor(setImporting)}
          keyOf={keyOf}
        />
      )}
      {data?.items.length === 0 && (
        <Empty
          title={translate('No license keys yet')}
          hint={translate('Once you import keys for a SKU, it is delivered by email.')}
        >
          {fill}
        </Empty>
      )}
      {may('listAuditLog') && <EarlierUploads operation="importLicenseKeys" round={round} />}
      {importing && (
        <ImportKeys
          pool={importing}
          onClose={() => setImporting(null)}
          onDone={(done) => {
            setImporting(null)
            setReport(done)
            setRound(round + 1)
            reload()
          }}
        />
      )}
    </Page>
  )
}

const keyOf = ({ skuId, environment }: OperatorLicensePool) => `${skuId}/${environment}`

function columnsFor(fill: (pool: OperatorLicensePool) => void): readonly Column<OperatorLicensePool>[] {
  return [
    { title: translate('SKU'), show: ({ skuCode }) => skuCode },
    { title: translate('Environment'), show: ({ environment }) => sentenceCase(environment) },
    { title: translate('Available'), numeric: true, show: ({ free }) => <Count value={free} /> },
    { title: translate('Delivered'), numeric: true, show: ({ given }) => <Count value={given} /> },
    { title: translate('Backordered'), numeric: true, show: ({ owed }) => <Count value={owed} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: (pool) => (
        <Allowed by="importLicenseKeys">
          <button type="button" onClick={() => fill(pool)}>
            {translate('Import keys')}
          </button>
        </Allowed>
      ),
    },
  ]
}

interface ImportKeysProps {
  readonly pool: Pick<OperatorLicensePool, 'skuId' | 'environment'>
  readonly onDone: (report: OperatorLineReport) => void
  readonly onClose: () => void
}

function ImportKeys({ pool, onDone, onClose }: ImportKeysProps) {
  const [sent, setSent] = useState<number | null>(null)
  useUnsaved(() => sent !== null && sent < 1)
  return (
    <Dialog title={translate('Import keys')} onClose={onClose}>
      <Form
        submit={translate('Import')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const selected = fields.get('file')
          const typed = String(fields.get('keys') ?? '')
          const file = selected instanceof File && selected.size > 0 ? selected : new File([typed], 'keys.txt')
          const params = { skuId: String(fields.get('skuId')) }
          if (params.skuId === '') throw new FieldError('/skuId', translate('Required.'))
          const environment = fields.get('environment') === 'test' ? 'test' : 'live'
          setSent(0)
          try {
            const onProgress = (part: number, total: number) => setSent(part / total)
            onDone(await upload('importLicenseKeys', file, { params, query: { environment } }, onProgress))
          } finally {
            setSent(null)
          }
        }}
      >
        <SkuPicker name="skuId" label={translate('Variant')} ids={pool.skuId ? [pool.skuId] : []} isSingle />
        <Select
          name="environment"
          label={translate('Environment')}
          value={pool.environment}
          options={[
            ['live', translate('Live')],
            ['test', translate('Test')],
          ]}
        />
        <div class="field">
          <label for="keys-file">{translate('File')}</label>
          <p class="small">{translate('One key per line. Importing the same file again changes nothing.')}</p>
          <input id="keys-file" name="file" type="file" accept=".txt,.csv,text/plain" />
        </div>
        <TextField name="keys" label={translate('Or paste keys')} hint={translate('One per line.')} rows={5} />
      </Form>
      {sent !== null && <UploadProgress sent={sent} />}
    </Dialog>
  )
}
