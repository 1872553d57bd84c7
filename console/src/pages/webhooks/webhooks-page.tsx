import type { OperatorWebhookEndpoint } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'

const STATUSES = ['enabled', 'paused', 'disabled'] as const

const columns: readonly Column<OperatorWebhookEndpoint>[] = [
  { title: 'URL', wide: true, show: ({ endpoint }) => <code>{endpoint.url}</code> },
  { title: 'Installation', text: true, show: ({ installation }) => installation.name },
  { title: 'Environment', show: ({ environment }) => asSentence(environment) },
  { title: 'Status', show: ({ endpoint }) => <Status value={endpoint.status} /> },
  { title: 'Pending', figure: true, show: ({ endpoint }) => <Count value={endpoint.stats.pendingCount} /> },
  {
    title: 'Consecutive failures',
    figure: true,
    show: ({ endpoint }) => <Count value={endpoint.stats.consecutiveFailures} />,
  },
  {
    title: 'Last success',
    show: ({ endpoint: { stats } }) => (stats.lastSuccessAt ? <When at={stats.lastSuccessAt} /> : 'Never'),
  },
]

/** The webhook endpoints of all installations. */
export function WebhooksPage() {
  const [asked] = useParameter('status')
  const status = STATUSES.find((each) => each === asked)
  return (
    <ListPage
      title="Webhooks"
      lead="Endpoints of installations that receive events about orders, stock, and the catalog."
      filters={<ParameterSelect name="status" label="Status" options={STATUSES} />}
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
