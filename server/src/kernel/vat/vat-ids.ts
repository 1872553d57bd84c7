import * as at from 'stdnum/lib/cjs/at/uid.js'
import * as be from 'stdnum/lib/cjs/be/vat.js'
import * as bg from 'stdnum/lib/cjs/bg/vat.js'
import * as ch from 'stdnum/lib/cjs/ch/uid.js'
import * as cy from 'stdnum/lib/cjs/cy/vat.js'
import * as cz from 'stdnum/lib/cjs/cz/dic.js'
import * as de from 'stdnum/lib/cjs/de/vat.js'
import * as dk from 'stdnum/lib/cjs/dk/cvr.js'
import * as ee from 'stdnum/lib/cjs/ee/kmkr.js'
import * as es from 'stdnum/lib/cjs/es/nif.js'
import * as fi from 'stdnum/lib/cjs/fi/alv.js'
import * as fr from 'stdnum/lib/cjs/fr/tva.js'
import * as gb from 'stdnum/lib/cjs/gb/vat.js'
import * as gr from 'stdnum/lib/cjs/gr/vat.js'
import * as hr from 'stdnum/lib/cjs/hr/oib.js'
import * as hu from 'stdnum/lib/cjs/hu/anum.js'
import * as ie from 'stdnum/lib/cjs/ie/vat.js'
import * as it from 'stdnum/lib/cjs/it/iva.js'
import * as lt from 'stdnum/lib/cjs/lt/pvm.js'
import * as lu from 'stdnum/lib/cjs/lu/tva.js'
import * as lv from 'stdnum/lib/cjs/lv/pvn.js'
import * as mt from 'stdnum/lib/cjs/mt/vat.js'
import * as nl from 'stdnum/lib/cjs/nl/btw.js'
import * as no from 'stdnum/lib/cjs/no/orgnr.js'
import * as pl from 'stdnum/lib/cjs/pl/nip.js'
import * as pt from 'stdnum/lib/cjs/pt/nif.js'
import * as ro from 'stdnum/lib/cjs/ro/cif.js'
import * as se from 'stdnum/lib/cjs/se/vat.js'
import * as si from 'stdnum/lib/cjs/si/ddv.js'
import * as sk from 'stdnum/lib/cjs/sk/dph.js'

interface Checksum {
  validate(vatId: string): { readonly isValid: boolean }
}

/**
 * VAT numbers by country, as invoices and VIES write them: prefix included, without spaces. The package knows
 * the check digits, but accepts numbers without a prefix too. For a country that is not listed, any number is accepted.
 *
 * @see https://ec.europa.eu/taxation_customs/vies/#/faq
 */
// biome-ignore format: one country per line
const NUMBERS: Readonly<Record<string, readonly [form: RegExp, checksum: Checksum]>> = {
  AT: [/ATU\d{8}/, at],
  BE: [/BE[01]\d{9}/, be],
  BG: [/BG\d{9,10}/, bg],
  CH: [/CHE\d{9}(MWST|TVA|IVA)?/, ch],
  CY: [/CY\d{8}[A-Z]/, cy],
  CZ: [/CZ\d{8,10}/, cz],
  DE: [/DE\d{9}/, de],
  DK: [/DK\d{8}/, dk],
  EE: [/EE\d{9}/, ee],
  ES: [/ES([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])/, es],
  FI: [/FI\d{8}/, fi],
  FR: [/FR[A-HJ-NP-Z0-9]{2}\d{9}/, fr],
  // XI is Northern Ireland.
  GB: [/(GB|XI)(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})/, gb],
  // The prefix is not the ISO code.
  GR: [/EL\d{9}/, gr],
  HR: [/HR\d{11}/, hr],
  HU: [/HU\d{8}/, hu],
  IE: [/IE(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])/, ie],
  IT: [/IT\d{11}/, it],
  LT: [/LT(\d{9}|\d{12})/, lt],
  LU: [/LU\d{8}/, lu],
  LV: [/LV\d{11}/, lv],
  MT: [/MT\d{8}/, mt],
  NL: [/NL[A-Z0-9+*]{10}\d{2}/, nl],
  NO: [/(NO)?\d{9}(MVA)?/, no],
  PL: [/PL\d{10}/, pl],
  PT: [/PT\d{9}/, pt],
  RO: [/RO\d{2,10}/, ro],
  SE: [/SE\d{12}/, se],
  SI: [/SI\d{8}/, si],
  SK: [/SK\d{10}/, sk],
}

/** Prefixes and suffixes to remove before the check digits are checked. */
const AROUND_DIGITS: Readonly<Record<string, RegExp>> = { CH: /(MWST|TVA|IVA)$/, NO: /^NO|MVA$/g, GB: /^(GB|XI)/ }

/** Whether a country's VAT numbers can be checked. */
export function hasVatIds(country: string): boolean {
  return country in NUMBERS
}

/** Whether a VAT number has the form and the check digits of its country. Says nothing about whether it is registered. */
export function isVatId(country: string, vatId: string): boolean {
  const number = NUMBERS[country]
  if (!number) return true
  const [form, checksum] = number
  if (!new RegExp(`^(?:${form.source})$`).test(vatId)) return false
  const around = AROUND_DIGITS[country]
  return checksum.validate(around ? vatId.replace(around, '') : vatId).isValid
}

/** Prefixes that are not the ISO code: Greece and Northern Ireland. */
const PREFIXES: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB' }

/** The country of a VAT number with a valid form and check digits; `null` for any other text. */
export function countryOfVatId(vatId: string): string | null {
  const prefix = vatId.slice(0, 2)
  const country = PREFIXES[prefix] ?? prefix
  return NUMBERS[country] && isVatId(country, vatId) ? country : null
}

/** Remove spaces, dots and hyphens; uppercase. */
export function tidyVatId(vatId: string): string {
  return vatId.replace(/[\s.-]/g, '').toUpperCase()
}
