import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Access } from '../../page.ts'
import { navigate } from '../../router.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

/** The path that the identity provider returns to. */
export const PROVIDER_RETURN_PATH = '/sign-in/return'

/** The page of a window that signs in while another one waits, with what was typed there. With `#fresh`, for a fresh proof. */
export const PROVIDER_WINDOW_PATH = '/sign-in/window'

/** The key in the session storage of this tab for a sign-in that is pending at the provider. */
const PENDING = 'vitrine.provider'

interface PendingSignIn {
  readonly token: string
  /** `null`: another window waits. */
  readonly back: string | null
}

/** Tells other windows that an operator has signed in. Pages of the provider may have cut the tie between the windows. */
const CHANNEL = 'vitrine.signed-in'

export function announceSignIn(email: string): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(email)
  channel.close()
}

/** Calls `onSignedIn` once the operator has signed in in another window. Another operator gets a page of their own. */
export function useSignInElsewhere(onSignedIn: () => void): void {
  const email = useContext(Access)?.operator.email
  const latest = useRef(onSignedIn)
  latest.current = onSignedIn
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }) => (email === undefined || data === email ? latest.current() : location.reload())
    return () => channel.close()
  }, [email])
}

/** Opens a window for the sign-in, so that this page keeps what was typed; if the browser blocks it, the page is left. */
export async function openProvider(isFresh: boolean): Promise<void> {
  const opened = window.open(
    `${PROVIDER_WINDOW_PATH}${isFresh ? '#fresh' : ''}`,
    '_blank',
    'popup,width=560,height=720',
  )
  if (!opened) await goToProvider(isFresh)
}

/** Goes to the identity provider. `isFresh`: the provider has to authenticate the operator again. */
export async function goToProvider(
  isFresh: boolean,
  back: string | null = `${location.pathname}${location.search}`,
): Promise<void> {
  const { url, token } = await call('beginProviderSignIn', { body: { isFresh } })
  const pending: PendingSignIn = { token, back }
  sessionStorage.setItem(PENDING, JSON.stringify(pending))
  location.assign(url)
}

/** Completes a sign-in after the return from the identity provider, or begins it in a window of its own. */
export function ProviderReturnPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [error, setError] = useState<unknown>(null)
  const [isDone, setIsDone] = useState(false)
  const leave = (path: string) => {
    navigate(path, { replace: true })
    onSignedIn()
  }
  const finish = async () => {
    const { back, session } = await finishSignIn()
    // A second factor that is still required is asked for here.
    if (back !== null || session.needsSecondFactor) return leave(back ?? '/')
    announceSignIn(session.operator.email)
    setIsDone(true)
    close()
  }
  useEffect(() => {
    const work = location.pathname === PROVIDER_WINDOW_PATH ? goToProvider(location.hash === '#fresh', null) : finish()
    work.catch(setError)
  }, [])
  if (!error && !isDone) return null
  return (
    <main class="centered">
      <p class="name">Vitrine</p>
      <h1>{translate('Sign in')}</h1>
      {error ? <ErrorNotice error={error} /> : null}
      {isDone ? (
        <p>{translate('You are signed in. Close this window, and continue where you were.')}</p>
      ) : (
        <div class="actions">
          <button type="button" class="primary" onClick={() => leave('/')}>
            {translate('Back to sign in')}
          </button>
        </div>
      )}
    </main>
  )
}

/** Signs in with the response of the provider. `back`: the page to go back to. */
async function finishSignIn() {
  const query = location.search.slice(1)
  const stored = sessionStorage.getItem(PENDING)
  sessionStorage.removeItem(PENDING)
  if (stored === null || query === '') {
    throw new Error(translate('The sign-in was not started in this window. Start it again.'))
  }
  const { token, back } = JSON.parse(stored) as PendingSignIn
  return { back, session: await call('signInWithProvider', { body: { token, query } }) }
}
