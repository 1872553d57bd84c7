import type { OperatorImportReport } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Count, DateTime, formatNumber } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Section } from '../../ui/page.tsx'

interface UndoProps {
  readonly report: OperatorImportReport
  readonly onDone: () => void
}

/** A button that opens a preview of the undo. */
export function UndoButton({ report, onDone }: UndoProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Allowed by="undoImport">
        <button type="button" onClick={() => setOpen(true)}>
          {translate('Undo import…')}
        </button>
      </Allowed>
      {isOpen && <UndoDialog report={report} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  )
}

function UndoDialog({ report: { id }, onDone, onClose }: UndoProps & { readonly onClose: () => void }) {
  const params = { importId: id }
  const { data, error, reload } = useCall(id, () => call('getImportUndo', { params }))
  const { run, actionError, busy } = useAction(() => {
    onClose()
    onDone()
  })
  return (
    <Dialog title={translate('Undo this import?')} onClose={onClose}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError !== null && <ErrorNotice error={actionError} />}
      {!data && !error && <p class="lead">{translate('Checking what the undo would change…')}</p>}
      {data && (
        <>
          <Figures undo={data} />
          <p>{translate('Categories that the import created are kept. Stock that was sold since then stays sold.')}</p>
        </>
      )}
      <div class="actions">
        <button
          type="button"
          class="danger"
          disabled={busy || !data}
          onClick={() => run(() => call('undoImport', { params, body: {} }))}
        >
          {translate('Undo import')}
        </button>
        <button type="button" data-focus="" onClick={onClose}>
          {translate('Keep it')}
        </button>
      </div>
    </Dialog>
  )
}

type Undo = Awaited<ReturnType<typeof loadUndo>>
const loadUndo = (importId: string) => call('getImportUndo', { params: { importId } })

function Figures({ undo: { removed, archived, restored, changedSince, left } }: { readonly undo: Undo }) {
  return (
    <>
      <DescriptionList
        items={[
          [translate('New products removed'), <Count key="r" value={removed} />],
          [translate('New products archived, because they are in orders or carts'), <Count key="a" value={archived} />],
          [translate('Products restored to their earlier state'), <Count key="b" value={restored} />],
          [translate('Products kept, because they were changed later'), <Count key="s" value={changedSince} />],
        ]}
      />
      {left.length > 0 && (
        <details>
          <summary>{translate('Products that are kept')}</summary>
          <ul>
            {left.map(({ id, name, updatedAt }) => (
              <li key={id}>
                <Link to={`/products/${id}`}>{name}</Link> <span class="small">{translate('changed on')}</span>{' '}
                <DateTime at={updatedAt} />
              </li>
            ))}
          </ul>
          {changedSince > left.length && (
            <p class="small">{translate('{count} in all.', { count: formatNumber(changedSince) })}</p>
          )}
        </details>
      )}
    </>
  )
}

/** The progress and the results of an undo. */
export function UndoResult({ report: { id, undo } }: Pick<UndoProps, 'report'>) {
  const { data } = useCall(`${id} ${undo}`, () => loadUndo(id))
  return (
    <Section title={translate('Undo')}>
      <Notice kind={undo === 'done' ? 'good' : 'info'}>
        <p>
          {undo === 'done'
            ? translate('This import was undone. New products are archived first, and removed a few minutes later.')
            : translate('This import is being undone. You can leave this page.')}
        </p>
      </Notice>
      {data && <Figures undo={data} />}
    </Section>
  )
}
