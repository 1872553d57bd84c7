import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { documentsInForce } from '../read-legal.ts'
import { LEGAL, SITE } from '../subjects.ts'

/** GET /api/v1/legal/documents */
export const listLegalDocuments: Handler<typeof operations.listLegalDocuments> = async (_input, context) => {
  context.dependsOn(LEGAL)
  context.dependsOn(SITE)
  return documentsInForce(context.reader, context)
}
