import type { LegalDocument } from '@vitrine/contract'

const words: Readonly<Record<LegalDocument['type'], string>> = {
  terms_of_use: 'Terms of use',
  privacy_policy: 'Privacy policy',
  return_policy: 'Return policy',
  shipping_policy: 'Shipping policy',
  cookie_policy: 'Cookie policy',
  imprint: 'Imprint',
}

/** What people call a kind of document. */
export function wordOf(type: LegalDocument['type']): string {
  return words[type]
}
