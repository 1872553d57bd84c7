import type { OperatorStaff } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { DangerButton } from '../../ui/question.tsx'

/** The staff of a store. */
export function Staff({ storeSlug }: { readonly storeSlug: string }) {
  const { data, error, reload } = useCall(storeSlug, () => call('listStaff', { params: { storeSlug } }))
  const { run, actionError } = useAction(reload)
  const [adding, setAdding] = useState(false)
  const [forgetful, setForgetful] = useState<OperatorStaff | null>(null)
  const columns: readonly Column<OperatorStaff>[] = [
    { title: translate('Email'), wide: true, show: ({ email }) => email },
    { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
    { title: translate('Created'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: (member) => (
        <div class="actions">
          <Allowed by="setStaffPassword">
            <button type="button" onClick={() => setForgetful(member)}>
              {translate('Set password')}
            </button>
          </Allowed>
          <Allowed by="removeStaff">
            <DangerButton
              question={{
                title: translate('Remove {email}?', { email: member.email }),
                consequences: translate('They are signed out immediately, and the access that they gave to apps ends.'),
                action: translate('Remove'),
              }}
              onYes={() => run(() => call('removeStaff', { params: { storeSlug, staffId: member.id } }))}
            />
          </Allowed>
        </div>
      ),
    },
  ]
  return (
    <Section
      title={translate('Staff')}
      actions={
        <Allowed by="createStaff">
          <button type="button" onClick={() => setAdding(true)}>
            {translate('Add staff')}
          </button>
        </Allowed>
      }
    >
      {error || actionError ? <ErrorNotice error={error ?? actionError} retry={reload} /> : null}
      {data?.items.length === 0 && (
        <Empty title={translate('No staff yet')} hint={translate('Staff can give apps access to this store only.')} />
      )}
      {data && <Table caption={translate('Staff')} items={data.items} columns={columns} keyOf={({ id }) => id} />}
      {adding && (
        <Dialog title={translate('Add staff')} onClose={() => setAdding(false)}>
          <Form
            submit={translate('Add')}
            cancel={() => setAdding(false)}
            onSubmit={async (fields) => {
              const body = { email: String(fields.get('email')).trim(), password: String(fields.get('password')) }
              await call('createStaff', { params: { storeSlug }, body })
              setAdding(false)
              reload()
            }}
          >
            <Field name="email" label={translate('Email')} type="email" autocomplete="off" required />
            <PasswordToShare />
          </Form>
        </Dialog>
      )}
      {forgetful && <SetPassword storeSlug={storeSlug} member={forgetful} onClose={() => setForgetful(null)} />}
    </Section>
  )
}

interface SetPasswordProps {
  readonly storeSlug: string
  readonly member: OperatorStaff
  readonly onClose: () => void
}

/** Sets a new password for a member who has forgotten theirs. */
function SetPassword({ storeSlug, member: { id: staffId, email }, onClose }: SetPasswordProps) {
  return (
    <Dialog title={translate('Set a password for {email}', { email })} onClose={onClose}>
      <Form
        submit={translate('Set password')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const body = { password: String(fields.get('password')) }
          await call('setStaffPassword', { params: { storeSlug, staffId }, body })
          onClose()
        }}
      >
        <p>{translate('They are signed out immediately. The access that they gave to apps stays.')}</p>
        <PasswordToShare />
      </Form>
    </Dialog>
  )
}

function PasswordToShare() {
  return (
    <Field
      name="password"
      label={translate('Password')}
      type="password"
      autocomplete="new-password"
      hint={translate('Share it with them yourself. No email is sent.')}
      required
    />
  )
}
