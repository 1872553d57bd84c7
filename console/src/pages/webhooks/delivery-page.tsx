import type { WebhookDelivery } from '@vitrine/contract'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { go, Link } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { answerOf } from './deliveries.tsx'

const REPEATABLE: readonly string[] = ['succeeded', 'dead']

const columns: readonly Column<WebhookDelivery['attempts'][number]>[] = [
  { title: 'Attempt', figure: true, show: ({ n }) => n },
  { title: 'At', show: ({ at }) => <When at={at} /> },
  { title: 'Answer', wide: true, show: (attempt) => answerOf(attempt) },
  { title: 'Took', figure: true, show: ({ durationMs }) => <span class="amount">{durationMs} ms</span> },
]

/** One event on its way to one endpoint: each attempt, and what is sent. */
export function DeliveryPage({ params }: PageProps) {
  const deliveryId = params.deliveryId ?? ''
  const { answer, error, reload } = useCall(deliveryId, () => call('getWebhookDelivery', { params: { deliveryId } }))
  const [replaying, setReplaying] = useState(false)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const { delivery, body, bodyBytes } = answer
  const { status, eventType, eventId, sequence, endpointId, attempts, nextAttemptAt, replayOf, createdAt } = delivery
  return (
    <Page
      title={eventType}
      back={{ to: `/webhooks/${endpointId}`, title: 'Its endpoint' }}
      actions={
        REPEATABLE.includes(status) && (
          <button type="button" class="primary" onClick={() => setReplaying(true)}>
            Deliver again
          </button>
        )
      }
    >
      <Section title="Standing">
        <Facts
          facts={[
            ['Status', <Status key="s" value={status} />],
            ['Event', <code key="e">{eventId}</code>],
            ['Number', <Count key="n" value={sequence} />],
            ['Since', <When key="w" at={createdAt} />],
            ...(nextAttemptAt ? [['Next attempt', <When key="x" at={nextAttemptAt} />] as const] : []),
            ...(replayOf
              ? [
                  [
                    'Repeats',
                    <Link key="r" to={`/webhook-deliveries/${replayOf}`}>
                      <code>{replayOf}</code>
                    </Link>,
                  ] as const,
                ]
              : []),
          ]}
        />
      </Section>
      <Section title="Attempts">
        {attempts.length === 0 && <Empty title="Not tried yet" hint="It goes out with the next round of a worker." />}
        <Table caption="Attempts" items={attempts} columns={columns} keyOf={({ n }) => String(n)} />
      </Section>
      <Section title="What is sent">
        {body === undefined ? (
          <p class="small">The event is older than events are kept.</p>
        ) : (
          <>
            <p class="small">
              <Count value={bodyBytes} /> bytes, signed exactly as they are sent. Shown with line breaks to be read.
            </p>
            <pre>{readable(body)}</pre>
          </>
        )}
      </Section>
      {replaying && (
        <Dialog title="Deliver again" onClose={() => setReplaying(false)}>
          <Form
            submit="Deliver again"
            cancel={() => setReplaying(false)}
            onSubmit={async (fields) => {
              const reason = String(fields.get('reason')).trim()
              const made = await call('replayWebhookDelivery', {
                params: { deliveryId },
                body: reason ? { reason } : {},
              })
              setReplaying(false)
              go(`/webhook-deliveries/${made.id}`)
            }}
          >
            <Field name="reason" label="Why" hint="It may be empty." />
          </Form>
        </Dialog>
      )}
    </Page>
  )
}

function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
