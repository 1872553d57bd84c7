import type { operations } from '@vitrine/contract'
import { type Handler, prepared } from '../../../platform/http/handler.ts'
import { accountLocale } from '../account-locales.ts'
import type { AccountDeps } from '../account-parts.ts'
import { hashNewPassword } from '../new-password.ts'
import { register } from '../register.ts'

/** POST /api/v1/auth/register */
export function registerOfficialStorefrontCustomer({
  demandGrant,
  checkAcceptance,
}: AccountDeps): Handler<typeof operations.registerOfficialStorefrontCustomer> {
  return prepared(
    async ({ body }, { reader, now, languages }) => {
      await checkAcceptance(reader, body.acceptedDocuments, { now })
      await demandGrant(reader, { purpose: 'register', token: body.grant ?? null, now })
      const locale = accountLocale(body.locale, languages)
      return { locale, passwordHash: await hashNewPassword(body.password, body.email, '/password') }
    },
    async ({ body }, { tx, ids, now, prepared: { locale, passwordHash } }) => {
      const wish = {
        email: body.email,
        passwordHash,
        firstName: body.firstName ?? null,
        lastName: body.lastName ?? null,
        locale,
        marketingConsent: body.marketingConsent ?? false,
        acceptedDocuments: body.acceptedDocuments,
      }
      register(tx, wish, { ids, now })
      return { status: 'accepted' }
    },
  )
}
