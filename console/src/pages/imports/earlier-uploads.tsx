import type { AuditEntry, OperatorLineReport } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { operatorName } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

const SHOWN = 10

type Figures = Partial<Pick<OperatorLineReport, 'read' | 'created' | 'unchanged' | 'refused'>>
const figuresOf = ({ after }: AuditEntry) => (after ?? {}) as Figures & { readonly status?: string }
const figure = (title: string, name: keyof Figures): Column<AuditEntry> => ({
  title,
  numeric: true,
  show: (entry) => <Count value={figuresOf(entry)[name] ?? 0} />,
})

const columns: readonly Column<AuditEntry>[] = [
  { title: translate('Time'), show: ({ at }) => <DateTime at={at} /> },
  { title: translate('Operator'), text: true, show: ({ operator }) => operatorName(operator.email) },
  { title: translate('Status'), show: (entry) => <Status value={figuresOf(entry).status ?? 'completed'} /> },
  figure(translate('Lines read'), 'read'),
  figure(translate('Created'), 'created'),
  figure(translate('Unchanged'), 'unchanged'),
  figure(translate('Rejected'), 'refused'),
]

interface EarlierUploadsProps {
  readonly operation: 'importOrders' | 'importLicenseKeys'
  /** Changes when an upload has ended. */
  readonly round: number | boolean
}

/** The results of earlier uploads, also of those whose page was closed before they ended: the audit log has them. */
export function EarlierUploads({ operation, round }: EarlierUploadsProps) {
  const { data, error, reload } = useCall(`${operation} ${round}`, () =>
    call('listAuditLog', { query: { operation, limit: SHOWN } }),
  )
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (!data || data.items.length === 0) return null
  // An upload has an entry when it begins, and another one when it has ended, perhaps in the same millisecond.
  const latest = data.items.filter(
    (entry) =>
      figuresOf(entry).status !== 'running' ||
      data.items.every(({ id, subject }) => id === entry.id || subject.id !== entry.subject.id),
  )
  return (
    <Section title={translate('Earlier imports')}>
      <p class="small">
        {translate('To see the rejected lines of one again, import its file again: nothing else changes.')}
      </p>
      <Table caption={translate('Earlier imports')} items={latest} columns={columns} keyOf={({ id }) => id} />
    </Section>
  )
}

/** The progress of an upload, from 0 to 1, and what the server does once it has the file. */
export function UploadProgress({ sent }: { readonly sent: number }) {
  return (
    <div role="status">
      <progress {...(sent < 1 && { value: sent })} aria-label={translate('Upload progress')} />
      {sent === 1 && (
        <p class="small">
          {translate(
            'The file has arrived. If you leave this page, the import goes on, and its result is shown here later.',
          )}
        </p>
      )}
    </div>
  )
}
