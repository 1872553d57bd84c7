import type { OperatorKey } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Check, Form, Select } from '../../ui/form/form.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { DangerButton } from '../../ui/question.tsx'
import { SecretNotice } from '../integrations/secret-notice.tsx'

const SCOPES = ['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write'] as const

interface CreatedKey {
  readonly key: string
  readonly pair: KeyPair | null
}

/** The keys of an installation. */
export function Keys({ installationId }: { readonly installationId: string }) {
  const { data, error, reload } = useCall(installationId, () =>
    call('listInstallationKeys', { params: { installationId } }),
  )
  const [creating, setCreating] = useState(false)
  const [newKeys, setNewKeys] = useState<readonly CreatedKey[]>([])
  const show = (created: CreatedKey) => setNewKeys((before) => [...before, created])
  const { actionError, run } = useAction(reload)

  const rotate = (keyId: string) =>
    run(async () => {
      const { key } = await call('rotateInstallationKey', { params: { installationId, keyId }, body: {} })
      show({ key, pair: null })
    })
  const revoke = (keyId: string) =>
    run(() => call('revokeInstallationKey', { params: { installationId, keyId }, body: {} }))

  return (
    <Section
      title={translate('Keys')}
      actions={
        <Allowed by="createInstallationKey">
          <button type="button" onClick={() => setCreating(true)}>
            {translate('Create key')}
          </button>
        </Allowed>
      }
    >
      {error || actionError ? <ErrorNotice error={error ?? actionError} retry={reload} /> : null}
      {newKeys.map((each) => (
        <NewKeyNotice
          key={each.key}
          created={each}
          onClose={() => setNewKeys((before) => before.filter(({ key }) => key !== each.key))}
        />
      ))}
      {!data && !error && <Loading />}
      {data?.items.length === 0 && (
        <Empty
          title={translate('No keys yet')}
          hint={translate('A key bound to a key pair can write. Other keys are read-only.')}
        />
      )}
      {data && (
        <Table
          caption={translate('Keys')}
          items={data.items}
          columns={columnsFor(rotate, revoke)}
          keyOf={({ id }) => id}
        />
      )}
      {creating && (
        <NewKey
          installationId={installationId}
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false)
            show(created)
            reload()
          }}
        />
      )}
    </Section>
  )
}

function columnsFor(
  rotate: (keyId: string) => Promise<void>,
  revoke: (keyId: string) => Promise<void>,
): readonly Column<OperatorKey>[] {
  return [
    { title: translate('Key'), show: ({ display }) => <code>{display}</code> },
    { title: translate('Status'), show: ({ standing }) => <Status value={standing} /> },
    {
      title: translate('Scopes'),
      show: ({ scopes, jkt }) => {
        const names = scopes.join(', ')
        return jkt ? names : translate('{scopes} (read-only)', { scopes: names })
      },
    },
    {
      title: translate('Last used'),
      show: ({ lastUsedAt }) => (lastUsedAt ? <DateTime at={lastUsedAt} /> : translate('Never')),
    },
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ id, standing, replacedBy }) =>
        standing === 'revoked' || standing === 'expired' ? null : (
          <div class="actions">
            {!replacedBy && (
              <Allowed by="rotateInstallationKey">
                <button type="button" onClick={() => void rotate(id)}>
                  {translate('Rotate')}
                </button>
              </Allowed>
            )}
            <Allowed by="revokeInstallationKey">
              <DangerButton
                question={{
                  title: translate('Revoke this key?'),
                  consequences: translate(
                    'It stops working immediately. To replace it without interruption, rotate it instead.',
                  ),
                  action: translate('Revoke'),
                }}
                onYes={() => revoke(id)}
              />
            </Allowed>
          </div>
        ),
    },
  ]
}

/** Shows a new key, once, with its private key as a file. */
function NewKeyNotice({
  created: { key, pair },
  onClose,
}: {
  readonly created: CreatedKey
  readonly onClose: () => void
}) {
  const [file] = useState(() => pair && URL.createObjectURL(pair.privateFile))
  useEffect(() => () => void (file && URL.revokeObjectURL(file)), [])
  return (
    <SecretNotice secret={key} onClose={onClose}>
      {file && (
        <p>
          <a class="button primary" download="private-key.json" href={file}>
            {translate('Download private key')}
          </a>
        </p>
      )}
    </SecretNotice>
  )
}

interface NewKeyProps {
  readonly installationId: string
  readonly onClose: () => void
  readonly onCreated: (created: CreatedKey) => void
}

function NewKey({ installationId, onClose, onCreated }: NewKeyProps) {
  return (
    <Dialog title={translate('Create key')} onClose={onClose}>
      {!isSecureContext && (
        <Notice kind="bad">
          {translate(
            'Browsers generate key pairs only on pages that were opened with HTTPS. Open the console with HTTPS, or use “vitrine key create --generate-key”.',
          )}
        </Notice>
      )}
      <Form
        submit={translate('Create')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const scopes = SCOPES.filter((scope) => fields.has(scope))
          const pair = fields.get('binding') === 'bound' ? await generateKeyPair() : null
          const body = { scopes, ...(pair && { publicKey: pair.publicKey }) }
          const { key } = await call('createInstallationKey', { params: { installationId }, body })
          if (key === undefined)
            throw new Error(
              translate('The key was created by an earlier attempt, but not shown. Revoke it and create another one.'),
            )
          onCreated({ key, pair })
        }}
      >
        <Select
          name="binding"
          label={translate('Binding')}
          hint={translate('A bound key works only with its private key. The key pair is generated in this browser.')}
          options={[
            ...(isSecureContext ? [['bound', translate('Bound to a key pair (read and write)')] as const] : []),
            ['unbound', translate('Not bound (read-only)')],
          ]}
        />
        <fieldset>
          <legend>{translate('Scopes')}</legend>
          {SCOPES.map((scope) => (
            <Check key={scope} name={scope} label={scope} checked={scope.startsWith('c')} />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}

/** A key pair generated in this browser. The private key is only offered as a download. */
interface KeyPair {
  readonly publicKey: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  readonly privateFile: Blob
}

/** Generates a key pair for ES256. */
async function generateKeyPair(): Promise<KeyPair> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const { x = '', y = '', d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const publicKey = { kty: 'EC', crv: 'P-256', x, y } as const
  const privateFile = new Blob([JSON.stringify({ ...publicKey, d, alg: 'ES256' }, null, 2)], {
    type: 'application/json',
  })
  return { publicKey, privateFile }
}
