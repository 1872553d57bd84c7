import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'

/** Changes the password of whoever is signed in. */
export function PasswordPage() {
  const [changed, setChanged] = useState(0)
  return (
    <Page title="Your password" lead="A new one ends your sessions on every other device.">
      {changed > 0 && (
        <Notice kind="good">
          <p>It is changed. You are signed in here alone.</p>
        </Notice>
      )}
      <Section title="Change it">
        <Form
          key={changed}
          submit="Change it"
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
            label="Password until now"
            autocomplete="current-password"
            required
          />
          <Field
            name="newPassword"
            type="password"
            label="New password"
            hint="At least 8 characters; several words are easy to keep in mind."
            autocomplete="new-password"
            required
          />
        </Form>
      </Section>
    </Page>
  )
}
