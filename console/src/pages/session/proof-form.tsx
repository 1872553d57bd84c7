import type { OperatorProof } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { CodeField, codeIn } from './code-field.tsx'
import { hasPasskeys, proveWithPasskey } from './passkey.ts'
import { openProvider, useSignInElsewhere } from './provider.tsx'

interface ProofFormProps {
  readonly methods: OperatorProof['methods']
  readonly onProven: () => void
  readonly cancel?: () => void
  readonly children: ComponentChildren
}

/** Asks for a fresh proof of identity by any method of the operator. */
export function ProofForm({ methods, onProven, cancel, children }: ProofFormProps) {
  const { actionError, busy, run } = useAction(onProven)
  const asksForText = methods.includes('password') || methods.includes('code')
  return (
    <>
      {children}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {methods.includes('passkey') && (
        <div class="actions">
          <button
            type="button"
            class={asksForText ? '' : 'primary'}
            disabled={busy || !hasPasskeys}
            onClick={() => void run(proveWithPasskey)}
          >
            {translate('Use a passkey')}
          </button>
          {!asksForText && cancel && <Cancel onClick={cancel} />}
        </div>
      )}
      {asksForText && (
        <Form
          submit={translate('Continue')}
          {...(cancel && { cancel })}
          guarded={false}
          onSubmit={async (fields) => {
            const password = fields.get('password')
            await call('proveOwnSession', {
              body: { ...(password && { password: String(password) }), ...codeIn(fields) },
            })
            onProven()
          }}
        >
          {methods.includes('password') && <PasswordField />}
          {methods.includes('code') && <CodeField />}
        </Form>
      )}
      {methods.includes('provider') && (
        <ProviderAgain onProven={onProven} {...(!asksForText && cancel && { cancel })} />
      )}
    </>
  )
}

/** Opens a window with the identity provider, which gives a fresh proof. */
function ProviderAgain({ onProven, cancel }: Pick<ProofFormProps, 'onProven' | 'cancel'>) {
  const label = useCall('setup', () => call('getSetupState')).data?.provider?.label
  const { actionError, busy, run } = useAction(() => {})
  useSignInElsewhere(onProven)
  return (
    <>
      <p>{translate('A new window opens. Once you have signed in there, the action continues here.')}</p>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <div class="actions">
        <button type="button" class="primary" disabled={busy} onClick={() => void run(() => openProvider(true))}>
          {translate('Sign in again with {label}', { label: label ?? '…' })}
        </button>
        {cancel && <Cancel onClick={cancel} />}
      </div>
    </>
  )
}

function Cancel({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" onClick={onClick}>
      {translate('Cancel')}
    </button>
  )
}

/** The password of the operator who is signed in. */
export function PasswordField() {
  return (
    <Field
      name="password"
      label={translate('Your password')}
      type="password"
      autocomplete="current-password"
      required
    />
  )
}
