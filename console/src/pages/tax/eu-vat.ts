/**
 * VAT in the European Union, in percent: the standard rate, and the reduced rates of at least 5 %, the lowest first. Special rates
 * and territories (Canary Islands, Madeira, Campione) are not included.
 *
 * Source: "Taxes in Europe Database" of the European Commission, with the changes published up to its date. Merchants confirm the rates
 * before they use them.
 */
export const EU_VAT = {
  source: 'European Commission, Taxes in Europe Database',
  date: '2026-01-01',
  rates: {
    AT: { standard: 20, reduced: [10, 13] },
    BE: { standard: 21, reduced: [6, 12] },
    BG: { standard: 20, reduced: [9] },
    CY: { standard: 19, reduced: [5, 9] },
    CZ: { standard: 21, reduced: [12] },
    DE: { standard: 19, reduced: [7] },
    DK: { standard: 25, reduced: [] },
    EE: { standard: 24, reduced: [9, 13] },
    ES: { standard: 21, reduced: [10] },
    FI: { standard: 25.5, reduced: [10, 13.5] },
    FR: { standard: 20, reduced: [5.5, 10] },
    GR: { standard: 24, reduced: [6, 13] },
    HR: { standard: 25, reduced: [5, 13] },
    HU: { standard: 27, reduced: [5, 18] },
    IE: { standard: 23, reduced: [9, 13.5] },
    IT: { standard: 22, reduced: [5, 10] },
    LT: { standard: 21, reduced: [5, 12] },
    LU: { standard: 17, reduced: [8] },
    LV: { standard: 21, reduced: [5, 12] },
    MT: { standard: 18, reduced: [5, 7] },
    NL: { standard: 21, reduced: [9] },
    PL: { standard: 23, reduced: [5, 8] },
    PT: { standard: 23, reduced: [6, 13] },
    RO: { standard: 21, reduced: [11] },
    SE: { standard: 25, reduced: [6, 12] },
    SI: { standard: 22, reduced: [5, 9.5] },
    SK: { standard: 23, reduced: [5, 19] },
  } as Readonly<Record<string, { readonly standard: number; readonly reduced: readonly number[] }>>,
} as const

/** The member states of the European Union. */
export const EU_COUNTRIES: readonly string[] = Object.keys(EU_VAT.rates)
