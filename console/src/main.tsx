import type { OperatorSession } from '@vitrine/contract/operator'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, call, setSignedOutHandler } from './api.ts'
import { SetUpPage } from './pages/session/set-up-page.tsx'
import { SignInPage } from './pages/session/sign-in-page.tsx'
import { Shell } from './shell.tsx'
import './styles.css'
import { ErrorNotice } from './ui/notice.tsx'

type State =
  | { readonly status: 'loading' }
  | { readonly status: 'needs-setup' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly session: OperatorSession }
  | { readonly status: 'failed'; readonly error: unknown }

/** Loads the session before anything is shown. */
async function loadState(): Promise<State> {
  try {
    return { status: 'signed-in', session: await call('getSession') }
  } catch (error) {
    if (!(error instanceof ApiError) || error.response.code !== 'session_required') return { status: 'failed', error }
  }
  try {
    return (await call('getSetupState')).needed ? { status: 'needs-setup' } : { status: 'signed-out' }
  } catch (error) {
    return { status: 'failed', error }
  }
}

function Console() {
  const [state, setState] = useState<State>({ status: 'loading' })
  const reload = () => void loadState().then(setState)
  useEffect(() => {
    setSignedOutHandler(() => setState((before) => (before.status === 'signed-in' ? { status: 'signed-out' } : before)))
    reload()
  }, [])
  switch (state.status) {
    case 'loading':
      return null
    case 'needs-setup':
      return <SetUpPage onSignedIn={reload} />
    case 'signed-out':
      return <SignInPage onSignedIn={reload} />
    case 'signed-in':
      return <Shell session={state.session} onSignedOut={() => setState({ status: 'signed-out' })} />
    case 'failed':
      return (
        <main class="centered">
          <ErrorNotice error={state.error} retry={reload} />
        </main>
      )
  }
}

render(<Console />, document.getElementById('console') as HTMLElement)
