import type { Address, AddressState } from '@vitrine/contract'
import { type AddressField, addressFaults } from './address.ts'

/** Lines as far as shipping is concerned. */
type Shippable = readonly { readonly requiresShipping?: boolean }[]

interface Addresses {
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
}

/** Where something is delivered, for shipping and tax. */
export interface Destination {
  /** Whether anything has to be shipped. */
  readonly ships: boolean
  readonly field: 'shippingAddress' | 'billingAddress'
  /** `null`: only the country of the cart is known. */
  readonly address: Address | null
}

/** Whether any of the lines has to be shipped. Nothing is known of an empty cart: it is treated like one that ships. */
export function requiresShipping(lines: Shippable): boolean {
  return lines.length === 0 || lines.some((line) => line.requiresShipping !== false)
}

/**
 * The address that shipping and tax use: the shipping address if anything has to be shipped, even for lines that are not. Else
 * the billing address, as digital goods are taxed where the customer lives, or a shipping address in its absence.
 *
 * @see docs/concepts/money.md
 */
export function destinationOf({ shippingAddress, billingAddress }: Addresses, lines: Shippable): Destination {
  if (requiresShipping(lines)) return { ships: true, field: 'shippingAddress', address: shippingAddress }
  if (billingAddress || !shippingAddress) return { ships: false, field: 'billingAddress', address: billingAddress }
  return { ships: false, field: 'shippingAddress', address: shippingAddress }
}

/** The contract's AddressState, with the fields as a union. */
export interface AddressCompleteness {
  status: AddressState['status']
  missing: AddressField[]
  invalid: AddressField[]
}

/** Whether checkout can use the destination, and what it lacks. Without shipping, tax needs only country and region. */
export function addressStateOf({ ships, address }: Destination): AddressCompleteness {
  if (!address) return { status: 'absent', missing: [], invalid: [] }
  const faults = addressFaults(address)
  const needed = (field: AddressField) => ships || field === 'countryCode' || field === 'region'
  const [missing, invalid] = [faults.missing.filter(needed), faults.invalid.filter(needed)]
  const status = invalid.length > 0 ? 'invalid' : missing.length > 0 ? 'incomplete' : 'complete'
  return { status, missing, invalid }
}
