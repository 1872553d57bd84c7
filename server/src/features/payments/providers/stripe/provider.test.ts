import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Stripe } from 'stripe'
import { adapterKit } from '../../../../../../test/support/commerce/adapter-kit.ts'
import { EURO, paymentsWorld } from '../../../../../../test/support/commerce/payments.ts'
import { drippingServer, ENDLESS_ANSWER } from '../../../../../../test/support/network/dripping-server.ts'
import {
  STAND_IN_KEY,
  STAND_IN_SECRET,
  startStripeStandIn,
} from '../../../../../../test/support/network/stripe-stand-in.ts'
import { present } from '../../../../kernel/assert.ts'
import { intentOf, requestVoid } from '../../index.ts'
import type { ProviderAnswer, ProviderCall } from '../provider.ts'
import { STRIPE_API_VERSION, type StripeSettings } from './client.ts'
import { stripeProvider } from './provider.ts'
import { checkStripeKeys } from './rights.ts'

const ORDER = {
  sessionId: 'cks_1',
  locale: 'de-DE',
  email: 'ada@example.com',
  phone: null,
  shippingAddress: null,
  billingAddress: null,
  lines: [{ name: 'Mug', quantity: 2, amount: EURO - 490n }],
  stores: [],
}

const settingsOf = (apiUrl: string, changes: Partial<StripeSettings> = {}) => ({
  pagesUrl: 'https://pages.example',
  keys: { test: STAND_IN_KEY, live: null },
  webhookSecrets: { test: STAND_IN_SECRET, live: null },
  capture: { test: 'separate', live: 'separate' } as const,
  currencies: null,
  storeIds: null,
  apiUrl,
  timeoutMs: 5000,
  ...changes,
})

for (const capture of ['separate', 'automatic'] as const) {
  const steps = ['authorize', ...(capture === 'separate' ? (['capture'] as const) : []), 'refund'] as const
  adapterKit(`Stripe with ${capture} capture`, steps, async () => {
    const { books, faults, later, ...standIn } = await startStripeStandIn()
    const provider = stripeProvider(settingsOf(standIn.url, { capture: { test: capture, live: capture } }))
    const world = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
    world.outcome.orderOf = async () => ORDER
    const about = (id: string) => ({ metadata: { vitrine_intent: id } })
    return {
      world,
      provider,
      // Stripe's answers are its books: it confirms nothing that it has not done.
      faults: [
        'decline',
        'effect_without_answer',
        'no_effect_no_answer',
        'late_effect',
        'error_without_effect',
        'error_with_effect',
        'other_amount',
        'garbage',
      ],
      misbehave: (fault) => void faults.push(fault),
      behave: () => {
        faults.length = 0
      },
      arrive: () => {
        for (const act of later.splice(0)) act()
      },
      approve: ({ id }) => {
        const page = books.sessionOf(id)
        if (page) books.pay(page.id)
      },
      movements: (id) => books.movements(id),
      notification: ({ id }, event) => standIn.notification(about(id), world.clock.now(), { id: event }),
      forgeries: ({ id }) => {
        const now = world.clock.now()
        const genuine = standIn.notification(about(id), now)
        return [
          standIn.notification(about(id), now, {}, `whsec_${'2'.repeat(32)}`),
          standIn.notification(about(id), new Date(now.getTime() - 301_000)),
          standIn.notification(about(id), now, { livemode: true }),
          { ...genuine, body: Buffer.concat([genuine.body, Buffer.from(' ')]) },
          { headers: {}, body: genuine.body },
        ]
      },
    }
  })
}

test('a payment that the shop captures in part in the dashboard of Stripe succeeds with that part', async () => {
  const { books, url } = await startStripeStandIn()
  const provider = stripeProvider(settingsOf(url, { capture: { test: 'later', live: 'later' } }))
  const world = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
  world.outcome.orderOf = async () => ORDER
  const id = await world.charge({ provider: 'stripe', capturesLater: true })
  assert.equal((await world.payments.advance(id)).status, 'requires_action')
  books.pay(present(books.sessionOf(id), 'its page').id)
  assert.equal((await world.payments.reconcileNow(id)).status, 'authorized')
  const [payment] = books.payments.values()
  Object.assign(present(payment, 'its payment'), { status: 'succeeded', amount_received: 1000, amount_capturable: 0 })
  const { status, captureAmount } = await world.payments.reconcileNow(id)
  assert.deepEqual([status, captureAmount], ['succeeded', 1000n])
})

test('a payment that was captured in part in the dashboard just before more, or a void, is requested succeeds with that part', async () => {
  const { books, url } = await startStripeStandIn()
  const provider = stripeProvider(settingsOf(url, { capture: { test: 'later', live: 'later' } }))
  const { payments, ...world } = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
  world.outcome.orderOf = async () => ORDER
  const requests = {
    capture: (id: string) => payments.capture(id, EURO),
    release: (id: string) => payments.release(id),
  }
  for (const [name, request] of Object.entries(requests)) {
    const id = await world.charge({ provider: 'stripe', capturesLater: true })
    await payments.advance(id)
    books.pay(present(books.sessionOf(id), 'its page').id)
    assert.equal((await payments.reconcileNow(id)).status, 'authorized')
    const payment = present([...books.payments.values()].at(-1), 'its payment')
    Object.assign(payment, { status: 'succeeded', amount_received: 1000, amount_capturable: 0 })
    await request(id)
    const { status, captureAmount } = await payments.reconcileNow(id)
    assert.deepEqual([status, captureAmount], ['succeeded', 1000n], name)
  }
})

test('a payment with a voucher, which the shopper pays at a counter later, is pending until it is paid', async () => {
  const { books, url } = await startStripeStandIn()
  const provider = stripeProvider(settingsOf(url, { capture: { test: 'automatic', live: 'automatic' } }))
  const world = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
  world.outcome.orderOf = async () => ORDER
  const id = await world.charge({ provider: 'stripe' })
  await world.payments.advance(id)
  books.pay(present(books.sessionOf(id), 'its page').id, 'slow')
  const payment = present([...books.payments.values()][0], 'its payment')
  Object.assign(payment, { status: 'requires_action' })
  assert.equal((await world.payments.reconcileNow(id)).status, 'pending')
  Object.assign(payment, { status: 'succeeded', amount_received: payment.amount })
  assert.equal((await world.payments.reconcileNow(id)).status, 'succeeded')
})

test('a refund that the bank returns days later has failed, and its amount can be refunded again', async () => {
  const { books, notification, requests, url } = await startStripeStandIn()
  const provider = stripeProvider(settingsOf(url, { capture: { test: 'automatic', live: 'automatic' } }))
  const world = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
  const { payments, settled, database } = world
  world.outcome.orderOf = async () => ORDER
  const chargeId = await world.charge({ provider: 'stripe' })
  await payments.advance(chargeId)
  books.pay(present(books.sessionOf(chargeId), 'its page').id)
  await payments.reconcileNow(chargeId)
  const refunding = { subjectId: 'can_returned' }
  const refundId = await world.refund(chargeId, refunding)
  const paid = await payments.advance(refundId)
  assert.deepEqual([paid.status, payments.stepsOf(paid)], ['succeeded', ['reconcile']])
  const refund = present(books.refunds.get(paid.providerReference ?? ''), 'the refund at Stripe')
  const notify = async (type: string) => {
    const sent = notification(refund, world.clock.now(), { type })
    assert.equal(await payments.receiveNotification('stripe', sent), 'taken')
    await world.work()
  }

  await notify('refund.updated')
  assert.equal((await intentOf(database.reader, refundId))?.status, 'succeeded')

  world.clock.advance(5 * 86_400_000)
  Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
  await notify('refund.failed')
  await notify('charge.refund.updated')
  const failed = present(await intentOf(database.reader, refundId), 'the refund')
  assert.deepEqual([failed.status, failed.failureCode], ['failed', 'lost_or_stolen_card'])
  assert.deepEqual(payments.stepsOf(failed), [])
  assert.deepEqual(
    settled.filter(({ id }) => id === refundId).map(({ status }) => status),
    ['succeeded', 'failed'],
  )
  assert.equal((await intentOf(database.reader, chargeId))?.refundRequested, 0n)

  requests.length = 0
  const again = await payments.advance(await world.refund(chargeId, refunding))
  assert.equal(again.status, 'succeeded')
  assert.equal((await intentOf(database.reader, chargeId))?.refundRequested, EURO)
})

test('a refund that was returned is found by an operator, also if its notification got lost and Stripe is down at first', async () => {
  const { books, faults, url } = await startStripeStandIn()
  const provider = stripeProvider(settingsOf(url, { capture: { test: 'automatic', live: 'automatic' } }))
  const world = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
  world.outcome.orderOf = async () => ORDER
  const chargeId = await world.charge({ provider: 'stripe' })
  await world.payments.advance(chargeId)
  books.pay(present(books.sessionOf(chargeId), 'its page').id)
  await world.payments.reconcileNow(chargeId)
  const refundId = await world.refund(chargeId)
  const { providerReference } = await world.payments.advance(refundId)
  Object.assign(present(books.refunds.get(providerReference ?? ''), 'the refund at Stripe'), { status: 'failed' })
  faults.push({ fault: 'error_without_effect', operation: 'lookup' })
  assert.equal((await world.payments.reconcileNow(refundId)).status, 'succeeded')
  const { status, failureCode } = await world.payments.reconcileNow(refundId)
  assert.deepEqual([status, failureCode], ['failed', 'failed'])
})

test('a charge that is no longer wanted is canceled if the request for its page got lost and Stripe refuses another one', async () => {
  const { books, faults, url } = await startStripeStandIn()
  const provider = stripeProvider(settingsOf(url))
  const world = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
  world.outcome.orderOf = async () => ORDER
  // The client sends again at once if its connection was dropped.
  const lost = { fault: 'no_effect_no_answer', operation: 'authorize' } as const
  const chargeId = await world.charge({ provider: 'stripe' })
  faults.push(lost, lost)
  assert.equal((await world.payments.advance(chargeId)).status, 'unknown')
  await world.database.transaction((tx) => requestVoid(tx, chargeId, world.context()))
  faults.push(lost, lost)
  assert.equal((await world.payments.reconcileNow(chargeId)).status, 'unknown')
  faults.push({ fault: 'decline', operation: 'authorize' })
  assert.equal((await world.payments.reconcileNow(chargeId)).status, 'canceled')
  assert.equal(books.sessionOf(chargeId), undefined)
})

/** With STRIPE_TEST_KEY these call the test mode of Stripe itself; see docs/guides/stripe.md. */
describe('the answers of Stripe', () => {
  const key = process.env.STRIPE_TEST_KEY
  let provider: ReturnType<typeof stripeProvider>
  let stripe: Stripe
  before(async () => {
    const apiUrl = key ? null : (await startStripeStandIn()).url
    const settings = settingsOf('', { apiUrl, timeoutMs: 15_000, keys: { test: key ?? STAND_IN_KEY, live: null } })
    provider = stripeProvider(settings)
    const { port, hostname } = new URL(apiUrl ?? 'https://api.stripe.com')
    const address = apiUrl && { protocol: 'http' as const, host: hostname, port }
    stripe = new Stripe(key ?? STAND_IN_KEY, { apiVersion: STRIPE_API_VERSION, ...address })
  })

  let calls = 0
  const callOf = (changes: Partial<ProviderCall> = {}): ProviderCall => {
    calls += 1
    const intentId = changes.intentId ?? `pay_${String(Date.now()).padStart(20, '0')}${String(calls).padStart(6, '0')}`
    const step = changes.step ?? 'authorize'
    return {
      intentId,
      step,
      key: `${intentId}:${step}`,
      authorizeKey: `${intentId}:authorize`,
      reference: null,
      chargeReference: null,
      amount: EURO,
      currency: 'EUR',
      environment: 'test',
      order: ORDER,
      returnPath: '/payments/return?payment=1',
      abandonPath: '/payments/return?payment=1&abandoned=true',
      signal: AbortSignal.timeout(15_000),
      ...changes,
    }
  }
  /** A payment that waits for its capture, like one made on the page. */
  const authorized = async (intentId: string) => {
    const { id } = await stripe.paymentIntents.create({
      amount: Number(EURO),
      currency: 'eur',
      capture_method: 'manual',
      confirm: true,
      payment_method: 'pm_card_visa',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      metadata: { vitrine_intent: intentId, vitrine_key: `${intentId}:authorize` },
    })
    return callOf({ intentId, reference: id })
  }
  const referenceOf = (answer: { readonly reference?: string }) => answer.reference!
  const kinds = (answers: readonly { readonly kind: string }[]) => answers.map(({ kind }) => kind)

  test('a repeated request returns the same page, which can be looked up and closed', async () => {
    const call = callOf()
    const first = (await provider.authorize(call)) as ProviderAnswer & { readonly kind: 'action_required' }
    const again = (await provider.authorize(call)) as typeof first
    assert.deepEqual([first.kind, again.reference], ['action_required', first.reference])
    assert.match(first.url!, key ? /^https:\/\/checkout\.stripe\.com\// : /^http:\/\/127\.0\.0\.1/)
    const known = { ...call, reference: first.reference }
    const voiding = { ...known, step: 'void' as const, key: `${call.intentId}:void` }
    assert.deepEqual(await provider.lookup(known), first)
    const answers = [await provider.lookup(voiding), await provider.cancel(voiding), await provider.lookup(voiding)]
    assert.deepEqual(kinds(answers), ['never_seen', 'done', 'done'])
    assert.deepEqual(await provider.lookup(known), { kind: 'declined', code: 'page_expired' })
  })

  test('a page whose reference was lost can be closed', async () => {
    const call = callOf()
    await provider.authorize(call)
    const voiding = { ...call, step: 'void' as const, key: `${call.intentId}:void` }
    assert.equal((await provider.cancel(voiding)).kind, 'done')
  })

  test('a payment is captured once, refunded in parts, and no further', async () => {
    const call = await authorized(callOf().intentId)
    const capture = { ...call, step: 'capture' as const, key: `${call.intentId}:capture` }
    const captured = await provider.capture(capture)
    assert.deepEqual(captured, { kind: 'done', reference: call.reference, amount: EURO, currency: 'EUR' })
    assert.deepEqual([await provider.capture(capture), await provider.lookup(capture)], [captured, captured])

    const refund = (amount: bigint) => callOf({ step: 'refund', amount, order: null, chargeReference: call.reference })
    const parts = [refund(EURO / 4n), refund(EURO / 2n)]
    const answers = []
    for (const part of parts) answers.push(await provider.refund(part))
    assert.deepEqual(kinds(answers), ['done', 'done'])
    const [one] = parts as [ProviderCall]
    const found = await provider.lookup(one)
    assert.deepEqual([found, await provider.refund(one)], [answers[0], answers[0]])
    assert.deepEqual(await provider.lookup({ ...one, reference: referenceOf(found as never) }), found)
    const beyond = refund(EURO)
    assert.equal((await provider.refund(beyond)).kind, 'declined')
    assert.equal((await provider.lookup(beyond)).kind, 'never_seen')
  })

  test('an authorization that was captured in part in the dashboard is looked up with the captured amount', async () => {
    const call = await authorized(callOf().intentId)
    await stripe.paymentIntents.capture(call.reference!, { amount_to_capture: 1000 })
    const { kind, amount, captured } = (await provider.lookup(call)) as ProviderAnswer & { readonly kind: 'done' }
    assert.deepEqual([kind, amount, captured], ['done', EURO, 1000n])
  })

  test('a void after a capture is contradicted, and a capture after a void is declined', async () => {
    const [one, other] = [await authorized(callOf().intentId), await authorized(callOf().intentId)]
    const stepOf = (call: ProviderCall, step: 'capture' | 'void') => ({
      ...call,
      step,
      key: `${call.intentId}:${step}`,
    })
    await provider.capture(stepOf(one, 'capture'))
    await provider.cancel(stepOf(other, 'void'))
    const answers = [await provider.cancel(stepOf(one, 'void')), await provider.capture(stepOf(other, 'capture'))]
    assert.deepEqual(kinds(answers), ['contradicted', 'declined'])
  })

  test('a key has the required rights', async () => {
    const settings = settingsOf('', { apiUrl: null, timeoutMs: 15_000 })
    const { url: apiUrl } = await startStripeStandIn()
    const checked = key ? { ...settings, keys: { test: key, live: null } } : { ...settings, apiUrl }
    const [check] = await checkStripeKeys(checked)
    assert.deepEqual([check!.missing, check!.problem], [[], null])
  })
})

describe('the settings of Stripe', () => {
  test('limit its offer by environment, currency and store', () => {
    const { takes } = stripeProvider(
      settingsOf('http://127.0.0.1:9', { currencies: ['EUR', 'ISK'], storeIds: ['sto_1'] }),
    )
    const place = { environment: 'test', currency: 'EUR', storeIds: ['sto_1'] } as const
    assert.deepEqual(
      [
        takes(place),
        takes({ ...place, storeIds: [] }),
        takes({ ...place, environment: 'live' }),
        takes({ ...place, currency: 'USD' }),
        // Stripe uses other units for this currency.
        takes({ ...place, currency: 'ISK' }),
        takes({ ...place, storeIds: ['sto_1', 'sto_2'] }),
      ],
      [true, true, false, false, false, false],
    )
  })

  test('may have a restricted key, whose missing rights are named', async () => {
    const { url, missingRights } = await startStripeStandIn()
    missingRights.add('rak_refund_write').add('rak_dispute_read')
    const { problemsIn } = stripeProvider(settingsOf(url))
    const named = ['The key lacks Disputes: read.', 'The key lacks Charges and Refunds: write.']
    assert.deepEqual([await problemsIn?.('test'), await problemsIn?.('live')], [named, []])
    assert.deepEqual(await checkStripeKeys(settingsOf(url)), [
      {
        environment: 'test',
        missing: ['Disputes: read', 'Charges and Refunds: write'],
        problem: null,
        hasWebhookSecret: true,
      },
    ])
  })

  test('are reported with a problem if Stripe cannot be reached to check a key', async () => {
    const [check] = await checkStripeKeys(settingsOf('http://127.0.0.1:9'))
    assert.match(check!.problem ?? '', /connection/)
  })

  test('limit a whole request, also where the answer is dripped', { timeout: 20_000 }, async () => {
    await using drips = await drippingServer(ENDLESS_ANSWER)
    const [check] = await checkStripeKeys(settingsOf(drips.url, { timeoutMs: 200 }))
    assert.match(check!.problem ?? '', /timed out|aborted/i)
    await drips.allClosed()
  })
})

describe('the page at Stripe', () => {
  test('shows the lines of the order in the shopper’s language, and they add up to the amount', async () => {
    const { url, books } = await startStripeStandIn()
    const provider = stripeProvider(settingsOf(url))
    const world = await paymentsWorld({ providers: [provider], timeoutMs: 5000 })
    world.outcome.orderOf = async () => ORDER
    const id = await world.charge({ provider: 'stripe' })
    await world.payments.advance(id)
    const { fields, amount_total: amount, cancel_url: cancel } = books.sessionOf(id)!
    const item = (number: number) => `line_items[${number}][price_data]`
    assert.deepEqual(
      [
        fields.get(`${item(0)}[product_data][name]`),
        fields.get(`${item(0)}[unit_amount]`),
        fields.get(`${item(1)}[product_data][name]`),
        fields.get(`${item(1)}[unit_amount]`),
        fields.get('locale'),
        fields.get('customer_email'),
        fields.get('payment_intent_data[capture_method]'),
        fields.get('client_reference_id'),
        amount,
      ],
      ['2 × Mug', '9510', 'Versand', '490', 'de', 'ada@example.com', 'manual', id, Number(EURO)],
    )
    assert.match(cancel!, /^https:\/\/pages\.example\/payments\/return\?payment=pay_.*&abandoned=true$/)
  })
})
