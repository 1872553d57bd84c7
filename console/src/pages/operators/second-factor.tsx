import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate, translateElements } from '../../language.ts'
import { Form } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { CodeField } from '../session/code-field.tsx'
import { PasswordField } from '../session/proof-form.tsx'

interface Begun {
  readonly key: string
  readonly uri: string
  readonly qrCode: string
}

type Step =
  | { readonly at: 'rest' }
  | { readonly at: 'password' }
  | { readonly at: 'code'; readonly begun: Begun }
  | { readonly at: 'codes'; readonly codes: readonly string[] }
  | { readonly at: 'remove' }

/** Sets up and turns off the authenticator app of the signed-in operator. */
export function SecondFactor({ onChange }: { readonly onChange?: () => void }) {
  const { data, error, reload } = useCall('second-factor', () => call('getOwnSecondFactor'))
  const [step, setStep] = useState<Step>({ at: 'rest' })
  const rest = () => {
    setStep({ at: 'rest' })
    reload()
    onChange?.()
  }
  return (
    <Section title={translate('Authenticator app')}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data?.required && data.status === 'off' && data.passkeys === 0 && step.at === 'rest' && (
        <Notice>
          <p>{translate('This marketplace requires a second factor. Set one up to continue.')}</p>
        </Notice>
      )}
      {data && step.at === 'rest' && (
        <>
          <p>
            {data.status === 'on'
              ? translate(
                  'On. Signing in asks for a code of your authenticator app. Recovery codes left: {recoveryCodesLeft}.',
                  { recoveryCodesLeft: data.recoveryCodesLeft },
                )
              : translate(
                  'Off. With a second factor, a stolen password is not enough to sign in. A passkey also counts as one.',
                )}
          </p>
          <div class="actions">
            {data.status === 'on' ? (
              <button type="button" class="danger" onClick={() => setStep({ at: 'remove' })}>
                {translate('Turn off')}
              </button>
            ) : (
              <button type="button" class="primary" onClick={() => setStep({ at: 'password' })}>
                {translate('Set up')}
              </button>
            )}
          </div>
        </>
      )}
      {step.at === 'password' && (
        <Form
          submit={translate('Continue')}
          cancel={rest}
          onSubmit={async (fields) => {
            const begun = await call('beginSecondFactor', { body: { password: String(fields.get('password')) } })
            setStep({ at: 'code', begun })
          }}
        >
          <PasswordField />
        </Form>
      )}
      {step.at === 'code' && (
        <Confirm begun={step.begun} cancel={rest} onDone={(codes) => setStep({ at: 'codes', codes })} />
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} onDone={rest} />}
      {step.at === 'remove' && (
        <Form
          submit={translate('Turn off')}
          danger
          cancel={rest}
          onSubmit={async (fields) => {
            const body = { password: String(fields.get('password')), code: String(fields.get('code')).trim() }
            await call('removeOwnSecondFactor', { body })
            rest()
          }}
        >
          <PasswordField />
          <CodeField />
        </Form>
      )}
    </Section>
  )
}

interface ConfirmProps {
  readonly begun: Begun
  readonly cancel: () => void
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

function Confirm({ begun: { key, uri, qrCode }, cancel, onDone }: ConfirmProps) {
  return (
    <Form
      submit={translate('Turn on')}
      cancel={cancel}
      onSubmit={async (fields) => {
        const body = { code: String(fields.get('code')).trim() }
        onDone((await call('confirmSecondFactor', { body })).recoveryCodes)
      }}
    >
      <p>
        {translateElements(
          'Scan this code with your authenticator app, or {link}. Then enter the code that it shows.',
          {
            link: <a href={uri}>{translate('open the app on this device')}</a>,
          },
        )}
      </p>
      <img src={qrCode} alt="" width={180} height={180} />
      <p class="small">{translate('Without a camera, type this key:')}</p>
      <p>
        <code>{key.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <CodeField />
    </Form>
  )
}

function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const href = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
  return (
    <>
      <Notice kind="good">
        <p>
          {translate(
            'The second factor is on. Store these codes where you can find them without your phone. Each code works once.',
          )}
        </p>
      </Notice>
      <ul class="plain">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <a class="button" href={href} download="recovery-codes.txt">
          {translate('Download')}
        </a>
        <button type="button" class="primary" onClick={onDone}>
          {translate('I have stored them')}
        </button>
      </div>
    </>
  )
}
