import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { type ReadMarketplace, readDefaultLocale } from '../default-locale.ts'
import { documentsInForce } from '../read-legal.ts'
import { LEGAL, SITE } from '../subjects.ts'

/** GET /api/v1/legal/documents */
export function listLegalDocuments(readMarketplace: ReadMarketplace): Handler<typeof operations.listLegalDocuments> {
  return async (_input, context) => {
    context.dependsOn(LEGAL)
    context.dependsOn(SITE)
    const { reader, now, languages } = context
    const defaultLocale = await readDefaultLocale(context, readMarketplace)
    return documentsInForce(reader, { now, languages, defaultLocale })
  }
}
