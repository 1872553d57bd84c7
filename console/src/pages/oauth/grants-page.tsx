import type { OperatorGrant } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { ActiveFilter } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { InstallationFilter } from './installation-filter.tsx'

/** Access that staff and operators gave to apps. */
export function GrantsPage() {
  const [installationId] = useParameter('installation')
  const [clientId] = useParameter('app')
  const [ended, setEnded] = useState<readonly string[]>([])
  const { failed, busy, act } = useAct(() => {})
  const revoke = (grantId: string) =>
    act(async () => {
      await call('revokeOAuthGrant', { params: { grantId }, body: {} })
      setEnded((before) => [...before, grantId])
    })
  const statusOf = ({ id, standing }: OperatorGrant): OperatorGrant['standing'] =>
    ended.includes(id) ? 'revoked' : standing
  return (
    <>
      <ListPage
        title="Grants"
        lead="Access that staff or operators gave to apps. Revoking a grant ends its tokens immediately."
        actions={<Link to={installationId ? `/apps?installation=${installationId}` : '/apps'}>Apps</Link>}
        searchable={false}
        filters={
          <>
            <InstallationFilter />
            <ActiveFilter name="app" label="app" />
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
        empty={{ title: 'No grants yet', hint: 'Grants appear here once someone approves an app.' }}
      />
      {failed ? <ErrorNotice error={failed} /> : null}
      {ended.length > 0 && (
        <Notice kind="good">
          <p>{ended.length === 1 ? 'Grant revoked.' : `${ended.length} grants revoked.`}</p>
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
      title: 'App',
      text: true,
      show: ({ clientId: app, installation }) => (
        <>
          {installation.name} <code>{app}</code>
        </>
      ),
    },
    { title: 'Store', show: ({ store }) => store ?? 'Entire marketplace' },
    { title: 'Scopes', show: ({ scopes }) => scopes.join(', ') },
    { title: 'Approved by', text: true, show: ({ approvedBy }) => approvedBy },
    {
      title: 'Status',
      show: (grant) => (
        <>
          <Status value={statusOf(grant)} />
          {grant.revokedBecause && grant.revokedBecause !== 'revoked' && (
            <p class="small">
              {grant.revokedBecause === 'code_reused' ? 'Authorization code reused' : 'Refresh token reused'}
            </p>
          )}
        </>
      ),
    },
    { title: 'Expires', show: ({ endsAt }) => <When at={endsAt} /> },
    {
      title: 'Actions',
      acts: true,
      show: (grant) =>
        statusOf(grant) === 'active' && (
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => confirm('Revoke this grant? Its tokens stop working immediately.') && void revoke(grant.id)}
          >
            Revoke
          </button>
        ),
    },
  ]
}
