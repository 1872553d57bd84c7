/**
 * VAT numbers by country, as invoices and VIES write them: prefix included, without spaces. A country that is absent accepts any
 * number.
 *
 * @see https://ec.europa.eu/taxation_customs/vies/#/faq
 */
// biome-ignore format: one country per line
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /ATU\d{8}/,
  BE: /BE[01]\d{9}/,
  BG: /BG\d{9,10}/,
  CH: /CHE\d{9}(MWST|TVA|IVA)?/,
  CY: /CY\d{8}[A-Z]/,
  CZ: /CZ\d{8,10}/,
  DE: /DE\d{9}/,
  DK: /DK\d{8}/,
  EE: /EE\d{9}/,
  ES: /ES([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])/,
  FI: /FI\d{8}/,
  FR: /FR[A-HJ-NP-Z0-9]{2}\d{9}/,
  // Northern Ireland has a prefix of its own.
  GB: /(GB|XI)(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})/,
  // Not the ISO code.
  GR: /EL\d{9}/,
  HR: /HR\d{11}/,
  HU: /HU\d{8}/,
  IE: /IE(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])/,
  IT: /IT\d{11}/,
  LT: /LT(\d{9}|\d{12})/,
  LU: /LU\d{8}/,
  LV: /LV\d{11}/,
  MT: /MT\d{8}/,
  NL: /NL[A-Z0-9+*]{10}\d{2}/,
  NO: /(NO)?\d{9}(MVA)?/,
  PL: /PL\d{10}/,
  PT: /PT\d{9}/,
  RO: /RO\d{2,10}/,
  SE: /SE\d{12}/,
  SI: /SI\d{8}/,
  SK: /SK\d{10}/,
}

/** Whether a VAT number has the form of its country. Says nothing about whether it is registered. */
export function isVatId(country: string, vatId: string): boolean {
  const form = FORMS[country]
  return form === undefined || new RegExp(`^(?:${form.source})$`).test(vatId)
}

/** Remove spaces, dots and hyphens; uppercase. */
export function tidyVatId(vatId: string): string {
  return vatId.replace(/[\s.-]/g, '').toUpperCase()
}
