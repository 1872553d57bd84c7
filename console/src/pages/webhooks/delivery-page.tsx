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
import { responseText } from './deliveries.tsx'

const RESENDABLE: readonly string[] = ['succeeded', 'dead']

const columns: readonly Column<WebhookDelivery['attempts'][number]>[] = [
  { title: 'Attempt', figure: true, show: ({ n }) => n },
  { title: 'Time', show: ({ at }) => <When at={at} /> },
  { title: 'Response', wide: true, show: (attempt) => responseText(attempt) },
  { title: 'Duration', figure: true, show: ({ durationMs }) => <span class="amount">{durationMs} ms</span> },
]

/** One delivery of an event to an endpoint: attempts and payload. */
export function DeliveryPage({ params }: PageProps) {
  const deliveryId = params.deliveryId ?? ''
  const { answer, error, reload } = useCall(deliveryId, () => call('getWebhookDelivery', { params: { deliveryId } }))
  const [resending, setResending] = useState(false)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { delivery, body, bodyBytes } = answer
  const { status, eventType, eventId, sequence, endpointId, attempts, nextAttemptAt, replayOf, createdAt } = delivery
  return (
    <Page
      title={eventType}
      back={{ to: `/webhooks/${endpointId}`, title: 'Webhook endpoint' }}
      actions={
        RESENDABLE.includes(status) && (
          <button type="button" class="primary" onClick={() => setResending(true)}>
            Resend
          </button>
        )
      }
    >
      <Section title="Overview">
        <Facts
          facts={[
            ['Status', <Status key="s" value={status} />],
            ['Event ID', <code key="e">{eventId}</code>],
            ['Sequence', <Count key="n" value={sequence} />],
            ['Created', <When key="w" at={createdAt} />],
            ...(nextAttemptAt ? [['Next attempt', <When key="x" at={nextAttemptAt} />] as const] : []),
            ...(replayOf
              ? [
                  [
                    'Resend of',
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
        {attempts.length === 0 && <Empty title="Not sent yet" hint="It is sent within moments." />}
        <Table caption="Attempts" items={attempts} columns={columns} keyOf={({ n }) => String(n)} />
      </Section>
      <Section title="Payload">
        {body === undefined ? (
          <p class="small">The payload is no longer stored.</p>
        ) : (
          <>
            <p class="small">
              <Count value={bodyBytes} /> bytes, signed exactly as sent. Formatted here for reading.
            </p>
            <pre>{readable(body)}</pre>
          </>
        )}
      </Section>
      {resending && (
        <Dialog title="Resend" onClose={() => setResending(false)}>
          <Form
            submit="Resend"
            cancel={() => setResending(false)}
            onSubmit={async (fields) => {
              const reason = String(fields.get('reason')).trim()
              const made = await call('replayWebhookDelivery', {
                params: { deliveryId },
                body: reason ? { reason } : {},
              })
              setResending(false)
              go(`/webhook-deliveries/${made.id}`)
            }}
          >
            <Field name="reason" label="Reason" hint="Optional." />
          </Form>
        </Dialog>
      )}
    </Page>
  )
}

function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
