import type { OperatorGrant } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { Narrowed } from '../../ui/list/active-filter.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { InstallationFilter } from './installation-filter.tsx'

/** What people agreed to: each approval, which can be ended by itself. */
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
  const standingOf = ({ id, standing }: OperatorGrant) => (ended.includes(id) ? 'revoked' : standing)

  const columns: readonly Column<OperatorGrant>[] = [
    {
      title: 'App',
      text: true,
      show: ({ clientId: app, installation }) => (
        <>
          {installation.name} <code>{app}</code>
        </>
      ),
    },
    { title: 'Reaches', show: ({ store }) => store ?? 'whole marketplace' },
    { title: 'May', show: ({ scopes }) => scopes.join(', ') },
    { title: 'Approved by', text: true, show: ({ approvedBy }) => approvedBy },
    {
      title: 'Standing',
      show: (grant) => (
        <>
          <Status value={standingOf(grant)} />
          {grant.revokedBecause && grant.revokedBecause !== 'revoked' && (
            <p class="small">
              {grant.revokedBecause === 'code_reused' ? 'its code came twice' : 'an old token came again'}
            </p>
          )}
        </>
      ),
    },
    { title: 'Ends', show: ({ endsAt }) => <When at={endsAt} /> },
    {
      title: 'Do',
      acts: true,
      show: (grant) =>
        standingOf(grant) === 'active' && (
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => confirm('End it and all its tokens at once?') && void revoke(grant.id)}
          >
            Revoke
          </button>
        ),
    },
  ]
  return (
    <>
      <ListPage
        title="Grants"
        lead="What people of a store, or an operator, have allowed an app. Its tokens end with it, on every node at once."
        actions={<Link to={installationId ? `/apps?installation=${installationId}` : '/apps'}>Apps</Link>}
        searchable={false}
        filters={
          <>
            <InstallationFilter />
            <Narrowed by="app" to="One app" />
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
        columns={columns}
        keyOf={({ id }) => id}
        empty={{ title: 'Nobody has allowed anything yet', hint: 'Once somebody agrees on our page, it shows here.' }}
      />
      {failed ? <ErrorNotice error={failed} /> : null}
      {ended.length > 0 && (
        <Notice kind="good">
          <p>{ended.length === 1 ? 'One grant was ended.' : `${ended.length} grants were ended.`}</p>
        </Notice>
      )}
    </>
  )
}
