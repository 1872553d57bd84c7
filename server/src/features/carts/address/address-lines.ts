import type { Address } from '@vitrine/contract'
import { formatOf } from './formats.ts'

/** Where the place stands before its postal code, though no region stands between them. */
const PLACE_FIRST = new Set(['GB', 'IE', 'NZ', 'IN', 'SG', 'ID', 'PK', 'TH', 'ZA'])

/** Whether a country writes the place before its postal code. @see UPU S42, in as much as we need of it */
export function isPlaceFirst(country: string): boolean {
  return PLACE_FIRST.has(country) || formatOf(country)?.requiresRegion === true
}

/** An address in the lines of its country, which is named as the locale names it. */
export function addressLines(address: Address, locale: string): readonly string[] {
  const { recipientName, company, line1, line2, line3, dependentLocality, city, region, postalCode, countryCode } =
    address
  const place = isPlaceFirst(countryCode)
    ? [city, region, postalCode].filter(Boolean).join(' ')
    : [postalCode, city].filter(Boolean).join(' ')
  const lines = [
    recipientName,
    company,
    line1,
    line2,
    line3,
    dependentLocality,
    place,
    countryName(locale, countryCode),
  ]
  return lines.filter((line) => line !== undefined && line !== '') as string[]
}

export function countryName(locale: string, country: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
}
