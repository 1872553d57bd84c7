import { privacyPolicy, returnPolicy, termsOfUse } from './agreements.ts'
import type { DemoLegalDocument } from './legal-document.ts'
import { cookiePolicy, imprint, shippingPolicy } from './notices.ts'

/** Every version of a text has a name of its own. */
export const LEGAL_VERSION = '2026-11-01'

export const legalDocuments: readonly DemoLegalDocument[] = [
  termsOfUse,
  privacyPolicy,
  returnPolicy,
  shippingPolicy,
  cookiePolicy,
  imprint,
]
