import { AFTER_SALES_STATUSES } from '@vitrine/contract'
import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

const columns: readonly Column<OperatorAfterSales>[] = [
  { title: translate('Order'), show: ({ orderNumber }) => orderNumber },
  { title: translate('Status'), show: ({ request }) => <Status value={request.status} /> },
  { title: translate('Type'), show: ({ request }) => sentenceCase(request.kind) },
  { title: translate('Reason'), show: ({ request }) => sentenceCase(request.reasonCode) },
  { title: translate('Requested'), show: ({ request }) => <DateTime at={request.createdAt} /> },
  {
    title: translate('Due'),
    show: ({ request: { deadlines } }) => {
      const due = deadlines.decideBy ?? deadlines.returnBy
      return due ? <DateTime at={due} /> : ''
    },
  },
  { title: translate('Refund'), numeric: true, show: ({ request }) => <Amount {...request.refundEstimate} /> },
]

/** Return requests, longest waiting first. */
export function RequestsPage() {
  const environment = useEnvironment()
  const [status, setStatus] = useQueryParameter('status')
  return (
    <ListPage
      title={translate('Returns')}
      lead={translate('Requests for refunds, returns, exchanges, and repairs. Longest waiting first.')}
      searchable={false}
      filters={
        <Select
          name="status"
          label={translate('Status')}
          value={status}
          onChange={setStatus}
          options={[
            ['', translate('Open')],
            ...AFTER_SALES_STATUSES.map((each) => [each, sentenceCase(each)] as const),
          ]}
        />
      }
      load={({ cursor }) => {
        const selected = AFTER_SALES_STATUSES.find((each) => each === status)
        return call('listAfterSales', { query: { cursor, status: selected, environment } })
      }}
      columns={columns}
      keyOf={({ request }) => request.id}
      to={({ request }) => `/returns/${request.id}`}
      empty={{
        title: translate('No open requests'),
        hint: translate('Requests from customers appear here until they are completed.'),
      }}
    />
  )
}
