import type { LegalDocument } from '@vitrine/contract'

const NAMES: Readonly<Record<LegalDocument['type'], string>> = {
  terms_of_use: 'Terms of use',
  privacy_policy: 'Privacy policy',
  return_policy: 'Return policy',
  shipping_policy: 'Shipping policy',
  cookie_policy: 'Cookie policy',
  imprint: 'Imprint',
}

/** The display name of a type of document. */
export function wordOf(type: LegalDocument['type']): string {
  return NAMES[type]
}
