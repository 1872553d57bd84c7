import type { Address } from '@vitrine/contract'
import { type FieldFault, refuse } from '../../../kernel/refusal.ts'
import { isVatId, tidyVatId } from '../../../kernel/vat/vat-ids.ts'
import { formatOf, regionCodeOf } from './formats.ts'

/** Fields that an address lacks, and fields that do not match the format of its country. */
interface AddressFaults {
  readonly missing: readonly AddressField[]
  readonly invalid: readonly AddressField[]
}

export type AddressField = 'countryCode' | 'region' | 'postalCode' | 'vatId'

/** Check an address against the format of its country. */
export function addressFaults(address: Address): AddressFaults {
  const format = formatOf(address.countryCode)
  if (!format) return { missing: [], invalid: ['countryCode'] }
  const { region, postalCode, vatId } = address
  const missing: AddressField[] = []
  const invalid: AddressField[] = []
  if (region === undefined && format.requiresRegion) missing.push('region')
  if (region !== undefined && regionCodeOf(address.countryCode, region) === null) invalid.push('region')
  if (postalCode === undefined && format.requiresPostalCode) missing.push('postalCode')
  if (postalCode !== undefined && format.postalCode?.test(postalCode) === false) invalid.push('postalCode')
  if (vatId !== undefined && !isVatId(address.countryCode, vatId)) invalid.push('vatId')
  return { missing, invalid }
}

type FaultCode = 'unknown_country' | 'unknown_region' | 'wrong_format' | 'blank'

const FAULTS: Readonly<Record<AddressField, readonly [code: FaultCode, message: string]>> = {
  countryCode: ['unknown_country', 'Must be an ISO 3166-1 country code.'],
  region: ['unknown_region', 'Must be a region of the country: its ISO 3166-2 code after the hyphen, or its name.'],
  postalCode: ['wrong_format', 'Must be a postal code of the country.'],
  vatId: ['wrong_format', 'Must be a VAT number of the country.'],
}

/** Fields the contract always requires. They must not be blank. */
const REQUIRED = ['recipientName', 'line1', 'city'] as const

/**
 * Refuse an address with invalid or blank fields. Missing fields may be added later.
 *
 * @param field the path of the address in the command, such as `shipping`
 *
 * Refusals: `address_invalid`.
 */
export function refuseInvalidAddress(address: Address, field: string): void {
  const fault = (name: string, code: FaultCode, message: string): FieldFault => {
    return { field: `${field}/${name}`, code, message }
  }
  const faults = [
    ...REQUIRED.filter((name) => !address[name]).map((name) => fault(name, 'blank', 'Must not be blank.')),
    ...addressFaults(address).invalid.map((name) => fault(name, ...FAULTS[name])),
  ]
  if (faults.length > 0) refuse('address_invalid', { faults })
}

/** Normalize an address: trim fields, uppercase postal code and VAT number, replace the region by its code. */
export function tidyAddress(address: Address): Address {
  const trimmed = Object.fromEntries(
    Object.entries(address).flatMap(([field, text]) => (text.trim() ? [[field, text.trim()]] : [])),
  ) as Address
  const { region, postalCode, vatId } = trimmed
  return {
    ...trimmed,
    ...(region !== undefined && { region: regionCodeOf(trimmed.countryCode, region) ?? region }),
    ...(postalCode !== undefined && { postalCode: postalCode.toUpperCase() }),
    ...(vatId !== undefined && { vatId: tidyVatId(vatId) }),
  }
}
