import { type Address, type Contact, limits } from '@vitrine/contract'
import type { Static } from 'typebox'
import { assert } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'
import type { SellableSku } from '../catalog/index.ts'

const { linesMax, lineQuantityMax, idleExpiryDays } = limits.cart
const IDLE_MS = idleExpiryDays * 86_400_000
/** The most units that a refusal tells to be there, as everywhere: what is beyond it is nobody's business. */
export const AVAILABLE_SHOWN_MAX = 50

/** What a cart holds in each of its states. */
interface CartContent {
  readonly id: string
  readonly installationId: string
  readonly environment: Environment
  /** The installation's store, or `null` for the whole marketplace. */
  readonly storeId: string | null
  /** Grows by one with each change. */
  readonly version: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly customerId: string | null
  readonly contact: Static<typeof Contact> | null
  readonly metadata: Readonly<Record<string, string>>
  /** In the order in which they were opened. One for each SKU. */
  readonly lines: readonly CartLine[]
  /** What stands in the promotion slot, whether or not it applies. */
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
  /** What one unit cost when the line was last added to. Minor units of the cart's currency. */
  readonly priceAtAdd: bigint
}

export type ActiveCart = CartContent & { readonly status: 'active' }
export type LockedCart = CartContent & { readonly status: 'locked'; readonly checkoutSessionId: string }
export type ConvertedCart = CartContent & {
  readonly status: 'converted'
  readonly checkoutSessionId: string
  readonly orderId: string
}
export type RevokedCart = CartContent & {
  readonly status: 'revoked'
  readonly endedAt: Date
  readonly reason: string | null
}
export type ExpiredCart = CartContent & { readonly status: 'expired'; readonly endedAt: Date }
export type Cart = ActiveCart | LockedCart | ConvertedCart | RevokedCart | ExpiredCart
export type CartStatus = Cart['status']

/** What happens to a cart: operations by their operationId, and what the service does by itself. */
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

/** @see CONTRACT, State machines, Cart */
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

/** What a cart asks about a SKU before it takes units of it. */
export type Offer = Pick<
  SellableSku,
  'skuId' | 'status' | 'price' | 'minQuantity' | 'maxQuantity' | 'step' | 'availableQuantity'
>

/** So many units of a SKU, and where the request says so. */
export interface Wish {
  readonly skuId: string
  /** `undefined`: there is no such SKU for this installation. */
  readonly offer: Offer | undefined
  readonly quantity: number
  /** The part of the request that names the SKU, and the pointer of what holds it. */
  readonly skuIn: 'body' | 'path'
  readonly pointer: string
}

/** When a command comes, and which version its caller has seen. */
export interface Occasion {
  readonly now: Date
  readonly expectedVersion?: number | undefined
}

/** A cart as it begins. */
export type Opening = Pick<
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
> & { readonly now: Date; readonly wishes: readonly (Wish & { readonly lineId: string })[] }

/**
 * Opens a cart, with lines from the start where it has wishes.
 *
 * Refusals: `sku_unavailable`, `currency_mismatch`, `quantity_invalid`, `quantity_exceeded`, `out_of_stock`.
 */
export function openCart({ now, wishes, ...opening }: Opening): ActiveCart {
  return {
    ...opening,
    status: 'active',
    version: 1,
    lines: wishes.reduce<readonly CartLine[]>((lines, wish) => withUnits(lines, wish, wish.lineId), []),
    code: null,
    shippingAddress: null,
    billingAddress: null,
    shippingOptionId: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: idleFrom(now),
  }
}

/** The cart as it stands at a moment: one that has been left alone for too long has expired, worker or no worker. */
export function asOf(cart: Cart, now: Date): Cart {
  if (cart.status !== 'active' || now < cart.expiresAt) return cart
  const endedAt = cart.expiresAt
  return { ...cart, status: 'expired', version: cart.version + 1, updatedAt: endedAt, endedAt }
}

/** Adds units to the line of their SKU, opening it if there is none, at today's price. */
export function addItem(cart: Cart, wish: Wish & { readonly lineId: string }, occasion: Occasion): ActiveCart {
  admit(cart, 'addPublicCartItem', occasion)
  return changed(cart, occasion, { lines: withUnits(cart.lines, wish, wish.lineId) })
}

/** Sets the quantity of a line. The price that it was added at stays, so that a change of price is still told. */
export function setQuantity(cart: Cart, wish: Wish, occasion: Occasion): ActiveCart {
  const line = lineOf(cart, wish.skuId)
  admit(cart, 'updatePublicCartItemQuantity', occasion)
  refuseUnsellable(wish, wish.quantity)
  const lines = cart.lines.map((each) => (each === line ? { ...line, quantity: wish.quantity } : each))
  return changed(cart, occasion, { lines })
}

/** Takes a whole line out. */
export function removeLine(cart: Cart, skuId: string, occasion: Occasion): ActiveCart {
  const line = lineOf(cart, skuId)
  admit(cart, 'removePublicCartItem', occasion)
  return changed(cart, occasion, { lines: cart.lines.filter((each) => each !== line) })
}

/** Who and where, as far as it was said. */
export type GivenAddress = Partial<
  Pick<CartContent, 'shippingAddress' | 'billingAddress' | 'contact' | 'shippingOptionId'>
>

/** Sets who and where. What is absent stays; `null` takes an address away. */
export function setAddress(cart: Cart, given: GivenAddress, occasion: Occasion): ActiveCart {
  admit(cart, 'setPublicCartAddress', occasion)
  return changed(cart, occasion, given)
}

/** Takes all lines out. Who buys, where it goes and the code stay: the shopper starts over, not anew. */
export function clear(cart: Cart, occasion: Occasion): ActiveCart {
  admit(cart, 'clearPublicCart', occasion)
  return changed(cart, occasion, { lines: [] })
}

/** Puts a code into the one slot, in the place of the one that is there. Whether it applies is pricing's to say. */
export function setCode(cart: Cart, code: string, occasion: Occasion): ActiveCart {
  admit(cart, 'applyPublicCartPromotion', occasion)
  return changed(cart, occasion, { code })
}

/** Empties the slot. */
export function clearCode(cart: Cart, occasion: Occasion): ActiveCart {
  admit(cart, 'removePublicCartPromotion', occasion)
  return changed(cart, occasion, { code: null })
}

/** The cart as it will be quoted: another choice of shipping is a change of the cart, and nothing else here is. */
export function readyToQuote(cart: Cart, shippingOptionId: string | undefined, occasion: Occasion): ActiveCart {
  admit(cart, 'quotePublicCart', occasion)
  if (cart.lines.length === 0) refuse('cart_empty')
  if (shippingOptionId === undefined || shippingOptionId === cart.shippingOptionId) return cart
  return changed(cart, occasion, { shippingOptionId })
}

/**
 * Refuses to promise what could not be sold now, naming every line that stands in the way.
 *
 * Refusals: `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`, `out_of_stock`.
 */
export function refuseUnquotable(cart: Cart, offerFor: (skuId: string) => Offer | undefined): void {
  refuseLines(cart, offerFor, QUOTE_GUARDS)
}

/**
 * Refuses to check out, without a quote, what is no longer as the shopper has seen it. Stock is held after it.
 *
 * Refusals: `price_changed`, `sku_unavailable`, `currency_mismatch`, `quantity_exceeded`.
 */
export function refuseUnpromised(cart: Cart, offerFor: (skuId: string) => Offer | undefined): void {
  refuseLines(cart, offerFor, [['price_changed', isPricedOtherwise], ...SALE_GUARDS])
}

type CartGuard = readonly [
  code: LineRefusal | 'price_changed',
  stands: (line: CartLine, offer: Offer | undefined) => boolean,
]

function refuseLines(cart: Cart, offerFor: (skuId: string) => Offer | undefined, guards: readonly CartGuard[]): void {
  const judged = cart.lines.map((line) => ({ line, offer: offerFor(line.skuId) }))
  for (const [code, stands] of guards) {
    const lines = judged.filter(({ line, offer }) => stands(line, offer))
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

function isPricedOtherwise({ priceAtAdd }: CartLine, offer: Offer | undefined): boolean {
  return isOffered(offer) && offer.price !== null && offer.price !== priceAtAdd
}

/**
 * Locks a cart while a session leads it to an order. One that is locked already has a session, which its caller answers.
 *
 * Refusals: `cart_converted`, `cart_revoked`, `cart_expired`, `version_conflict`, `cart_empty`.
 */
export function lockForCheckout(cart: Cart, checkoutSessionId: string, occasion: Occasion): LockedCart {
  admit(cart, 'checkoutPublicCart', occasion)
  if (cart.lines.length === 0) refuse('cart_empty')
  return { ...changed(cart, occasion, {}), status: 'locked', checkoutSessionId }
}

/** The session is over without an order: the shopper goes on where they were. */
export function release({ checkoutSessionId: _, ...cart }: LockedCart, now: Date): ActiveCart {
  return changed({ ...cart, status: 'active' }, { now }, {})
}

/** The order exists. */
export function convert(cart: LockedCart, orderId: string, now: Date): ConvertedCart {
  return {
    ...cart,
    status: 'converted',
    version: cart.version + 1,
    updatedAt: latest(cart.updatedAt, now),
    orderId,
  }
}

/** Ends a cart for good. The checkout session that holds a locked one must have been canceled before. */
export function revoke(cart: Cart, reason: string | null, occasion: Occasion): RevokedCart {
  admitRevoking(cart, occasion)
  const { now } = occasion
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

/** The guards of every change of an active cart, in the order of the contract's rows. */
function admit(cart: Cart, command: CartCommand, { expectedVersion }: Occasion): asserts cart is ActiveCart {
  refuseUnlessDrawn(cart, command)
  refuseStale(cart, expectedVersion)
}

function admitRevoking(cart: Cart, { expectedVersion }: Occasion): asserts cart is ActiveCart | LockedCart {
  refuseUnlessDrawn(cart, 'revokePublicCart')
  refuseStale(cart, expectedVersion)
}

/** Refuses with the state that the cart is in, and the operations that it allows now. */
function refuseUnlessDrawn(cart: Cart, command: CartCommand): void {
  const step = transition(cartMachine, cart.status, command)
  if (step.moved) return
  assert(cart.status !== 'active', `an active cart takes ${command}`)
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

function refuseStale(cart: Cart, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === cart.version) return
  refuse('version_conflict', {
    conflict: { expectedVersion, currentVersion: cart.version, currentState: cart.status },
  })
}

/** The line of a SKU; one that is not there is no resource. */
function lineOf(cart: Cart, skuId: string): CartLine {
  return cart.lines.find((line) => line.skuId === skuId) ?? refuse('not_found')
}

function withUnits(lines: readonly CartLine[], wish: Wish, lineId: string): readonly CartLine[] {
  const held = lines.find((line) => line.skuId === wish.skuId)
  const quantity = (held?.quantity ?? 0) + wish.quantity
  const priceAtAdd = refuseUnsellable(wish, quantity)
  if (held) return lines.map((line) => (line === held ? { ...held, quantity, priceAtAdd } : line))
  if (lines.length >= linesMax) refuseLine('quantity_exceeded', wish, quantity, { max: linesMax }, LINES_FULL)
  return [...lines, { lineId, skuId: wish.skuId, quantity, priceAtAdd }]
}

const LINES_FULL = `A cart has at most ${linesMax} lines.`

/** The guards of units, in the order of the contract's rows. Answers today's price. */
function refuseUnsellable(wish: Wish, quantity: number): bigint {
  const { offer } = wish
  if (!isOffered(offer)) refuseLine('sku_unavailable', wish, quantity, {}, 'The SKU is not for sale here.')
  const { price, minQuantity, step } = offer
  if (price === null)
    refuseLine('currency_mismatch', wish, quantity, {}, 'The SKU has no price in the currency of the cart.')
  const max = Math.min(lineQuantityMax, offer.maxQuantity)
  if (quantity > max) refuseLine('quantity_exceeded', wish, quantity, { max }, `At most ${max} units in all.`)
  if (quantity < minQuantity || (quantity - minQuantity) % step !== 0) {
    refuseLine(
      'quantity_invalid',
      wish,
      quantity,
      { min: minQuantity, step },
      `${minQuantity} units, and then steps of ${step}.`,
    )
  }
  if (isShort(offer, quantity)) {
    const { availableQuantity: available } = availableOf(offer)
    refuseLine('out_of_stock', wish, quantity, { available }, 'There is less stock than that.')
  }
  return price
}

/** Whether it is for sale at all; a price in the cart's currency is another question. */
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

/** Says which SKU, how many in all, and where the request said so. */
function refuseLine(
  code: LineRefusal,
  { skuId, skuIn, pointer }: Wish,
  requestedQuantity: number,
  params: Readonly<Record<string, number>>,
  message: string,
): never {
  const isAboutSku = code === 'sku_unavailable' || code === 'currency_mismatch'
  const place = isAboutSku
    ? { in: skuIn, pointer: `${skuIn === 'path' ? '' : pointer}/skuId` }
    : { in: 'body' as const, pointer: `${pointer}/quantity` }
  const { available } = params
  refuse(code, {
    details: [{ ...place, code, message, params: { skuId, requested: requestedQuantity, ...params } }],
    ...(code !== 'quantity_invalid' && {
      conflict: {
        lines: [{ skuId, requestedQuantity, ...(available !== undefined && { availableQuantity: available }) }],
      },
    }),
  })
}

/** Each change is one version further, and begins the time anew in which the cart may be left alone. */
function changed(cart: ActiveCart, { now }: Occasion, changes: Partial<CartContent>): ActiveCart {
  return {
    ...cart,
    ...changes,
    version: cart.version + 1,
    // A request that waited for the cart's lock may have begun before the one that it waited for.
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
