import { AFTER_SALES_STATUSES } from '@vitrine/contract'
import type { OperatorAfterSales } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { ReturnsBoard } from './board.tsx'

const LEAD = translate('Requests for refunds, returns, exchanges, and repairs. Longest waiting first.')

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

/** Return requests, as a board by next step or as a list. */
export function RequestsPage() {
  const [view, setView] = useQueryParameter('view')
  const [status] = useQueryParameter('status')
  const shown = view === 'list' || status ? 'list' : 'board'
  const views = (
    <Segments
      label={translate('View')}
      value={shown}
      onChange={(value) => setView(value === 'list' ? 'list' : '')}
      options={[
        ['board', translate('Board')],
        ['list', translate('List')],
      ]}
    />
  )
  if (shown === 'list') return <RequestList views={views} />
  return (
    <Page title={translate('Returns')} lead={LEAD} actions={views}>
      <ReturnsBoard />
    </Page>
  )
}

function RequestList({ views }: { readonly views: ComponentChildren }) {
  const environment = useEnvironment()
  const [status, setStatus] = useQueryParameter('status')
  return (
    <ListPage
      title={translate('Returns')}
      lead={LEAD}
      actions={views}
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
