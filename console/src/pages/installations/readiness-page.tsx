import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate, translateIfKnown } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Form, TextField } from '../../ui/form/form.tsx'
import { Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

interface Proof {
  readonly code: string
  readonly remedy: string
  readonly recorded: boolean
}

/** The evidence that is required before live keys work. */
export function ReadinessPage() {
  const { data, error, reload } = useCall('readiness', () => call('listReadinessProofs'))
  const [recording, setRecording] = useState<string | null>(null)
  const columns: readonly Column<Proof>[] = [
    { title: translate('Requirement'), wide: true, show: ({ remedy }) => translateIfKnown(remedy) },
    { title: translate('Status'), show: ({ recorded }) => <Status value={recorded ? 'ready' : 'pending'} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ code, recorded }) => (
        <Allowed by="recordReadinessProof">
          <button type="button" onClick={() => setRecording(code)}>
            {recorded ? translate('Record again') : translate('Record')}
          </button>
        </Allowed>
      ),
    },
  ]
  return (
    <Page
      title={translate('Readiness')}
      lead={translate(
        'Requirements that only a person can verify. Live keys are rejected until evidence for each is recorded.',
      )}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && (
        <Notice kind={data.activated ? 'good' : 'info'}>
          <p>{data.activated ? translate('Live keys work.') : translate('Live keys are rejected. Test keys work.')}</p>
        </Notice>
      )}
      {data && (
        <Table caption={translate('Requirements')} items={data.items} columns={columns} keyOf={({ code }) => code} />
      )}
      {recording && (
        <Dialog title={translate('Record evidence')} onClose={() => setRecording(null)}>
          <Form
            submit={translate('Record')}
            cancel={() => setRecording(null)}
            onSubmit={async (fields) => {
              await call('recordReadinessProof', { body: { code: recording, note: String(fields.get('note')) } })
              setRecording(null)
              reload()
            }}
          >
            <TextField name="note" label={translate('What was verified, when, and by whom')} required />
          </Form>
        </Dialog>
      )}
    </Page>
  )
}
