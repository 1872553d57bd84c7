import type { Address } from '@vitrine/contract'
import { formatOf } from './formats.ts'

/** Countries without regions in addresses that write the city before the postal code. */
const PLACE_FIRST = new Set(['GB', 'IE', 'NZ', 'IN', 'SG', 'ID', 'PK', 'TH', 'ZA'])

/** Whether a country writes the city before the postal code. @see UPU S42 */
export function isPlaceFirst(country: string): boolean {
  return PLACE_FIRST.has(country) || formatOf(country)?.requiresRegion === true
}

/** Format an address as its country writes it, with the country's name in the locale. */
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
