import type { OperatorStaff } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

/** The staff of a store. */
export function Staff({ storeSlug }: { readonly storeSlug: string }) {
  const { answer, error, reload } = useCall(storeSlug, () => call('listStaff', { params: { storeSlug } }))
  const { act, failed } = useAct(reload)
  const [adding, setAdding] = useState(false)
  const columns: readonly Column<OperatorStaff>[] = [
    { title: 'Email', wide: true, show: ({ email }) => email },
    { title: 'Status', show: ({ status }) => <Status value={status} /> },
    { title: 'Created', show: ({ createdAt }) => <When at={createdAt} /> },
    {
      title: 'Actions',
      acts: true,
      show: ({ id, email }) => (
        <button
          type="button"
          class="danger"
          onClick={() =>
            confirm(`Remove ${email}? They are signed out immediately.`) &&
            void act(() => call('removeStaff', { params: { storeSlug, staffId: id } }))
          }
        >
          Remove
        </button>
      ),
    },
  ]
  return (
    <Section
      title="Staff"
      actions={
        <button type="button" onClick={() => setAdding(true)}>
          Add staff
        </button>
      }
    >
      {error || failed ? <ErrorNotice error={error ?? failed} retry={reload} /> : null}
      {answer?.items.length === 0 && (
        <Empty title="No staff yet" hint="Staff can give apps access to this store only." />
      )}
      {answer && <Table caption="Staff" items={answer.items} columns={columns} keyOf={({ id }) => id} />}
      {adding && (
        <Dialog title="Add staff" onClose={() => setAdding(false)}>
          <Form
            submit="Add"
            cancel={() => setAdding(false)}
            onSubmit={async (fields) => {
              const body = { email: String(fields.get('email')).trim(), password: String(fields.get('password')) }
              await call('createStaff', { params: { storeSlug }, body })
              setAdding(false)
              reload()
            }}
          >
            <Field name="email" label="Email" type="email" autocomplete="off" required />
            <Field
              name="password"
              label="Password"
              type="password"
              autocomplete="new-password"
              hint="Share it with them yourself. No email is sent."
              required
            />
          </Form>
        </Dialog>
      )}
    </Section>
  )
}
