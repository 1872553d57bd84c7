import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

/** Where the identity provider sends the browser back to. */
export const PROVIDER_RETURN_PATH = '/sign-in/return'

/** What this tab keeps while it is at the provider: that it began, and where it was. */
const KEPT = 'vitrine.provider'

interface Kept {
  readonly token: string
  readonly back: string
}

/** Goes to the identity provider. `isFresh`: it is to ask who it is, although it knows. */
export async function goToProvider(isFresh: boolean): Promise<void> {
  const { url, token } = await call('beginProviderSignIn', { body: { isFresh } })
  const kept: Kept = { token, back: isFresh ? `${location.pathname}${location.search}` : '/' }
  sessionStorage.setItem(KEPT, JSON.stringify(kept))
  location.assign(url)
}

/** The way back from the identity provider. */
export function ProviderReturnPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [error, setError] = useState<unknown>(null)
  const leave = (path: string) => {
    navigate(path, { replace: true })
    onSignedIn()
  }
  useEffect(() => {
    finished().then(leave, setError)
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

/** Signs in with what the provider sent. @returns where the browser was before */
async function finished(): Promise<string> {
  const query = location.search.slice(1)
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (kept === null || query === '') {
    throw new Error(translate('This window did not begin the sign-in. Start it again.'))
  }
  const { token, back } = JSON.parse(kept) as Kept
  await call('signInWithProvider', { body: { token, query } })
  return back
}
