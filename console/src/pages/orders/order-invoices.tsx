import type { OperatorInvoice } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

const COLUMNS: readonly Column<OperatorInvoice>[] = [
  {
    title: translate('Number'),
    show: ({ id, number }) => (
      <a href={`/operator/v1/invoices/${id}/pdf`} download={`${number}.pdf`}>
        {number}
      </a>
    ),
  },
  {
    title: translate('Type'),
    show: ({ kind, corrects }) =>
      corrects ? translate('{kind} for {number}', { kind: sentenceCase(kind), number: corrects }) : sentenceCase(kind),
  },
  { title: translate('Seller'), show: ({ seller }) => seller },
  { title: translate('Date'), show: ({ issuedAt }) => <DateTime at={issuedAt} /> },
  { title: translate('Total'), numeric: true, show: ({ total }) => <Amount {...total} /> },
]

/** The invoices and credit notes of an order. */
export function OrderInvoices({ orderId, version }: { readonly orderId: string; readonly version: number }) {
  const { data, error, reload } = useCall(`${orderId} ${version}`, () =>
    call('listOrderInvoices', { params: { orderId } }),
  )
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (!data || data.items.length === 0) return null
  return (
    <Section title={translate('Invoices')}>
      <Table caption={translate('Invoices')} items={data.items} columns={COLUMNS} keyOf={({ id }) => id} />
    </Section>
  )
}
