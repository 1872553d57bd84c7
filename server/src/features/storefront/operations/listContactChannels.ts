import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { readContactChannels } from '../contact.ts'
import { servedLocale } from '../legal.ts'
import { readSiteSettings } from '../site-settings.ts'
import { CONTACT, SITE } from '../subjects.ts'

/** GET /api/v1/public/contact */
export const listContactChannels: Handler<typeof operations.listContactChannels> = async (_input, context) => {
  context.dependsOn(CONTACT)
  context.dependsOn(SITE)
  const { reader, languages } = context
  const [byLocale, settings] = await Promise.all([readContactChannels(reader), readSiteSettings(reader)])
  const locale = servedLocale(languages, [...byLocale.keys()], settings?.locales?.[0] ?? null)
  if (locale === undefined) return []
  return byLocale.get(locale)!.map((channel) => ({ ...channel, locale }))
}
