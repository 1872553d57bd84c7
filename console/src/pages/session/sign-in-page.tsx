import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { asksForCode, CodeField, codeIn } from './code-field.tsx'
import { hasPasskeys, signInWithPasskey } from './passkey.ts'
import { goToProvider } from './provider.tsx'

interface SignInProps {
  readonly onSignedIn: () => void
  /** Signs in with the identity provider. */
  readonly withProvider?: () => Promise<void>
}

/** Signs in, or asks for a link to choose a new password. */
export function SignInPage({ onSignedIn, withProvider = () => goToProvider(false) }: SignInProps) {
  const [forgotten, setForgotten] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const provider = useCall('setup', () => call('getSetupState')).data?.provider
  const passkey = useAction(onSignedIn)
  const other = useAction(() => {})
  const error = passkey.actionError ?? other.actionError
  if (forgotten) return <ForgottenPassword onBack={() => setForgotten(false)} />
  return (
    <main class="centered">
      <p class="name">Vitrine</p>
      <h1>{translate('Sign in')}</h1>
      <Form
        submit={translate('Sign in')}
        onSubmit={async (fields) => {
          const code = codeIn(fields)
          const body = { email: String(fields.get('email')), password: String(fields.get('password')), ...code }
          if (await asksForCode(() => call('signIn', { body }))) setNeedsCode(true)
          else onSignedIn()
        }}
      >
        <Field name="email" label={translate('Email')} type="email" autocomplete="username" required />
        <Field name="password" label={translate('Password')} type="password" autocomplete="current-password" required />
        {needsCode && <CodeField />}
      </Form>
      {error ? <ErrorNotice error={error} /> : null}
      {(hasPasskeys || provider) && (
        <div class="actions">
          {hasPasskeys && (
            <button type="button" disabled={passkey.busy} onClick={() => void passkey.run(signInWithPasskey)}>
              {translate('Sign in with a passkey')}
            </button>
          )}
          {provider && (
            <button type="button" disabled={other.busy} onClick={() => void other.run(withProvider)}>
              {translate('Sign in with {label}', { label: provider.label })}
            </button>
          )}
        </div>
      )}
      <p>
        <button type="button" class="quiet" onClick={() => setForgotten(true)}>
          {translate('Forgot your password?')}
        </button>
      </p>
    </main>
  )
}

function ForgottenPassword({ onBack }: { readonly onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <main class="centered">
      <p class="name">Vitrine</p>
      <h1>{translate('Choose a new password')}</h1>
      {sentTo === null ? (
        <Form
          submit={translate('Send link')}
          cancel={onBack}
          cancelLabel={translate('Back')}
          onSubmit={async (fields) => {
            const email = String(fields.get('email')).trim()
            await call('requestOperatorPasswordReset', { body: { email } })
            setSentTo(email)
          }}
        >
          <Field name="email" label={translate('Email')} type="email" autocomplete="username" required />
        </Form>
      ) : (
        <>
          <Notice kind="good">
            <p>
              {translate(
                'If an operator has the address {sentTo}, a link to choose a new password is on its way. It is valid for 20 minutes.',
                { sentTo },
              )}
            </p>
          </Notice>
          <p>
            <button type="button" onClick={onBack}>
              {translate('Back to sign in')}
            </button>
          </p>
        </>
      )}
    </main>
  )
}
