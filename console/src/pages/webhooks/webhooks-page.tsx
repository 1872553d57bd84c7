import type { OperatorWebhookEndpoint } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'

const STATUSES = ['enabled', 'paused', 'disabled'] as const

const columns: readonly Column<OperatorWebhookEndpoint>[] = [
  { title: 'Address', wide: true, show: ({ endpoint }) => <code>{endpoint.url}</code> },
  { title: 'Installation', text: true, show: ({ installation }) => installation.name },
  { title: 'Environment', show: ({ environment }) => environment },
  { title: 'Status', show: ({ endpoint }) => <Status value={endpoint.status} /> },
  { title: 'Waiting', figure: true, show: ({ endpoint }) => <Count value={endpoint.stats.pendingCount} /> },
  { title: 'Failing', figure: true, show: ({ endpoint }) => <Count value={endpoint.stats.consecutiveFailures} /> },
  {
    title: 'Last success',
    show: ({ endpoint: { stats } }) => (stats.lastSuccessAt ? <When at={stats.lastSuccessAt} /> : 'never'),
  },
]

/** Where installations are told what happened. */
export function WebhooksPage() {
  const [asked] = useParameter('status')
  const status = STATUSES.find((each) => each === asked)
  return (
    <ListPage
      title="Webhooks"
      lead="Addresses that installations gave, so that they are told of orders, stock and the catalogue as it happens."
      filters={<ParameterSelect name="status" label="Status" options={STATUSES} />}
      load={(query) => call('listWebhookEndpoints', { query: { ...query, ...(status && { status }) } })}
      columns={columns}
      keyOf={({ endpoint }) => endpoint.id}
      to={({ endpoint }) => `/webhooks/${endpoint.id}`}
      empty={{
        title: 'Nobody is told anything yet',
        hint: 'An installation adds an endpoint itself, through the public interface, with a key that may write webhooks.',
      }}
    />
  )
}
