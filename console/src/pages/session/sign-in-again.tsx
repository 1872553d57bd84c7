import { useEffect, useRef } from 'preact/hooks'
import { translate } from '../../language.ts'
import { openProvider, useSignInElsewhere } from './provider.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** The sign-in page over a page whose session has ended. What was typed there stays. */
export function SignInAgain({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useSignInElsewhere(onSignedIn)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The browser restores the focus only if the dialog is closed before it is removed.
    return () => element?.close()
  }, [])
  // Escape closes every dialog, but the page below cannot be used without a session.
  const show = () => dialog.current?.isConnected && dialog.current.showModal()
  return (
    <dialog ref={dialog} class="sign-in" onClose={show} aria-label={translate('Sign in')}>
      <SignInPage onSignedIn={onSignedIn} withProvider={() => openProvider(false)} />
    </dialog>
  )
}
