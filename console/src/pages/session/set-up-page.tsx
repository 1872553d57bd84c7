import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Creates the first operator. It needs the setup link that is printed at startup. */
export function SetUpPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const setupToken = location.hash.slice(1)
  return (
    <main class="centered">
      <p class="name">Vitrine</p>
      <h1>{translate('Welcome')}</h1>
      {setupToken === '' ? (
        <Notice>
          <p>
            {translate(
              'This marketplace has no operator yet. Open the setup link that was printed at startup to create the first one.',
            )}
          </p>
        </Notice>
      ) : (
        <>
          <p class="lead">{translate('Create the first operator account to manage the marketplace.')}</p>
          <Form
            submit={translate('Create account')}
            onSubmit={async (fields) => {
              await call('setUp', {
                body: { setupToken, email: String(fields.get('email')), password: String(fields.get('password')) },
              })
              navigate('/', { replace: true })
              onSignedIn()
            }}
          >
            <Field name="email" label={translate('Email')} type="email" autocomplete="username" required />
            <Field
              name="password"
              label={translate('Password')}
              hint={translate('At least 8 characters. Several words are easy to remember.')}
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
