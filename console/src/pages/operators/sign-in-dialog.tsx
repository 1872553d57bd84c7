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

/** How an operator signs in, and what an owner can end of it: for a lost device, or another account at the provider. */
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
      <p>{translate('Each of these signs them out everywhere at once.')}</p>
      {secondFactor === 'on' && (
        <>
          <p class="small">
            {translate('Lost phone or passkeys: they sign in with the password alone, and set up a new second factor.')}
          </p>
          {button(translate('Remove second factor'), () => call('removeSecondFactor', { params }))}
        </>
      )}
      {usesProvider && (
        <>
          <p class="small">
            {translate('Another company account: the next one with their verified email address becomes theirs.')}
          </p>
          {button(translate('Forget company account'), () => call('unbindOperator', { params }))}
        </>
      )}
      {lastUsedAt && button(translate('Sign out everywhere'), () => call('endOperatorSessions', { params }))}
    </Dialog>
  )
}
