import type { OperatorImportReport } from '@vitrine/contract/operator'
import { useEffect } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate, translateMessage } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { describeReason } from '../../ui/form/validation-messages.ts'
import { Count } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { LoadingPage } from '../../ui/loading.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { ImportProgress, isOngoing } from './import-progress.tsx'
import './imports.css'
import { UndoButton, UndoResult } from './undo.tsx'

type RefusedLine = OperatorImportReport['refusals'][number]

const back = { to: '/imports', title: translate('Imports') }
const POLL_MS = 1000
const SHOWN_MAX = 100
const columns: readonly Column<RefusedLine>[] = [
  { title: translate('Line'), numeric: true, show: ({ line }) => <Count value={line} /> },
  { title: translate('Reason'), wide: true, show: ({ reason }) => describeReason(reason) },
]

/** One import: progress, results and rejected lines. */
export function ImportPage({ params }: PageProps) {
  const importId = params.importId ?? ''
  const { data, error, reload } = useCall(importId, () => call('getImport', { params: { importId } }))
  useEffect(() => {
    if (!data || !(isOngoing(data) || data.undo === 'running')) return
    const waiting = setTimeout(reload, POLL_MS)
    return () => clearTimeout(waiting)
    // Polling continues after a failed request, too.
  }, [data, error])
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { fileName, format, status, refused } = data
  return (
    <Page title={fileName ?? translate('{format} import', { format })} back={back}>
      <Section title={translate('Results')}>
        <ImportProgress report={data} />
        {(isOngoing(data) || status === 'interrupted' || data.undo === 'possible') && (
          <div class="actions">
            {(isOngoing(data) || status === 'interrupted') && <Cancel id={data.id} onDone={reload} />}
            {data.undo === 'possible' && <UndoButton report={data} onDone={reload} />}
          </div>
        )}
        <Outcome report={data} />
      </Section>
      {(data.undo === 'running' || data.undo === 'done') && <UndoResult report={data} />}
      {refused > 0 && <Refused report={data} />}
    </Page>
  )
}

/** The outcome so far. It is at the end of its card, so that a change of it moves nothing else. */
function Outcome({ report }: { readonly report: OperatorImportReport }) {
  const { failure, status, refused, unattended } = report
  return (
    <>
      {failure && (
        <Notice kind="bad">
          <p>{translateMessage(failure)}</p>
        </Notice>
      )}
      {status === 'interrupted' && (
        <Notice kind="bad">
          <p>
            {translate('This import was interrupted. Import the file again: lines that were imported are skipped.')}
          </p>
        </Notice>
      )}
      {unattended && (
        <Notice kind="bad">
          <p>
            {translate(
              'No worker is running, so this import waits. It starts as soon as a server with the worker role runs.',
            )}
          </p>
        </Notice>
      )}
      {isOngoing(report) && !unattended && status !== 'uploading' && (
        <Notice>
          <p>{translate('You can leave this page: the import continues in the background.')}</p>
        </Notice>
      )}
      {status === 'completed' && refused === 0 && (
        <Notice kind="good">
          <p>{translate('All lines were imported.')}</p>
        </Notice>
      )}
    </>
  )
}

function Cancel({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const { run, actionError, busy } = useAction(onDone)
  const cancel = () => call('cancelImport', { params: { importId: id } })
  return (
    <>
      {actionError !== null && <ErrorNotice error={actionError} />}
      <Allowed by="cancelImport">
        <button type="button" disabled={busy} onClick={() => run(cancel)}>
          {translate('Cancel import')}
        </button>
      </Allowed>
    </>
  )
}

function Refused({ report: { id, refused, refusals } }: { readonly report: OperatorImportReport }) {
  const limit =
    refusals.length < refused ? translate('Only the first {count} are stored.', { count: refusals.length }) : ''
  const shown = refusals.slice(0, SHOWN_MAX)
  return (
    <Section
      title={translate('Rejected lines')}
      actions={
        <a class="button" download={`${id}-rejected.csv`} href={`/operator/v1/imports/${id}/refusals`}>
          {translate('Download CSV')}
        </a>
      }
    >
      <p class="small">
        {translate(
          'The CSV has the rejected rows as they were, and the reason in its last column. Correct it and import it.',
        )}{' '}
        {limit} {shown.length < refusals.length && translate('{count} are shown here.', { count: shown.length })}
      </p>
      <Table caption={translate('Rejected lines')} items={shown} columns={columns} keyOf={({ line }) => String(line)} />
    </Section>
  )
}
