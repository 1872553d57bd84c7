import { AFTER_SALES_STATUSES } from '@vitrine/contract'
import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorAfterSales>[] = [
  { title: 'Order', show: ({ orderNumber }) => orderNumber },
  { title: 'Status', show: ({ request }) => <Status value={request.status} /> },
  { title: 'Type', show: ({ request }) => asSentence(request.kind) },
  { title: 'Reason', show: ({ request }) => asSentence(request.reasonCode) },
  { title: 'Requested', show: ({ request }) => <When at={request.createdAt} /> },
  {
    title: 'Due',
    show: ({ request: { deadlines } }) => {
      const due = deadlines.decideBy ?? deadlines.returnBy
      return due ? <When at={due} /> : ''
    },
  },
  { title: 'Refund', figure: true, show: ({ request }) => <Amount {...request.refundEstimate} /> },
]

/** Return requests, longest waiting first. */
export function RequestsPage() {
  const [status, setStatus] = useParameter('status')
  return (
    <ListPage
      title="Returns"
      lead="Requests for refunds, returns, exchanges, and repairs. Longest waiting first."
      searchable={false}
      filters={
        <Select
          name="status"
          label="Status"
          value={status}
          onChange={setStatus}
          options={[['', 'Open'], ...AFTER_SALES_STATUSES.map((each) => [each, asSentence(each)] as const)]}
        />
      }
      load={({ cursor }) => {
        const known = AFTER_SALES_STATUSES.find((each) => each === status)
        return call('listAfterSales', { query: { cursor, status: known } })
      }}
      columns={columns}
      keyOf={({ request }) => request.id}
      to={({ request }) => `/returns/${request.id}`}
      empty={{ title: 'No open requests', hint: 'Requests from customers appear here until they are completed.' }}
    />
  )
}
