import { deliveryStatuses, eventKinds } from 'virtual:contract-words'
import type { WebhookDelivery } from '@vitrine/contract'
import { Fragment } from 'preact'
import { call } from '../../api.ts'
import { useParameter } from '../../router.tsx'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Pager } from '../../ui/list/pagination.tsx'
import { ParameterSelect } from '../../ui/list/query-filter.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

const columns: readonly Column<WebhookDelivery>[] = [
  { title: 'Event', text: true, show: ({ eventType }) => <EventName eventType={eventType} /> },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Attempts', figure: true, show: ({ attempts }) => <Count value={attempts.length} /> },
  { title: 'Last response', show: ({ attempts }) => responseText(attempts.at(-1)) },
  { title: 'Next attempt', show: ({ nextAttemptAt }) => (nextAttemptAt ? <When at={nextAttemptAt} /> : '') },
  { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
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
  if (!attempt) return 'Not sent yet'
  return attempt.httpStatus === undefined ? (attempt.error ?? 'No response') : String(attempt.httpStatus)
}

/** The deliveries to an endpoint, newest first. A new `round` reloads them. */
export function Deliveries({ endpointId, round }: { readonly endpointId: string; readonly round: number }) {
  const [selectedStatus] = useParameter('status')
  const [selectedEvent] = useParameter('event')
  const [cursor] = useParameter('cursor')
  const status = deliveryStatuses.find((each) => each === selectedStatus)
  const eventType = eventKinds.find((each) => each === selectedEvent)
  const { answer, error, loading, reload } = useCall([endpointId, status, eventType, cursor, round].join(' '), () =>
    call('listWebhookDeliveries', {
      params: { endpointId },
      query: { ...(status && { status }), ...(eventType && { eventType }), ...(cursor && { cursor }) },
    }),
  )
  return (
    <Section
      title="Deliveries"
      actions={
        <button type="button" onClick={reload}>
          Refresh
        </button>
      }
    >
      <div class="filters">
        <ParameterSelect name="status" label="Status" options={deliveryStatuses} />
        <ParameterSelect name="event" label="Event" options={eventKinds} />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div aria-busy={loading} class={loading ? 'loading' : ''}>
        {answer?.items.length === 0 && <Empty title="No deliveries" hint="Send a test event, or remove a filter." />}
        {answer && (
          <Table
            caption="Deliveries"
            items={answer.items}
            columns={columns}
            keyOf={({ id }) => id}
            to={({ id }) => `/webhook-deliveries/${id}`}
          />
        )}
      </div>
      <Pager nextCursor={answer?.nextCursor} />
    </Section>
  )
}
