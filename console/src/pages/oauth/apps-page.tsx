import type { InputOf } from '@vitrine/contract'
import type { OperatorOAuthClient, operatorOperations } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { go, useParameter } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Select, TextField } from '../../ui/form/form.tsx'
import { wordsIn } from '../../ui/format/text.ts'
import { Count, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { InstallationFilter } from './installation-filter.tsx'

const columns: readonly Column<OperatorOAuthClient>[] = [
  { title: 'Acts for', text: true, show: ({ installation }) => `${installation.name} (${installation.environment})` },
  { title: 'App', text: true, show: ({ id }) => <code>{id}</code> },
  {
    title: 'Proves itself by',
    show: ({ authMethod, keyIds }) =>
      authMethod === 'none' ? 'PKCE and DPoP (public)' : `its keys${keyIds.length > 0 ? `: ${keyIds.join(', ')}` : ''}`,
  },
  { title: 'Sent back to', text: true, show: ({ redirectUris }) => redirectUris.join(' ') },
  { title: 'Grants', figure: true, show: ({ grantCount }) => <Count value={grantCount} /> },
  { title: 'Since', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** Apps that act for an installation, after somebody of a store has agreed. */
export function AppsPage() {
  const [installationId] = useParameter('installation')
  const [registering, setRegistering] = useState(false)
  const register = (
    <button type="button" class="primary" onClick={() => setRegistering(true)}>
      Register an app
    </button>
  )
  return (
    <>
      <ListPage
        title="Apps"
        lead="Apps that act for an installation with tokens of OAuth, once somebody of a store has agreed."
        actions={register}
        filters={<InstallationFilter />}
        load={(query) => call('listOAuthClients', { query: { ...query, ...(installationId && { installationId }) } })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/grants?app=${id}`}
        empty={{
          title: 'There is no app yet',
          hint: 'Register one for an installation; its people then agree on a page of ours.',
          action: register,
        }}
      />
      {registering && <NewApp installationId={installationId} onClose={() => setRegistering(false)} />}
    </>
  )
}

type NewClient = InputOf<(typeof operatorOperations)['createOAuthClient']>['body']

function NewApp({ installationId, onClose }: { readonly installationId: string; readonly onClose: () => void }) {
  const { answer } = useCall('installations', () => call('listInstallations', { query: { limit: 100 } }))
  const [fault, setFault] = useState<string | null>(null)
  const installations =
    answer?.items.map(({ id, name, environment }) => [id, `${name} (${environment})`] as const) ?? []
  return (
    <Dialog title="Register an app" onClose={onClose}>
      <Form
        submit="Register"
        cancel={onClose}
        onSubmit={async (fields) => {
          const keys = parsed(String(fields.get('jwks')).trim())
          setFault(keys === undefined ? 'Its public keys are no JSON.' : null)
          if (keys === undefined) return
          const made = await call('createOAuthClient', {
            body: {
              installationId: String(fields.get('installationId')),
              redirectUris: wordsIn(fields.get('redirectUris')),
              // The server says what is wrong with it, member by member.
              ...(keys !== null && { jwks: keys as NonNullable<NewClient['jwks']> }),
            },
          })
          go(`/grants?app=${made.id}`)
        }}
      >
        <Select name="installationId" label="Installation" value={installationId} options={installations} />
        <TextField
          name="redirectUris"
          label="Sent back to"
          hint="One a line, compared character by character."
          rows={2}
          required
        />
        <TextField
          name="jwks"
          label="Its public keys"
          hint='A JWK Set, { "keys": […] }. Empty: a public app, such as one on a telephone.'
          rows={5}
        />
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </Form>
    </Dialog>
  )
}

/** What a text holds as JSON: `null` where it is empty, `undefined` where it is none. */
function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
