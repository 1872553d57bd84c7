import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { readContactChannels } from '../contact.ts'
import { type ReadMarketplace, readDefaultLocale } from '../default-locale.ts'
import { servedLocale } from '../legal.ts'
import { CONTACT, SITE } from '../subjects.ts'

/** GET /api/v1/public/contact */
export function listContactChannels(readMarketplace: ReadMarketplace): Handler<typeof operations.listContactChannels> {
  return async (_input, context) => {
    context.dependsOn(CONTACT)
    context.dependsOn(SITE)
    const [byLocale, defaultLocale] = await Promise.all([
      readContactChannels(context.reader),
      readDefaultLocale(context, readMarketplace),
    ])
    const locale = servedLocale(context.languages, [...byLocale.keys()], defaultLocale)
    if (locale === undefined) return []
    return byLocale.get(locale)!.map((channel) => ({ ...channel, locale }))
  }
}
