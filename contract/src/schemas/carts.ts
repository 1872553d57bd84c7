import { type Static, type TProperties, Type } from 'typebox'
import { AVAILABILITIES } from './catalog.ts'
import {
  Address,
  Contact,
  CountryCode,
  CurrencyCode,
  DecimalRate,
  ExpectedVersion,
  Image,
  id,
  LocaleTag,
  Metadata,
  Money,
  Revision,
  Timestamp,
  Version,
  Word,
} from './common.ts'
import {
  closed,
  flag,
  formed,
  integer,
  leftOut,
  listOf,
  maybeEmpty,
  named,
  oneOf,
  orNull,
  text,
  withExample,
} from './primitives.ts'

/** Money whose example is this amount, so that the examples of carts and quotes add up. */
const moneyOf = (amount: number) => withExample(Money, { amount, currency: 'EUR' })

export const CART_LINES_MAX = 100
export const LINE_QUANTITY_MAX = 999
export const CART_STATUSES = ['active', 'locked', 'converted', 'revoked', 'expired'] as const
export const QUOTE_STATUSES = ['in_force', 'stale', 'expired'] as const

const CartId = id('cart', 'The id of the cart.')
const SkuId = id('sku', 'The id of the SKU.')
const LineId = id('line', 'The id of the line.')
const Quantity = integer(1, LINE_QUANTITY_MAX, 'Units.', 2, { 'x-refusal': 'quantity_invalid' })
const PromotionCode = text(64, 'The code, in any case of letters.', 'SUMMER15')
const ShippingOptionId = formed(
  '^[a-z0-9_]+(\\+[a-z0-9_]+)*$',
  3200,
  'The id of a shipping option; where several stores ship, one of each, joined by `+`.',
  'shp_01k5b7m2q8e9rtv3w4x5y6z7a8',
)
const CustomerToken = formed('^[A-Za-z0-9_.-]+$', 512, 'What consumeHostedLoginReturn gave.', 'cut_9f8e7d6c5b4a')

export const CartParams = closed('The cart.', { cartId: CartId })
export const CartItemParams = closed('The line of the cart, by its SKU.', { cartId: CartId, skuId: SkuId })

export const LineRequest = named(
  'LineRequest',
  closed('So many units of one SKU.', { skuId: SkuId, quantity: Quantity }),
)
export type LineRequest = Static<typeof LineRequest>

export const CreatePublicCartRequest = named(
  'CreatePublicCartRequest',
  closed('A new cart.', {
    currency: CurrencyCode,
    country: CountryCode,
    locale: Type.Optional(LocaleTag),
    lines: Type.Optional(listOf(LineRequest, CART_LINES_MAX, 'What lies in it from the start.')),
    customerToken: Type.Optional(CustomerToken),
    contact: Type.Optional(Contact),
    metadata: Type.Optional(Metadata),
  }),
)
export type CreatePublicCartRequest = Static<typeof CreatePublicCartRequest>

export const PublicCartItemMutationRequest = named(
  'PublicCartItemMutationRequest',
  closed('Units to add.', { skuId: SkuId, quantity: Quantity, expectedVersion: Type.Optional(ExpectedVersion) }),
)
export type PublicCartItemMutationRequest = Static<typeof PublicCartItemMutationRequest>

export const PublicCartQuantityUpdateRequest = named(
  'PublicCartQuantityUpdateRequest',
  closed('The quantity that the line shall have. Zero is refused: removePublicCartItem removes.', {
    quantity: Quantity,
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type PublicCartQuantityUpdateRequest = Static<typeof PublicCartQuantityUpdateRequest>

export const PublicCartTransitionRequest = named(
  'PublicCartTransitionRequest',
  closed('Why, and from which version. May be empty.', {
    reason: Type.Optional(text(200, 'Why, in words.', 'The shopper started over.')),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type PublicCartTransitionRequest = Static<typeof PublicCartTransitionRequest>

export const SetPublicCartAddressRequest = named(
  'SetPublicCartAddressRequest',
  closed('What is absent stays; `null` removes.', {
    shipping: Type.Optional(orNull(Address, 'Where it goes.')),
    billing: Type.Optional(orNull(Address, 'Who pays.')),
    contact: Type.Optional(Contact),
    shippingOptionId: Type.Optional(ShippingOptionId),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type SetPublicCartAddressRequest = Static<typeof SetPublicCartAddressRequest>

export const ApplyPublicCartPromotionRequest = named(
  'ApplyPublicCartPromotionRequest',
  closed('The code for the one slot of the cart.', {
    code: PromotionCode,
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type ApplyPublicCartPromotionRequest = Static<typeof ApplyPublicCartPromotionRequest>

export const QuotePublicCartRequest = named(
  'QuotePublicCartRequest',
  closed('How it shall be shipped. May be empty.', {
    shippingOptionId: Type.Optional(ShippingOptionId),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type QuotePublicCartRequest = Static<typeof QuotePublicCartRequest>

export const DiscountAllocation = named(
  'DiscountAllocation',
  closed('What one promotion takes off.', {
    promotionId: id('prm', 'The id of the promotion.'),
    code: Type.Optional(PromotionCode),
    title: text(200, 'What a shopper reads.', 'Summer sale'),
    amount: moneyOf(600),
  }),
)
export type DiscountAllocation = Static<typeof DiscountAllocation>

export const TaxLine = named(
  'TaxLine',
  closed('One tax on one amount.', {
    name: text(200, 'What a shopper reads.', 'VAT'),
    rate: DecimalRate,
    category: formed('^[a-z0-9]+(_[a-z0-9]+)*$', 40, 'The tax category.', 'standard'),
    taxable: moneyOf(2855),
    amount: moneyOf(543),
    included: flag('Whether the price already holds it.'),
  }),
)
export type TaxLine = Static<typeof TaxLine>

const line = {
  lineId: LineId,
  skuId: SkuId,
  productId: id('prod', 'The id of the product.'),
  storeId: id('store', 'The id of the store.'),
  name: text(500, 'What the product is called.', 'Linen shirt'),
  image: Type.Optional(Image),
  optionLabels: listOf(
    closed('A chosen option.', {
      name: text(80, 'The option, as a shopper reads it.', 'Colour'),
      value: text(80, 'The value, as a shopper reads it.', 'Blue'),
    }),
    5,
    'The chosen options.',
  ),
  quantity: integer(1, LINE_QUANTITY_MAX, 'Units.', 2),
  unitPrice: Money,
  subtotal: moneyOf(3998),
  discountAllocations: listOf(DiscountAllocation, 50, 'What promotions take off the line.'),
  taxLines: listOf(TaxLine, 20, 'The taxes on the line.'),
  total: moneyOf(3398),
} satisfies TProperties

export const CartLine = named(
  'CartLine',
  closed('All units of one SKU. `total` is what the buyer pays for the line.', {
    ...line,
    compareAtUnitPrice: Type.Optional(moneyOf(2499)),
    priceAtAdd: Money,
    availability: oneOf(
      [...AVAILABILITIES, 'unavailable'],
      'Whether it can be bought now. `unavailable`: no longer for sale.',
    ),
    maxQuantity: integer(0, LINE_QUANTITY_MAX, 'The most units that the line may have now.', 999),
  }),
)
export type CartLine = Static<typeof CartLine>

export const QuoteLine = named('QuoteLine', closed('All units of one SKU, as they were priced.', line))
export type QuoteLine = Static<typeof QuoteLine>

const REASON_CODES = [
  'invalid',
  'not_started',
  'expired',
  'customer_required',
  'customer_ineligible',
  'usage_limit_reached',
  'minimum_not_met',
  'combination_disallowed',
] as const

const Phase = oneOf(['line', 'order', 'shipping'], 'What it takes off from.')

export const CartPromotion = named(
  'CartPromotion',
  closed(
    'The one code slot of the cart. A code that stops applying stays in it, and says why.',
    {
      status: oneOf(['none', 'applied', 'inapplicable'], 'Whether the code takes something off.'),
      code: Type.Optional(PromotionCode),
      promotionId: Type.Optional(id('prm', 'The id of the promotion.')),
      title: Type.Optional(text(200, 'What a shopper reads.', 'Summer sale')),
      phase: Type.Optional(Phase),
      amount: Type.Optional(Money),
      reasonCode: Type.Optional(oneOf(REASON_CODES, 'Why it does not apply.')),
      requirement: Type.Optional(closed('What is missing.', { missing: Money })),
    },
    {
      examples: [
        {
          status: 'applied',
          code: 'SUMMER15',
          promotionId: 'prm_01k5b7m2q8e9rtv3w4x5y6z7a8',
          title: 'Summer sale',
          phase: 'order',
          amount: { amount: 600, currency: 'EUR' },
        },
        {
          status: 'inapplicable',
          code: 'SUMMER15',
          promotionId: 'prm_01k5b7m2q8e9rtv3w4x5y6z7a8',
          title: 'Summer sale',
          reasonCode: 'minimum_not_met',
          requirement: { missing: { amount: 1001, currency: 'EUR' } },
        },
        { status: 'none' },
      ],
    },
  ),
)
export type CartPromotion = Static<typeof CartPromotion>

export const AutomaticPromotion = named(
  'AutomaticPromotion',
  closed('A promotion that applies by itself.', {
    promotionId: id('prm', 'The id of the promotion.'),
    title: text(200, 'What a shopper reads.', 'Free shipping from 50 €'),
    phase: Phase,
    amount: Money,
  }),
)
export type AutomaticPromotion = Static<typeof AutomaticPromotion>

const automaticPromotions = listOf(AutomaticPromotion, 50, 'Promotions that apply by themselves.', { examples: [[]] })

export const ShippingOption = named(
  'ShippingOption',
  closed('A way to ship what one store sells.', {
    id: ShippingOptionId,
    storeId: id('store', 'The store that ships.'),
    name: text(200, 'What a shopper reads.', 'Standard'),
    price: moneyOf(490),
    delivery: closed('When it arrives.', {
      minDays: integer(0, 365, 'The earliest, in days.', 2),
      maxDays: integer(0, 365, 'The latest, in days.', 4),
    }),
  }),
)
export type ShippingOption = Static<typeof ShippingOption>

export const SelectedShipping = named(
  'SelectedShipping',
  closed('How one store ships.', {
    storeId: id('store', 'The store that ships.'),
    optionId: ShippingOptionId,
    chosen: flag('Whether the caller chose it; otherwise the cheapest was preselected.'),
    amount: moneyOf(490),
    discountAllocations: listOf(DiscountAllocation, 50, 'What promotions take off.', { examples: [[]] }),
    taxLines: listOf(TaxLine, 20, 'The taxes on it.', {
      examples: [
        [
          {
            name: 'VAT',
            rate: '0.19',
            category: 'standard',
            taxable: { amount: 412, currency: 'EUR' },
            amount: { amount: 78, currency: 'EUR' },
            included: true,
          },
        ],
      ],
    }),
    total: moneyOf(490),
  }),
)
export type SelectedShipping = Static<typeof SelectedShipping>

export const TaxTotal = named(
  'TaxTotal',
  closed('All taxes together.', {
    amount: moneyOf(621),
    added: moneyOf(0),
    included: flag('Whether prices hold the tax. Where stores differ it is `false`, and `byStore` says which do.'),
    status: oneOf(
      ['estimated', 'final', 'not_calculated'],
      '`estimated` until a shipping address is known; `not_calculated` where a category has no rate for the place.',
      { examples: ['final'] },
    ),
  }),
)
export type TaxTotal = Static<typeof TaxTotal>

const totals = {
  itemsSubtotal: moneyOf(3998),
  itemsDiscount: moneyOf(600),
  shipping: Type.Optional(moneyOf(490)),
  shippingDiscount: Type.Optional(moneyOf(0)),
  tax: TaxTotal,
  total: moneyOf(3888),
} satisfies TProperties

export const StoreTotals = named(
  'StoreTotals',
  closed('What one store is paid.', { storeId: id('store', 'The id of the store.'), ...totals }),
)
export type StoreTotals = Static<typeof StoreTotals>

export const Totals = named(
  'Totals',
  closed(
    'Plain sums. `total` is itemsSubtotal − itemsDiscount + shipping − shippingDiscount + tax.added. `shipping` is absent as long as no store has a way to ship; `byStore` says which have.',
    {
      ...totals,
      byStore: listOf(StoreTotals, CART_LINES_MAX, 'The same, store by store.'),
      rounding: closed('How amounts are rounded.', {
        mode: Type.Literal('half_away_from_zero', { description: 'Halves go away from zero.' }),
        level: Type.Literal('line', { description: 'At the line, after quantity and discounts.' }),
      }),
    },
  ),
)
export type Totals = Static<typeof Totals>

export const CartMessage = named(
  'CartMessage',
  closed('Something to tell about a cart that is healthy all the same.', {
    type: oneOf(['price', 'stock', 'promotion', 'shipping', 'address', 'cart'], 'What it is about.'),
    code: Word,
    severity: oneOf(['info', 'warning', 'blocking'], '`blocking`: checkout will be refused as long as it stands.'),
    path: maybeEmpty(500, 'A JSON pointer into the cart.', '/lines/0'),
    text: text(500, 'What a shopper may read.', 'Only 3 are left.'),
  }),
)
export type CartMessage = Static<typeof CartMessage>

export const AddressState = named(
  'AddressState',
  closed('What the shipping address still needs.', {
    status: oneOf(['absent', 'incomplete', 'invalid', 'complete'], 'Whether checkout can use it.', {
      examples: ['complete'],
    }),
    missing: listOf(
      text(50, 'A field of the address.', 'postalCode'),
      20,
      'Fields that its country requires and it lacks.',
    ),
    invalid: listOf(text(50, 'A field of the address.', 'region'), 20, 'Fields that its country writes otherwise.', {
      examples: [[]],
    }),
  }),
)
export type AddressState = Static<typeof AddressState>

/** What is priced, wherever a price is shown. */
const priced = {
  promotion: CartPromotion,
  automaticPromotions,
  shippingOptionId: Type.Optional(ShippingOptionId),
  selectedShipping: listOf(SelectedShipping, CART_LINES_MAX, 'How each store ships.'),
  totals: Totals,
} satisfies TProperties

export const Cart = named(
  'Cart',
  closed('A cart with its prices as they are now.', {
    id: CartId,
    status: oneOf(CART_STATUSES, 'Its state. Terminal carts still read.'),
    version: Version,
    currency: CurrencyCode,
    locale: LocaleTag,
    country: CountryCode,
    customer: Type.Optional(closed('Whose it is.', { id: id('cus', 'The id of the customer.') })),
    contact: Type.Optional(Contact),
    lines: listOf(CartLine, CART_LINES_MAX, 'What lies in it, one line for each SKU.'),
    ...priced,
    shippingAddress: Type.Optional(Address),
    billingAddress: Type.Optional(Address),
    addressState: AddressState,
    shippingOptions: listOf(ShippingOption, 500, 'The ways to ship it.'),
    messages: listOf(CartMessage, 500, 'What to tell.', { examples: [[]] }),
    counts: closed('How much lies in it.', {
      lines: integer(0, CART_LINES_MAX, 'Lines.', 1),
      units: integer(0, CART_LINES_MAX * LINE_QUANTITY_MAX, 'Units.', 2),
    }),
    checkoutSessionId: Type.Optional(leftOut(id('cks', 'The session that holds it.'))),
    orderId: Type.Optional(leftOut(id('ord', 'The order that it became.'))),
    metadata: Metadata,
    expiresAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Cart = Static<typeof Cart>

export const CartPromotionState = named(
  'CartPromotionState',
  closed('What promotions do to the cart.', {
    cartId: CartId,
    cartVersion: Version,
    promotion: CartPromotion,
    automaticPromotions,
    totals: Totals,
    messages: listOf(CartMessage, 500, 'What to tell.', { examples: [[]] }),
  }),
)
export type CartPromotionState = Static<typeof CartPromotionState>

const BASE64URL = '^[A-Za-z0-9_-]+$'

export const QuoteSignature = named(
  'QuoteSignature',
  closed(
    'Proves that we quoted it. Verify `value` over the bytes of `payload` with the public key `kid` of getRuntimeConfig.',
    {
      alg: Type.Literal('EdDSA', { description: 'Ed25519, RFC 8037.' }),
      kid: text(64, 'Which key.', 'quote-1'),
      payload: formed(
        BASE64URL,
        2_000_000,
        'The exact bytes that were signed, canonical JSON, in base64url.',
        'eyJpZCI6InF1b18wMSJ9',
      ),
      value: formed(
        BASE64URL,
        86,
        'The signature in base64url.',
        'dGhpcyBpcyBub3QgYSByZWFsIHNpZ25hdHVyZSBidXQgaXQgaXMgYXMgbG9uZyBhcyBvbmUsIDY0IGJ5dGVzLg',
        { minLength: 86 },
      ),
    },
  ),
)
export type QuoteSignature = Static<typeof QuoteSignature>

const quoteLines = listOf(QuoteLine, CART_LINES_MAX, 'The lines.')

export const CheckoutQuote = named(
  'CheckoutQuote',
  closed('Prices that are honoured until they expire or the cart changes.', {
    id: id('quo', 'The id of the quote.'),
    status: oneOf(QUOTE_STATUSES, '`stale`: the cart has changed since.'),
    cartId: CartId,
    cartVersion: Version,
    currency: CurrencyCode,
    country: CountryCode,
    locale: LocaleTag,
    lines: quoteLines,
    ...priced,
    catalogRevision: Revision,
    createdAt: Timestamp,
    expiresAt: Timestamp,
    signature: QuoteSignature,
  }),
)
export type CheckoutQuote = Static<typeof CheckoutQuote>

export const CheckoutPreview = named(
  'CheckoutPreview',
  closed('What a quote would say now. Nobody has promised it.', {
    currency: CurrencyCode,
    country: CountryCode,
    locale: LocaleTag,
    lines: quoteLines,
    ...priced,
    shippingOptions: listOf(ShippingOption, 500, 'The ways to ship it.'),
    catalogRevision: Revision,
    evaluatedAt: Timestamp,
  }),
)
export type CheckoutPreview = Static<typeof CheckoutPreview>

export const CheckoutBlocker = named(
  'CheckoutBlocker',
  closed('What still stands in the way of checkout.', {
    code: Word,
    path: maybeEmpty(500, 'A JSON pointer into the cart.', '/shippingAddress'),
    message: text(500, 'What is missing.', 'The shipping address is missing.'),
  }),
)
export type CheckoutBlocker = Static<typeof CheckoutBlocker>

export const CheckoutReadiness = named(
  'CheckoutReadiness',
  closed('The last quote, what it would be now, and what still blocks checkout.', {
    cartId: CartId,
    cartVersion: Version,
    ready: flag('Whether nothing blocks checkout.', false),
    quote: orNull(CheckoutQuote, 'The last quote with its status; `null` where there is none.'),
    current: CheckoutPreview,
    blockers: listOf(CheckoutBlocker, 200, 'What stands in the way.'),
  }),
)
export type CheckoutReadiness = Static<typeof CheckoutReadiness>
export { CustomerToken, LineId, PromotionCode, ShippingOptionId, SkuId }
