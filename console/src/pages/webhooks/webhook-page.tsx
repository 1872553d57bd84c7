import type { OperatorWebhookEndpoint } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'
import { SecretNotice } from '../integrations/secret-notice.tsx'
import { Deliveries } from './deliveries.tsx'

const back = { to: '/webhooks', title: 'Webhooks' }

/** One webhook endpoint: status and deliveries. */
export function WebhookPage({ params }: PageProps) {
  const endpointId = params.endpointId ?? ''
  const { data, error, reload } = useCall(endpointId, () => call('getWebhookEndpoint', { params: { endpointId } }))
  const [testing, setTesting] = useState(false)
  const [sent, setSent] = useState(0)
  const [secret, setSecret] = useState<string | null>(null)
  const { actionError, busy, run } = useAction(reload)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { endpoint, integration } = data

  const rotate = () =>
    void run(async () => {
      const params = { integrationId: integration?.id ?? '', endpointId }
      const { secret: created } = await call('updateIntegrationWebhook', { params, body: { rotateSecret: true } })
      setSecret(created ?? null)
    })

  const setStatus = (status: 'enabled' | 'paused') =>
    void run(() => call('setWebhookEndpointStatus', { params: { endpointId }, body: { status } }))

  const actions = (
    <>
      {endpoint.status === 'enabled' ? (
        <>
          <button type="button" class="primary" onClick={() => setTesting(true)}>
            Send test event
          </button>
          <button
            type="button"
            disabled={busy}
            onClick={() =>
              askThen(
                {
                  title: 'Pause this endpoint?',
                  consequences:
                    'Its pending deliveries are canceled, and no events are sent until you enable it again.',
                  action: 'Pause',
                },
                () => setStatus('paused'),
              )
            }
          >
            Pause
          </button>
        </>
      ) : (
        <button type="button" class="primary" disabled={busy} onClick={() => setStatus('enabled')}>
          Enable
        </button>
      )}
      {integration && <RotateSecret busy={busy} rotate={rotate} />}
      <Link to={`/audit-log?subject=${endpointId}`}>Audit log</Link>
    </>
  )
  return (
    <Page title={new URL(endpoint.url).host} back={back} actions={actions}>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {secret !== null && <SecretNotice secret={secret} onClose={() => setSecret(null)} />}
      {sent > 0 && (
        <Notice kind="good">
          <p>Test event sent. It appears in the deliveries within moments.</p>
        </Notice>
      )}
      <Overview of={data} />
      <Deliveries endpointId={endpointId} round={sent} />
      {testing && (
        <TestEvent
          endpointId={endpointId}
          onClose={() => setTesting(false)}
          onSent={() => {
            setTesting(false)
            setSent((before) => before + 1)
          }}
        />
      )}
    </Page>
  )
}

function TestEvent({
  endpointId,
  onClose,
  onSent,
}: {
  readonly endpointId: string
  readonly onClose: () => void
  readonly onSent: () => void
}) {
  return (
    <Dialog title="Send test event" onClose={onClose}>
      <Form
        submit="Send"
        cancel={onClose}
        onSubmit={async (fields) => {
          const message = String(fields.get('message'))
          await call('sendWebhookTest', { params: { endpointId }, body: { message } })
          onSent()
        }}
      >
        <Field name="message" label="Message" hint="Included in the event data." value="Hello" required />
      </Form>
    </Dialog>
  )
}

function Overview({
  of: { endpoint, installation, integration, environment },
}: {
  readonly of: OperatorWebhookEndpoint
}) {
  const { stats, status, disabledReason, events } = endpoint
  return (
    <Section title="Overview">
      {status === 'disabled' && (
        <Notice kind="bad">
          <p>
            {disabledReason === 'gone'
              ? 'Disabled because the endpoint responded with 410 Gone.'
              : 'Disabled because the endpoint failed for several days.'}{' '}
            Enable it once it works again.
          </p>
        </Notice>
      )}
      <DescriptionList
        items={[
          ['Status', <Status key="s" value={status} />],
          ['URL', <code key="a">{endpoint.url}</code>],
          installation
            ? [
                'Installation',
                <Link key="i" to={`/installations/${installation.id}`}>
                  {installation.name}
                </Link>,
              ]
            : [
                'Integration',
                <Link key="i" to="/integrations">
                  {integration?.name}
                </Link>,
              ],
          ['Environment', sentenceCase(environment)],
          ['Events', events.includes('*') ? 'All events' : events.join(', ')],
          ['Delivered', <Count key="d" value={stats.deliveredCount} />],
          ['Failed', <Count key="f" value={stats.failedCount} />],
          ['Pending', <Count key="p" value={stats.pendingCount} />],
          ['Consecutive failures', <Count key="c" value={stats.consecutiveFailures} />],
          ['Last success', stats.lastSuccessAt ? <DateTime key="l" at={stats.lastSuccessAt} /> : 'Never'],
          ['Last failure', stats.lastFailureAt ? <DateTime key="m" at={stats.lastFailureAt} /> : 'Never'],
          ['Secret', <code key="h">{endpoint.secretHint}</code>],
        ]}
      />
    </Section>
  )
}

function RotateSecret({ busy, rotate }: { readonly busy: boolean; readonly rotate: () => void }) {
  return (
    <button
      type="button"
      disabled={busy}
      onClick={() =>
        askThen(
          {
            title: 'Rotate the signing secret?',
            consequences: 'Both secrets sign for 24 hours. Then the current one stops.',
            action: 'Rotate',
          },
          rotate,
        )
      }
    >
      Rotate secret
    </button>
  )
}
