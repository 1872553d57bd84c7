import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'

/** Changes the password of the signed-in operator. */
export function PasswordPage() {
  const [changed, setChanged] = useState(0)
  return (
    <Page title="Your password" lead="Changing your password signs you out on all other devices.">
      {changed > 0 && (
        <Notice kind="good">
          <p>Password changed. You are signed out on all other devices.</p>
        </Notice>
      )}
      <Section title="Change password">
        <Form
          key={changed}
          submit="Change password"
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
            label="Current password"
            autocomplete="current-password"
            required
          />
          <Field
            name="newPassword"
            type="password"
            label="New password"
            hint="At least 8 characters. Several words are easy to remember."
            autocomplete="new-password"
            required
          />
        </Form>
      </Section>
    </Page>
  )
}
