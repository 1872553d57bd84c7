import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RefusalCode } from '@vitrine/contract'
import { Refusal } from '../../kernel/refusal.ts'
import { transition } from '../../kernel/state-machine.ts'
import { QUANTITY_SHOWN_MAX } from '../inventory/index.ts'
import {
  type ActiveCart,
  AVAILABLE_SHOWN_MAX,
  addItem,
  asOf,
  CART_COMMANDS,
  type Cart,
  type CartCommand,
  type CartStatus,
  cartMachine,
  clear,
  clearCode,
  convert,
  lockForCheckout,
  type Offer,
  openCart,
  readyToQuote,
  refuseUnpromised,
  refuseUnquotable,
  release,
  removeLine,
  revoke,
  setAddress,
  setCode,
  setQuantity,
  type Wish,
} from './cart.ts'

const BEGIN = new Date('2026-05-04T12:00:00.000Z')
const LATER = new Date('2026-05-05T12:00:00.000Z')
const DAY_MS = 86_400_000

describe('an active cart', () => {
  test('takes 999 units of a SKU', () => given(cart().with('mug', 998)).when(adding('mug', 1)).gives(has('mug', 999)))

  test('refuses the thousandth', () =>
    given(cart().with('mug', 999)).when(adding('mug', 1)).thenRefuses('quantity_exceeded'))

  test('has one line for each SKU, in the order in which they were opened', () =>
    given(cart().with('mug', 1).with('bowl', 1))
      .when(adding('mug', 2))
      .gives((after) => assert.deepEqual(unitsOf(after), { mug: 3, bowl: 1 })))

  test("remembers the price of the last adding as the line's", () =>
    given(cart().with('mug', 1, 1000n))
      .when(adding('mug', 1, { price: 1200n }))
      .gives(({ lines }) => assert.equal(lines[0]!.priceAtAdd, 1200n)))

  test('keeps that price where only the quantity is set', () =>
    given(cart().with('mug', 1, 1000n))
      .when(setting('mug', 5, { price: 1200n }))
      .gives(({ lines }) => assert.deepEqual([lines[0]!.quantity, lines[0]!.priceAtAdd], [5, 1000n])))

  test('takes a hundred lines', () =>
    given(cart().withLines(99))
      .when(adding('mug', 1))
      .gives(({ lines }) => assert.equal(lines.length, 100)))

  test('refuses the hundred-and-first', () =>
    given(cart().withLines(100)).when(adding('mug', 1)).thenRefuses('quantity_exceeded'))

  test('grows by one version with each change, and lives for 30 days from it', () =>
    given(cart().with('mug', 1))
      .when(adding('mug', 1))
      .gives(({ version, updatedAt, expiresAt }) => {
        assert.equal(version, 2)
        assert.deepEqual(updatedAt, LATER)
        assert.deepEqual(expiresAt, new Date(LATER.getTime() + 30 * DAY_MS))
      }))

  test('never goes back in time, though a request that waited for its lock began before', () =>
    given(cart().with('mug', 1))
      .when((each) => addItem(each, wish('mug', 1), { now: new Date(BEGIN.getTime() - 1000) }))
      .gives(({ updatedAt, expiresAt }) => {
        assert.deepEqual(updatedAt, BEGIN)
        assert.deepEqual(expiresAt, new Date(BEGIN.getTime() + 30 * DAY_MS))
      }))

  test('loses a whole line at once', () =>
    given(cart().with('mug', 5).with('bowl', 1))
      .when((each) => removeLine(each, 'mug', occasion))
      .gives((after) => assert.deepEqual(unitsOf(after), { bowl: 1 })))

  test('keeps who buys, where it goes and the code when it is cleared', () =>
    given(
      cart()
        .with('mug', 5)
        .holding({ code: 'SUMMER', contact: { email: 'ada@example.com' } }),
    )
      .when((each) => clear(each, occasion))
      .gives(({ lines, code, contact }) => {
        assert.deepEqual([lines, code, contact], [[], 'SUMMER', { email: 'ada@example.com' }])
      }))

  test('takes a code in the place of the one that is there, and lets it go', () => {
    given(cart().holding({ code: 'OLD' }))
      .when((each) => setCode(each, 'NEW', occasion))
      .gives(({ code }) => assert.equal(code, 'NEW'))
    given(cart().holding({ code: 'OLD' }))
      .when((each) => clearCode(each, occasion))
      .gives(({ code }) => assert.equal(code, null))
  })

  test('keeps what an address command does not mention', () =>
    given(cart().holding({ shippingAddress: address, billingAddress: address }))
      .when((each) => setAddress(each, { billingAddress: null }, occasion))
      .gives((after) => assert.deepEqual([after.shippingAddress, after.billingAddress], [address, null])))

  test('is quoted as it is, and changes only with another choice of shipping', () => {
    const before = cart().with('mug', 1).holding({ shippingOptionId: 'slow' }).build()
    assert.equal(readyToQuote(before, undefined, occasion), before)
    assert.equal(readyToQuote(before, 'slow', occasion), before)
    const after = readyToQuote(before, 'quick', occasion)
    assert.deepEqual([after.version, after.shippingOptionId], [2, 'quick'])
  })

  test('is revoked with or without a reason', () => {
    const revoked = revoke(cart().build(), 'because', occasion)
    assert.deepEqual([revoked.status, revoked.version, revoked.reason], ['revoked', 2, 'because'])
  })

  test('has expired 30 days after its last change to the millisecond, worker or no worker', () => {
    const active = cart().build()
    assert.equal(asOf(active, new Date(active.expiresAt.getTime() - 1)).status, 'active')
    const expired = asOf(active, active.expiresAt)
    assert.deepEqual([expired.status, expired.version, expired.updatedAt], ['expired', 2, active.expiresAt])
  })
})

describe('units', () => {
  test('are refused in descending precedence: only the first obstacle is told', () => {
    const worst: Partial<Offer> = {
      status: 'withdrawn',
      price: null,
      maxQuantity: 4,
      minQuantity: 2,
      step: 2,
      availableQuantity: 1,
    }
    const mended: Partial<Offer>[] = [
      {},
      { status: 'purchasable' },
      { price: 1000n },
      { maxQuantity: 999 },
      { minQuantity: 1, step: 1 },
      { availableQuantity: 5 },
    ]
    const told = mended.map((_, count) => {
      const offer = Object.assign({}, worst, ...mended.slice(0, count + 1)) as Partial<Offer>
      return refusalOf(() => addItem(cart().build(), wish('mug', 5, offer), occasion))
    })
    assert.deepEqual(told, [
      'sku_unavailable',
      'currency_mismatch',
      'quantity_exceeded',
      'quantity_invalid',
      'out_of_stock',
      null,
    ])
  })

  test('come in the steps of the SKU, counted from its least quantity', () => {
    const steps = { minQuantity: 3, step: 2 }
    const taken = [1, 2, 3, 4, 5].filter(
      (units) => !refusalOf(() => addItem(cart().build(), wish('cup', units, steps), occasion)),
    )
    assert.deepEqual(taken, [3, 5])
  })

  test('are counted together with those that the line has already', () =>
    given(cart().with('vase', 2))
      .when(adding('vase', 2, { availableQuantity: 3 }))
      .thenRefuses('out_of_stock'))

  test('of a SKU that is not there look like those of a SKU that is not for sale', () => {
    const answers = [undefined, { status: 'withdrawn' as const }, { status: 'store_suspended' as const }].map(
      (offer) => {
        const asked = offer ? wish('mug', 1, offer) : { ...wish('mug', 1), offer: undefined }
        return JSON.stringify(factsOf(() => addItem(cart().build(), asked, occasion)))
      },
    )
    assert.equal(new Set(answers).size, 1)
  })

  test('that are not there are told up to the number that public answers tell', () =>
    assert.equal(AVAILABLE_SHOWN_MAX, QUANTITY_SHOWN_MAX))
})

describe('a new cart', () => {
  test('adds wishes of one SKU together', () => {
    const opened = openCart({ ...opening, wishes: [wish('mug', 2), wish('bowl', 1), wish('mug', 3)] })
    assert.deepEqual(unitsOf(opened), { mug: 5, bowl: 1 })
    assert.equal(opened.version, 1)
  })

  test('does not care in which order the same units are added', () => {
    const orders = [
      [wish('mug', 2), wish('mug', 3)],
      [wish('mug', 3), wish('mug', 2)],
    ]
    const units = orders.map((wishes) => JSON.stringify(unitsOf(openCart({ ...opening, wishes }))))
    assert.equal(units[0], units[1])
  })
})

describe('a promise', () => {
  test('is refused for the first reason in order, naming every line that it concerns', () => {
    const offers: Record<string, Offer | undefined> = {
      mug: offerOf('mug', { availableQuantity: 0 }),
      bowl: offerOf('bowl', { maxQuantity: 1 }),
      vase: offerOf('vase', { maxQuantity: 1, availableQuantity: 1 }),
      cup: offerOf('cup'),
    }
    const before = cart().with('mug', 1).with('bowl', 2).with('vase', 2).with('cup', 1).build()
    const facts = factsOf(() => refuseUnquotable(before, (skuId) => offers[skuId]))
    assert.equal(facts.code, 'quantity_exceeded')
    assert.deepEqual(
      facts.conflict.lines.map((line: { skuId: string }) => line.skuId),
      ['bowl', 'vase'],
    )
  })
})

describe('a checkout', () => {
  const locked = () => lockForCheckout(cart().with('mug', 1).build(), 'cks_1', occasion)

  test('locks a cart that holds something, and no empty one', () => {
    assert.deepEqual([locked().status, locked().version, locked().checkoutSessionId], ['locked', 2, 'cks_1'])
    assert.equal(
      refusalOf(() => lockForCheckout(cart().build(), 'cks_1', occasion)),
      'cart_empty',
    )
  })

  test('that ends without an order lets the cart go, a version on and without a session', () => {
    const released = release(locked(), occasion.now)
    assert.deepEqual([released.status, released.version, 'checkoutSessionId' in released], ['active', 3, false])
  })

  test('that ends in an order leaves the cart its name', () => {
    const converted = convert(locked(), 'ord_1', occasion.now)
    assert.deepEqual([converted.status, converted.version, converted.orderId], ['converted', 3, 'ord_1'])
  })

  test('without a quote is refused for a price that has changed either way, before anything else', () => {
    const before = cart().with('mug', 2, 1100n).with('bowl', 1, 900n).with('cup', 1).with('vase', 1, 900n).build()
    const offers: Record<string, Offer | undefined> = {
      mug: offerOf('mug'),
      bowl: offerOf('bowl'),
      cup: offerOf('cup', { maxQuantity: 0 }),
      vase: offerOf('vase', { status: 'withdrawn' }),
    }
    const facts = factsOf(() => refuseUnpromised(before, (skuId) => offers[skuId]))
    assert.equal(facts.code, 'price_changed')
    assert.deepEqual(
      facts.conflict.lines.map((line: { skuId: string }) => line.skuId),
      ['mug', 'bowl'],
    )
  })
})

describe('the machine', () => {
  /** What each command does in each state: where it leads, `=` if nowhere else, `!` if it is refused. */
  // biome-ignore format: a table is read by its columns
  const TABLE: Readonly<Record<CartCommand, readonly [active: string, locked: string, converted: string, revoked: string, expired: string]>> = {
    //                               active       locked           converted         revoked         expired
    addPublicCartItem:            ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    updatePublicCartItemQuantity: ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    removePublicCartItem:         ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    setPublicCartAddress:         ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    clearPublicCart:              ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    applyPublicCartPromotion:     ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    removePublicCartPromotion:    ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    quotePublicCart:              ['=',         '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    revokePublicCart:             ['revoked',   'revoked',       '!cart_converted', '!cart_revoked', '!cart_expired'],
    checkoutPublicCart:           ['locked',    '!cart_locked',  '!cart_converted', '!cart_revoked', '!cart_expired'],
    release:                      ['!',         'active',        '!',               '!',             '!'],
    convert:                      ['!',         'converted',     '!',               '!',             '!'],
    expire:                       ['expired',   '!',             '!',               '!',             '!'],
  }

  const decisions: Readonly<Partial<Record<CartCommand, (each: Cart) => Cart>>> = {
    addPublicCartItem: (each) => addItem(each, wish('mug', 1), occasion),
    updatePublicCartItemQuantity: (each) => setQuantity(each, wish('mug', 2), occasion),
    removePublicCartItem: (each) => removeLine(each, 'mug', occasion),
    setPublicCartAddress: (each) => setAddress(each, {}, occasion),
    clearPublicCart: (each) => clear(each, occasion),
    applyPublicCartPromotion: (each) => setCode(each, 'SUMMER', occasion),
    removePublicCartPromotion: (each) => clearCode(each, occasion),
    quotePublicCart: (each) => readyToQuote(each, undefined, occasion),
    revokePublicCart: (each) => revoke(each, null, occasion),
    checkoutPublicCart: (each) => lockForCheckout(each, 'cks_1', occasion),
  }

  test('has a row for each command and a cell for each state', () => {
    assert.deepEqual(Object.keys(TABLE).sort(), [...CART_COMMANDS].sort())
    for (const cells of Object.values(TABLE)) assert.equal(cells.length, cartMachine.states.length)
  })

  for (const command of CART_COMMANDS) {
    for (const [index, status] of cartMachine.states.entries()) {
      const cell = TABLE[command][index]!
      test(`${command} in ${status}: ${cell}`, () => {
        const step = transition(cartMachine, status, command)
        assert.equal(step.moved ? step.to : '!', cell === '=' ? status : cell.startsWith('!') ? '!' : cell)
        const decide = decisions[command]
        if (!decide) return
        const before = cart().with('mug', 1).in(status)
        if (cell.startsWith('!'))
          return assert.equal(
            refusalOf(() => decide(before)),
            cell.slice(1),
          )
        const after = decide(before)
        assert.equal(after.status, step.moved && step.to)
      })
    }
  }

  test('a refusal says where the cart stands and what it allows, in operations that the caller has', () => {
    const facts = factsOf(() => addItem(cart().in('locked'), wish('mug', 1), occasion))
    assert.deepEqual(facts.conflict, {
      currentState: 'locked',
      currentVersion: 1,
      allowed: ['getPublicCart', 'revokePublicCart'],
      heldBy: 'cks_1',
    })
  })

  test('the state is refused before the version, and a line that is not there before both', () => {
    const stale = { ...occasion, expectedVersion: 9 }
    assert.equal(
      refusalOf(() => clear(cart().in('revoked'), stale)),
      'cart_revoked',
    )
    assert.equal(
      refusalOf(() => clear(cart().build(), stale)),
      'version_conflict',
    )
    assert.equal(
      refusalOf(() => setQuantity(cart().in('revoked'), wish('mug', 1), stale)),
      'not_found',
    )
    assert.equal(
      refusalOf(() => readyToQuote(cart().build(), undefined, stale)),
      'version_conflict',
    )
    assert.equal(
      refusalOf(() => readyToQuote(cart().build(), undefined, occasion)),
      'cart_empty',
    )
  })
})

const occasion = { now: LATER }

const address = { recipientName: 'Ada Example', line1: 'Lindenstraße 9', city: 'Berlin', countryCode: 'DE' }

const opening = {
  id: 'cart_1',
  installationId: 'ins_1',
  environment: 'test',
  storeId: null,
  currency: 'EUR',
  country: 'DE',
  locale: 'en',
  customerId: null,
  contact: null,
  metadata: {},
  now: BEGIN,
  wishes: [],
} as const

function offerOf(skuId: string, offer: Partial<Offer> = {}): Offer {
  return {
    skuId,
    status: 'purchasable',
    price: 1000n,
    minQuantity: 1,
    maxQuantity: 999,
    step: 1,
    availableQuantity: null,
    ...offer,
  }
}

function wish(skuId: string, quantity: number, offer: Partial<Offer> = {}): Wish & { lineId: string } {
  return { skuId, quantity, offer: offerOf(skuId, offer), skuIn: 'body', pointer: '', lineId: `line_${skuId}` }
}

/** Builds a cart as it stands at `BEGIN`. */
function cart(content: ActiveCart = openCart(opening)) {
  return {
    with: (skuId: string, quantity: number, priceAtAdd = 1000n) =>
      cart({ ...content, lines: [...content.lines, { lineId: `line_${skuId}`, skuId, quantity, priceAtAdd }] }),
    withLines: (count: number) =>
      cart({
        ...content,
        lines: Array.from({ length: count }, (_, index) => {
          return { lineId: `line_${index}`, skuId: `sku_${index}`, quantity: 1, priceAtAdd: 1000n }
        }),
      }),
    holding: (more: Partial<ActiveCart>) => cart({ ...content, ...more }),
    in: (status: CartStatus): Cart => {
      const ended = { endedAt: BEGIN }
      const inEach: Readonly<Record<CartStatus, Cart>> = {
        active: content,
        locked: { ...content, status: 'locked', checkoutSessionId: 'cks_1' },
        converted: { ...content, status: 'converted', checkoutSessionId: 'cks_1', orderId: 'ord_1' },
        revoked: { ...content, status: 'revoked', ...ended, reason: null },
        expired: { ...content, status: 'expired', ...ended },
      }
      return inEach[status]
    },
    build: () => content,
  }
}

function adding(skuId: string, quantity: number, offer: Partial<Offer> = {}) {
  return (each: Cart) => addItem(each, wish(skuId, quantity, offer), occasion)
}

function setting(skuId: string, quantity: number, offer: Partial<Offer> = {}) {
  return (each: Cart) => setQuantity(each, wish(skuId, quantity, offer), occasion)
}

function given(builder: { build(): ActiveCart }) {
  return {
    when: (command: (each: ActiveCart) => Cart) => ({
      gives: (check: (after: Cart) => void) => check(command(builder.build())),
      thenRefuses: (code: RefusalCode) =>
        assert.equal(
          refusalOf(() => command(builder.build())),
          code,
        ),
    }),
  }
}

function has(skuId: string, quantity: number) {
  return (after: Cart) => assert.equal(unitsOf(after)[skuId], quantity)
}

function unitsOf({ lines }: Cart): Record<string, number> {
  return Object.fromEntries(lines.map((line) => [line.skuId, line.quantity]))
}

function refusalOf(decide: () => unknown): Refusal['code'] | null {
  try {
    decide()
    return null
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return error.code
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the facts that it is about
function factsOf(decide: () => unknown): any {
  try {
    decide()
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return { code: error.code, ...error.facts }
  }
  return assert.fail('nothing was refused')
}
