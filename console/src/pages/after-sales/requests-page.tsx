import { AFTER_SALES_STATUSES } from '@vitrine/contract'
import type { OperatorAfterSales } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { ReturnsBoard } from './board.tsx'

const LEAD = 'Requests for refunds, returns, exchanges, and repairs. Longest waiting first.'

const columns: readonly Column<OperatorAfterSales>[] = [
  { title: 'Order', show: ({ orderNumber }) => orderNumber },
  { title: 'Status', show: ({ request }) => <Status value={request.status} /> },
  { title: 'Type', show: ({ request }) => sentenceCase(request.kind) },
  { title: 'Reason', show: ({ request }) => sentenceCase(request.reasonCode) },
  { title: 'Requested', show: ({ request }) => <DateTime at={request.createdAt} /> },
  {
    title: 'Due',
    show: ({ request: { deadlines } }) => {
      const due = deadlines.decideBy ?? deadlines.returnBy
      return due ? <DateTime at={due} /> : ''
    },
  },
  { title: 'Refund', numeric: true, show: ({ request }) => <Amount {...request.refundEstimate} /> },
]

/** Return requests, as a board of what they wait for or as a list. */
export function RequestsPage() {
  const [view, setView] = useQueryParameter('view')
  const [status] = useQueryParameter('status')
  const shown = view === 'list' || status ? 'list' : 'board'
  const views = (
    <Segments
      label="View"
      value={shown}
      onChange={(value) => setView(value === 'list' ? 'list' : '')}
      options={[
        ['board', 'Board'],
        ['list', 'List'],
      ]}
    />
  )
  if (shown === 'list') return <RequestList views={views} />
  return (
    <Page title="Returns" lead={LEAD} actions={views}>
      <ReturnsBoard />
    </Page>
  )
}

function RequestList({ views }: { readonly views: ComponentChildren }) {
  const environment = useEnvironment()
  const [status, setStatus] = useQueryParameter('status')
  return (
    <ListPage
      title="Returns"
      lead={LEAD}
      actions={views}
      searchable={false}
      filters={
        <Select
          name="status"
          label="Status"
          value={status}
          onChange={setStatus}
          options={[['', 'Open'], ...AFTER_SALES_STATUSES.map((each) => [each, sentenceCase(each)] as const)]}
        />
      }
      load={({ cursor }) => {
        const selected = AFTER_SALES_STATUSES.find((each) => each === status)
        return call('listAfterSales', { query: { cursor, status: selected, environment } })
      }}
      columns={columns}
      keyOf={({ request }) => request.id}
      to={({ request }) => `/returns/${request.id}`}
      empty={{ title: 'No open requests', hint: 'Requests from customers appear here until they are completed.' }}
    />
  )
}
