import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
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
  const { answer, error, reload } = useCall('readiness', () => call('listReadinessProofs'))
  const [recording, setRecording] = useState<string | null>(null)
  const columns: readonly Column<Proof>[] = [
    { title: 'Requirement', wide: true, show: ({ remedy }) => remedy },
    { title: 'Status', show: ({ recorded }) => <Status value={recorded ? 'ready' : 'pending'} /> },
    {
      title: 'Actions',
      acts: true,
      show: ({ code, recorded }) => (
        <button type="button" onClick={() => setRecording(code)}>
          {recorded ? 'Record again' : 'Record'}
        </button>
      ),
    },
  ]
  return (
    <Page
      title="Readiness"
      lead="Requirements that only a person can verify. Live keys are rejected until evidence for each is recorded."
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {answer && (
        <Notice kind={answer.activated ? 'good' : 'info'}>
          <p>{answer.activated ? 'Live keys work.' : 'Live keys are rejected. Test keys work.'}</p>
        </Notice>
      )}
      {answer && <Table caption="Requirements" items={answer.items} columns={columns} keyOf={({ code }) => code} />}
      {recording && (
        <Dialog title="Record evidence" onClose={() => setRecording(null)}>
          <Form
            submit="Record"
            cancel={() => setRecording(null)}
            onSubmit={async (fields) => {
              await call('recordReadinessProof', { body: { code: recording, note: String(fields.get('note')) } })
              setRecording(null)
              reload()
            }}
          >
            <TextField name="note" label="What was verified, when, and by whom" required />
          </Form>
        </Dialog>
      )}
    </Page>
  )
}
