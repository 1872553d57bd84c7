import { call } from '../../api.ts'
import { go } from '../../router.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Makes the first operator, for whoever has the link that was printed at the start. */
export function SetUpPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const setupToken = location.hash.slice(1)
  return (
    <main class="alone">
      <p class="name">Vitrine</p>
      <h1>Welcome</h1>
      {setupToken === '' ? (
        <Notice>
          <p>
            Nobody runs this marketplace yet. Open the link that was printed when it was started: it makes the first
            operator.
          </p>
        </Notice>
      ) : (
        <>
          <p class="lead">You are the first here. With this address and password you run the marketplace.</p>
          <Form
            submit="Begin"
            onSubmit={async (fields) => {
              await call('setUp', {
                body: { setupToken, email: String(fields.get('email')), password: String(fields.get('password')) },
              })
              go('/', { replace: true })
              onSignedIn()
            }}
          >
            <Field name="email" label="E-mail address" type="email" autocomplete="username" required />
            <Field
              name="password"
              label="Password"
              hint="At least 8 characters. A sentence is easier to remember than a riddle."
              type="password"
              autocomplete="new-password"
              required
            />
          </Form>
        </>
      )}
    </main>
  )
}
