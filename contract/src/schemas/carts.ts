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
  boundOnly,
  closed,
  fixedOneOf,
  flag,
  formed,
  integer,
  leftOut,
  listOf,
  mapOf,
  maybeEmpty,
  named,
  oneOf,
  orNull,
  text,
  withExample,
} from './primitives.ts'

/** Money with this amount as its example, so that the examples of carts and quotes add up. */
const moneyOf = (amount: number) => withExample(Money, { amount, currency: 'EUR' })

export const CART_LINES_MAX = 100
export const LINE_QUANTITY_MAX = 999
export const CART_STATUSES = ['active', 'locked', 'converted', 'revoked', 'expired'] as const
export const QUOTE_STATUSES = ['in_force', 'stale', 'expired'] as const

const CartId = id('cart', 'The id of the cart.')
const SkuId = id('sku', 'The id of the SKU.')
const LineId = id('line', 'The id of the line.')
const Quantity = integer(1, LINE_QUANTITY_MAX, 'Units.', 2, { 'x-refusal': 'quantity_invalid' })
const PromotionCode = text(64, 'The code, in upper or lower case.', 'SUMMER15')
const ShippingOptionId = formed(
  '^[a-z0-9_]+(\\+[a-z0-9_]+)*$',
  3200,
  'The id of a shipping option. With several stores, one id of each, joined by `+`.',
  'shp_01k5b7m2q8e9rtv3w4x5y6z7a8',
)
const CustomerToken = formed(
  '^[A-Za-z0-9_.-]+$',
  512,
  'The customer token from consumeHostedLoginReturn.',
  'cut_9f8e7d6c5b4a',
)

export const CartParams = closed('The cart.', { cartId: CartId })
export const CartItemParams = closed('A line of the cart, by its SKU.', { cartId: CartId, skuId: SkuId })

export const LineRequest = named('LineRequest', closed('A quantity of one SKU.', { skuId: SkuId, quantity: Quantity }))
export type LineRequest = Static<typeof LineRequest>

export const CreatePublicCartRequest = named(
  'CreatePublicCartRequest',
  closed('A new cart.', {
    currency: CurrencyCode,
    country: CountryCode,
    locale: Type.Optional(LocaleTag),
    lines: Type.Optional(listOf(LineRequest, CART_LINES_MAX, 'The initial lines.')),
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
  closed('The new quantity. Zero is refused; use removePublicCartItem.', {
    quantity: Quantity,
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type PublicCartQuantityUpdateRequest = Static<typeof PublicCartQuantityUpdateRequest>

export const PublicCartTransitionRequest = named(
  'PublicCartTransitionRequest',
  closed('The reason and the expected version. May be empty.', {
    reason: Type.Optional(text(200, 'The reason, as free text.', 'The shopper started over.')),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type PublicCartTransitionRequest = Static<typeof PublicCartTransitionRequest>

export const SetPublicCartAddressRequest = named(
  'SetPublicCartAddressRequest',
  closed('Partial update: an absent member is unchanged, `null` removes it.', {
    shipping: Type.Optional(orNull(Address, 'The shipping address.')),
    billing: Type.Optional(orNull(Address, 'The billing address.')),
    contact: Type.Optional(Contact),
    shippingOptionId: Type.Optional(ShippingOptionId),
    customerToken: Type.Optional(CustomerToken),
    metadata: Type.Optional(
      mapOf(
        '^[a-zA-Z0-9_.-]{1,40}$',
        maybeEmpty(500, 'Anything; empty to remove the key.', 'A-1044'),
        20,
        'Merged into the metadata of the cart by key. Keys that are absent stay.',
        { examples: [{ basket: 'A-1044' }] },
      ),
    ),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type SetPublicCartAddressRequest = Static<typeof SetPublicCartAddressRequest>

export const ApplyPublicCartPromotionRequest = named(
  'ApplyPublicCartPromotionRequest',
  closed('The promotion code of the cart.', {
    code: PromotionCode,
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type ApplyPublicCartPromotionRequest = Static<typeof ApplyPublicCartPromotionRequest>

export const QuotePublicCartRequest = named(
  'QuotePublicCartRequest',
  closed('The shipping option. May be empty.', {
    shippingOptionId: Type.Optional(ShippingOptionId),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type QuotePublicCartRequest = Static<typeof QuotePublicCartRequest>

export const DiscountAllocation = named(
  'DiscountAllocation',
  closed('The discount of one promotion.', {
    promotionId: id('prm', 'The id of the promotion.'),
    code: Type.Optional(PromotionCode),
    title: text(200, 'The title shown to shoppers.', 'Summer sale'),
    amount: moneyOf(600),
  }),
)
export type DiscountAllocation = Static<typeof DiscountAllocation>

export const TaxLine = named(
  'TaxLine',
  closed('One tax on one amount.', {
    name: text(200, 'The title shown to shoppers.', 'VAT'),
    rate: DecimalRate,
    category: formed('^[a-z0-9]+(_[a-z0-9]+)*$', 40, 'The tax category.', 'standard'),
    taxable: moneyOf(2855),
    amount: moneyOf(543),
    included: flag('Whether the price includes the tax.'),
    country: Type.Optional(CountryCode),
    exemption: Type.Optional(
      leftOut(
        oneOf(
          ['intra_community_supply', 'reverse_charge', 'export', 'small_business'],
          'Why no tax is charged. The buyer is a business of another member state of the EU, the goods leave the EU, or the seller is a small business.',
        ),
      ),
    ),
    note: Type.Optional(
      leftOut(
        text(300, 'The note that an invoice must contain.', 'Reverse charge: the recipient is liable for the VAT.'),
      ),
    ),
    jurisdiction: Type.Optional(
      leftOut(text(120, 'The authority within the country, where a tax provider names it.', 'Los Angeles County')),
    ),
    source: Type.Optional(
      leftOut(
        oneOf(
          ['provider', 'fallback'],
          '`provider`: a tax provider calculated it. `fallback`: the tax table of the store, because its provider failed. Absent: the tax table.',
        ),
      ),
    ),
  }),
)
export type TaxLine = Static<typeof TaxLine>

const line = {
  lineId: LineId,
  skuId: SkuId,
  productId: id('prod', 'The id of the product.'),
  storeId: id('store', 'The id of the store.'),
  name: text(500, 'The name of the product.', 'Linen shirt'),
  image: Type.Optional(Image),
  optionLabels: listOf(
    closed('A selected option.', {
      name: text(80, 'The option, as shown to shoppers.', 'Color'),
      value: text(80, 'The value, as shown to shoppers.', 'Blue'),
    }),
    5,
    'The selected options.',
  ),
  quantity: integer(1, LINE_QUANTITY_MAX, 'Units.', 2),
  requiresShipping: Type.Optional(
    flag('Whether the line has to be shipped. Absent from quotes of earlier versions: it has.'),
  ),
  unitPrice: Money,
  subtotal: moneyOf(3998),
  discountAllocations: listOf(DiscountAllocation, 50, 'The discounts on the line.'),
  taxLines: listOf(TaxLine, 20, 'The taxes on the line.'),
  total: moneyOf(3398),
} satisfies TProperties

export const CartLine = named(
  'CartLine',
  closed('A line: all units of one SKU. `total` is what the buyer pays for it.', {
    ...line,
    compareAtUnitPrice: Type.Optional(moneyOf(2499)),
    priceAtAdd: Money,
    availability: oneOf(
      [...AVAILABILITIES, 'unavailable'],
      'Whether the SKU can be bought now. `unavailable`: no longer for sale.',
    ),
    minQuantity: integer(1, LINE_QUANTITY_MAX, 'The minimum quantity of the line.', 1),
    maxQuantity: integer(0, LINE_QUANTITY_MAX, 'The current maximum quantity of the line.', 999),
    step: integer(1, LINE_QUANTITY_MAX, 'Quantities above the minimum are in steps of it.', 1),
  }),
)
export type CartLine = Static<typeof CartLine>

export const QuoteLine = named('QuoteLine', closed('All units of one SKU, as priced.', line))
export type QuoteLine = Static<typeof QuoteLine>

/** The reasons that a code does not apply, in order of precedence. @see docs/reference/rules.md#promotions */
export const INAPPLICABLE_REASONS = [
  'invalid',
  'not_started',
  'expired',
  'customer_required',
  'customer_ineligible',
  'usage_limit_reached',
  'minimum_not_met',
  'combination_disallowed',
] as const

const Phase = oneOf(['line', 'order', 'shipping'], 'What the discount applies to.')

export const CartPromotion = named(
  'CartPromotion',
  closed(
    'The promotion code of the cart. A code that no longer applies stays, with the reason.',
    {
      status: oneOf(['none', 'applied', 'inapplicable'], 'Whether the code reduces the price.'),
      code: Type.Optional(PromotionCode),
      promotionId: Type.Optional(id('prm', 'The id of the promotion.')),
      title: Type.Optional(text(200, 'The title shown to shoppers.', 'Summer sale')),
      phase: Type.Optional(Phase),
      amount: Type.Optional(Money),
      reasonCode: Type.Optional(oneOf(INAPPLICABLE_REASONS, 'Why the code does not apply.')),
      requirement: Type.Optional(closed('The missing requirement.', { missing: Money })),
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
  closed('An automatic promotion.', {
    promotionId: id('prm', 'The id of the promotion.'),
    title: text(200, 'The title shown to shoppers.', 'Free shipping from 50 €'),
    phase: Phase,
    amount: Money,
  }),
)
export type AutomaticPromotion = Static<typeof AutomaticPromotion>

const automaticPromotions = listOf(AutomaticPromotion, 50, 'The automatic promotions.', { examples: [[]] })

export const ShippingOption = named(
  'ShippingOption',
  closed('A shipping option of one store.', {
    id: ShippingOptionId,
    storeId: id('store', 'The store that ships.'),
    name: text(200, 'The title shown to shoppers.', 'Standard'),
    price: moneyOf(490),
    delivery: closed('The delivery window.', {
      minDays: integer(0, 365, 'The earliest arrival, in days.', 2),
      maxDays: integer(0, 365, 'The latest arrival, in days.', 4),
    }),
  }),
)
export type ShippingOption = Static<typeof ShippingOption>

export const SelectedShipping = named(
  'SelectedShipping',
  closed('The shipping of one store.', {
    storeId: id('store', 'The store that ships.'),
    optionId: ShippingOptionId,
    chosen: flag('Whether the caller selected it. Otherwise the cheapest is preselected.'),
    amount: moneyOf(490),
    discountAllocations: listOf(DiscountAllocation, 50, 'The shipping discounts.', { examples: [[]] }),
    taxLines: listOf(TaxLine, 20, 'The taxes on shipping.', {
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
  closed('The sum of all taxes.', {
    amount: moneyOf(621),
    added: moneyOf(0),
    included: flag('Whether prices include tax. `false` if stores differ; see `byStore`.'),
    status: oneOf(
      ['estimated', 'final', 'not_calculated'],
      '`estimated` until a shipping address is set; `not_calculated` if a category has no rate for the destination.',
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
  closed('The totals of one store.', { storeId: id('store', 'The id of the store.'), ...totals }),
)
export type StoreTotals = Static<typeof StoreTotals>

export const Totals = named(
  'Totals',
  closed(
    'Plain sums. `total` is itemsSubtotal − itemsDiscount + shipping − shippingDiscount + tax.added. `shipping` is absent until a store has a shipping option; see `byStore`.',
    {
      ...totals,
      byStore: listOf(StoreTotals, CART_LINES_MAX, 'The totals per store.'),
      rounding: closed('How amounts are rounded.', {
        mode: Type.Literal('half_away_from_zero', { description: 'Halves are rounded away from zero.' }),
        level: Type.Literal('line', { description: 'Per line, after quantity and discounts.' }),
      }),
    },
  ),
)
export type Totals = Static<typeof Totals>

export const CartMessage = named(
  'CartMessage',
  closed('A notice about a cart that can still be read.', {
    type: oneOf(['price', 'stock', 'promotion', 'shipping', 'address', 'cart'], 'The subject of the message.'),
    code: Word,
    severity: fixedOneOf(['info', 'warning', 'blocking'], '`blocking`: checkout is refused until it is resolved.'),
    path: maybeEmpty(500, 'A JSON pointer into the cart.', '/lines/0'),
    text: text(500, 'The text shown to shoppers.', 'Only 3 are left.'),
  }),
)
export type CartMessage = Static<typeof CartMessage>

export const AddressState = named(
  'AddressState',
  closed(
    'The completeness of the address that shipping and tax use: the shipping address, or the billing address if nothing has to be shipped. Then only country and region are needed.',
    {
      status: oneOf(['absent', 'incomplete', 'invalid', 'complete'], 'Whether checkout can use the address.', {
        examples: ['complete'],
      }),
      missing: listOf(text(50, 'An address field.', 'postalCode'), 20, 'Required fields that are missing.'),
      invalid: listOf(text(50, 'An address field.', 'region'), 20, 'Fields that are not valid for the country.', {
        examples: [[]],
      }),
    },
  ),
)
export type AddressState = Static<typeof AddressState>

/** The members with prices. */
const priced = {
  promotion: CartPromotion,
  automaticPromotions,
  shippingOptionId: Type.Optional(ShippingOptionId),
  selectedShipping: listOf(SelectedShipping, CART_LINES_MAX, 'The shipping per store.'),
  totals: Totals,
} satisfies TProperties

export const Cart = named(
  'Cart',
  closed('A cart with current prices.', {
    id: CartId,
    status: oneOf(CART_STATUSES, 'The status. Terminal carts can still be read.'),
    version: Version,
    currency: CurrencyCode,
    locale: LocaleTag,
    country: CountryCode,
    customer: Type.Optional(closed('The customer of the cart.', { id: id('cus', 'The id of the customer.') })),
    contact: Type.Optional(boundOnly(Contact)),
    lines: listOf(CartLine, CART_LINES_MAX, 'The lines, one per SKU.'),
    ...priced,
    shippingAddress: Type.Optional(boundOnly(Address)),
    billingAddress: Type.Optional(boundOnly(Address)),
    addressState: AddressState,
    shippingOptions: listOf(ShippingOption, 500, 'The shipping options.'),
    messages: listOf(CartMessage, 500, 'The messages.', { examples: [[]] }),
    counts: closed('The number of lines and units.', {
      lines: integer(0, CART_LINES_MAX, 'Lines.', 1),
      units: integer(0, CART_LINES_MAX * LINE_QUANTITY_MAX, 'Units.', 2),
    }),
    checkoutSessionId: Type.Optional(leftOut(id('cks', 'The checkout session that locks the cart.'))),
    orderId: Type.Optional(leftOut(id('ord', 'The order created from the cart.'))),
    metadata: Metadata,
    expiresAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Cart = Static<typeof Cart>

export const CartPromotionState = named(
  'CartPromotionState',
  closed('The promotions of the cart.', {
    cartId: CartId,
    cartVersion: Version,
    promotion: CartPromotion,
    automaticPromotions,
    totals: Totals,
    messages: listOf(CartMessage, 500, 'The messages.', { examples: [[]] }),
  }),
)
export type CartPromotionState = Static<typeof CartPromotionState>

const BASE64URL = '^[A-Za-z0-9_-]+$'

export const QuoteSignature = named(
  'QuoteSignature',
  closed(
    'The signature of the quote. Verify `value` over the bytes of `payload` with the public key `kid` from getRuntimeConfig.',
    {
      alg: Type.Literal('EdDSA', { description: 'Ed25519, RFC 8037.' }),
      kid: text(64, 'The id of the key.', 'quote-1'),
      payload: formed(
        BASE64URL,
        2_000_000,
        'The exact signed bytes: canonical JSON in base64url.',
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
  closed('Prices that are valid until the quote expires or the cart changes.', {
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
  closed('What a quote would contain now. Not binding.', {
    currency: CurrencyCode,
    country: CountryCode,
    locale: LocaleTag,
    lines: quoteLines,
    ...priced,
    shippingOptions: listOf(ShippingOption, 500, 'The shipping options.'),
    catalogRevision: Revision,
    evaluatedAt: Timestamp,
  }),
)
export type CheckoutPreview = Static<typeof CheckoutPreview>

export const CheckoutBlocker = named(
  'CheckoutBlocker',
  closed('What blocks checkout.', {
    code: Word,
    path: maybeEmpty(500, 'A JSON pointer into the cart.', '/shippingAddress'),
    message: text(500, 'The missing requirement.', 'The shipping address is missing.'),
  }),
)
export type CheckoutBlocker = Static<typeof CheckoutBlocker>

export const CheckoutReadiness = named(
  'CheckoutReadiness',
  closed('The last quote, the current price, and what blocks checkout.', {
    cartId: CartId,
    cartVersion: Version,
    ready: flag('Whether checkout is possible.', false),
    quote: orNull(CheckoutQuote, 'The last quote with its status, or `null`.'),
    current: CheckoutPreview,
    blockers: listOf(CheckoutBlocker, 200, 'What blocks checkout.'),
  }),
)
export type CheckoutReadiness = Static<typeof CheckoutReadiness>
export { CustomerToken, LineId, PromotionCode, ShippingOptionId, SkuId }
