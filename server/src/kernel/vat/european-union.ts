/** The part of an address that decides which tax applies. */
interface Place {
  readonly country: string
  readonly postalCode?: string | null
}

/** The member states. Monaco is taxed as France. */
const MEMBER_STATES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(' '),
)

/** Territories of member states outside the VAT area, by the start of their postal codes. */
const OUTSIDE: Readonly<Record<string, RegExp>> = {
  // Büsingen, Heligoland.
  DE: /^(78266|27498)/,
  // Canary Islands, Ceuta, Melilla.
  ES: /^(35|38|51|52)/,
  // Åland.
  FI: /^22/,
  // Overseas.
  FR: /^9[78]/,
  // Mount Athos. The codes around it are those of Chalkidiki, such as 63081, Neos Marmaras.
  GR: /^6308[67]/,
  // Livigno, Campione. 23030, which Livigno had before, is the code of other towns of its province, such as Chiuro.
  IT: /^(23041|22061)/,
}

/** Whether a place is in the VAT area of the Union. @see Directive 2006/112/EC, Articles 5 to 7 */
export function isInUnion({ country, postalCode }: Place): boolean {
  if (!MEMBER_STATES.has(country)) return false
  return !(postalCode && OUTSIDE[country]?.test(postalCode.replace(/\s/g, '')))
}
