import type { OperatorGrant } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate, translateCount } from '../../language.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { ActiveFilter } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DangerButton } from '../../ui/question.tsx'
import { InstallationFilter } from './installation-filter.tsx'

/** Access that staff and operators gave to apps. */
export function GrantsPage() {
  const [installationId] = useQueryParameter('installation')
  const [clientId] = useQueryParameter('app')
  const [revoked, setRevoked] = useState<readonly string[]>([])
  const { actionError, busy, run } = useAction(() => {})
  const revoke = (grantId: string) =>
    run(async () => {
      await call('revokeOAuthGrant', { params: { grantId }, body: {} })
      setRevoked((before) => [...before, grantId])
    })
  const statusOf = ({ id, standing }: OperatorGrant): OperatorGrant['standing'] =>
    revoked.includes(id) ? 'revoked' : standing
  return (
    <>
      <ListPage
        title={translate('Grants')}
        lead={translate('Access that staff or operators gave to apps. Revoking a grant ends its tokens immediately.')}
        actions={
          <Link to={installationId ? `/apps?installation=${installationId}` : '/apps'}>{translate('Apps')}</Link>
        }
        searchable={false}
        filters={
          <>
            <InstallationFilter />
            <ActiveFilter name="app" label={translate('app')} />
          </>
        }
        load={({ cursor }) =>
          call('listOAuthGrants', {
            query: {
              ...(cursor && { cursor }),
              ...(installationId && { installationId }),
              ...(clientId && { clientId }),
            },
          })
        }
        columns={columnsFor({ statusOf, busy, revoke })}
        keyOf={({ id }) => id}
        empty={{
          title: translate('No grants yet'),
          hint: translate('Grants appear here once someone approves an app.'),
        }}
      />
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {revoked.length > 0 && (
        <Notice kind="good">
          <p>{translateCount(revoked.length, { one: '{count} grant revoked.', other: '{count} grants revoked.' })}</p>
        </Notice>
      )}
    </>
  )
}

interface RowActions {
  readonly statusOf: (grant: OperatorGrant) => OperatorGrant['standing']
  readonly busy: boolean
  readonly revoke: (grantId: string) => Promise<void>
}

function columnsFor({ statusOf, busy, revoke }: RowActions): readonly Column<OperatorGrant>[] {
  return [
    {
      title: translate('App'),
      text: true,
      show: ({ clientId: app, installation }) => (
        <>
          {installation.name} <code>{app}</code>
        </>
      ),
    },
    { title: translate('Store'), show: ({ store }) => (store ? storeName(store) : translate('Entire marketplace')) },
    { title: translate('Scopes'), show: ({ scopes }) => scopes.join(', ') },
    { title: translate('Approved by'), text: true, show: ({ approvedBy }) => approvedBy },
    {
      title: translate('Status'),
      show: (grant) => (
        <>
          <Status value={statusOf(grant)} />
          {grant.revokedBecause && grant.revokedBecause !== 'revoked' && (
            <p class="small">
              {grant.revokedBecause === 'code_reused'
                ? translate('Authorization code reused')
                : translate('Refresh token reused')}
            </p>
          )}
        </>
      ),
    },
    { title: translate('Expires'), show: ({ endsAt }) => <DateTime at={endsAt} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: (grant) =>
        statusOf(grant) === 'active' && (
          <Allowed by="revokeOAuthGrant">
            <DangerButton
              disabled={busy}
              question={{
                title: translate('Revoke this grant?'),
                consequences: translate('Its tokens stop working immediately. The app has to ask for access again.'),
                action: translate('Revoke'),
              }}
              onYes={() => revoke(grant.id)}
            />
          </Allowed>
        ),
    },
  ]
}
