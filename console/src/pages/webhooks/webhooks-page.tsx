import type { OperatorWebhookEndpoint } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useQueryParameter } from '../../router.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { QueryFilter } from '../../ui/list/query-filter.tsx'

const STATUSES = ['enabled', 'paused', 'disabled'] as const

const columns: readonly Column<OperatorWebhookEndpoint>[] = [
  { title: 'URL', wide: true, show: ({ endpoint }) => <code>{endpoint.url}</code> },
  { title: 'Owner', text: true, show: ({ installation, integration }) => (installation ?? integration)?.name },
  { title: 'Environment', show: ({ environment }) => sentenceCase(environment) },
  { title: 'Status', show: ({ endpoint }) => <Status value={endpoint.status} /> },
  { title: 'Pending', numeric: true, show: ({ endpoint }) => <Count value={endpoint.stats.pendingCount} /> },
  {
    title: 'Consecutive failures',
    numeric: true,
    show: ({ endpoint }) => <Count value={endpoint.stats.consecutiveFailures} />,
  },
  {
    title: 'Last success',
    show: ({ endpoint: { stats } }) => (stats.lastSuccessAt ? <DateTime at={stats.lastSuccessAt} /> : 'Never'),
  },
]

/** The webhook endpoints of all installations. */
export function WebhooksPage() {
  const [selected] = useQueryParameter('status')
  const status = STATUSES.find((each) => each === selected)
  return (
    <ListPage
      title="Webhooks"
      lead="Endpoints of installations that receive events about orders, stock, and the catalog."
      filters={<QueryFilter name="status" label="Status" options={STATUSES} />}
      load={(query) => call('listWebhookEndpoints', { query: { ...query, ...(status && { status }) } })}
      columns={columns}
      keyOf={({ endpoint }) => endpoint.id}
      to={({ endpoint }) => `/webhooks/${endpoint.id}`}
      empty={{
        title: 'No webhook endpoints yet',
        hint: 'Installations create endpoints through the public API, with a key that has the webhooks:write scope.',
      }}
    />
  )
}
