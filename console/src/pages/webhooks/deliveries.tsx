import { deliveryStatuses, eventKinds } from 'virtual:contract-enums'
import type { WebhookDelivery } from '@vitrine/contract'
import { Fragment } from 'preact'
import { call } from '../../api.ts'
import { translate, translateIfKnown } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Pagination } from '../../ui/list/pagination.tsx'
import { QueryFilter } from '../../ui/list/query-filter.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

const columns: readonly Column<WebhookDelivery>[] = [
  { title: translate('Event'), text: true, show: ({ eventType }) => <EventName eventType={eventType} /> },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Attempts'), numeric: true, show: ({ attempts }) => <Count value={attempts.length} /> },
  { title: translate('Last response'), show: ({ attempts }) => responseText(attempts.at(-1)) },
  {
    title: translate('Next attempt'),
    show: ({ nextAttemptAt }) => (nextAttemptAt ? <DateTime at={nextAttemptAt} /> : ''),
  },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
]

/** Long names break after a dot. */
function EventName({ eventType }: Pick<WebhookDelivery, 'eventType'>) {
  return (
    <>
      {eventType.split('.').map((part, index) => (
        <Fragment key={part}>
          {index > 0 && (
            <>
              .<wbr />
            </>
          )}
          {part}
        </Fragment>
      ))}
    </>
  )
}

/** The result of an attempt in a few words. */
export function responseText(attempt: WebhookDelivery['attempts'][number] | undefined): string {
  if (!attempt) return translate('Not sent yet')
  if (attempt.httpStatus !== undefined) return String(attempt.httpStatus)
  return attempt.error === undefined ? translate('No response') : translateIfKnown(attempt.error)
}

/** The deliveries to an endpoint, newest first. A new `round` reloads them. */
export function Deliveries({ endpointId, round }: { readonly endpointId: string; readonly round: number }) {
  const [selectedStatus] = useQueryParameter('status')
  const [selectedEvent] = useQueryParameter('event')
  const [cursor] = useQueryParameter('cursor')
  const status = deliveryStatuses.find((each) => each === selectedStatus)
  const eventType = eventKinds.find((each) => each === selectedEvent)
  const { data, error, loading, reload } = useCall([endpointId, status, eventType, cursor, round].join(' '), () =>
    call('listWebhookDeliveries', {
      params: { endpointId },
      query: { ...(status && { status }), ...(eventType && { eventType }), ...(cursor && { cursor }) },
    }),
  )
  return (
    <Section
      title={translate('Deliveries')}
      actions={
        <button type="button" onClick={reload}>
          {translate('Refresh')}
        </button>
      }
    >
      <div class="filters">
        <QueryFilter name="status" label={translate('Status')} options={deliveryStatuses} />
        <QueryFilter name="event" label={translate('Event')} options={eventKinds} />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div aria-busy={loading} class={loading ? 'loading' : ''}>
        {data?.items.length === 0 && (
          <Empty title={translate('No deliveries')} hint={translate('Send a test event, or remove a filter.')} />
        )}
        {data && (
          <Table
            caption={translate('Deliveries')}
            items={data.items}
            columns={columns}
            keyOf={({ id }) => id}
            to={({ id }) => `/webhook-deliveries/${id}`}
          />
        )}
      </div>
      <Pagination nextCursor={data?.nextCursor} />
    </Section>
  )
}
