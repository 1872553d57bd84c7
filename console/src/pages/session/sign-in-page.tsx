import { call } from '../../api.ts'
import { Field, Form } from '../../ui/form/form.tsx'

export function SignInPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  return (
    <main class="alone">
      <p class="name">Vitrine</p>
      <h1>Sign in</h1>
      <Form
        submit="Sign in"
        onSubmit={async (fields) => {
          await call('signIn', {
            body: { email: String(fields.get('email')), password: String(fields.get('password')) },
          })
          onSignedIn()
        }}
      >
        <Field name="email" label="Email" type="email" autocomplete="username" required />
        <Field name="password" label="Password" type="password" autocomplete="current-password" required />
      </Form>
    </main>
  )
}
