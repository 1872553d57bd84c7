import { AFTER_SALES_STATUSES } from '@vitrine/contract'
import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { inWords } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorAfterSales>[] = [
  { title: 'Order', show: ({ orderNumber }) => orderNumber },
  { title: 'State', show: ({ request }) => <Status value={request.status} /> },
  { title: 'Wants', show: ({ request }) => inWords(request.kind) },
  { title: 'Because', show: ({ request }) => inWords(request.reasonCode) },
  { title: 'Asked', show: ({ request }) => <When at={request.createdAt} /> },
  {
    title: 'Until',
    show: ({ request: { deadlines } }) => {
      const until = deadlines.decideBy ?? deadlines.returnBy
      return until ? <When at={until} /> : ''
    },
  },
  { title: 'Money', figure: true, show: ({ request }) => <Amount {...request.refundEstimate} /> },
]

/** What shoppers ask for after the sale, the longest waiting first. */
export function RequestsPage() {
  const [status, setStatus] = useParameter('status')
  return (
    <ListPage
      title="After the sale"
      lead="Refunds, returns, exchanges and repairs that shoppers ask for. The longest waiting stand first."
      searchable={false}
      filters={
        <Select
          name="status"
          label="State"
          value={status}
          onChange={setStatus}
          options={[['', 'under way'], ...AFTER_SALES_STATUSES.map((each) => [each, inWords(each)] as const)]}
        />
      }
      load={({ cursor }) => {
        const known = AFTER_SALES_STATUSES.find((each) => each === status)
        return call('listAfterSales', { query: { cursor, status: known } })
      }}
      columns={columns}
      keyOf={({ request }) => request.id}
      to={({ request }) => `/after-sales/${request.id}`}
      empty={{ title: 'Nobody waits', hint: 'What shoppers ask for after the sale shows here until it has ended.' }}
    />
  )
}
