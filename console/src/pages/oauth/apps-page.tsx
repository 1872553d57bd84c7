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
  {
    title: 'Installation',
    text: true,
    show: ({ installation }) => `${installation.name} (${installation.environment})`,
  },
  { title: 'Client ID', text: true, show: ({ id }) => <code>{id}</code> },
  {
    title: 'Authentication',
    show: ({ authMethod, keyIds }) =>
      authMethod === 'none'
        ? 'PKCE and DPoP (public)'
        : `Private key JWT${keyIds.length > 0 ? `: ${keyIds.join(', ')}` : ''}`,
  },
  { title: 'Redirect URIs', text: true, show: ({ redirectUris }) => redirectUris.join(' ') },
  { title: 'Grants', figure: true, show: ({ grantCount }) => <Count value={grantCount} /> },
  { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
]

/** OAuth apps that act for an installation. */
export function AppsPage() {
  const [installationId] = useParameter('installation')
  const [registering, setRegistering] = useState(false)
  const register = (
    <button type="button" class="primary" onClick={() => setRegistering(true)}>
      Register app
    </button>
  )
  return (
    <>
      <ListPage
        title="Apps"
        lead="OAuth apps that act for an installation once a store has approved them."
        actions={register}
        filters={<InstallationFilter />}
        load={(query) => call('listOAuthClients', { query: { ...query, ...(installationId && { installationId }) } })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/grants?app=${id}`}
        empty={{
          title: 'No apps yet',
          hint: 'Register an app for an installation. Store staff then approve it on a hosted page.',
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
  const [error, setError] = useState<string | null>(null)
  const installations =
    answer?.items.map(({ id, name, environment }) => [id, `${name} (${environment})`] as const) ?? []
  return (
    <Dialog title="Register app" onClose={onClose}>
      <Form
        submit="Register"
        cancel={onClose}
        onSubmit={async (fields) => {
          const keys = parsed(String(fields.get('jwks')).trim())
          setError(keys === undefined ? 'The public keys are not valid JSON.' : null)
          if (keys === undefined) return
          const made = await call('createOAuthClient', {
            body: {
              installationId: String(fields.get('installationId')),
              redirectUris: wordsIn(fields.get('redirectUris')),
              // The server validates the keys.
              ...(keys !== null && { jwks: keys as NonNullable<NewClient['jwks']> }),
            },
          })
          go(`/grants?app=${made.id}`)
        }}
      >
        <Select name="installationId" label="Installation" value={installationId} options={installations} />
        <TextField
          name="redirectUris"
          label="Redirect URIs"
          hint="One per line. Must match exactly."
          rows={2}
          required
        />
        <TextField
          name="jwks"
          label="Public keys"
          hint='A JWK Set, { "keys": […] }. Leave empty for a public app, such as a mobile app.'
          rows={5}
        />
        {error && (
          <p class="fault" role="alert">
            {error}
          </p>
        )}
      </Form>
    </Dialog>
  )
}

/** Parses JSON: `null` if the text is empty, `undefined` if it is invalid. */
function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
