import type { LegalDocument } from '@vitrine/contract'
import { translate } from '../../language.ts'

/** The display names of the types of documents. */
export const DOCUMENT_NAMES: Readonly<Record<LegalDocument['type'], string>> = {
  terms_of_use: translate('Terms of use'),
  privacy_policy: translate('Privacy policy'),
  return_policy: translate('Return policy'),
  shipping_policy: translate('Shipping policy'),
  cookie_policy: translate('Cookie policy'),
  imprint: translate('Imprint'),
}

/** The display name of a type of document. */
export function documentName(type: LegalDocument['type']): string {
  return DOCUMENT_NAMES[type]
}
