import type { Address, PublicErrorDetail } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { foldRegion, formatOf } from './formats.ts'

/** What an address lacks, and what its country writes otherwise: names of its fields. */
export interface AddressFaults {
  readonly missing: readonly AddressField[]
  readonly invalid: readonly AddressField[]
}

export type AddressField = 'countryCode' | 'region' | 'postalCode'

/** What its country's format says of an address. */
export function faultsOf(address: Address): AddressFaults {
  const format = formatOf(address.countryCode)
  if (!format) return { missing: [], invalid: ['countryCode'] }
  const { region, postalCode } = address
  const missing: AddressField[] = []
  const invalid: AddressField[] = []
  if (region === undefined && format.requiresRegion) missing.push('region')
  if (region !== undefined && format.regions?.has(foldRegion(region)) === false) invalid.push('region')
  if (postalCode === undefined && format.requiresPostalCode) missing.push('postalCode')
  if (postalCode !== undefined && format.postalCode?.test(postalCode) === false) invalid.push('postalCode')
  return { missing, invalid }
}

type DetailCode = 'unknown_country' | 'unknown_region' | 'wrong_format' | 'blank'

const FAULTS: Readonly<Record<AddressField, readonly [code: DetailCode, message: string]>> = {
  countryCode: ['unknown_country', 'A country of ISO 3166-1.'],
  region: ['unknown_region', 'A region of the country: its ISO 3166-2 part after the hyphen, or its name.'],
  postalCode: ['wrong_format', 'A postal code of the country.'],
}

/** What the contract requires of every address, and what spaces do not fill. */
const ALWAYS = ['recipientName', 'line1', 'city'] as const

/**
 * Refuses an address that cannot be right, while the one who typed it is there. Something that is missing may come later.
 *
 * @param pointer where the address stands in the body, such as `/shipping`
 *
 * Refusals: `address_invalid`.
 */
export function refuseInvalidAddress(address: Address, pointer: string): void {
  const details = [
    ...ALWAYS.filter((field) => !address[field]).map((field) => detail(pointer, field, 'blank', 'More than spaces.')),
    ...faultsOf(address).invalid.map((field) => detail(pointer, field, ...FAULTS[field])),
  ]
  if (details.length > 0) refuse('address_invalid', { details })
}

function detail(pointer: string, field: string, code: DetailCode, message: string): PublicErrorDetail {
  return { in: 'body', pointer: `${pointer}/${field}`, code, message }
}

/** The address as it is kept: without spaces around its fields, its postal code in upper case, its region by its code. */
export function tidyAddress(address: Address): Address {
  const trimmed = Object.fromEntries(
    Object.entries(address).flatMap(([field, text]) => (text.trim() ? [[field, text.trim()]] : [])),
  ) as Address
  const { region, postalCode } = trimmed
  return {
    ...trimmed,
    ...(region !== undefined && { region: formatOf(trimmed.countryCode)?.regions?.get(foldRegion(region)) ?? region }),
    ...(postalCode !== undefined && { postalCode: postalCode.toUpperCase() }),
  }
}
