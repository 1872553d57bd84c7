import type { OperatorWebhookEndpoint } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'
import { SecretNotice } from '../integrations/secret-notice.tsx'
import { Deliveries } from './deliveries.tsx'

const back = { to: '/webhooks', title: translate('Webhooks') }

const ROTATE = {
  title: translate('Rotate the signing secret?'),
  consequences: translate('Both secrets sign for 24 hours. Then the current one stops.'),
  action: translate('Rotate'),
}
const PAUSE = {
  title: translate('Pause this endpoint?'),
  consequences: translate('Its pending deliveries are canceled, and no events are sent until you enable it again.'),
  action: translate('Pause'),
}

/** One webhook endpoint: status and deliveries. */
export function WebhookPage({ params }: PageProps) {
  const endpointId = params.endpointId ?? ''
  const { data, error, reload } = useCall(endpointId, () => call('getWebhookEndpoint', { params: { endpointId } }))
  const [testing, setTesting] = useState(false)
  const [sent, setSent] = useState(0)
  const [secret, setSecret] = useState<string | null>(null)
  const { actionError, busy, run } = useAction(reload)
  if (!data) return <LoadingPage error={error} retry={reload} />
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
          <Allowed by="sendWebhookTest">
            <button type="button" class="primary" onClick={() => setTesting(true)}>
              {translate('Send test event')}
            </button>
          </Allowed>
          <Allowed by="setWebhookEndpointStatus">
            <button type="button" disabled={busy} onClick={() => askThen(PAUSE, () => setStatus('paused'))}>
              {translate('Pause')}
            </button>
          </Allowed>
        </>
      ) : (
        <Allowed by="setWebhookEndpointStatus">
          <button type="button" class="primary" disabled={busy} onClick={() => setStatus('enabled')}>
            {translate('Enable')}
          </button>
        </Allowed>
      )}
      {integration && <RotateSecret busy={busy} rotate={rotate} />}
      <AuditLink subject={endpointId} />
    </>
  )
  return (
    <Page title={new URL(endpoint.url).host} back={back} actions={actions}>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {secret !== null && <SecretNotice secret={secret} onClose={() => setSecret(null)} />}
      {sent > 0 && (
        <Notice kind="good">
          <p>{translate('Test event sent. It appears in the deliveries within moments.')}</p>
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
    <Dialog title={translate('Send test event')} onClose={onClose}>
      <Form
        submit={translate('Send')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const message = String(fields.get('message'))
          await call('sendWebhookTest', { params: { endpointId }, body: { message } })
          onSent()
        }}
      >
        <Field
          name="message"
          label={translate('Message')}
          hint={translate('Included in the event data.')}
          value="Hello"
          required
        />
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
    <Section title={translate('Overview')}>
      {status === 'disabled' && (
        <Notice kind="bad">
          <p>
            {disabledReason === 'gone'
              ? translate('Disabled because the endpoint responded with 410 Gone.')
              : translate('Disabled because the endpoint failed for several days.')}{' '}
            {translate('Enable it once it works again.')}
          </p>
        </Notice>
      )}
      <DescriptionList
        items={[
          [translate('Status'), <Status key="s" value={status} />],
          ['URL', <code key="a">{endpoint.url}</code>],
          installation
            ? [
                translate('Installation'),
                <Link key="i" to={`/installations/${installation.id}`}>
                  {installation.name}
                </Link>,
              ]
            : [
                translate('Integration'),
                <Link key="i" to="/integrations">
                  {integration?.name}
                </Link>,
              ],
          [translate('Environment'), sentenceCase(environment)],
          [translate('Events'), events.includes('*') ? translate('All events') : events.join(', ')],
          [translate('Delivered'), <Count key="d" value={stats.deliveredCount} />],
          [translate('Failed'), <Count key="f" value={stats.failedCount} />],
          [translate('Pending'), <Count key="p" value={stats.pendingCount} />],
          [translate('Consecutive failures'), <Count key="c" value={stats.consecutiveFailures} />],
          [
            translate('Last success'),
            stats.lastSuccessAt ? <DateTime key="l" at={stats.lastSuccessAt} /> : translate('Never'),
          ],
          [
            translate('Last failure'),
            stats.lastFailureAt ? <DateTime key="m" at={stats.lastFailureAt} /> : translate('Never'),
          ],
          [translate('Secret'), <code key="h">{endpoint.secretHint}</code>],
        ]}
      />
    </Section>
  )
}

function RotateSecret({ busy, rotate }: { readonly busy: boolean; readonly rotate: () => void }) {
  return (
    <Allowed by="updateIntegrationWebhook">
      <button type="button" disabled={busy} onClick={() => askThen(ROTATE, rotate)}>
        {translate('Rotate secret')}
      </button>
    </Allowed>
  )
}
