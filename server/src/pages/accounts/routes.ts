import type { AccountDeps } from '../../features/accounts/index.ts'
import type { PageRoute } from '../toolkit/index.ts'
import { confirmPages } from './confirm.ts'
import { registerPages } from './register.ts'
import { resetPages } from './reset.ts'

/** Account pages: registration, confirmation, password reset. */
export function accountPages(deps: AccountDeps): PageRoute[] {
  return [...registerPages(deps), ...confirmPages(), ...resetPages(deps)]
}
