import type { OperatorWebhookEndpoint } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { QueryFilter } from '../../ui/list/query-filter.tsx'

const STATUSES = ['enabled', 'paused', 'disabled'] as const

const columns: readonly Column<OperatorWebhookEndpoint>[] = [
  { title: translate('URL'), wide: true, show: ({ endpoint }) => <code>{endpoint.url}</code> },
  {
    title: translate('Owner'),
    text: true,
    show: ({ installation, integration }) => (installation ?? integration)?.name,
  },
  { title: translate('Environment'), show: ({ environment }) => sentenceCase(environment) },
  { title: translate('Status'), show: ({ endpoint }) => <Status value={endpoint.status} /> },
  { title: translate('Pending'), numeric: true, show: ({ endpoint }) => <Count value={endpoint.stats.pendingCount} /> },
  {
    title: translate('Consecutive failures'),
    numeric: true,
    show: ({ endpoint }) => <Count value={endpoint.stats.consecutiveFailures} />,
  },
  {
    title: translate('Last success'),
    show: ({ endpoint: { stats } }) =>
      stats.lastSuccessAt ? <DateTime at={stats.lastSuccessAt} /> : translate('Never'),
  },
]

/** The webhook endpoints of all installations and integrations. */
export function WebhooksPage() {
  const [selected] = useQueryParameter('status')
  const status = STATUSES.find((each) => each === selected)
  return (
    <ListPage
      title={translate('Webhooks')}
      lead={translate('Endpoints of installations that receive events about orders, stock, and the catalog.')}
      filters={<QueryFilter name="status" label={translate('Status')} options={STATUSES} />}
      load={(query) => call('listWebhookEndpoints', { query: { ...query, ...(status && { status }) } })}
      columns={columns}
      keyOf={({ endpoint }) => endpoint.id}
      to={({ endpoint }) => `/webhooks/${endpoint.id}`}
      empty={{
        title: translate('No webhook endpoints yet'),
        hint: translate(
          'Installations create endpoints through the public API, with a key that has the webhooks:write scope.',
        ),
      }}
    />
  )
}
