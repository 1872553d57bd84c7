const fields = { countryCode: 'country', region: 'region', postalCode: 'postal code', vatId: 'VAT number' }
type AddressField = keyof typeof fields
type AddressKind = 'shipping' | 'billing'

const promotionReasons = {
  invalid: 'This code is not valid for this cart.',
  not_started: 'This promotion has not started yet.',
  expired: 'This promotion has ended.',
  customer_required: 'Sign in to use this code.',
  customer_ineligible: 'This code is not available for your account.',
  usage_limit_reached: 'This code has reached its usage limit.',
  minimum_not_met: 'The cart does not meet the minimum for this code.',
  combination_disallowed: 'This code cannot be combined with the promotions already applied.',
}

const left = (units: number) => `Only ${units} left.`
const counted = (units: number) => (units === 1 ? '1 unit' : `${units} units`)
const unitsWere = (units: number) => `${counted(units)} ${units === 1 ? 'was' : 'were'}`

/** Carrier and tracking of goods on their way. */
export interface Departure {
  readonly carrier: string | null
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
}

/** `The goods have been shipped with DHL, 00340434161094: https://dhl.example/00340434161094` */
function shipped({ carrier, trackingNumber, trackingUrl }: Departure): string {
  const by = carrier === null ? '' : ` with ${carrier}`
  const number = trackingNumber === null ? '' : `, ${trackingNumber}`
  return `The goods have been shipped${by}${number}${trackingUrl === null ? '.' : `: ${trackingUrl}`}`
}

/** English. Every other language has the same texts. */
export const en = {
  /** Messages of a cart, and what blocks its checkout. */
  cart: {
    cart_locked: 'The cart is in checkout.',
    cart_converted: 'The cart has been ordered.',
    cart_revoked: 'The cart has been revoked.',
    cart_expired: 'The cart has expired.',
    cart_empty: 'The cart is empty.',
    sku_unavailable: 'This item is no longer available.',
    currency_mismatch: ({ currency }: { readonly currency: string }) => `This item is not available in ${currency}.`,
    price_changed: ({ isHigher }: { readonly isHigher: boolean }) =>
      `The price has gone ${isHigher ? 'up' : 'down'} since this item was added.`,
    quantity_exceeded: ({ max }: { readonly max: number }) => `You can buy at most ${max} of this item.`,
    quantity_invalid: ({ min, step }: { readonly min: number; readonly step: number }) =>
      `The minimum quantity is ${min}, in steps of ${step}.`,
    out_of_stock: 'This item is out of stock.',
    /** The units left; `null` if the stock level is not public. */
    insufficient_stock: ({ units }: { readonly units: number | null }) =>
      units === null ? 'Not enough in stock.' : left(units),
    low_stock: ({ units }: { readonly units: number }) => left(units),
    backorder: 'On backorder: ships when back in stock.',
    preorder: 'Preorder: ships when released.',
    promotion_inapplicable: ({ reason }: { readonly reason: keyof typeof promotionReasons }) =>
      promotionReasons[reason],
    shipping_unavailable: 'The store does not ship to this destination.',
    shipping_option_unavailable: 'The selected shipping option is no longer available. Select another one.',
    address_missing: ({ address }: { readonly address: AddressKind }) => `The ${address} address is missing.`,
    address_incomplete: ({ address, field }: { readonly address: AddressKind; readonly field: AddressField }) =>
      `The ${address} address is missing its ${fields[field]}.`,
    address_invalid: ({ address, field }: { readonly address: AddressKind; readonly field: AddressField }) =>
      `The ${fields[field]} of the ${address} address is not valid.`,
    email_missing: 'The email address is missing.',
    tax_not_calculated: 'No tax rate is known for this destination.',
  },
  /** Why a line is not taxed, and the note of an invoice. @see Directive 2006/112/EC, Articles 138, 146, 196, 226 and 284 */
  tax: {
    intra_community_supply: {
      name: 'VAT 0 %, intra-Community supply',
      note: 'VAT exempt intra-Community supply of goods (Article 138 of Directive 2006/112/EC).',
    },
    reverse_charge: {
      name: 'VAT 0 %, reverse charge',
      note: 'Reverse charge: the recipient is liable for the VAT (Article 196 of Directive 2006/112/EC).',
    },
    export: {
      name: 'VAT 0 %, export',
      note: 'VAT exempt export of goods from the European Union (Article 146 of Directive 2006/112/EC).',
    },
    small_business: {
      name: 'No VAT, small business',
      note: 'No VAT is charged: the seller uses the exemption for small enterprises.',
    },
  },
  /** Why an order is or is not eligible for a cancellation or an after-sales request. */
  eligibility: {
    payment_outcome_unknown: 'The outcome of a payment is not known yet.',
    payment_not_settled: 'The order is not paid.',
    order_canceled: 'The order is canceled.',
    order_not_completed: 'Nothing has shipped yet.',
    order_on_hold: 'The order is on hold and needs a manual review.',
    already_shipped: 'Everything has shipped.',
    in_fulfillment: 'The order is being prepared and needs a manual review.',
    approval_required: 'The store reviews every request.',
    refund_by_hand: 'The order was paid elsewhere and is refunded manually.',
    window_closed: 'The window has closed.',
    not_shipped: 'The item has not shipped. Cancel it instead.',
    already_reimbursed: 'The item has been refunded already.',
    final_sale: 'The item is final sale.',
    quantity_exceeded: 'Fewer units are available.',
    open_request_exists: 'There is an open request already.',
    kind_not_offered: 'The store does not offer this.',
  },
  /** What happened to an order. Codes and facts are stored: never remove or change one. */
  orderTimeline: {
    confirmed: 'The order was confirmed.',
    processing: 'The order is being prepared.',
    parcel_dispatched: ({ units, carrier }: { readonly units: number; readonly carrier: string | null }) =>
      `${unitsWere(units)} handed over${carrier === null ? '' : ` to ${carrier}`}.`,
    parcel_delivered: ({ units }: { readonly units: number }) => `${unitsWere(units)} delivered.`,
    parcel_failed: ({ units }: { readonly units: number }) => `${unitsWere(units)} not delivered.`,
    parcel_changed: 'The details of a parcel have changed.',
    completed: 'All items were handed over.',
    units_canceled: ({ units }: { readonly units: number }) => `${unitsWere(units)} canceled.`,
    canceled: 'The order was canceled.',
    units_returned: ({ units }: { readonly units: number }) => `${unitsWere(units)} returned.`,
    return_declined: ({ units }: { readonly units: number }) => `${unitsWere(units)} not taken back.`,
    /** The reason is in an operator's own words. */
    held: ({ reason }: { readonly reason: string | null }) => reason ?? 'The order was put on hold.',
    released: 'The order was released.',
    refund_not_needed: 'Nothing had to be refunded.',
    refund_begun: ({ isRetry }: { readonly isRetry: boolean }): string =>
      isRetry ? 'The refund was requested again.' : 'A refund was requested.',
    refunded: 'The refund was paid out.',
    refund_failed: 'The refund failed. It will be requested again.',
    refund_unknown: 'The outcome of the refund is being checked.',
    payment_voided: 'The authorization was voided.',
    payment_authorized: 'The payment was authorized.',
    payment_captured: 'The payment was completed.',
    payment_failed: 'The payment failed.',
    payment_disputed: 'The payment was disputed with the bank.',
    dispute_won: 'The dispute was decided in favor of the shop.',
    dispute_lost: 'The dispute was decided in favor of the buyer.',
  },
  /** What happened to an after-sales request. Codes and facts are stored: never remove or change one. */
  afterSalesTimeline: {
    requested: 'The request was received.',
    under_review: 'The request is under review.',
    approved: 'The request was approved.',
    declined: 'The request was declined.',
    awaiting_return: 'Waiting for the goods to be returned.',
    in_transit: 'The goods are on their way back.',
    received: 'The goods were received.',
    inspecting: 'The goods were inspected.',
    resolving: 'The resolution is in progress.',
    /** `null` if no goods were shipped. */
    completed: ({ departure }: { readonly departure: Departure | null }) =>
      departure === null ? 'The request is completed.' : `The request is completed. ${shipped(departure)}`,
    withdrawn: 'The request was withdrawn.',
    expired: 'The goods were not returned in time.',
  },
  /** The built-in facets and their values. */
  facets: {
    category: 'Category',
    store: 'Store',
    brand: 'Brand',
    price: 'Price',
    availability: 'Availability',
    in_stock: 'In stock',
    any: 'All',
  },
}
