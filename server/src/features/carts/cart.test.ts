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
  type NewLineInput,
  type Offer,
  openCart,
  readyToQuote,
  refuseChangedLines,
  refuseUnquotable,
  release,
  removeLine,
  revoke,
  setAddress,
  setCode,
  setQuantity,
} from './cart.ts'

const START = new Date('2026-05-04T12:00:00.000Z')
const LATER = new Date('2026-05-05T12:00:00.000Z')
const DAY_MS = 86_400_000

describe('an active cart', () => {
  test('takes 999 units of a SKU', () => given(cart().with('mug', 998)).when(adding('mug', 1)).gives(has('mug', 999)))

  test('refuses the thousandth', () =>
    given(cart().with('mug', 999)).when(adding('mug', 1)).thenRefuses('quantity_exceeded'))

  test('has one line per SKU, in the order they were added', () =>
    given(cart().with('mug', 1).with('bowl', 1))
      .when(adding('mug', 2))
      .gives((after) => assert.deepEqual(unitsOf(after), { mug: 3, bowl: 1 })))

  test('stores the price of the latest add on the line', () =>
    given(cart().with('mug', 1, 1000n))
      .when(adding('mug', 1, { price: 1200n }))
      .gives(({ lines }) => assert.equal(lines[0]!.priceAtAdd, 1200n)))

  test('keeps that price when the quantity is set', () =>
    given(cart().with('mug', 1, 1000n))
      .when(setting('mug', 5, { price: 1200n }))
      .gives(({ lines }) => assert.deepEqual([lines[0]!.quantity, lines[0]!.priceAtAdd], [5, 1000n])))

  test('takes 100 lines', () =>
    given(cart().withLines(99))
      .when(adding('mug', 1))
      .gives(({ lines }) => assert.equal(lines.length, 100)))

  test('refuses line 101', () => given(cart().withLines(100)).when(adding('mug', 1)).thenRefuses('quantity_exceeded'))

  test('bumps its version with each change and expires 30 days later', () =>
    given(cart().with('mug', 1))
      .when(adding('mug', 1))
      .gives(({ version, updatedAt, expiresAt }) => {
        assert.equal(version, 2)
        assert.deepEqual(updatedAt, LATER)
        assert.deepEqual(expiresAt, new Date(LATER.getTime() + 30 * DAY_MS))
      }))

  test('never moves updatedAt back, even if a request that waited for the lock started earlier', () =>
    given(cart().with('mug', 1))
      .when((each) => addItem(each, input('mug', 1), { now: new Date(START.getTime() - 1000) }))
      .gives(({ updatedAt, expiresAt }) => {
        assert.deepEqual(updatedAt, START)
        assert.deepEqual(expiresAt, new Date(START.getTime() + 30 * DAY_MS))
      }))

  test('removes a whole line', () =>
    given(cart().with('mug', 5).with('bowl', 1))
      .when((each) => removeLine(each, 'mug', context))
      .gives((after) => assert.deepEqual(unitsOf(after), { bowl: 1 })))

  test('keeps contact, addresses and code when cleared', () =>
    given(
      cart()
        .with('mug', 5)
        .holding({ code: 'SUMMER', contact: { email: 'ada@example.com' } }),
    )
      .when((each) => clear(each, context))
      .gives(({ lines, code, contact }) => {
        assert.deepEqual([lines, code, contact], [[], 'SUMMER', { email: 'ada@example.com' }])
      }))

  test('replaces and removes the promotion code', () => {
    given(cart().holding({ code: 'OLD' }))
      .when((each) => setCode(each, 'NEW', context))
      .gives(({ code }) => assert.equal(code, 'NEW'))
    given(cart().holding({ code: 'OLD' }))
      .when((each) => clearCode(each, context))
      .gives(({ code }) => assert.equal(code, null))
  })

  test('keeps the fields that setAddress leaves out', () =>
    given(cart().holding({ shippingAddress: address, billingAddress: address }))
      .when((each) => setAddress(each, { billingAddress: null }, context))
      .gives((after) => assert.deepEqual([after.shippingAddress, after.billingAddress], [address, null])))

  test('is changed by a quote only if the shipping option differs', () => {
    const before = cart().with('mug', 1).holding({ shippingOptionId: 'slow' }).build()
    assert.equal(readyToQuote(before, undefined, context), before)
    assert.equal(readyToQuote(before, 'slow', context), before)
    const after = readyToQuote(before, 'quick', context)
    assert.deepEqual([after.version, after.shippingOptionId], [2, 'quick'])
  })

  test('is revoked with or without a reason', () => {
    const revoked = revoke(cart().build(), 'because', context)
    assert.deepEqual([revoked.status, revoked.version, revoked.reason], ['revoked', 2, 'because'])
  })

  test('expires exactly 30 days after its last change, even before the worker runs', () => {
    const active = cart().build()
    assert.equal(asOf(active, new Date(active.expiresAt.getTime() - 1)).status, 'active')
    const expired = asOf(active, active.expiresAt)
    assert.deepEqual([expired.status, expired.version, expired.updatedAt], ['expired', 2, active.expiresAt])
  })
})

describe('quantities', () => {
  test('are refused with the first reason in order', () => {
    const worst: Partial<Offer> = {
      status: 'withdrawn',
      price: null,
      maxQuantity: 4,
      minQuantity: 2,
      step: 2,
      availableQuantity: 1,
    }
    const fixes: Partial<Offer>[] = [
      {},
      { status: 'purchasable' },
      { price: 1000n },
      { maxQuantity: 999 },
      { minQuantity: 1, step: 1 },
      { availableQuantity: 5 },
    ]
    const codes = fixes.map((_, count) => {
      const offer = Object.assign({}, worst, ...fixes.slice(0, count + 1)) as Partial<Offer>
      return refusalOf(() => addItem(cart().build(), input('mug', 5, offer), context))
    })
    assert.deepEqual(codes, [
      'sku_unavailable',
      'currency_mismatch',
      'quantity_exceeded',
      'quantity_invalid',
      'out_of_stock',
      null,
    ])
  })

  test('follow the steps of the SKU, counted from its minimum', () => {
    const steps = { minQuantity: 3, step: 2 }
    const taken = [1, 2, 3, 4, 5].filter(
      (units) => !refusalOf(() => addItem(cart().build(), input('cup', units, steps), context)),
    )
    assert.deepEqual(taken, [3, 5])
  })

  test('include the units already in the line', () =>
    given(cart().with('vase', 2))
      .when(adding('vase', 2, { availableQuantity: 3 }))
      .thenRefuses('out_of_stock'))

  test('get the same refusal for an unknown SKU and one not for sale', () => {
    const answers = [undefined, { status: 'withdrawn' as const }, { status: 'store_suspended' as const }].map(
      (offer) => {
        const line = offer ? input('mug', 1, offer) : { ...input('mug', 1), offer: undefined }
        return JSON.stringify(factsOf(() => addItem(cart().build(), line, context)))
      },
    )
    assert.equal(new Set(answers).size, 1)
  })

  test('are refused with at most the stock level that public reads reveal', () =>
    assert.equal(AVAILABLE_SHOWN_MAX, QUANTITY_SHOWN_MAX))
})

describe('a new cart', () => {
  test('merges inputs of the same SKU', () => {
    const opened = openCart({ ...newCart, lines: [input('mug', 2), input('bowl', 1), input('mug', 3)] })
    assert.deepEqual(unitsOf(opened), { mug: 5, bowl: 1 })
    assert.equal(opened.version, 1)
  })

  test('applies minimum and step to all units of a SKU, not to each input', () => {
    const pack = { minQuantity: 6, step: 6 }
    assert.deepEqual(unitsOf(openCart({ ...newCart, lines: [input('mug', 3, pack), input('mug', 3, pack)] })), {
      mug: 6,
    })
    const short = () => openCart({ ...newCart, lines: [input('mug', 3, pack), input('mug', 2, pack)] })
    assert.equal(factsOf(short).code, 'quantity_invalid')
  })

  test('is the same whatever the order in which units are added', () => {
    const orders = [
      [input('mug', 2), input('mug', 3)],
      [input('mug', 3), input('mug', 2)],
    ]
    const units = orders.map((lines) => JSON.stringify(unitsOf(openCart({ ...newCart, lines }))))
    assert.equal(units[0], units[1])
  })
})

describe('a quote', () => {
  test('is refused for the first reason in order, naming every affected line', () => {
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
  const locked = () => lockForCheckout(cart().with('mug', 1).build(), 'cks_1', context)

  test('locks a cart with lines and refuses an empty one', () => {
    assert.deepEqual([locked().status, locked().version, locked().checkoutSessionId], ['locked', 2, 'cks_1'])
    assert.equal(
      refusalOf(() => lockForCheckout(cart().build(), 'cks_1', context)),
      'cart_empty',
    )
  })

  test('that ends without an order unlocks the cart with a new version', () => {
    const released = release(locked(), context.now)
    assert.deepEqual([released.status, released.version, 'checkoutSessionId' in released], ['active', 3, false])
  })

  test('that ends in an order stores the order id on the cart', () => {
    const converted = convert(locked(), 'ord_1', context.now)
    assert.deepEqual([converted.status, converted.version, converted.orderId], ['converted', 3, 'ord_1'])
  })

  test('without a quote is refused for any changed price before other reasons', () => {
    const before = cart().with('mug', 2, 1100n).with('bowl', 1, 900n).with('cup', 1).with('vase', 1, 900n).build()
    const offers: Record<string, Offer | undefined> = {
      mug: offerOf('mug'),
      bowl: offerOf('bowl'),
      cup: offerOf('cup', { maxQuantity: 0 }),
      vase: offerOf('vase', { status: 'withdrawn' }),
    }
    const facts = factsOf(() => refuseChangedLines(before, (skuId) => offers[skuId]))
    assert.equal(facts.code, 'price_changed')
    assert.deepEqual(
      facts.conflict.lines.map((line: { skuId: string }) => line.skuId),
      ['mug', 'bowl'],
    )
  })
})

describe('the machine', () => {
  /** The target state of each command in each state: `=` for the same state, `!` if refused. */
  // biome-ignore format: aligned columns
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
    addPublicCartItem: (each) => addItem(each, input('mug', 1), context),
    updatePublicCartItemQuantity: (each) => setQuantity(each, input('mug', 2), context),
    removePublicCartItem: (each) => removeLine(each, 'mug', context),
    setPublicCartAddress: (each) => setAddress(each, {}, context),
    clearPublicCart: (each) => clear(each, context),
    applyPublicCartPromotion: (each) => setCode(each, 'SUMMER', context),
    removePublicCartPromotion: (each) => clearCode(each, context),
    quotePublicCart: (each) => readyToQuote(each, undefined, context),
    revokePublicCart: (each) => revoke(each, null, context),
    checkoutPublicCart: (each) => lockForCheckout(each, 'cks_1', context),
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

  test('a refusal names the current state and the allowed operations', () => {
    const facts = factsOf(() => addItem(cart().in('locked'), input('mug', 1), context))
    assert.deepEqual(facts.conflict, {
      currentState: 'locked',
      currentVersion: 1,
      allowed: ['getPublicCart', 'revokePublicCart'],
      heldBy: 'cks_1',
    })
  })

  test('the state is refused first, then the version, then a missing line', () => {
    const stale = { ...context, expectedVersion: 9 }
    assert.equal(
      refusalOf(() => clear(cart().in('revoked'), stale)),
      'cart_revoked',
    )
    assert.equal(
      refusalOf(() => clear(cart().build(), stale)),
      'version_conflict',
    )
    assert.equal(
      refusalOf(() => setQuantity(cart().in('revoked'), input('mug', 1), stale)),
      'cart_revoked',
    )
    assert.equal(
      refusalOf(() => setQuantity(cart().build(), input('mug', 1), stale)),
      'version_conflict',
    )
    assert.equal(
      refusalOf(() => setQuantity(cart().build(), input('mug', 1), context)),
      'not_found',
    )
    assert.equal(
      refusalOf(() => readyToQuote(cart().build(), undefined, stale)),
      'version_conflict',
    )
    assert.equal(
      refusalOf(() => readyToQuote(cart().build(), undefined, context)),
      'cart_empty',
    )
  })
})

const context = { now: LATER }

const address = { recipientName: 'Ada Example', line1: 'Lindenstraße 9', city: 'Berlin', countryCode: 'DE' }

const newCart = {
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
  now: START,
  lines: [],
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

function input(skuId: string, quantity: number, offer: Partial<Offer> = {}): NewLineInput {
  return { skuId, quantity, offer: offerOf(skuId, offer), lineId: `line_${skuId}` }
}

/** Builds a cart created at `START`. */
function cart(content: ActiveCart = openCart(newCart)) {
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
      const ended = { endedAt: START }
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
  return (each: Cart) => addItem(each, input(skuId, quantity, offer), context)
}

function setting(skuId: string, quantity: number, offer: Partial<Offer> = {}) {
  return (each: Cart) => setQuantity(each, input(skuId, quantity, offer), context)
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

// biome-ignore lint/suspicious/noExplicitAny: tests pick the facts they assert
function factsOf(decide: () => unknown): any {
  try {
    decide()
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return { code: error.code, ...error.facts }
  }
  return assert.fail('expected a refusal')
}
