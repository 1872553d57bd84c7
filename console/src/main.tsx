import type { OperatorSession } from '@vitrine/contract/operator'
import { type ComponentChildren, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, call, setSignedOutHandler } from './api.ts'
import { hasEnvironment, suggestEnvironment } from './environment.ts'
import { language, translate } from './language.ts'
import { LanguageSelect } from './language-select.tsx'
import { Passkeys } from './pages/operators/passkeys.tsx'
import { SecondFactor } from './pages/operators/second-factor.tsx'
import { CHOOSE_PASSWORD_PATH, ChoosePasswordPage } from './pages/session/choose-password-page.tsx'
import { ProofDialog } from './pages/session/proof-dialog.tsx'
import { ProofForm } from './pages/session/proof-form.tsx'
import {
  announceSignIn,
  PROVIDER_RETURN_PATH,
  PROVIDER_WINDOW_PATH,
  ProviderReturnPage,
} from './pages/session/provider.tsx'
import { SetUpPage } from './pages/session/set-up-page.tsx'
import { SignInAgain } from './pages/session/sign-in-again.tsx'
import { SignInPage } from './pages/session/sign-in-page.tsx'
import { Shell } from './shell.tsx'
import './tokens.css'
import './styles.css'
import './components.css'
import './shell.css'
import { isUnsaved } from './ui/form/unsaved.ts'
import { useAction } from './ui/hooks/use-action.ts'
import { useCall } from './ui/hooks/use-call.ts'
import { Outdated } from './ui/loading.tsx'
import { ErrorNotice } from './ui/notice.tsx'
import { QuestionDialog } from './ui/question.tsx'

type State =
  | { readonly status: 'loading' }
  | { readonly status: 'needs-setup' }
  | { readonly status: 'chooses-password' }
  | { readonly status: 'provider-return' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly session: OperatorSession; readonly hasEnded?: true }
  | { readonly status: 'failed'; readonly error: unknown }

/** Loads the session before anything is shown. */
async function loadState(): Promise<State> {
  if (location.pathname === CHOOSE_PASSWORD_PATH) return { status: 'chooses-password' }
  if ([PROVIDER_RETURN_PATH, PROVIDER_WINDOW_PATH].includes(location.pathname)) return { status: 'provider-return' }
  try {
    const session = await call('getSession')
    if (!session.needsSecondFactor && !hasEnvironment()) suggestEnvironment((await call('getWork')).environment)
    return { status: 'signed-in', session }
  } catch (error) {
    if (!(error instanceof ApiError) || error.response.code !== 'session_required') return { status: 'failed', error }
  }
  try {
    return (await call('getSetupState')).needed ? { status: 'needs-setup' } : { status: 'signed-out' }
  } catch (error) {
    return { status: 'failed', error }
  }
}

/** The state after the session has ended. The page stays below the sign-in, with what was typed. */
function afterSession(before: State): State {
  if (before.status !== 'signed-in') return before
  return before.session.needsSecondFactor ? { status: 'signed-out' } : { ...before, hasEnded: true }
}

function Console() {
  const [state, setState] = useState<State>({ status: 'loading' })
  const [round, setRound] = useState(0)
  const reload = () => void loadState().then(setState)
  const signedInAgain = async () => {
    const next = await loadState()
    // The page may have been open for hours. It is loaded again, unless that would lose what was typed.
    if (!isUnsaved()) setRound((before) => before + 1)
    setState(next)
  }
  useEffect(() => {
    setSignedOutHandler(() => setState(afterSession))
    reload()
  }, [])
  switch (state.status) {
    case 'loading':
      return null
    case 'needs-setup':
      return <Outside page={<SetUpPage onSignedIn={reload} />} />
    case 'chooses-password':
      return <Outside page={<ChoosePasswordPage onSignedIn={reload} />} />
    case 'provider-return':
      return <Outside page={<ProviderReturnPage onSignedIn={reload} />} />
    case 'signed-out':
      return <Outside page={<SignInPage onSignedIn={reload} />} />
    case 'signed-in':
      if (state.session.needsSecondFactor) {
        const { hasSecondFactor, operator } = state.session
        const proven = () => {
          announceSignIn(operator.email)
          reload()
        }
        return <SecondFactorPage hasFactor={hasSecondFactor} onDone={proven} />
      }
      return (
        <>
          <Shell
            key={`${state.session.operator.email} ${round}`}
            session={state.session}
            onSignedOut={() => setState({ status: 'signed-out' })}
          />
          {state.hasEnded && <SignInAgain onSignedIn={() => void signedInAgain()} />}
        </>
      )
    case 'failed':
      return (
        <main class="centered">
          <ErrorNotice error={state.error} retry={reload} />
        </main>
      )
  }
}

/** Asks for the second factor, or has the operator set one up, before the console opens. */
function SecondFactorPage({ hasFactor, onDone }: { readonly hasFactor: boolean; readonly onDone: () => void }) {
  const { data, error, reload } = useCall('proof', () => call('getOwnProof'))
  const { actionError, run } = useAction(onDone)
  return (
    <main class="centered">
      <p class="name">Vitrine</p>
      <h1>{hasFactor ? translate('Confirm your second factor') : translate('Set up a second factor')}</h1>
      <Outdated />
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {hasFactor && data && (
        <ProofForm methods={data.methods} onProven={onDone}>
          <p>{translate('Your identity provider did not confirm a second factor. Your account here has one.')}</p>
        </ProofForm>
      )}
      {!hasFactor && <Passkeys onChange={onDone} />}
      {!hasFactor && <SecondFactor onChange={onDone} />}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <p>
        <button type="button" class="quiet" onClick={() => void run(() => call('signOut'))}>
          {translate('Sign out')}
        </button>
      </p>
      <ProofDialog />
      <QuestionDialog />
    </main>
  )
}

/** A page outside the shell. Its footer has the language select, which is in the account menu otherwise. */
function Outside({ page }: { readonly page: ComponentChildren }) {
  return (
    <>
      {page}
      <footer class="outside">
        <LanguageSelect />
      </footer>
    </>
  )
}

document.documentElement.lang = language
render(<Console />, document.getElementById('console') as HTMLElement)
