import type { OperatorInvoice } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

const COLUMNS: readonly Column<OperatorInvoice>[] = [
  {
    title: 'Number',
    show: ({ id, number }) => (
      <a href={`/operator/v1/invoices/${id}/pdf`} download={`${number}.pdf`}>
        {number}
      </a>
    ),
  },
  { title: 'Type', show: ({ kind, corrects }) => `${sentenceCase(kind)}${corrects ? ` for ${corrects}` : ''}` },
  { title: 'Seller', show: ({ seller }) => seller },
  { title: 'Date', show: ({ issuedAt }) => <DateTime at={issuedAt} /> },
  { title: 'Total', numeric: true, show: ({ total }) => <Amount {...total} /> },
]

/** The invoices and credit notes of an order. */
export function OrderInvoices({ orderId, version }: { readonly orderId: string; readonly version: number }) {
  const { data, error, reload } = useCall(`${orderId} ${version}`, () =>
    call('listOrderInvoices', { params: { orderId } }),
  )
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (!data || data.items.length === 0) return null
  return (
    <Section title="Invoices">
      <Table caption="Invoices" items={data.items} columns={COLUMNS} keyOf={({ id }) => id} />
    </Section>
  )
}
