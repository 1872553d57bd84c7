import type { OperatorSession } from '@vitrine/contract/operator'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, call, whenSignedOut } from './api.ts'
import { SetUpPage } from './pages/session/set-up-page.tsx'
import { SignInPage } from './pages/session/sign-in-page.tsx'
import { Shell } from './shell.tsx'
import './styles.css'
import { ErrorNotice } from './ui/notice.tsx'

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'new' }
  | { readonly is: 'signed-out' }
  | { readonly is: 'signed-in'; readonly session: OperatorSession }
  | { readonly is: 'failed'; readonly error: unknown }

/** Loads the session before anything is shown. */
async function look(): Promise<State> {
  try {
    return { is: 'signed-in', session: await call('getSession') }
  } catch (error) {
    if (!(error instanceof ApiError) || error.answer.code !== 'session_required') return { is: 'failed', error }
  }
  try {
    return (await call('getSetupState')).needed ? { is: 'new' } : { is: 'signed-out' }
  } catch (error) {
    return { is: 'failed', error }
  }
}

function Console() {
  const [state, setState] = useState<State>({ is: 'asking' })
  const again = () => void look().then(setState)
  useEffect(() => {
    whenSignedOut(() => setState((before) => (before.is === 'signed-in' ? { is: 'signed-out' } : before)))
    again()
  }, [])
  switch (state.is) {
    case 'asking':
      return null
    case 'new':
      return <SetUpPage onSignedIn={again} />
    case 'signed-out':
      return <SignInPage onSignedIn={again} />
    case 'signed-in':
      return <Shell session={state.session} onSignedOut={() => setState({ is: 'signed-out' })} />
    case 'failed':
      return (
        <main class="alone">
          <ErrorNotice error={state.error} retry={again} />
        </main>
      )
  }
}

render(<Console />, document.getElementById('console') as HTMLElement)
