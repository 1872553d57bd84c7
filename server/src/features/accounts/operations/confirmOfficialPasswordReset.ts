import type { operations } from '@vitrine/contract'
import { type Handler, prepared } from '../../../platform/http/handler.ts'
import type { AccountDeps } from '../deps.ts'
import { confirmReset, prepareReset } from '../password-reset.ts'

/** POST /api/v1/auth/password/reset/confirm */
export function confirmOfficialPasswordReset({
  mails,
}: AccountDeps): Handler<typeof operations.confirmOfficialPasswordReset> {
  return prepared(
    async ({ body }, { reader, now }) => prepareReset(reader, { ...body, now }),
    async ({ body: { token } }, { tx, ids, now, prepared: passwordHash }) => {
      await confirmReset(tx, { token, passwordHash }, { ids, now, mails })
      return { status: 'changed' }
    },
  )
}
