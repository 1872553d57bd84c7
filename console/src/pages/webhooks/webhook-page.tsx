import type { OperatorWebhookEndpoint } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'

const back = { to: '/webhooks', title: 'Webhooks' }

/** An endpoint: how it fares, and what went to it. */
export function WebhookPage({ params }: PageProps) {
  const endpointId = params.endpointId ?? ''
  const { answer, error, reload } = useCall(endpointId, () => call('getWebhookEndpoint', { params: { endpointId } }))
  const [testing, setTesting] = useState(false)
  const [sent, setSent] = useState(0)
  const { failed, busy, act } = useAct(reload)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const { endpoint } = answer

  const turn = (status: 'enabled' | 'paused') =>
    void act(() => call('setWebhookEndpointStatus', { params: { endpointId }, body: { status } }))

  const actions = (
    <>
      {endpoint.status === 'enabled' ? (
        <>
          <button type="button" class="primary" onClick={() => setTesting(true)}>
            Send a test
          </button>
          <button
            type="button"
            disabled={busy}
            onClick={() => confirm('Pause it? What waits for it is canceled.') && turn('paused')}
          >
            Pause
          </button>
        </>
      ) : (
        <button type="button" class="primary" disabled={busy} onClick={() => turn('enabled')}>
          Enable
        </button>
      )}
      <Link to={`/audit-log?subject=${endpointId}`}>Who changed it</Link>
    </>
  )
  return (
    <Page title={new URL(endpoint.url).host} back={back} actions={actions}>
      {failed ? <ErrorNotice error={failed} /> : null}
      {sent > 0 && (
        <Notice kind="good">
          <p>The test is on its way. It stands among the deliveries within a moment.</p>
        </Notice>
      )}
      <Standing of={answer} />
      <Deliveries endpointId={endpointId} round={sent} />
      {testing && (
        <Dialog title="Send a test" onClose={() => setTesting(false)}>
          <Form
            submit="Send"
            cancel={() => setTesting(false)}
            onSubmit={async (fields) => {
              const message = String(fields.get('message'))
              await call('sendWebhookTest', { params: { endpointId }, body: { message } })
              setTesting(false)
              setSent((before) => before + 1)
            }}
          >
            <Field name="message" label="Message" hint="It stands in the data of the event." value="Hello" required />
          </Form>
        </Dialog>
      )}
    </Page>
  )
}

function Standing({ of: { endpoint, installation, environment } }: { readonly of: OperatorWebhookEndpoint }) {
  const { stats, status, disabledReason, events } = endpoint
  return (
    <Section title="Standing">
      {status === 'disabled' && (
        <Notice kind="bad">
          <p>
            {disabledReason === 'gone'
              ? 'It answered that it is gone (410), so nothing goes there any more.'
              : 'It has failed for days, so nothing goes there any more.'}{' '}
            Enable it once it works again.
          </p>
        </Notice>
      )}
      <Facts
        facts={[
          ['Status', <Status key="s" value={status} />],
          ['Address', <code key="a">{endpoint.url}</code>],
          [
            'Installation',
            <Link key="i" to={`/installations/${installation.id}`}>
              {installation.name}
            </Link>,
          ],
          ['Environment', environment],
          ['Told of', events.includes('*') ? 'everything' : events.join(', ')],
          ['Delivered', <Count key="d" value={stats.deliveredCount} />],
          ['Dead', <Count key="f" value={stats.failedCount} />],
          ['Waiting', <Count key="p" value={stats.pendingCount} />],
          ['Failures in a row', <Count key="c" value={stats.consecutiveFailures} />],
          ['Last success', stats.lastSuccessAt ? <When key="l" at={stats.lastSuccessAt} /> : 'never'],
          ['Last failure', stats.lastFailureAt ? <When key="m" at={stats.lastFailureAt} /> : 'never'],
          ['Secret', <code key="h">{endpoint.secretHint}</code>],
        ]}
      />
    </Section>
  )
}
