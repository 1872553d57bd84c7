import type { OperatorOperationId } from '@vitrine/contract/operator'
import type { ComponentChildren } from 'preact'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'

interface AllowedProps {
  readonly by: OperatorOperationId
  readonly children: ComponentChildren
}

/** A button or a link, for roles that may do what it does. */
export function Allowed({ by, children }: AllowedProps) {
  return useMay()(by) && <>{children}</>
}

interface EditableProps {
  /** The operation that saves what is edited; absent: no role is needed. */
  readonly by: OperatorOperationId | undefined
  readonly children: ComponentChildren
}

/** Fields and buttons, which are disabled if the role of the operator does not allow the operation that saves them. */
export function Editable({ by, children }: EditableProps) {
  const may = useMay()
  if (by === undefined || may(by)) return <>{children}</>
  return (
    <>
      <p class="small">{translate('Your role can view this, but not change it.')}</p>
      <fieldset class="read-only" disabled>
        {children}
      </fieldset>
    </>
  )
}
