import type { WebhookDelivery } from '@vitrine/contract'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link, navigate } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Count, DateTime, formatNumber, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { LoadingPage } from '../../ui/loading.tsx'
import { Empty } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { responseText } from './deliveries.tsx'

const RESENDABLE: readonly string[] = ['succeeded', 'dead']

const columns: readonly Column<WebhookDelivery['attempts'][number]>[] = [
  { title: translate('Attempt'), numeric: true, show: ({ n }) => n },
  { title: translate('Time'), show: ({ at }) => <DateTime at={at} /> },
  { title: translate('Response'), wide: true, show: (attempt) => responseText(attempt) },
  {
    title: translate('Duration'),
    numeric: true,
    show: ({ durationMs }) => <span class="amount">{translate('{durationMs} ms', { durationMs })}</span>,
  },
]

function Payload({ body, bytes }: { readonly body: string | undefined; readonly bytes: number }) {
  if (body === undefined) return <p class="small">{translate('The payload is no longer stored.')}</p>
  return (
    <>
      <p class="small">
        {translate('{count} bytes, signed exactly as sent. Formatted here for reading.', {
          count: formatNumber(bytes),
        })}
      </p>
      <pre>{readable(body)}</pre>
    </>
  )
}

/** One delivery of an event to an endpoint: attempts and payload. */
export function DeliveryPage({ params }: PageProps) {
  const deliveryId = params.deliveryId ?? ''
  const { data, error, reload } = useCall(deliveryId, () => call('getWebhookDelivery', { params: { deliveryId } }))
  const [resending, setResending] = useState(false)
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { delivery, body, bodyBytes } = data
  const { status, eventType, eventId, sequence, endpointId, attempts, nextAttemptAt, replayOf, createdAt } = delivery
  return (
    <Page
      title={eventType}
      back={{ to: `/webhooks/${endpointId}`, title: translate('Webhook endpoint') }}
      actions={
        RESENDABLE.includes(status) && (
          <Allowed by="replayWebhookDelivery">
            <button type="button" class="primary" onClick={() => setResending(true)}>
              {translate('Resend')}
            </button>
          </Allowed>
        )
      }
    >
      <Section title={translate('Overview')}>
        <DescriptionList
          items={[
            [translate('Status'), <Status key="s" value={status} />],
            [translate('Event ID'), <code key="e">{eventId}</code>],
            [translate('Sequence'), <Count key="n" value={sequence} />],
            [translate('Created'), <DateTime key="w" at={createdAt} />],
            ...(nextAttemptAt ? [[translate('Next attempt'), <DateTime key="x" at={nextAttemptAt} />] as const] : []),
            ...(replayOf
              ? [
                  [
                    translate('Resend of'),
                    <Link key="r" to={`/webhook-deliveries/${replayOf}`}>
                      <code>{replayOf}</code>
                    </Link>,
                  ] as const,
                ]
              : []),
          ]}
        />
      </Section>
      <Section title={translate('Attempts')}>
        {attempts.length === 0 && (
          <Empty title={translate('Not sent yet')} hint={translate('It is sent within moments.')} />
        )}
        <Table caption={translate('Attempts')} items={attempts} columns={columns} keyOf={({ n }) => String(n)} />
      </Section>
      <Section title={translate('Payload')}>
        <Payload body={body} bytes={bodyBytes} />
      </Section>
      {resending && (
        <Dialog title={translate('Resend')} onClose={() => setResending(false)}>
          <Form
            submit={translate('Resend')}
            cancel={() => setResending(false)}
            onSubmit={async (fields) => {
              const reason = String(fields.get('reason')).trim()
              const resent = await call('replayWebhookDelivery', {
                params: { deliveryId },
                body: reason ? { reason } : {},
              })
              setResending(false)
              navigate(`/webhook-deliveries/${resent.id}`)
            }}
          >
            <Field name="reason" label={translate('Reason')} hint={translate('Optional.')} />
          </Form>
        </Dialog>
      )}
    </Page>
  )
}

function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
