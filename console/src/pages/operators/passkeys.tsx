import type { OperatorPasskey } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate, translateElements } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { DateTime } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { DangerButton } from '../../ui/question.tsx'
import { hasPasskeys, registerPasskey } from '../session/passkey.ts'

/** Lists, adds and removes the passkeys of the signed-in operator. */
export function Passkeys({ onChange }: { readonly onChange?: () => void }) {
  const { data, error, reload } = useCall('passkeys', () => call('listOwnPasskeys'))
  const [adding, setAdding] = useState(false)
  const done = () => {
    setAdding(false)
    reload()
    onChange?.()
  }
  const { actionError, busy, run } = useAction(done)
  const columns: readonly Column<OperatorPasskey>[] = [
    { title: translate('Name'), wide: true, text: true, show: ({ name }) => name },
    {
      title: translate('Kept'),
      show: ({ isSynced }) => (isSynced ? translate('In a password manager') : translate('On one device')),
    },
    { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
    {
      title: translate('Last used'),
      show: ({ lastUsedAt }) => (lastUsedAt ? <DateTime at={lastUsedAt} /> : translate('Never')),
    },
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ id, name }) => (
        <DangerButton
          disabled={busy}
          question={{
            title: translate('Remove the passkey {name}?', { name }),
            consequences: translate('You can no longer sign in with it. Remove it from the device as well.'),
            action: translate('Remove'),
          }}
          onYes={() => run(() => call('removeOwnPasskey', { params: { passkeyId: id } }))}
        />
      ),
    },
  ]
  return (
    <Section title={translate('Passkeys')}>
      {error || actionError ? <ErrorNotice error={error ?? actionError} retry={reload} /> : null}
      <p>
        {translate(
          'A passkey signs you in with your fingerprint, your face or the code of your device, in place of password and second factor. Register two, on different devices: once you have one, the password alone no longer signs you in.',
        )}
      </p>
      {data && data.items.length > 0 && (
        <Table caption={translate('Passkeys')} items={data.items} columns={columns} keyOf={({ id }) => id} />
      )}
      {data && !(data.isAvailable && hasPasskeys && data.origin === location.origin) ? (
        <p class="small">
          {data.isAvailable && data.origin !== location.origin
            ? translateElements('Passkeys work at {address}. Open the console there to register one.', {
                address: <a href={`${data.origin}/password`}>{data.origin}</a>,
              })
            : translate('Passkeys need a current browser, and a console with a host name and https.')}
        </p>
      ) : (
        <div class="actions">
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            {translate('Add passkey')}
          </button>
        </div>
      )}
      {adding && <AddPasskey onClose={() => setAdding(false)} onDone={done} />}
    </Section>
  )
}

function AddPasskey({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  return (
    <Dialog title={translate('Add passkey')} onClose={onClose}>
      <Form
        submit={translate('Continue')}
        cancel={onClose}
        onSubmit={async (fields) => {
          await registerPasskey(String(fields.get('name')).trim())
          onDone()
        }}
      >
        <Field
          name="name"
          label={translate('Name')}
          hint={translate('A name that you recognize, such as “Laptop”. Then follow the instructions of your browser.')}
          autocomplete="off"
          required
        />
      </Form>
    </Dialog>
  )
}
