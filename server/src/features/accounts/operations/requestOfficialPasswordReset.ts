import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { accountLocale } from '../account-locales.ts'
import type { AccountDeps } from '../account-parts.ts'
import { requestReset } from '../reset-password.ts'

/** POST /api/v1/auth/password/reset/request */
export function requestOfficialPasswordReset({
  demandGrant,
}: AccountDeps): Handler<typeof operations.requestOfficialPasswordReset> {
  return async ({ body }, { tx, ids, now, languages }) => {
    await demandGrant(tx, { purpose: 'password_reset', token: body.grant ?? null, now })
    requestReset(tx, { email: body.email, locale: accountLocale(undefined, languages) }, { ids, now })
    return { status: 'accepted' }
  }
}
