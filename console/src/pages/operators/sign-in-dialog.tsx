import type { OperatorAccount } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { ErrorNotice } from '../../ui/notice.tsx'

interface SignInDialogProps {
  readonly account: OperatorAccount
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Lets an owner remove the second factor of an operator who lost a device, unlink a company account, and end all sessions. */
export function SignInDialog({ account, onClose, onDone }: SignInDialogProps) {
  const { email, secondFactor, usesProvider, lastUsedAt } = account
  const params = { operatorId: account.id }
  const { actionError, busy, run } = useAction(onDone)
  const button = (label: string, work: () => Promise<unknown>) => (
    <p>
      <button type="button" class="danger" disabled={busy} onClick={() => void run(work)}>
        {label}
      </button>
    </p>
  )
  return (
    <Dialog title={translate('Sign-in of {email}', { email })} onClose={onClose}>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <p>{translate('Each of these actions signs them out everywhere immediately.')}</p>
      {secondFactor === 'on' && (
        <>
          <p class="small">
            {translate(
              'For a lost phone or passkey: they sign in with only the password, and set up a new second factor.',
            )}
          </p>
          {button(translate('Remove second factor'), () => call('removeSecondFactor', { params }))}
        </>
      )}
      {usesProvider && (
        <>
          <p class="small">
            {translate(
              'For another company account: the next account that signs in with their verified email address is linked.',
            )}
          </p>
          {button(translate('Unlink company account'), () => call('unbindOperator', { params }))}
        </>
      )}
      {lastUsedAt && button(translate('Sign out everywhere'), () => call('endOperatorSessions', { params }))}
    </Dialog>
  )
}
