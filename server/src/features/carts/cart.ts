import { type Address, type Contact, limits } from '@vitrine/contract'
import type { Static } from 'typebox'
import { assert, present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { refuse, refuseField, refuseStale } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'
import type { SellableSku } from '../catalog/index.ts'

const { linesMax, lineQuantityMax, idleExpiryDays } = limits.cart
const IDLE_MS = idleExpiryDays * 86_400_000
/** The highest stock level that refusals reveal. */
export const AVAILABLE_SHOWN_MAX = 50

/** Fields that all states share. */
interface CartContent {
  readonly id: string
  readonly installationId: string
  readonly environment: Environment
  /** `null` for an installation that sells for the whole marketplace. */
  readonly storeId: string | null
  /** Incremented by each change. */
  readonly version: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly customerId: string | null
  readonly contact: Static<typeof Contact> | null
  readonly metadata: Readonly<Record<string, string>>
  /** One per SKU, in the order they were added. */
  readonly lines: readonly CartLine[]
  /** The promotion code, whether or not it currently applies. */
  readonly code: string | null
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly shippingOptionId: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date
}

export interface CartLine {
  readonly lineId: string
  readonly skuId: string
  readonly quantity: number
  /** Unit price when units were last added. Minor units of the cart's currency. */
  readonly priceAtAdd: bigint
}

export type ActiveCart = CartContent & { readonly status: 'active' }
export type LockedCart = CartContent & { readonly status: 'locked'; readonly checkoutSessionId: string }
type ConvertedCart = CartContent & {
  readonly status: 'converted'
  readonly checkoutSessionId: string
  readonly orderId: string
}
export type RevokedCart = CartContent & {
  readonly status: 'revoked'
  readonly endedAt: Date
  readonly reason: string | null
}
type ExpiredCart = CartContent & { readonly status: 'expired'; readonly endedAt: Date }
export type Cart = ActiveCart | LockedCart | ConvertedCart | RevokedCart | ExpiredCart
export type CartStatus = Cart['status']

/** Operations by operationId, and the transitions that the service makes itself. */
export const CART_COMMANDS = [
  'addPublicCartItem',
  'updatePublicCartItemQuantity',
  'removePublicCartItem',
  'setPublicCartAddress',
  'clearPublicCart',
  'applyPublicCartPromotion',
  'removePublicCartPromotion',
  'quotePublicCart',
  'checkoutPublicCart',
  'revokePublicCart',
  'release',
  'convert',
  'expire',
] as const
export type CartCommand = (typeof CART_COMMANDS)[number]

/** @see docs/reference/rules.md#cart */
export const cartMachine = machine<CartStatus, CartCommand>({
  initial: 'active',
  finals: ['converted', 'revoked', 'expired'],
  transitions: {
    active: {
      addPublicCartItem: 'active',
      updatePublicCartItemQuantity: 'active',
      removePublicCartItem: 'active',
      setPublicCartAddress: 'active',
      clearPublicCart: 'active',
      applyPublicCartPromotion: 'active',
      removePublicCartPromotion: 'active',
      quotePublicCart: 'active',
      checkoutPublicCart: 'locked',
      revokePublicCart: 'revoked',
      expire: 'expired',
    },
    locked: { release: 'active', convert: 'converted', revokePublicCart: 'revoked' },
    converted: {},
    revoked: {},
    expired: {},
  },
})

/** The facts of a SKU that decide whether units of it can be added. */
export type Offer = Pick<
  SellableSku,
  'skuId' | 'status' | 'price' | 'minQuantity' | 'maxQuantity' | 'step' | 'availableQuantity'
>

/** Units of one SKU in a request. */
export interface LineInput {
  readonly skuId: string
  /** `undefined`: this installation has no such SKU. */
  readonly offer: Offer | undefined
  readonly quantity: number
  /** Prefix of the fields in faults, such as `lines/2/`, where a request has several lines. */
  readonly fieldPrefix?: string
}

/** A line input with the id to use if it creates a line. */
export type NewLineInput = LineInput & { readonly lineId: string }

export interface CommandContext {
  readonly now: Date
  /** The version the caller last saw, for optimistic locking. */
  readonly expectedVersion?: number | undefined
}

/** Input of `openCart`. */
type NewCart = Pick<
  CartContent,
  | 'id'
  | 'installationId'
  | 'environment'
  | 'storeId'
  | 'currency'
  | 'country'
  | 'locale'
  | 'customerId'
  | 'contact'
  | 'metadata'
> & { readonly now: Date; readonly lines: readonly NewLineInput[] }

/**
 * Create a cart, with or without lines.
 *
 * Refusals: `sku_unavailable`, `currency_mismatch`, `quantity_invalid`, `quantity_exceeded`, `out_of_stock`.
 */
export function openCart({ now, lines: inputs, ...content }: NewCart): ActiveCart {
  return {
    ...content,
    status: 'active',
    version: 1,
    lines: mergedBySku(inputs).reduce<readonly CartLine[]>(withUnits, []),
    code: null,
    shippingAddress: null,
    billingAddress: null,
    shippingOptionId: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: idleFrom(now),
  }
}

/** One input for each SKU, the last one with all units, so that minimum and step apply to all of them. */
function mergedBySku(inputs: readonly NewLineInput[]): readonly NewLineInput[] {
  return [...Map.groupBy(inputs, ({ skuId }) => skuId).values()].map((same) => {
    const quantity = same.reduce((units, each) => units + each.quantity, 0)
    return { ...present(same.at(-1), 'a group has a member'), quantity }
  })
}

/** The cart at a point in time. An idle cart reads as expired even before the worker has saved its expiry. */
export function asOf(cart: Cart, now: Date): Cart {
  if (cart.status !== 'active' || now < cart.expiresAt) return cart
  const endedAt = cart.expiresAt
  return { ...cart, status: 'expired', version: cart.version + 1, updatedAt: endedAt, endedAt }
}

/** Add units to the line of the SKU at the current price, creating the line if needed. */
export function addItem(cart: Cart, input: NewLineInput, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'addPublicCartItem', context)
  return changed(cart, context, { lines: withUnits(cart.lines, input) })
}

/** Set the quantity of a line. `priceAtAdd` stays, so a price change is still reported. */
export function setQuantity(cart: Cart, input: LineInput, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'updatePublicCartItemQuantity', context)
  const line = lineOf(cart, input.skuId)
  assertSellable(input, input.quantity)
  const lines = cart.lines.map((each) => (each === line ? { ...line, quantity: input.quantity } : each))
  return changed(cart, context, { lines })
}

/** Remove a line. */
export function removeLine(cart: Cart, skuId: string, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'removePublicCartItem', context)
  const line = lineOf(cart, skuId)
  return changed(cart, context, { lines: cart.lines.filter((each) => each !== line) })
}

/** Changes by `setAddress`. An absent field stays as it is. */
export type AddressChanges = Partial<
  Pick<CartContent, 'shippingAddress' | 'billingAddress' | 'contact' | 'shippingOptionId' | 'metadata'>
> & { readonly customerId?: string }

/**
 * Set contact, addresses, shipping option, customer and metadata. `null` removes an address. Metadata is merged by key; an
 * empty value removes its key.
 *
 * Refusals: `validation_failed` for a cart of another customer or too much metadata.
 */
export function setAddress(cart: Cart, changes: AddressChanges, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'setPublicCartAddress', context)
  const { customerId = cart.customerId } = changes
  if (cart.customerId !== null && customerId !== cart.customerId) {
    refuseField('customerToken', 'other_customer', 'The cart belongs to another customer.')
  }
  const metadata = mergedMetadata(cart.metadata, changes.metadata)
  if (Object.keys(metadata).length > METADATA_KEYS_MAX) {
    refuseField('metadata', 'too_many', `A cart has at most ${METADATA_KEYS_MAX} metadata keys.`)
  }
  return changed(cart, context, { ...changes, metadata })
}

/** The contract's limit. */
const METADATA_KEYS_MAX = 20

function mergedMetadata(before: Cart['metadata'], changes: Cart['metadata'] = {}): Cart['metadata'] {
  const removed = (key: string) => changes[key] === ''
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([key]) => !removed(key)))
}

/** Remove all lines. Contact, addresses, promotion code and shipping option stay. */
export function clear(cart: Cart, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'clearPublicCart', context)
  return changed(cart, context, { lines: [] })
}

/** Set the promotion code, replacing the current one. Pricing decides whether it applies. */
export function setCode(cart: Cart, code: string, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'applyPublicCartPromotion', context)
  return changed(cart, context, { code })
}

/** Remove the promotion code. */
export function clearCode(cart: Cart, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'removePublicCartPromotion', context)
  return changed(cart, context, { code: null })
}

/** The cart to quote. Only a different shipping option changes it. */
export function readyToQuote(cart: Cart, shippingOptionId: string | undefined, context: CommandContext): ActiveCart {
  assertAllowed(cart, 'quotePublicCart', context)
  if (cart.lines.length === 0) refuse('cart_empty')
  if (shippingOptionId === undefined || shippingOptionId === cart.shippingOptionId) return cart
  return changed(cart, context, { shippingOptionId })
}

/**
 * Refuse to quote lines that cannot be sold now. Names all of them.
 *
 * Refusals: `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `out_of_stock`.
 */
export function refuseUnquotable(cart: Cart, offerFor: (skuId: string) => Offer | undefined): void {
  refuseLines(cart, offerFor, QUOTE_GUARDS)
}

/**
 * Checkout without a quote: refuse lines whose price has changed or that cannot be sold now. Stock is held afterwards.
 *
 * Refusals: `price_changed`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`.
 */
export function refuseChangedLines(cart: Cart, offerFor: (skuId: string) => Offer | undefined): void {
  refuseLines(cart, offerFor, [['price_changed', hasPriceChanged], ...SALE_GUARDS])
}

type CartGuard = readonly [
  code: LineRefusal | 'price_changed',
  matches: (line: CartLine, offer: Offer | undefined) => boolean,
]

function refuseLines(cart: Cart, offerFor: (skuId: string) => Offer | undefined, guards: readonly CartGuard[]): void {
  const offered = cart.lines.map((line) => ({ line, offer: offerFor(line.skuId) }))
  for (const [code, matches] of guards) {
    const lines = offered.filter(({ line, offer }) => matches(line, offer))
    if (lines.length === 0) continue
    refuse(code, {
      conflict: {
        lines: lines.map(({ line: { lineId, skuId, quantity }, offer }) => {
          return { lineId, skuId, requestedQuantity: quantity, ...(code === 'out_of_stock' && availableOf(offer)) }
        }),
      },
    })
  }
}

/** In the order of the contract's rows. */
const SALE_GUARDS: readonly CartGuard[] = [
  ['sku_unavailable', (_, offer) => !isOffered(offer)],
  ['currency_mismatch', (_, offer) => offer?.price === null],
  ['quantity_exceeded', ({ quantity }, offer) => offer !== undefined && quantity > offer.maxQuantity],
]
const QUOTE_GUARDS: readonly CartGuard[] = [
  ...SALE_GUARDS,
  ['out_of_stock', ({ quantity }, offer) => offer !== undefined && isShort(offer, quantity)],
]

function hasPriceChanged({ priceAtAdd }: CartLine, offer: Offer | undefined): boolean {
  return isOffered(offer) && offer.price !== null && offer.price !== priceAtAdd
}

/**
 * Lock a cart for a checkout session. Callers return the existing session of a cart that is locked already.
 *
 * Refusals: `cart_converted`, `cart_revoked`, `cart_expired`, `version_conflict`, `cart_empty`.
 */
export function lockForCheckout(cart: Cart, checkoutSessionId: string, context: CommandContext): LockedCart {
  assertAllowed(cart, 'checkoutPublicCart', context)
  if (cart.lines.length === 0) refuse('cart_empty')
  return { ...changed(cart, context, {}), status: 'locked', checkoutSessionId }
}

/** Unlock a cart whose checkout session ended without an order. */
export function release({ checkoutSessionId: _, ...cart }: LockedCart, now: Date): ActiveCart {
  return changed({ ...cart, status: 'active' }, { now }, {})
}

/** Convert a locked cart to its order. This state is final. */
export function convert(cart: LockedCart, orderId: string, now: Date): ConvertedCart {
  return {
    ...cart,
    status: 'converted',
    version: cart.version + 1,
    updatedAt: latest(cart.updatedAt, now),
    orderId,
  }
}

/** Revoke a cart permanently. The caller cancels the checkout session of a locked cart. */
export function revoke(cart: Cart, reason: string | null, context: CommandContext): RevokedCart {
  assertRevocable(cart, context)
  const { now } = context
  const { version } = cart
  const { checkoutSessionId: _, ...rest } = { checkoutSessionId: null, ...cart }
  return {
    ...rest,
    status: 'revoked',
    version: version + 1,
    updatedAt: latest(cart.updatedAt, now),
    endedAt: now,
    reason,
  }
}

/** The checks of every change to an active cart, in the order of the contract's rows. */
function assertAllowed(
  cart: Cart,
  command: CartCommand,
  { expectedVersion }: CommandContext,
): asserts cart is ActiveCart {
  refuseUndeclaredTransition(cart, command)
  refuseStale(cart.version, expectedVersion, { currentState: cart.status })
}

function assertRevocable(cart: Cart, { expectedVersion }: CommandContext): asserts cart is ActiveCart | LockedCart {
  refuseUndeclaredTransition(cart, 'revokePublicCart')
  refuseStale(cart.version, expectedVersion, { currentState: cart.status })
}

/** Refuse a transition the machine does not declare, naming the current state and the allowed operations. */
function refuseUndeclaredTransition(cart: Cart, command: CartCommand): void {
  const step = transition(cartMachine, cart.status, command)
  if (step.moved) return
  assert(cart.status !== 'active', `an active cart allows ${command}`)
  const operations = step.conflict.allowed.filter((each) => each.includes('PublicCart'))
  refuse(`cart_${cart.status}`, {
    conflict: {
      currentState: cart.status,
      currentVersion: cart.version,
      allowed: ['getPublicCart', ...operations],
      ...(cart.status === 'locked' && { heldBy: cart.checkoutSessionId }),
    },
  })
}

/** The line of a SKU. Refusals: `not_found`. */
function lineOf(cart: Cart, skuId: string): CartLine {
  return cart.lines.find((line) => line.skuId === skuId) ?? refuse('not_found')
}

function withUnits(lines: readonly CartLine[], input: NewLineInput): readonly CartLine[] {
  const { lineId, skuId } = input
  const existing = lines.find((line) => line.skuId === skuId)
  const quantity = (existing?.quantity ?? 0) + input.quantity
  const priceAtAdd = assertSellable(input, quantity)
  if (existing) return lines.map((line) => (line === existing ? { ...existing, quantity, priceAtAdd } : line))
  if (lines.length >= linesMax) refuseLine('quantity_exceeded', input, quantity, { max: linesMax }, LINES_FULL)
  return [...lines, { lineId, skuId, quantity, priceAtAdd }]
}

const LINES_FULL = `A cart can have at most ${linesMax} lines.`

/** The checks of a quantity, in the order of the contract's rows. Returns the current price. */
function assertSellable(input: LineInput, quantity: number): bigint {
  const { offer } = input
  if (!isOffered(offer)) refuseLine('sku_unavailable', input, quantity, {}, 'The SKU is not for sale here.')
  const { price, minQuantity: min, step } = offer
  if (price === null) {
    refuseLine('currency_mismatch', input, quantity, {}, "The SKU has no price in the cart's currency.")
  }
  const max = Math.min(lineQuantityMax, offer.maxQuantity)
  if (quantity > max) refuseLine('quantity_exceeded', input, quantity, { max }, `At most ${max} units in total.`)
  if (quantity < min || (quantity - min) % step !== 0) {
    refuseLine('quantity_invalid', input, quantity, { min, step }, `At least ${min} units, in steps of ${step}.`)
  }
  if (isShort(offer, quantity)) {
    const { availableQuantity: available } = availableOf(offer)
    refuseLine('out_of_stock', input, quantity, { available }, 'Not enough stock.')
  }
  return price
}

/** Whether the SKU is for sale, with or without a price in the cart's currency. */
function isOffered(offer: Offer | undefined): offer is Offer {
  return offer?.status === 'purchasable' || offer?.status === 'no_price'
}

function isShort({ availableQuantity }: Offer, quantity: number): boolean {
  return availableQuantity !== null && quantity > availableQuantity
}

function availableOf(offer: Offer | undefined): { readonly availableQuantity: number } {
  return { availableQuantity: Math.max(0, Math.min(offer?.availableQuantity ?? 0, AVAILABLE_SHOWN_MAX)) }
}

type LineRefusal = 'sku_unavailable' | 'currency_mismatch' | 'quantity_exceeded' | 'quantity_invalid' | 'out_of_stock'

/** Refuse a line input, naming the SKU, the total quantity and the field at fault. */
function refuseLine(
  code: LineRefusal,
  { skuId, fieldPrefix = '' }: LineInput,
  requestedQuantity: number,
  params: Readonly<Record<string, number>>,
  message: string,
): never {
  const field = fieldPrefix + (code === 'sku_unavailable' || code === 'currency_mismatch' ? 'skuId' : 'quantity')
  const { available } = params
  refuse(code, {
    faults: [{ field, code, message, params: { skuId, requested: requestedQuantity, ...params } }],
    ...(code !== 'quantity_invalid' && {
      conflict: {
        lines: [{ skuId, requestedQuantity, ...(available !== undefined && { availableQuantity: available }) }],
      },
    }),
  })
}

/** Apply changes, increment the version and restart the idle timeout. */
function changed(cart: ActiveCart, { now }: CommandContext, changes: Partial<CartContent>): ActiveCart {
  return {
    ...cart,
    ...changes,
    version: cart.version + 1,
    // A request that waited for the lock may have started before the request that had it.
    updatedAt: latest(cart.updatedAt, now),
    expiresAt: latest(cart.expiresAt, idleFrom(now)),
  }
}

function idleFrom(now: Date): Date {
  return new Date(now.getTime() + IDLE_MS)
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other
}
