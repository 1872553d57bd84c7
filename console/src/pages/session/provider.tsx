import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

/** The path that the identity provider returns to. */
export const PROVIDER_RETURN_PATH = '/sign-in/return'

/** The key in the session storage of this tab for a sign-in that is pending at the provider. */
const PENDING = 'vitrine.provider'

interface PendingSignIn {
  readonly token: string
  readonly back: string
}

/** Goes to the identity provider. `isFresh`: the provider has to authenticate the operator again. */
export async function goToProvider(isFresh: boolean): Promise<void> {
  const { url, token } = await call('beginProviderSignIn', { body: { isFresh } })
  const pending: PendingSignIn = { token, back: isFresh ? `${location.pathname}${location.search}` : '/' }
  sessionStorage.setItem(PENDING, JSON.stringify(pending))
  location.assign(url)
}

/** Completes a sign-in after the return from the identity provider. */
export function ProviderReturnPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [error, setError] = useState<unknown>(null)
  const leave = (path: string) => {
    navigate(path, { replace: true })
    onSignedIn()
  }
  useEffect(() => {
    finishSignIn().then(leave, setError)
  }, [])
  if (!error) return null
  return (
    <main class="centered">
      <p class="name">Vitrine</p>
      <h1>{translate('Sign in')}</h1>
      <ErrorNotice error={error} />
      <div class="actions">
        <button type="button" class="primary" onClick={() => leave('/')}>
          {translate('Back to sign in')}
        </button>
      </div>
    </main>
  )
}

/** Signs in with the response of the provider. @returns the page to go back to */
async function finishSignIn(): Promise<string> {
  const query = location.search.slice(1)
  const stored = sessionStorage.getItem(PENDING)
  sessionStorage.removeItem(PENDING)
  if (stored === null || query === '') {
    throw new Error(translate('The sign-in was not started in this window. Start it again.'))
  }
  const { token, back } = JSON.parse(stored) as PendingSignIn
  await call('signInWithProvider', { body: { token, query } })
  return back
}
