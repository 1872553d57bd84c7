import type { InputOf } from '@vitrine/contract'
import type { OperatorOAuthClient, operatorOperations } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate, useQueryParameter } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { FieldError } from '../../ui/form/field-error.ts'
import { Form, TextField } from '../../ui/form/form.tsx'
import { InstallationSelect } from '../../ui/form/installation-select.tsx'
import { splitList } from '../../ui/format/text.ts'
import { Count, DateTime } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DangerButton } from '../../ui/question.tsx'
import { InstallationFilter } from './installation-filter.tsx'

const facts: readonly Column<OperatorOAuthClient>[] = [
  {
    title: translate('Installation'),
    text: true,
    show: ({ installation }) => `${installation.name} (${installation.environment})`,
  },
  { title: translate('Client ID'), text: true, show: ({ id }) => <code>{id}</code> },
  {
    title: translate('Authentication'),
    show: ({ authMethod, keyIds }) =>
      authMethod === 'none'
        ? translate('PKCE and DPoP (public)')
        : ['Private key JWT', keyIds.join(', ')].filter(Boolean).join(': '),
  },
  { title: translate('Redirect URIs'), text: true, show: ({ redirectUris }) => redirectUris.join(' ') },
  { title: translate('Grants'), numeric: true, show: ({ grantCount }) => <Count value={grantCount} /> },
  { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
]

/** OAuth apps that act for an installation. */
export function AppsPage() {
  const [installationId] = useQueryParameter('installation')
  const [registering, setRegistering] = useState(false)
  const [removed, setRemoved] = useState(0)
  const { actionError, busy, run } = useAction(() => setRemoved((before) => before + 1))
  const columns: readonly Column<OperatorOAuthClient>[] = [
    ...facts,
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ id, installation }) => (
        <Allowed by="removeOAuthClient">
          <DangerButton
            disabled={busy}
            question={{
              title: translate('Remove this app of {name}?', { name: installation.name }),
              consequences: translate(
                'All its access ends immediately, and so do the webhooks that it created. This cannot be undone.',
              ),
              action: translate('Remove'),
            }}
            onYes={() => run(() => call('removeOAuthClient', { params: { clientId: id } }))}
          />
        </Allowed>
      ),
    },
  ]
  const register = (
    <Allowed by="createOAuthClient">
      <button type="button" class="primary" onClick={() => setRegistering(true)}>
        {translate('Register app')}
      </button>
    </Allowed>
  )
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <ListPage
        key={removed}
        title={translate('Apps')}
        lead={translate('OAuth apps that act for an installation once a store has approved them.')}
        actions={register}
        filters={<InstallationFilter />}
        load={(query) => call('listOAuthClients', { query: { ...query, ...(installationId && { installationId }) } })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/grants?app=${id}`}
        empty={{
          title: translate('No apps yet'),
          hint: translate('Register an app for an installation. Store staff then approve it on a hosted page.'),
          action: register,
        }}
      />
      {registering && <NewApp installationId={installationId} onClose={() => setRegistering(false)} />}
    </>
  )
}

type NewClient = InputOf<(typeof operatorOperations)['createOAuthClient']>['body']

function NewApp({ installationId, onClose }: { readonly installationId: string; readonly onClose: () => void }) {
  return (
    <Dialog title={translate('Register app')} onClose={onClose}>
      <Form
        submit={translate('Register')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const keys = parsed(String(fields.get('jwks')).trim())
          if (keys === undefined) throw new FieldError('/jwks', translate('The public keys are not valid JSON.'))
          const app = await call('createOAuthClient', {
            body: {
              installationId: String(fields.get('installationId')),
              redirectUris: splitList(fields.get('redirectUris')),
              // The server validates the keys.
              ...(keys !== null && { jwks: keys as NonNullable<NewClient['jwks']> }),
            },
          })
          navigate(`/grants?app=${app.id}`)
        }}
      >
        <InstallationSelect name="installationId" label={translate('Installation')} value={installationId} />
        <TextField
          name="redirectUris"
          label={translate('Redirect URIs')}
          hint={translate('One per line. Must match exactly.')}
          rows={2}
          required
        />
        <TextField
          name="jwks"
          label={translate('Public keys')}
          hint={translate('A JWK Set. Leave empty for a public app, such as a mobile app.')}
          rows={5}
        />
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
