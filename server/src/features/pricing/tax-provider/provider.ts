import type { Environment } from '../../../kernel/environment.ts'
import type { Decimal } from '../../../kernel/money.ts'
import type { TaxExemption } from '../types.ts'

/** A tax request: the lines and the shipping of one store in a cart. Amounts are minor units, after discounts. */
export interface TaxRequest {
  readonly environment: Environment
  readonly storeId: string
  /** ISO 4217. */
  readonly currency: string
  readonly pricesIncludeTax: boolean
  /** The destination of the goods, or the address of the buyer of digital goods. */
  readonly shipTo: TaxAddress
  readonly buyer: {
    /** `null`: a consumer, or a VAT number that the registry does not know. */
    readonly vatId: string | null
    readonly billTo: TaxAddress | null
  }
  readonly lines: readonly TaxRequestLine[]
}

export interface TaxAddress {
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly region: string | null
  readonly postalCode: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export interface TaxRequestLine {
  /** Unique in the request. */
  readonly id: string
  readonly kind: 'item' | 'shipping'
  readonly skuId: string | null
  readonly quantity: number
  readonly taxCategory: string
  /** The amount of all units. Includes tax if prices do. */
  readonly amount: bigint
  readonly isShipped: boolean
}

/** The seller, who owes the tax. */
export interface TaxSeller {
  readonly address: TaxAddress
  /** VAT registrations, at most one per country. */
  readonly registrations: readonly { readonly country: string; readonly id: string }[]
}

/** A provider's reply: the taxes of each line. It is checked before it is used. */
export interface TaxReply {
  readonly currency: string
  readonly lines: readonly {
    readonly id: string
    /** A rate of `'0'`: untaxed. Empty only with an exemption. */
    readonly taxes: readonly ProvidedTax[]
    readonly exemption?: TaxExemption | undefined
  }[]
}

interface ProvidedTax {
  /** The name for shoppers. */
  readonly name: string
  /** The effective rate on the whole line. */
  readonly rate: Decimal
  readonly amount: bigint
  /** ISO 3166-1 alpha-2: the country that the tax is owed to. */
  readonly country: string
  /** The authority within the country, such as a county. */
  readonly jurisdiction?: string | undefined
}

export type TaxAnswer =
  | { readonly outcome: 'answered'; readonly reply: TaxReply }
  /** The provider could not be reached, was late, or sent an unreadable answer. */
  | { readonly outcome: 'unanswered'; readonly reason: string }

/** Calculates taxes. An adapter has to pass `taxProviderKit` of `test/support/commerce/tax-provider-kit.ts`. */
export interface TaxProvider {
  /** Never throws, and answers within its own time limit. `seller`: `null` if the store has no legal details. */
  calculate(request: TaxRequest, seller: TaxSeller | null): Promise<TaxAnswer>
}
