import type { OperatorSessionSummary } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { DateTime } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'

/** The account of the signed-in operator: password, passkeys, second factor and sessions. */
export function PasswordPage() {
  const [changed, setChanged] = useState(0)
  return (
    <Page
      title={translate('Your account')}
      lead={translate('Changing your password signs you out on all other devices.')}
    >
      {changed > 0 && (
        <Notice kind="good">
          <p>{translate('Password changed. You are signed out on all other devices.')}</p>
        </Notice>
      )}
      <Section title={translate('Change password')}>
        <Form
          key={changed}
          submit={translate('Change password')}
          onSubmit={async (fields) => {
            await call('changeOwnPassword', {
              body: {
                currentPassword: String(fields.get('currentPassword')),
                newPassword: String(fields.get('newPassword')),
              },
            })
            setChanged((before) => before + 1)
          }}
        >
          <Field
            name="currentPassword"
            type="password"
            label={translate('Current password')}
            autocomplete="current-password"
            required
          />
          <Field
            name="newPassword"
            type="password"
            label={translate('New password')}
            hint={translate('At least 8 characters. Several words are easy to remember.')}
            autocomplete="new-password"
            required
          />
        </Form>
      </Section>
      <Passkeys />
      <SecondFactor />
      <Sessions key={`sessions ${changed}`} />
    </Page>
  )
}

function Sessions() {
  const { data, error, reload } = useCall('own-sessions', () => call('listOwnSessions'))
  const { actionError, busy, run } = useAction(reload)
  const columns: readonly Column<OperatorSessionSummary>[] = [
    {
      title: translate('Device'),
      wide: true,
      show: ({ device, isCurrent }) =>
        isCurrent
          ? translate('{device} (this one)', { device: device ?? translate('Unknown device') })
          : (device ?? translate('Unknown device')),
    },
    { title: translate('Address'), show: ({ address }) => address ?? translate('Unknown') },
    { title: translate('Last active'), show: ({ lastUsedAt }) => <DateTime at={lastUsedAt} /> },
    { title: translate('Signed in'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ id, isCurrent }) =>
        isCurrent ? null : (
          <button
            type="button"
            disabled={busy}
            onClick={() => void run(() => call('endOwnSession', { params: { sessionId: id } }))}
          >
            {translate('Sign out there')}
          </button>
        ),
    },
  ]
  return (
    <Section title={translate('Where you are signed in')}>
      {error || actionError ? <ErrorNotice error={error ?? actionError} retry={reload} /> : null}
      {data && (
        <Table
          caption={translate('Where you are signed in')}
          items={data.items}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  )
}
