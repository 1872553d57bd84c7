import type { AccountDeps } from '../../features/accounts/index.ts'
import type { PageRoute } from '../toolkit/index.ts'
import { confirmPages } from './confirm.ts'
import { registerPages } from './register.ts'
import { resetPages } from './reset.ts'

/** The pages of accounts: opening one, and those behind the mails. */
export function accountPages(parts: AccountDeps): PageRoute[] {
  return [...registerPages(parts), ...confirmPages(), ...resetPages(parts)]
}
