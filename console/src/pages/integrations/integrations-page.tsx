import type { OperatorIntegration } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'
import { NewEndpoint } from './new-endpoint.tsx'
import { SecretNotice } from './secret-notice.tsx'

const AREAS = [
  ['orders', 'Orders, parcels and returns'],
  ['catalog', 'Products and stock'],
  ['customers', 'Customers'],
  ['finance', 'Payments and invoices'],
  ['refunds', 'Refunds apart from returns'],
  ['promotions', 'Promotions'],
  ['stores', 'Stores'],
  ['settings', 'Settings'],
  ['dashboard', 'Dashboard'],
  ['jobs', 'System'],
  ['audit', 'Audit log'],
] as const

/** The systems of the marketplace: their tokens and webhook endpoints. */
export function IntegrationsPage() {
  const { data, error, loading, reload } = useCall('integrations', () => call('listIntegrations', {}))
  const { actionError, run } = useAction(reload)
  const [creating, setCreating] = useState(false)
  const [subscribing, setSubscribing] = useState<OperatorIntegration | null>(null)
  const [secret, setSecret] = useState<string | null>(null)

  const replace = (integrationId: string) =>
    run(async () => {
      const { token } = await call('replaceIntegrationToken', { params: { integrationId }, body: {} })
      setSecret(token)
    })
  const revoke = (integrationId: string) =>
    run(() => call('revokeIntegration', { params: { integrationId }, body: {} }))
  const columns = columnsOf({ replace, revoke, subscribe: setSubscribing })
  return (
    <Page
      title="Integrations"
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          Create integration
        </button>
      }
    >
      <p class="lead">Systems such as an ERP, a warehouse or a product database, each with a token of its own.</p>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {secret !== null && <SecretNotice secret={secret} onClose={() => setSecret(null)} />}
      <div aria-busy={loading}>
        {data?.items.length === 0 && <Empty title="No integrations" hint="Create one for each system." />}
        {data && <Table caption="Integrations" items={data.items} columns={columns} keyOf={({ id }) => id} />}
      </div>
      {creating && (
        <NewIntegration
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false)
            setSecret(token)
            reload()
          }}
        />
      )}
      {subscribing && (
        <NewEndpoint
          integration={subscribing}
          onClose={() => setSubscribing(null)}
          onCreated={(created) => {
            setSubscribing(null)
            setSecret(created)
            reload()
          }}
        />
      )}
    </Page>
  )
}

function NewIntegration({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (token: string) => void
}) {
  return (
    <Dialog title="Create integration" onClose={onClose}>
      <Form
        submit="Create"
        cancel={onClose}
        onSubmit={async (fields) => {
          const given = AREAS.map(([area]) => [area, String(fields.get(area))]).filter(
            ([, access]) => access !== 'none',
          )
          const storeSlug = String(fields.get('storeSlug')).trim()
          const expiry = String(fields.get('expiresAt'))
          const { token } = await call('createIntegration', {
            body: {
              name: String(fields.get('name')),
              access: Object.fromEntries(given),
              ...(storeSlug && { storeSlug }),
              ...(expiry && { expiresAt: new Date(expiry).toISOString() }),
            },
          })
          onCreated(token)
        }}
      >
        <Field name="name" label="Name" hint="The audit log names it." required />
        <Field
          name="storeSlug"
          label="Store"
          hint="The slug of the one store that it sees. It can then use orders, parcels, returns, products and stock. Leave empty for all stores."
        />
        <Field name="expiresAt" label="Expires" type="date" hint="Optional." />
        <fieldset>
          <legend>Access</legend>
          {AREAS.map(([area, label]) => (
            <Select
              key={area}
              name={area}
              label={label}
              options={[
                ['none', 'No access'],
                ['read', 'Read'],
                ['write', 'Read and write'],
              ]}
            />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}

interface Actions {
  readonly replace: (integrationId: string) => unknown
  readonly revoke: (integrationId: string) => unknown
  readonly subscribe: (integration: OperatorIntegration) => void
}

function columnsOf({ replace, revoke, subscribe }: Actions): readonly Column<OperatorIntegration>[] {
  return [
    { title: 'Name', text: true, show: ({ name }) => name },
    { title: 'Status', show: ({ status }) => <Status value={status} /> },
    { title: 'Store', show: ({ store }) => store?.slug ?? 'All stores' },
    {
      title: 'Access',
      text: true,
      show: ({ access }) =>
        Object.entries(access)
          .map(([area, given]) => `${area} (${given})`)
          .join(', '),
    },
    { title: 'Token', show: ({ tokenHint }) => <code>{tokenHint}</code> },
    { title: 'Last used', show: ({ lastUsedAt }) => (lastUsedAt ? <DateTime at={lastUsedAt} /> : 'Never') },
    { title: 'Expires', show: ({ expiresAt }) => (expiresAt ? <DateTime at={expiresAt} /> : 'Never') },
    { title: 'Webhooks', numeric: true, show: ({ endpointCount }) => endpointCount },
    {
      title: 'Actions',
      buttons: true,
      show: (integration) => (
        <div class="actions">
          {integration.status === 'active' && (
            <>
              <button type="button" onClick={() => subscribe(integration)}>
                Add webhook
              </button>
              <button
                type="button"
                onClick={() =>
                  askThen(
                    {
                      title: 'Replace this token?',
                      consequences: 'The current token stops working immediately. Webhooks continue.',
                      action: 'Replace',
                    },
                    () => void replace(integration.id),
                  )
                }
              >
                Replace token
              </button>
            </>
          )}
          {integration.status !== 'revoked' && (
            <button
              type="button"
              class="danger"
              onClick={() =>
                askThen(
                  {
                    title: 'Revoke this integration?',
                    consequences: 'Its token stops working immediately, and its webhook endpoints are deleted.',
                    action: 'Revoke',
                  },
                  () => void revoke(integration.id),
                )
              }
            >
              Revoke
            </button>
          )}
        </div>
      ),
    },
  ]
}
