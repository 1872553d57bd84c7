import type { operations } from '@vitrine/contract'
import { type Handler, prepared } from '../../../platform/http/handler.ts'
import type { AccountDeps } from '../deps.ts'
import { accountLocale } from '../locales.ts'
import { hashNewPassword } from '../new-password.ts'
import { register } from '../registration.ts'

/** POST /api/v1/auth/register */
export function registerOfficialStorefrontCustomer({
  requireGrant,
  checkAcceptance,
}: AccountDeps): Handler<typeof operations.registerOfficialStorefrontCustomer> {
  return prepared(
    async ({ body }, { reader, now, languages }) => {
      await checkAcceptance(reader, body.acceptedDocuments, { now })
      await requireGrant(reader, { purpose: 'register', token: body.grant ?? null, now })
      const locale = accountLocale(body.locale, languages)
      return { locale, passwordHash: await hashNewPassword(body.password, body.email, 'password') }
    },
    async ({ body }, { tx, ids, now, prepared: { locale, passwordHash } }) => {
      const registration = {
        email: body.email,
        passwordHash,
        firstName: body.firstName ?? null,
        lastName: body.lastName ?? null,
        locale,
        marketingConsent: body.marketingConsent ?? false,
        acceptedDocuments: body.acceptedDocuments,
      }
      register(tx, registration, { ids, now })
      return { status: 'accepted' }
    },
  )
}
