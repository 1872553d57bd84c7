import { Address, Image, Metadata, ORDER_STATUSES, OrderNumber } from '@vitrine/contract'
import { type Static, Type } from 'typebox'

/**
 * A line of an order import: one JSON object. Amounts are minor units of the order's currency, times are RFC 3339.
 *
 * @see docs/reference/order-lines.md
 */

const closed = { additionalProperties: false } as const
const Slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120, description: 'The slug of a store.' })
const Minor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units.' })
const Moment = Type.String({ format: 'date-time', maxLength: 35, description: 'RFC 3339.' })
const Title = Type.String({ minLength: 1, maxLength: 200, description: 'As the shopper saw it.' })
const Units = Type.Integer({ minimum: 1, maximum: 999, description: 'Units.' })
const unitsOfLines = (description: string) =>
  Type.Array(
    Type.Object(
      {
        line: Type.Integer({ minimum: 1, maximum: 100, description: 'Number of the line, from 1.' }),
        quantity: Units,
      },
      closed,
    ),
    { minItems: 1, maxItems: 100, description },
  )

const discounts = Type.Array(
  Type.Object(
    { title: Title, code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })), amount: Minor },
    closed,
  ),
  { maxItems: 50, description: 'Discounts.' },
)
const taxes = Type.Array(
  Type.Object(
    {
      name: Title,
      rate: Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,8})?$', maxLength: 12, description: '`0.19` is 19 %.' }),
      category: Type.Optional(
        Type.String({ pattern: '^[a-z0-9]+(_[a-z0-9]+)*$', maxLength: 40, description: 'Default `standard`.' }),
      ),
      amount: Minor,
      included: Type.Boolean({ description: 'Whether the price includes it.' }),
    },
    closed,
  ),
  { maxItems: 20, description: 'The taxes.' },
)

const Item = Type.Object(
  {
    skuId: Type.Optional(
      Type.String({ pattern: '^sku_[0-7][0-9a-hjkmnp-tv-z]{25}$', description: 'A SKU of this catalog.' }),
    ),
    sku: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 250,
        description: 'The code of the SKU. Required without `skuId`.',
      }),
    ),
    store: Type.Optional(Slug),
    name: Type.String({ minLength: 1, maxLength: 500, description: 'Name of the item.' }),
    options: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 80, description: 'Such as `Color`.' }),
            value: Type.String({ minLength: 1, maxLength: 80, description: 'Such as `Blue`.' }),
          },
          closed,
        ),
        { maxItems: 5, description: 'The selected options, as the shopper saw them.' },
      ),
    ),
    image: Type.Optional(Image),
    quantity: Units,
    unitPrice: Minor,
    discounts: Type.Optional(discounts),
    taxes: Type.Optional(taxes),
    total: Type.Optional(Minor),
  },
  { ...closed, description: 'Units of one SKU.' },
)

const Shipping = Type.Object(
  {
    store: Type.Optional(Slug),
    name: Type.Optional(Title),
    amount: Minor,
    discounts: Type.Optional(discounts),
    taxes: Type.Optional(taxes),
    total: Type.Optional(Minor),
  },
  { ...closed, description: 'Shipping cost of one store.' },
)

const ParcelOfLine = Type.Object(
  {
    lines: unitsOfLines('Units in the parcel.'),
    dispatchedAt: Moment,
    deliveredAt: Type.Optional(Moment),
    carrier: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    trackingNumber: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    trackingUrl: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2048 })),
  },
  { ...closed, description: 'A parcel.' },
)

const RefundOfLine = Type.Object(
  {
    at: Moment,
    amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units.' }),
    lines: Type.Optional(unitsOfLines('Refunded units.')),
    shipping: Type.Optional(Type.Boolean({ description: 'Whether shipping was refunded too.' })),
    reference: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { ...closed, description: 'A refund.' },
)

export const OrderLineForm = Type.Object(
  {
    externalId: Type.String({
      minLength: 1,
      maxLength: 120,
      description:
        'Its id in the other system. Unique within the installation: a second line with the same id creates no second order.',
    }),
    installation: Type.Optional(
      Type.String({
        pattern: '^ins_[0-7][0-9a-hjkmnp-tv-z]{25}$',
        description: 'The installation of the order. Required unless the import is for one installation.',
      }),
    ),
    number: Type.Optional(OrderNumber),
    placedAt: Moment,
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'ISO 3166-1 alpha-2. Default: the country of the shipping address.',
      }),
    ),
    locale: Type.Optional(
      Type.String({ pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8}){0,5}$', maxLength: 50, description: 'Default `en`.' }),
    ),
    email: Type.String({ format: 'email', maxLength: 254, description: 'Email address of the buyer.' }),
    phone: Type.Optional(
      Type.String({
        pattern: '^\\+[1-9][0-9]{4,14}$',
        maxLength: 16,
        description: 'Phone number of the buyer, in E.164.',
      }),
    ),
    clientReferenceId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A reference of your own, returned with the order.' }),
    ),
    metadata: Type.Optional(Metadata),
    customerId: Type.Optional(Type.String({ pattern: '^cus_[0-7][0-9a-hjkmnp-tv-z]{25}$' })),
    store: Type.Optional(Slug),
    lines: Type.Array(Item, { minItems: 1, maxItems: 100 }),
    shipping: Type.Optional(Type.Array(Shipping, { maxItems: 100 })),
    total: Type.Optional(Minor),
    payment: Type.Optional(
      Type.Enum(['paid', 'pending', 'authorized', 'voided', 'failed'], { description: 'Default `paid`: all of it.' }),
    ),
    status: Type.Optional(Type.Enum([...ORDER_STATUSES], { description: 'Default: derived from its units.' })),
    canceled: Type.Optional(unitsOfLines('Canceled units.')),
    canceledAt: Type.Optional(Moment),
    parcels: Type.Optional(Type.Array(ParcelOfLine, { maxItems: 100 })),
    returned: Type.Optional(unitsOfLines('Returned units.')),
    returnedAt: Type.Optional(Moment),
    refunds: Type.Optional(Type.Array(RefundOfLine, { maxItems: 200 })),
    shippingAddress: Type.Optional(Address),
    billingAddress: Type.Optional(Address),
  },
  {
    ...closed,
    description: 'An order with its history. Orders are frozen: a second line with other contents is refused.',
  },
)
export type OrderLineForm = Static<typeof OrderLineForm>
export type ItemForm = Static<typeof Item>
export type PricesForm = Pick<ItemForm, 'discounts' | 'taxes' | 'total'>
export type UnitsForm = Static<ReturnType<typeof unitsOfLines>>
