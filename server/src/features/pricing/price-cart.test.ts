import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { present } from '../../kernel/assert.ts'
import { majorOf, minorOf } from '../../kernel/currencies.ts'
import { MONEY_MAX } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { FOR_EVERYONE, type Promotion, type PromotionEffect } from '../promotions/index.ts'
import { priceCart, recalculatePrice } from './price-cart.ts'
import type { AppliedPromotion, PricedCart, PricingInput, PricingLine, ShippingZone, TaxRate } from './types.ts'

describe('a line', () => {
  story('2 × 6.82 is 13.64: tax is extracted from a price that includes it', () =>
    given(selling('mug', '6.82', { quantity: 2 }), vat('0.19'))
      .costs('13.64')
      .holdsTax('2.18'),
  )

  story('2 × 6.82 plus 19 % is 16.23: tax is rounded per line, after quantity', () =>
    given(selling('mug', '6.82', { quantity: 2 }), vat('0.19'), pricesWithoutTax)
      .costs('16.23')
      .holdsTax('2.59'),
  )

  story('a hundred lines of 0.01 plus 19 % have no tax each and none in total: totals are plain sums', () => {
    const lines = Array.from({ length: 100 }, (_, index) => selling(`pin ${index}`, '0.01'))
    given(...lines, vat('0.19'), pricesWithoutTax)
      .costs('1.00')
      .holdsTax('0.00')
  })

  story('3 × 333 yen is 999 yen, including 91 yen of consumption tax', () =>
    given(inCurrency('JPY'), selling('bowl', '333', { quantity: 3 }), vat('0.1'))
      .costs('999')
      .holdsTax('91'),
  )

  story('3 × 0.333 dinars is 0.999 dinars', () =>
    given(inCurrency('KWD'), selling('dates', '0.333', { quantity: 3 }), vat('0.05'))
      .costs('0.999')
      .holdsTax('0.048'),
  )

  story('beyond what JSON carries exactly is refused', () =>
    assert.throws(
      () => given(lineOf({ unitPrice: MONEY_MAX, quantity: 2 })),
      (error) => error instanceof Refusal && error.code === 'money_overflow',
    ),
  )

  story('in a sum beyond what JSON carries exactly is refused', () =>
    assert.throws(
      () => given(lineOf({ unitPrice: MONEY_MAX, lineId: 'a' }), lineOf({ unitPrice: 1n, lineId: 'b' })),
      (error) => error instanceof Refusal && error.code === 'money_overflow',
    ),
  )
})

describe('an empty cart', () => {
  story('costs nothing and has no messages', () => {
    const { cart } = given(vat('0.19'))
    assert.equal(cart.totals.total, 0n)
    assert.equal(cart.totals.shipping, null)
    assert.deepEqual(cart.messages, [])
  })
})

describe('a percentage', () => {
  story('off lines is rounded per line: 10 % off 0.05 and 0.05 is 0.02', () =>
    given(selling('pin', '0.05'), selling('clip', '0.05'), off('line', '0.1')).costs('0.08').discounts('0.01', '0.01'),
  )

  story('off the order is computed once and allocated: 10 % off 0.05 and 0.05 is 0.01, on the earlier line', () =>
    given(selling('pin', '0.05'), selling('clip', '0.05'), off('order', '0.1')).costs('0.09').discounts('0.01', '0'),
  )

  story('allocates to the largest remainder, whichever line comes first', () => {
    given(selling('mug', '10.01'), selling('bowl', '5.02'), off('order', '0.1'))
      .costs('13.53')
      .discounts('1.00', '0.50')
    given(selling('bowl', '5.02'), selling('mug', '10.01'), off('order', '0.1'))
      .costs('13.53')
      .discounts('0.50', '1.00')
  })

  story('goes to the earlier of two tied lines, and the cart costs the same in any order', () => {
    const [pin, clip] = [selling('pin', '0.05'), selling('clip', '0.05')]
    given(pin, clip, vat('0.2'), off('order', '0.1')).costs('0.09').discounts('0.01', '0').holdsTax('0.02')
    given(clip, pin, vat('0.2'), off('order', '0.1')).costs('0.09').discounts('0.01', '0').holdsTax('0.02')
  })

  story('applies to what the previous one left: 10 % and 10 % off 100.00 is 81.00', () =>
    given(selling('vase', '100.00'), off('order', '0.1', { id: 'a' }), off('order', '0.1', { id: 'b' })).costs('81.00'),
  )

  story('lowers tax with the price', () =>
    given(selling('vase', '119.00'), vat('0.19'), off('order', '0.5')).costs('59.50').holdsTax('9.50'),
  )

  story('covers named products and categories, including descendants', () => {
    const named = { lines: { productIds: ['vase'], categoryIds: ['kitchen'] } }
    given(
      selling('vase', '10.00'),
      selling('mug', '10.00', { categoryIds: ['mugs', 'kitchen'] }),
      selling('lamp', '10.00', { categoryIds: ['light'] }),
      off('line', '0.5', named),
    ).discounts('5.00', '5.00', '0')
  })
})

describe('a fixed amount', () => {
  story('off lines is per unit', () =>
    given(selling('mug', '5.00', { quantity: 3 }), amountOff('line', '1.50')).costs('10.50'),
  )

  story('off the order is allocated by line price', () =>
    given(selling('vase', '30.00'), selling('mug', '10.00'), amountOff('order', '10.00')).discounts('7.50', '2.50'),
  )

  story('never exceeds the price: 20.00 off 12.50 is 12.50 off, and no line is negative', () => {
    given(selling('mug', '12.50'), amountOff('order', '20.00')).costs('0.00').discounts('12.50')
    given(selling('pin', '0.40', { quantity: 2 }), amountOff('line', '1.00'))
      .costs('0.00')
      .discounts('0.80')
  })

  story('is not available in other currencies', () =>
    given(
      inCurrency('USD'),
      selling('mug', '12.50'),
      amountOff('order', '2.00', { code: 'TWO' }, 'EUR'),
      entering('TWO'),
    )
      .costs('12.50')
      .answers({ reasonCode: 'invalid' }),
  )
})

describe('buy two, get one', () => {
  const threeForTwo = (more: Partial<Promotion> = {}) =>
    promotion({ kind: 'buy_x_get_y', buyQuantity: 2, getQuantity: 1, rate: '1', gets: null, setsMax: null }, more)

  story('of three units the cheapest is free, wherever it is in the cart', () => {
    const [vases, mug] = [selling('vase', '30.00', { quantity: 2 }), selling('mug', '10.00')]
    given(vases, mug, threeForTwo()).discounts('0', '10.00')
    given(mug, vases, threeForTwo()).discounts('10.00', '0')
  })

  story('of three units with one price the first is free', () =>
    given(...['vase', 'mug', 'bowl'].map((product) => selling(product, '10.00')), threeForTwo()).discounts(
      '10.00',
      '0',
      '0',
    ),
  )

  story('of seven units two are free', () =>
    given(selling('mug', '3.33', { quantity: 7 }), threeForTwo())
      .costs('16.65')
      .discounts('6.66'),
  )

  story('of two units none is, and a code is inapplicable', () =>
    given(selling('mug', '10.00', { quantity: 2 }), threeForTwo({ code: 'THREE' }), entering('THREE'))
      .costs('20.00')
      .answers({ reasonCode: 'minimum_not_met', requirement: null }),
  )

  story('at most setsMax times', () =>
    given(
      selling('mug', '1.00', { quantity: 9 }),
      promotion({ kind: 'buy_x_get_y', buyQuantity: 2, getQuantity: 1, rate: '1', gets: null, setsMax: 2 }),
    ).discounts('2.00'),
  )

  story('can discount other lines, at half price; they never count as bought', () => {
    const halfCake = promotion(
      {
        kind: 'buy_x_get_y',
        buyQuantity: 2,
        getQuantity: 1,
        rate: '0.5',
        gets: { productIds: ['cake'], categoryIds: [] },
        setsMax: null,
      },
      { lines: { productIds: ['coffee', 'cake'], categoryIds: [] } },
    )
    given(selling('coffee', '3.00', { quantity: 2 }), selling('cake', '4.01'), halfCake).discounts('0', '2.01')
    given(selling('coffee', '3.00'), selling('cake', '4.01'), halfCake).discounts('0', '0')
  })
})

describe('phases', () => {
  story('are line, order, shipping, regardless of priority', () =>
    given(
      selling('vase', '100.00'),
      off('order', '0.1', { id: 'order', priority: 0 }),
      amountOff('line', '50.00', { id: 'line', priority: 9 }),
    )
      .costs('45.00')
      .appliesInOrder('line', 'order'),
  )

  story('within a phase a lower priority number applies first, then the id, however they are listed', () => {
    const promotions = [
      off('order', '0.1', { id: 'c', priority: 1 }),
      off('order', '0.1', { id: 'b', priority: 2 }),
      off('order', '0.1', { id: 'a', priority: 2 }),
    ]
    for (const listed of [promotions, promotions.toReversed()]) {
      given(selling('vase', '100.00'), ...listed).appliesInOrder('c', 'a', 'b')
    }
  })

  story('two promotions combine only if each allows the phase of the other', () => {
    const pair = (first: Partial<Promotion>, second: Partial<Promotion>) =>
      given(
        selling('vase', '100.00'),
        off('line', '0.1', { id: 'first', ...first }),
        off('order', '0.1', { id: 'second', ...second }),
      )
    pair({ combinesWith: ['order'] }, { combinesWith: ['line'] }).appliesInOrder('first', 'second')
    pair({ combinesWith: ['order'] }, { combinesWith: ['order'] }).appliesInOrder('first')
    pair({ combinesWith: ['line'] }, { combinesWith: ['line'] }).appliesInOrder('first')
  })

  story('stopAfter excludes later promotions of the same phase only', () =>
    given(
      selling('vase', '100.00'),
      off('line', '0.1', { id: 'a', stopAfter: true }),
      off('line', '0.1', { id: 'b' }),
      off('order', '0.1', { id: 'c' }),
    ).appliesInOrder('a', 'c'),
  )

  story('end after fifty promotions, and a later code is inapplicable', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => amountOff('line', '0.01', { id: `automatic ${index}` }))
    given(selling('vase', '100.00'), ...fifty, off('order', '0.1', { id: 'late', code: 'LATE' }), entering('LATE'))
      .costs('99.50')
      .answers({ reasonCode: 'combination_disallowed' })
  })

  story('an automatic promotion that cannot be combined with a code leaves the code as it is', () =>
    given(
      selling('vase', '100.00'),
      off('order', '0.1', { id: 'a', code: 'TEN' }),
      off('order', '0.2', { id: 'b', combinesWith: [] }),
      entering('TEN'),
    )
      .costs('90.00')
      .appliesInOrder()
      .answers({ status: 'applied' }),
  )

  story('an automatic promotion without a discount excludes no other', () =>
    given(
      selling('gift', '0.00'),
      off('line', '0.1', { id: 'a', combinesWith: [] }),
      shipping('5.00'),
      freeShipping({ id: 'b', combinesWith: [] }),
    ).appliesInOrder('b'),
  )
})

describe('the code slot', () => {
  const code = (more: Partial<Promotion> = {}) => off('order', '0.1', { id: 'by_code', code: 'Summer', ...more })
  const vase = selling('vase', '100.00')

  story('is empty without a code', () => given(vase, code()).costs('100.00').answers({ status: 'none' }))

  story('is case-insensitive and keeps the code as entered', () =>
    given(vase, code(), entering('sUMMER'))
      .costs('90.00')
      .answers({ status: 'applied', code: 'sUMMER', promotionId: 'by_code', title: 'by_code', amount: 1000n }),
  )

  // One reason at a time, in the order of INAPPLICABLE_REASONS.
  const failures: readonly [string, string, ...Part[]][] = [
    ['invalid', 'an unknown code'],
    ['invalid', 'a paused promotion', code({ status: 'paused' })],
    ['not_started', 'a second too early', code({ startsAt: new Date('2026-06-01T12:00:01Z') })],
    ['expired', 'at its end', code({ endsAt: new Date('2026-06-01T12:00:00Z') })],
    ['customer_required', 'no customer', code({ audience: { kind: 'known_customers' } })],
    ['customer_required', 'no customer to count', code({ usageLimitPerCustomer: 1 })],
    [
      'customer_ineligible',
      'not on the list',
      code({ audience: { kind: 'listed_customers', customerIds: ['cus_2'] } }),
      buyer('cus_1'),
    ],
    ['usage_limit_reached', 'used up', code({ usageLimit: 5 }), used('by_code', { total: 5, byCustomer: 0 })],
    [
      'usage_limit_reached',
      'used up by this customer',
      code({ usageLimitPerCustomer: 1 }),
      buyer('cus_1'),
      used('by_code', { total: 1, byCustomer: 1 }),
    ],
    ['minimum_not_met', 'no line of it', code({ lines: { productIds: ['lamp'], categoryIds: [] } })],
    ['combination_disallowed', 'kept out', code({ combinesWith: [] }), off('line', '0.01', { id: 'automatic' })],
  ]
  for (const [reasonCode, why, ...parts] of failures) {
    story(`keeps the code as inapplicable: ${reasonCode}, ${why}`, () => {
      const { cart } = given(vase, entering('SUMMER'), ...parts).answers({ status: 'inapplicable', reasonCode })
      assert.deepEqual(
        cart.messages.filter((message) => message.code === 'promotion_inapplicable').map(({ path }) => path),
        ['/promotion'],
      )
    })
  }

  story('reports what is missing: 100.00 of a minimum of 120.00 before discounts', () =>
    given(
      vase,
      off('line', '0.5', { id: 'automatic' }),
      code({ minimumSubtotal: { EUR: 12_000n } }),
      entering('SUMMER'),
    )
      .costs('50.00')
      .answers({ reasonCode: 'minimum_not_met', requirement: { missing: 2000n } }),
  )

  story('checks a minimum before discounts, so that one promotion never disables another', () =>
    given(
      vase,
      off('line', '0.5', { id: 'automatic' }),
      code({ minimumSubtotal: { EUR: 10_000n } }),
      entering('SUMMER'),
    ).costs('45.00'),
  )

  story('reports the first of several reasons', () =>
    given(
      vase,
      code({ endsAt: new Date('2026-01-01T00:00:00Z'), usageLimit: 1, minimumSubtotal: { EUR: 99_999n } }),
      entering('SUMMER'),
    ).answers({ reasonCode: 'expired' }),
  )

  story('used by two stores stands for the eligible promotion', () =>
    given(
      vase,
      code({ id: 'theirs', storeId: 'elsewhere', priority: 0 }),
      code({ id: 'ours', storeId: 'shop', priority: 1 }),
      entering('SUMMER'),
    ).answers({ status: 'applied', promotionId: 'ours' }),
  )

  story('for free shipping applies before the destination is known', () =>
    given(vase, freeShipping({ code: 'SHIP' }), entering('SHIP')).answers({ status: 'applied', amount: 0n }),
  )
})

describe('a recalculated quote', () => {
  const totalWith = (promotion: Part, applied: readonly AppliedPromotion[] = []) => {
    const parts = [selling('vase', '50.00'), shipping('4.90'), promotion]
    const input = parts.reduce((before, part) => part(before), nothing)
    const slot = { status: 'none' } as const
    const quoted = { allocations: new Map(), applied, slot, rules: input.promotions }
    return recalculatePrice({ ...input, quoted }).totals.total
  }

  story('gains shipping promotions, but none with a limit, which would have to be reserved', () => {
    assert.equal(totalWith(freeShipping()), 5000n)
    assert.equal(totalWith(freeShipping({ usageLimit: 5 })), 5490n)
    assert.equal(
      totalWith((input) => freeShipping({ usageLimitPerCustomer: 5 })(buyer('cus_1')(input))),
      5490n,
    )
  })

  story('keeps its shipping promotion, which applies once', () => {
    const applied = {
      promotionId: 'promotion',
      code: null,
      title: 'promotion',
      phase: 'shipping',
      amount: 245n,
    } as const
    assert.equal(totalWith(off('shipping', '0.5'), [applied]), 5245n)
    assert.equal(totalWith(off('shipping', '0.5', { usageLimit: 5 }), [applied]), 5245n)
  })

  story('gains no discount of its goods', () => assert.equal(totalWith(off('order', '0.1')), 5490n))
})

describe('shipping', () => {
  const parcel = selling('vase', '50.00', { weightGrams: 1500 })

  story('is the cheapest option until one is chosen', () => {
    given(parcel, shipping('7.00', 'express'), shipping('4.90', 'post')).costs('54.90').ships('4.90')
    given(parcel, shipping('7.00', 'express'), shipping('4.90', 'post'), choosing('express'))
      .costs('57.00')
      .ships('7.00')
  })

  story('of one price is listed by the id of its option, however the methods are listed', () => {
    const { cart } = given(parcel, shipping('4.90', 'post'), shipping('4.90', 'bicycle'))
    assert.deepEqual(
      cart.shipping.options.map(({ id }) => id),
      ['bicycle', 'post'],
    )
  })

  story('is not offered at a rate in another currency', () => {
    const { cart } = given(inCurrency('USD'), parcel, shipping('4.90'))
    assert.deepEqual(cart.shipping.options, [])
  })

  story('is not offered in the zones of another store', () => {
    const { cart } = given(selling('novel', '11.00', { storeId: 'books' }), shipping('4.90'))
    assert.deepEqual(cart.shipping.options, [])
  })

  story('falls back to the cheapest with a message if the chosen option is gone', () => {
    const { cart } = given(parcel, shipping('4.90', 'post'), choosing('airship')).ships('4.90')
    assert.deepEqual(
      cart.messages.map(({ code }) => code),
      ['shipping_option_unavailable'],
    )
  })

  story('is priced by the weight of all units: 1500 g and 2 × 750 g are in the range from 1000 g', () => {
    const byWeight = zone([method('post', 'weight', [0, 1000, '3.00'], [1000, 5000, '6.00'])])
    given(parcel, byWeight).ships('6.00')
    given(selling('mug', '5.00', { quantity: 2, weightGrams: 750 }), byWeight).ships('6.00')
  })

  story('is priced after discounts: 50.00 ships free, 45.00 does not', () => {
    const freeFrom50 = zone([method('post', 'subtotal', [0, 5000, '4.90'], [5000, null, '0.00'])])
    given(parcel, freeFrom50).ships('0.00')
    given(parcel, freeFrom50, off('order', '0.1')).ships('4.90')
  })

  story('blocks without a matching rate', () => {
    const { cart } = given(parcel, zone([method('post', 'weight', [0, 1000, '3.00'])]))
    assert.equal(cart.totals.shipping, null)
    assert.deepEqual(
      cart.messages.map(({ code, severity }) => [code, severity]),
      [['shipping_unavailable', 'blocking']],
    )
  })

  story('uses the most specific zone: region, country, rest of the world', () => {
    const zones = [
      zone([method('world', 'subtotal', [0, null, '30.00'])], { country: '*', region: null }),
      zone([method('germany', 'subtotal', [0, null, '5.00'])], { country: 'DE', region: null }),
      zone([method('island', 'subtotal', [0, null, '9.00'])], { country: 'DE', region: 'HELGOLAND' }),
    ]
    given(parcel, ...zones).ships('5.00')
    given(parcel, ...zones, shippedTo('DE', 'HELGOLAND')).ships('9.00')
    given(parcel, ...zones, shippedTo('NZ')).ships('30.00')
  })

  story('is taxed in its own category, after discounts', () =>
    given(parcel, vat('0.2'), pricesWithoutTax, shipping('10.00'), off('shipping', '0.5'))
      .costs('66.00')
      .holdsTax('11.00'),
  )

  story('is free with free_shipping, with a separate discount', () => {
    const { cart } = given(parcel, shipping('4.90'), freeShipping()).costs('50.00').ships('4.90')
    assert.equal(cart.totals.shippingDiscount, 490n)
    assert.equal(cart.totals.itemsDiscount, 0n)
  })
})

describe('tax', () => {
  const vase = selling('vase', '100.00')

  story('has a line per rate, and is rounded once for all rates', () => {
    const quebec = [
      vat('0.05', { code: 'gst', name: { en: 'GST' } }),
      vat('0.09975', { code: 'qst', name: { en: 'QST' }, region: 'QC' }),
    ]
    const { cart } = given(vase, pricesWithoutTax, ...quebec, shippedTo('DE', 'QC')).costs('114.98')
    assert.deepEqual(
      cart.lines[0]!.taxLines.map(({ name, rate, amount, taxable, included }) => [
        name,
        rate,
        amount,
        taxable,
        included,
      ]),
      [
        ['GST', '0.05', 500n, 10_000n, false],
        ['QST', '0.09975', 998n, 10_000n, false],
      ],
    )
  })

  story('is estimated without a shipping address', () => {
    assert.equal(given(vase, vat('0.19')).cart.totals.tax.status, 'estimated')
    assert.equal(given(vase, vat('0.19'), shippedTo('DE')).cart.totals.tax.status, 'final')
  })

  story('is not calculated for a category without a rate, unlike an untaxed one', () => {
    assert.equal(given(vase, shippedTo('DE')).cart.totals.tax.status, 'not_calculated')
    assert.equal(given(vase, vat('0'), shippedTo('DE')).cart.totals.tax.status, 'final')
  })

  story('follows the shipping address, not the cart’s country', () =>
    given(vase, pricesWithoutTax, vat('0.19'), vat('0.21', { country: 'NL' }), shippedTo('NL')).costs('121.00'),
  )

  story('is final without an address if nothing is shipped and the rates do not differ by region', () => {
    const status = (...parts: readonly Part[]) => given(...parts, vat('0.19')).cart.totals.tax.status
    const regional = vat('0.02', { region: 'BE', code: 'city' })
    assert.equal(status(voucher), 'final')
    assert.equal(status(voucher, regional), 'estimated')
    assert.equal(status(voucher, regional, shippedTo('DE', 'BE')), 'final')
    assert.equal(status(voucher, vase), 'estimated')
  })

  story('is per store if stores differ, and the total is the sum', () => {
    const { cart } = given(
      vase,
      lineOf({ lineId: 'theirs', storeId: 'elsewhere', unitPrice: 10_000n }),
      vat('0.25'),
      vat('0.25', { storeId: 'elsewhere' }),
      (input) => ({ ...input, stores: [...input.stores, { storeId: 'elsewhere', pricesIncludeTax: false }] }),
    ).costs('225.00')
    const { tax, byStore } = cart.totals
    assert.deepEqual(tax, { amount: 4500n, added: 2500n, included: false, status: 'estimated' })
    assert.deepEqual(
      byStore.map((store) => [store.storeId, store.tax.amount, store.tax.included, store.total]),
      [
        ['shop', 2000n, true, 10_000n],
        ['elsewhere', 2500n, false, 12_500n],
      ],
    )
  })
})

describe('goods that are not shipped', () => {
  story('have no shipping options and no message about it', () => {
    const { cart } = given(voucher, zone([method('post', 'subtotal', [0, null, '4.90'])])).costs('25.00')
    assert.deepEqual([cart.shipping, cart.totals.shipping, cart.messages], [{ options: [], selected: [] }, null, []])
    assert.deepEqual(given(voucher, choosing('gone')).cart.messages, [])
  })

  story('count neither for the subtotal nor for the weight that shipping rates depend on', () => {
    const bySubtotal = zone([method('post', 'subtotal', [0, 3000, '4.90'], [3000, null, '0.00'])])
    given(selling('mug', '10.00'), voucher, bySubtotal).ships('4.90').costs('39.90')
    const byWeight = zone([method('post', 'weight', [0, 1000, '4.90'], [1000, null, '12.90'])])
    given(
      selling('mug', '10.00', { weightGrams: 400 }),
      selling('e-book', '5.00', { ...unshipped, weightGrams: 900 }),
      byWeight,
    ).ships('4.90')
  })

  story('earn no free shipping for the goods that are: a promotion for e-books pays for no parcel', () => {
    const forBooks = freeShipping({ lines: { productIds: [], categoryIds: ['books'] } })
    const ebook = selling('e-book', '5.00', { ...unshipped, categoryIds: ['books'] })
    const book = selling('book', '9.00', { categoryIds: ['books'] })
    given(selling('mug', '10.00'), ebook, shipping('4.90'), forBooks).costs('19.90')
    given(selling('mug', '10.00'), ebook, book, shipping('4.90'), forBooks).costs('24.00')
  })

  story('of one store leave the shipping of another as it is', () => {
    const elsewhere = lineOf({ lineId: 'theirs', storeId: 'elsewhere', unitPrice: 500n, ...unshipped })
    const { cart } = given(selling('mug', '10.00'), elsewhere, zone([method('post', 'subtotal', [0, null, '4.90'])]))
    assert.deepEqual(
      cart.totals.byStore.map(({ shipping }) => shipping),
      [490n, null],
    )
    assert.deepEqual(cart.messages, [])
  })
})

describe('text', () => {
  story('is in the cart’s language, a broader tag, or the first available', () => {
    const title = { en: 'Summer sale', de: 'Sommerschlussverkauf' }
    const inLocale = (locale: string) =>
      given(selling('mug', '1.00'), off('order', '0.1', { title }), (input) => ({ ...input, locale })).cart
        .automaticPromotions[0]!.title
    assert.deepEqual(['de-AT', 'en', 'fr'].map(inLocale), [
      'Sommerschlussverkauf',
      'Summer sale',
      'Sommerschlussverkauf',
    ])
  })
})

// Test language

/** A change to the input. */
type Part = (input: PricingInput) => PricingInput

const nothing: PricingInput = {
  currency: 'EUR',
  locale: 'en',
  country: 'DE',
  now: new Date('2026-06-01T12:00:00Z'),
  lines: [],
  stores: [{ storeId: 'shop', pricesIncludeTax: true }],
  promotions: [],
  rules: { taxRates: [], shippingZones: [] },
}

/** A test in one expression. */
function story(title: string, run: () => unknown): void {
  test(title, () => {
    run()
  })
}

function given(...parts: readonly Part[]): Story {
  return new Story(priceCart(parts.reduce((input, part) => part(input), nothing)))
}

class Story {
  readonly cart: PricedCart
  constructor(cart: PricedCart) {
    this.cart = cart
  }
  costs(total: string): this {
    return this.#expects('total', this.cart.totals.total, total)
  }
  holdsTax(tax: string): this {
    return this.#expects('tax', this.cart.totals.tax.amount, tax)
  }
  ships(amount: string): this {
    return this.#expects('shipping', present(this.cart.totals.shipping, 'a shipping amount'), amount)
  }
  discounts(...each: readonly string[]): this {
    const amounts = this.cart.lines.map((line) =>
      line.discountAllocations.reduce((all, { amount }) => all + amount, 0n),
    )
    assert.deepEqual(
      amounts,
      each.map((amount) => minorOf(amount, this.cart.currency)),
    )
    return this
  }
  appliesInOrder(...ids: readonly string[]): this {
    assert.deepEqual(
      this.cart.automaticPromotions.map(({ promotionId }) => promotionId),
      ids,
    )
    return this
  }
  answers(state: Readonly<Record<string, unknown>>): this {
    assert.partialDeepStrictEqual(this.cart.promotion, state)
    return this
  }
  #expects(what: string, amount: bigint, expected: string): this {
    assert.equal(majorOf(amount, this.cart.currency), expected, what)
    return this
  }
}

function lineOf(line: Partial<PricingLine>): Part {
  const usual: PricingLine = {
    lineId: 'line',
    skuId: 'sku',
    productId: 'product',
    storeId: 'shop',
    categoryIds: [],
    quantity: 1,
    unitPrice: 100n,
    weightGrams: 0,
    requiresShipping: true,
    taxCategory: 'standard',
  }
  return (input) => ({ ...input, lines: [...input.lines, { ...usual, ...line }] })
}

const unshipped = { requiresShipping: false }
const voucher: Part = (input) => selling('voucher', '25.00', unshipped)(input)

function selling(productId: string, price: string, more: Partial<PricingLine> = {}): Part {
  return (input) => {
    const unitPrice = present(minorOf(price, input.currency), 'a price')
    return lineOf({ lineId: `line of ${productId}`, productId, unitPrice, ...more })(input)
  }
}

function promotion(effect: PromotionEffect, more: Partial<Promotion> = {}): Part {
  const id = more.id ?? 'promotion'
  const all: Promotion = {
    ...FOR_EVERYONE,
    id,
    title: { en: id },
    effect,
    combinesWith: ['line', 'order', 'shipping'],
    ...more,
  }
  return (input) => ({ ...input, promotions: [...input.promotions, all] })
}

function off(target: 'line' | 'order' | 'shipping', rate: string, more: Partial<Promotion> = {}): Part {
  return promotion({ kind: 'percentage', target, rate }, more)
}

function amountOff(
  target: 'line' | 'order' | 'shipping',
  amount: string,
  more: Partial<Promotion> = {},
  currency = 'EUR',
): Part {
  const amounts = { [currency]: present(minorOf(amount, currency), 'an amount') }
  return promotion({ kind: 'fixed_amount', target, amounts }, more)
}

function freeShipping(more: Partial<Promotion> = {}): Part {
  return promotion({ kind: 'free_shipping' }, more)
}

function vat(rate: string, more: Partial<TaxRate> = {}): Part {
  const usual = { storeId: 'shop', country: 'DE', region: null, category: 'standard', code: 'vat', name: { en: 'VAT' } }
  return (input) => {
    const taxRates = [...input.rules.taxRates, { ...usual, rate, ...more }]
    return { ...input, rules: { ...input.rules, taxRates } }
  }
}

function zone(methods: readonly ShippingZone['methods'][number][], at: ShippingZone['places'][number] = DE): Part {
  return (input) => {
    const { shippingZones } = input.rules
    const added = { zoneId: `zone ${shippingZones.length}`, storeId: 'shop', name: 'Zone', places: [at], methods }
    return { ...input, rules: { ...input.rules, shippingZones: [...shippingZones, added] } }
  }
}

const DE = { country: 'DE', region: null }

function method(
  methodId: string,
  basis: 'subtotal' | 'weight',
  ...steps: readonly [from: number, upTo: number | null, amount: string][]
): ShippingZone['methods'][number] {
  const rates = steps.map(([from, upTo, amount]) => ({
    currency: 'EUR',
    from: BigInt(from),
    upTo: upTo === null ? null : BigInt(upTo),
    amount: present(minorOf(amount, 'EUR'), 'an amount'),
  }))
  return { methodId, name: { en: methodId }, basis, minDays: 1, maxDays: 3, taxCategory: 'standard', rates }
}

/** Another shipping option to Germany, for any shipment. */
function shipping(amount: string, methodId = 'post'): Part {
  return (input) => {
    const [first, ...others] = input.rules.shippingZones
    const added = method(methodId, 'subtotal', [0, null, amount])
    if (!first) return zone([added])(input)
    const shippingZones = [{ ...first, methods: [...first.methods, added] }, ...others]
    return { ...input, rules: { ...input.rules, shippingZones } }
  }
}

function inCurrency(currency: string): Part {
  return (input) => ({ ...input, currency })
}
function pricesWithoutTax(input: PricingInput): PricingInput {
  return { ...input, stores: input.stores.map((store) => ({ ...store, pricesIncludeTax: false })) }
}
function entering(code: string): Part {
  return (input) => ({ ...input, code })
}
function choosing(shippingOptionId: string): Part {
  return (input) => ({ ...input, shippingOptionId })
}
function shippedTo(country: string, region: string | null = null): Part {
  return (input) => ({ ...input, destination: { country, region } })
}
function buyer(id: string): Part {
  return (input) => ({ ...input, customer: { id } })
}
function used(promotionId: string, usage: { total: number; byCustomer: number }): Part {
  return (input) => ({ ...input, usage: new Map([[promotionId, usage]]) })
}
