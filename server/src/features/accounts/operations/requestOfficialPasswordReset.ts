import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { AccountDeps } from '../deps.ts'
import { accountLocale } from '../locales.ts'
import { requestReset } from '../password-reset.ts'

/** POST /api/v1/auth/password/reset/request */
export function requestOfficialPasswordReset({
  requireGrant,
}: AccountDeps): Handler<typeof operations.requestOfficialPasswordReset> {
  return async ({ body }, { tx, ids, now, languages }) => {
    await requireGrant(tx, { purpose: 'password_reset', token: body.grant ?? null, now })
    requestReset(tx, { email: body.email, locale: accountLocale(undefined, languages) }, { ids, now })
    return { status: 'accepted' }
  }
}
