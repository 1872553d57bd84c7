import type { OperatorDispute } from '@vitrine/contract/operator'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

/** The disputes of a payment: until when the shop can respond, and where. Nothing without any. */
export function Disputes({ disputes }: { readonly disputes: readonly OperatorDispute[] }) {
  if (disputes.length === 0) return null
  const open = disputes.filter(({ status }) => status === 'open')
  return (
    <Section title="Disputes">
      {open.map(({ reference, respondBy, url }) => (
        <Notice key={reference}>
          <p>
            The buyer has disputed this payment with their bank. Respond at the payment provider
            {respondBy && (
              <>
                {' '}
                by <DateTime at={respondBy} />
              </>
            )}
            ; without a response the money is lost. {url && <a href={url}>Respond to the dispute</a>}
          </p>
        </Notice>
      ))}
      <Table caption="Disputes" items={disputes} columns={columns} keyOf={({ reference }) => reference} />
    </Section>
  )
}

const columns: readonly Column<OperatorDispute>[] = [
  { title: 'Reason', show: ({ reason }) => sentenceCase(reason) },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Opened', show: ({ openedAt }) => <DateTime at={openedAt} /> },
  {
    title: 'Provider reference',
    wide: true,
    show: ({ reference, url }) => (url ? <a href={url}>{reference}</a> : <code>{reference}</code>),
  },
  { title: 'Amount', numeric: true, show: ({ amount }) => <Amount {...amount} /> },
]
