import type { Address, AddressState } from '@vitrine/contract'
import { type AddressField, addressFaults } from './address.ts'

/** Lines, reduced to whether they have to be shipped. */
type Shippable = readonly { readonly requiresShipping?: boolean }[]

interface Addresses {
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
}

/** The address that shipping and tax are calculated for. */
export interface Destination {
  /** Whether anything has to be shipped. */
  readonly ships: boolean
  readonly field: 'shippingAddress' | 'billingAddress'
  /** `null`: only the cart's country is known. */
  readonly address: Address | null
}

/** Whether any of the lines has to be shipped. An empty cart is treated as one that ships. */
export function requiresShipping(lines: Shippable): boolean {
  return lines.length === 0 || lines.some((line) => line.requiresShipping !== false)
}

/**
 * The address for shipping and tax: the shipping address if any line has to be shipped, also for the lines that do not.
 * Otherwise the billing address, because digital goods are taxed where the customer lives; without one, the shipping address.
 *
 * @see docs/concepts/money.md
 */
export function destinationOf({ shippingAddress, billingAddress }: Addresses, lines: Shippable): Destination {
  if (requiresShipping(lines)) return { ships: true, field: 'shippingAddress', address: shippingAddress }
  if (billingAddress || !shippingAddress) return { ships: false, field: 'billingAddress', address: billingAddress }
  return { ships: false, field: 'shippingAddress', address: shippingAddress }
}

/** The contract's AddressState, with the fields as a union. */
interface AddressCompleteness {
  status: AddressState['status']
  missing: AddressField[]
  invalid: AddressField[]
}

/** Check whether the destination is complete for checkout. If nothing is shipped, tax needs only country and region. */
export function addressStateOf({ ships, address }: Destination): AddressCompleteness {
  if (!address) return { status: 'absent', missing: [], invalid: [] }
  const faults = addressFaults(address)
  const needed = (field: AddressField) => ships || field === 'countryCode' || field === 'region'
  const [missing, invalid] = [faults.missing.filter(needed), faults.invalid.filter(needed)]
  const status = invalid.length > 0 ? 'invalid' : missing.length > 0 ? 'incomplete' : 'complete'
  return { status, missing, invalid }
}
