import { type AccountDeps, findCustomerSession } from '../../features/accounts/index.ts'
import { inLocaleOf, type PageRoute } from '../toolkit/index.ts'
import { addressPages } from './addresses.ts'
import { confirmPages } from './confirm.ts'
import { confirmEmailPages } from './confirm-email.ts'
import { homePages } from './home.ts'
import { orderListPages } from './orders.ts'
import { privacyPages } from './privacy.ts'
import { profilePages } from './profile.ts'
import { registerPages } from './register.ts'
import { resetPages } from './reset.ts'
import { securityPages } from './security.ts'

/** Account pages: registration, sign-in, and the account of a signed-in customer. */
export function accountPages(deps: AccountDeps): PageRoute[] {
  return inLocaleOf(
    async (_query, { reader, cookie, now }) => (await findCustomerSession(reader, cookie('customer'), now))?.locale,
    [
      ...homePages(),
      ...orderListPages(),
      ...addressPages(),
      ...profilePages(),
      ...securityPages(deps),
      ...confirmEmailPages(deps),
      ...privacyPages(deps),
      ...registerPages(deps),
      ...confirmPages(),
      ...resetPages(deps),
    ],
  )
}
