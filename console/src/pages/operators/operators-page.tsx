import type { OperatorAccount } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

/** The operators of the marketplace. */
export function OperatorsPage() {
  const { answer, error, reload } = useCall('operators', () => call('listOperators'))
  const me = useCall('session', () => call('getSession')).answer?.operator.id
  const [adding, setAdding] = useState(false)
  const { failed, busy, act } = useAct(reload)
  const set = (operatorId: string, status: OperatorAccount['status']) =>
    void act(() => call('setOperatorStatus', { params: { operatorId }, body: { status } }))

  const columns: readonly Column<OperatorAccount>[] = [
    { title: 'Email', wide: true, show: ({ id, email }) => (id === me ? `${email} (you)` : email) },
    { title: 'Status', show: ({ status }) => <Status value={status} /> },
    { title: 'Last active', show: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} /> : 'Not signed in') },
    { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
    {
      title: 'Actions',
      acts: true,
      show: ({ id, status, email }) => {
        if (id === me) return <Link to="/password">Change password</Link>
        return status === 'active' ? (
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => confirm(`Disable ${email}? They are signed out everywhere.`) && set(id, 'disabled')}
          >
            Disable
          </button>
        ) : (
          <button type="button" disabled={busy} onClick={() => set(id, 'active')}>
            Enable
          </button>
        )
      },
    },
  ]
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Add operator
    </button>
  )
  return (
    <Page
      title="Operators"
      lead="Operators sign in with their own email and password. Their changes are recorded in the audit log."
      actions={add}
    >
      {error || failed ? <ErrorNotice error={error ?? failed} retry={reload} /> : null}
      {answer?.items.length === 0 && (
        <Empty
          title="No operators yet"
          hint="The command line works without one. Add an operator who can sign in here."
        >
          {add}
        </Empty>
      )}
      {answer && <Table caption="Operators" items={answer.items} columns={columns} keyOf={({ id }) => id} />}
      {adding && (
        <AddOperator
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false)
            reload()
          }}
        />
      )}
    </Page>
  )
}

function AddOperator({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  return (
    <Dialog title="Add operator" onClose={onClose}>
      <Form
        submit="Add"
        cancel={onClose}
        onSubmit={async (fields) => {
          await call('addOperator', {
            body: { email: String(fields.get('email')).trim(), password: String(fields.get('password')) },
          })
          onDone()
        }}
      >
        <Field name="email" type="email" label="Email" autocomplete="off" required />
        <Field
          name="password"
          type="password"
          label="Initial password"
          hint="At least 8 characters. Share it privately, and ask them to change it."
          autocomplete="new-password"
          required
        />
      </Form>
    </Dialog>
  )
}
