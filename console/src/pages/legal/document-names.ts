import type { LegalDocument } from '@vitrine/contract'

/** The display names of the types of documents. */
export const DOCUMENT_NAMES: Readonly<Record<LegalDocument['type'], string>> = {
  terms_of_use: 'Terms of use',
  privacy_policy: 'Privacy policy',
  return_policy: 'Return policy',
  shipping_policy: 'Shipping policy',
  cookie_policy: 'Cookie policy',
  imprint: 'Imprint',
}

/** The display name of a type of document. */
export function documentName(type: LegalDocument['type']): string {
  return DOCUMENT_NAMES[type]
}
