import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { asksForCode, CodeField, codeIn } from './code-field.tsx'

/** The page of the links in invitations and reset emails. The token is in the fragment. */
export const CHOOSE_PASSWORD_PATH = '/choose-password'

/** Sets a password through the link of an email, and signs in. */
export function ChoosePasswordPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const token = location.hash.slice(1)
  const [needsCode, setNeedsCode] = useState(false)
  return (
    <main class="centered">
      <p class="name">Vitrine</p>
      <h1>{translate('Choose a password')}</h1>
      <p class="lead">{translate('You are then signed in here, and signed out everywhere else.')}</p>
      <Form
        submit={translate('Save and sign in')}
        onSubmit={async (fields) => {
          const body = { token, password: String(fields.get('password')), ...codeIn(fields) }
          if (await asksForCode(() => call('chooseOperatorPassword', { body }))) return setNeedsCode(true)
          navigate('/', { replace: true })
          onSignedIn()
        }}
      >
        <Field
          name="password"
          label={translate('New password')}
          hint={translate('At least 8 characters. Several words are easy to remember.')}
          type="password"
          autocomplete="new-password"
          required
        />
        {needsCode && <CodeField />}
      </Form>
    </main>
  )
}
