import type { OperatorIntegration } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { storeName } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { askThen, DangerButton } from '../../ui/question.tsx'
import { NewEndpoint } from './new-endpoint.tsx'
import { SecretNotice } from './secret-notice.tsx'

const AREAS = [
  ['orders', translate('Orders, parcels and returns')],
  ['catalog', translate('Products and stock')],
  ['customers', translate('Customers')],
  ['finance', translate('Payments and invoices')],
  ['refunds', translate('Refunds outside returns')],
  ['promotions', translate('Promotions')],
  ['stores', translate('Stores')],
  ['settings', translate('Settings')],
  ['dashboard', translate('Dashboard')],
  ['jobs', translate('System')],
  ['audit', translate('Audit log')],
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
  const create = (
    <Allowed by="createIntegration">
      <button type="button" class="primary" onClick={() => setCreating(true)}>
        {translate('Create integration')}
      </button>
    </Allowed>
  )
  return (
    <Page
      title={translate('Integrations')}
      lead={translate('Systems such as an ERP, a warehouse or a product database, each with its own token.')}
      actions={create}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {secret !== null && <SecretNotice secret={secret} onClose={() => setSecret(null)} />}
      <div aria-busy={loading}>
        {data?.items.length === 0 && (
          <Empty title={translate('No integrations')} hint={translate('Create one for each system.')}>
            {create}
          </Empty>
        )}
        {data && (
          <Table caption={translate('Integrations')} items={data.items} columns={columns} keyOf={({ id }) => id} />
        )}
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
    <Dialog title={translate('Create integration')} onClose={onClose}>
      <Form
        submit={translate('Create')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const given = AREAS.map(([area]) => [area, String(fields.get(area))]).filter(
            ([, access]) => access !== 'none',
          )
          const storeSlug = String(fields.get('storeSlug'))
          const expiry = String(fields.get('expiresAt'))
          const { token } = await call('createIntegration', {
            body: {
              name: String(fields.get('name')),
              access: Object.fromEntries(given),
              ...(storeSlug && { storeSlug }),
              ...(expiry && { expiresAt: new Date(`${expiry}T23:59:59`).toISOString() }),
            },
          })
          onCreated(token)
        }}
      >
        <Field name="name" label={translate('Name')} hint={translate('Shown in the audit log.')} required />
        <StoreSelect
          value=""
          none={translate('All stores')}
          hint={translate('Limited to one store, it has access to orders, parcels, returns, products and stock.')}
        />
        <Field name="expiresAt" label={translate('Expires')} type="date" hint={translate('Optional.')} />
        <fieldset>
          <legend>{translate('Access')}</legend>
          {AREAS.map(([area, label]) => (
            <Select
              key={area}
              name={area}
              label={label}
              options={[
                ['none', translate('No access')],
                ['read', translate('Read')],
                ['write', translate('Read and write')],
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
    { title: translate('Name'), text: true, show: ({ name }) => name },
    { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
    { title: translate('Store'), show: ({ store }) => (store ? storeName(store.slug) : translate('All stores')) },
    {
      title: translate('Access'),
      text: true,
      show: ({ access }) =>
        Object.entries(access)
          .map(([area, given]) => `${area} (${given})`)
          .join(', '),
    },
    { title: translate('Token'), show: ({ tokenHint }) => <code>{tokenHint}</code> },
    {
      title: translate('Last used'),
      show: ({ lastUsedAt }) => (lastUsedAt ? <DateTime at={lastUsedAt} /> : translate('Never')),
    },
    {
      title: translate('Expires'),
      show: ({ expiresAt }) => (expiresAt ? <DateTime at={expiresAt} /> : translate('Never')),
    },
    { title: translate('Webhooks'), numeric: true, show: ({ endpointCount }) => endpointCount },
    {
      title: translate('Actions'),
      buttons: true,
      show: (integration) => (
        <div class="actions">
          {integration.status === 'active' && (
            <>
              <Allowed by="createIntegrationWebhook">
                <button type="button" onClick={() => subscribe(integration)}>
                  {translate('Add webhook')}
                </button>
              </Allowed>
              <Allowed by="replaceIntegrationToken">
                <button
                  type="button"
                  onClick={() =>
                    askThen(
                      {
                        title: translate('Replace this token?'),
                        consequences: translate('The current token stops working immediately. Webhooks continue.'),
                        action: translate('Replace'),
                      },
                      () => void replace(integration.id),
                    )
                  }
                >
                  {translate('Replace token')}
                </button>
              </Allowed>
            </>
          )}
          {integration.status !== 'revoked' && (
            <Allowed by="revokeIntegration">
              <DangerButton
                question={{
                  title: translate('Revoke this integration?'),
                  consequences: translate(
                    'Its token stops working immediately, and its webhook endpoints are deleted.',
                  ),
                  action: translate('Revoke'),
                }}
                onYes={() => void revoke(integration.id)}
              />
            </Allowed>
          )}
        </div>
      ),
    },
  ]
}
