import { assert } from './assert.ts'

/**
 * The active currencies of ISO 4217 by their number of decimal digits, without precious metals, testing codes and units of
 * account.
 *
 * @see https://www.six-group.com/en/products-services/financial-information/data-standards.html (list one)
 */
const CODES_BY_EXPONENT: Readonly<Record<0 | 2 | 3 | 4, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
      COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
      INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR
      MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
      STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(exponent)]),
  ),
)

/** Every currency that prices support, sorted. */
export const CURRENCIES: readonly string[] = [...EXPONENTS.keys()].sort()

export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code)
}

/** How many decimal digits the currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function exponentOf(currency: string): number {
  const exponent = EXPONENTS.get(currency)
  assert(exponent !== undefined, `a currency of ISO 4217: ${currency}`)
  return exponent
}

/** Minor units as a decimal: 1364 in EUR is `13.64`, in JPY `1364`, in KWD `1.364`. */
export function majorOf(amount: bigint, currency: string): string {
  const exponent = exponentOf(currency)
  const digits = (amount < 0n ? -amount : amount).toString().padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const fraction = digits.slice(digits.length - exponent)
  return `${amount < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** A decimal as minor units; `null` if it is not a number or has more digits than the currency. */
export function minorOf(major: string, currency: string): bigint | null {
  const exponent = exponentOf(currency)
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(major)
  if (!match) return null
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > exponent) return null
  const amount = BigInt(`${whole}${fraction.padEnd(exponent, '0')}`)
  return sign ? -amount : amount
}
