import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { transition } from '../../kernel/state-machine.ts'
import {
  applyPaymentOutcome,
  asOf,
  beginSession,
  cancel,
  completeFree,
  exitUrl,
  expire,
  extendHold,
  overdue,
  recordLatePayment,
  SESSION_COMMANDS,
  type Session,
  type SessionCommand,
  type SessionStatus,
  sessionMachine,
  startPayment,
  updateQuote,
} from './session.ts'

const START = new Date('2026-03-14T09:00:00Z')
const LATER = new Date('2026-03-14T09:10:00Z')
const HOUR_MS = 3_600_000

const opened = beginSession({
  id: 'cks_1',
  installationId: 'ins_1',
  environment: 'test',
  storeId: null,
  cartId: 'cart_1',
  quoteId: 'quo_1',
  returnUrl: 'https://shop.example/return?from=us&status=mine',
  cancelUrl: 'https://shop.example/cart',
  clientReferenceId: null,
  metadata: {},
  contact: null,
  shippingAddress: null,
  billingAddress: null,
  now: START,
})

/** A session in each state. */
const IN: Readonly<Record<SessionStatus, Session>> = {
  open: opened,
  requires_action: { ...opened, status: 'requires_action', chargeId: 'pay_1', paymentStatus: 'pending' },
  processing: { ...opened, status: 'processing', chargeId: 'pay_1', paymentStatus: 'pending' },
  cancel_pending: {
    ...opened,
    status: 'cancel_pending',
    chargeId: 'pay_1',
    paymentStatus: 'pending',
    cancelReason: 'abandoned',
    cancelNote: null,
  },
  completed: { ...opened, status: 'completed', paymentStatus: 'succeeded', orderId: 'ord_1', endedAt: START },
  canceled: { ...opened, status: 'canceled', cancelReason: null, cancelNote: null, endedAt: START },
  expired: { ...opened, status: 'expired', endedAt: START },
}

/** The function of each command. */
const APPLY: Readonly<Record<SessionCommand, (session: Session) => Session>> = {
  update_quote: (session) => {
    const { contact, shippingAddress, billingAddress } = session
    return updateQuote(session, { quoteId: 'quo_2', contact, shippingAddress, billingAddress }, { now: LATER })
  },
  pay: (session) => startPayment(session, { chargeId: 'pay_1', acceptedDocuments: [] }, { now: LATER }),
  require_action: (session) => applyPaymentOutcome(session, { type: 'require_action', transferMs: null }, LATER),
  process: (session) => applyPaymentOutcome(session, { type: 'process' }, LATER),
  succeed: (session) =>
    applyPaymentOutcome(session, { type: 'succeed', paymentStatus: 'succeeded', orderId: 'ord_1' }, LATER),
  decline: (session) => applyPaymentOutcome(session, { type: 'decline' }, LATER),
  cancel: (session) => cancel(session, { cancelReason: null, cancelNote: null }, { now: LATER }),
  expire: (session) => {
    const due = overdue(session, session.expiresAt)
    if (!due) throw new TypeError('not due')
    return expire(due)
  },
}

describe('a checkout session, for each state and command', () => {
  // `!code`: refused with that code. `!`: never sent, because callers check first.
  // biome-ignore format: aligned columns
  const TABLE: Readonly<Record<SessionCommand, Readonly<Record<SessionStatus, string>>>> = {
    update_quote:   { open: 'open', requires_action: '!version_conflict', processing: '!version_conflict', cancel_pending: '!version_conflict', completed: '!version_conflict', canceled: '!version_conflict', expired: '!session_expired' },
    pay:            { open: 'processing', requires_action: '!version_conflict', processing: '!version_conflict', cancel_pending: '!version_conflict', completed: '!version_conflict', canceled: '!version_conflict', expired: '!session_expired' },
    require_action: { open: '!', requires_action: 'requires_action', processing: 'requires_action', cancel_pending: 'cancel_pending', completed: '!', canceled: '!', expired: '!' },
    process:        { open: '!', requires_action: 'processing', processing: 'processing', cancel_pending: 'cancel_pending', completed: '!', canceled: '!', expired: '!' },
    succeed:        { open: '!', requires_action: 'completed', processing: 'completed', cancel_pending: 'completed', completed: '!', canceled: '!', expired: '!' },
    decline:        { open: '!', requires_action: 'open', processing: 'open', cancel_pending: 'canceled', completed: '!', canceled: '!', expired: '!' },
    cancel:         { open: 'canceled', requires_action: 'canceled', processing: 'cancel_pending', cancel_pending: '!session_not_cancelable', completed: '!session_not_cancelable', canceled: '!session_not_cancelable', expired: '!session_expired' },
    expire:         { open: 'expired', requires_action: 'expired', processing: '!', cancel_pending: '!', completed: '!', canceled: '!', expired: '!' },
  }

  for (const command of SESSION_COMMANDS) {
    for (const [status, outcome] of Object.entries(TABLE[command]) as [SessionStatus, string][]) {
      test(`${status}, ${command}: ${outcome}`, () => {
        const before = IN[status]
        const step = transition(sessionMachine, status, command)
        if (!outcome.startsWith('!')) {
          assert(step.moved)
          const after = APPLY[command](before)
          assert.deepEqual([after.status, step.to, after.version], [outcome, outcome, before.version + 1])
          return
        }
        assert(!step.moved)
        assert.throws(
          () => APPLY[command](before),
          (error) =>
            outcome === '!' ? !(error instanceof Refusal) : error instanceof Refusal && `!${error.code}` === outcome,
        )
      })
    }
  }

  test('has a cell for each state and command', () => {
    assert.deepEqual(Object.keys(TABLE), SESSION_COMMANDS)
    for (const cells of Object.values(TABLE)) assert.deepEqual(Object.keys(cells), sessionMachine.states)
  })
})

describe('time', () => {
  const end = new Date(START.getTime() + HOUR_MS)
  const before = new Date(end.getTime() - 1)

  test('expires an open session after an hour, even before the worker runs', () => {
    assert.equal(asOf(IN.open, before).status, 'open')
    const over = asOf(IN.open, new Date(end.getTime() + HOUR_MS))
    assert.deepEqual([over.status, over.version, over.updatedAt], ['expired', 2, end])
  })

  test('never expires a session with an unknown payment outcome', () => {
    for (const status of ['processing', 'cancel_pending'] as const) assert.equal(asOf(IN[status], end), IN[status])
  })

  test('restarts when the shopper has to act: an hour, or the time of a bank transfer', () => {
    const waiting = (transferMs: number | null) =>
      applyPaymentOutcome(IN.processing, { type: 'require_action', transferMs }, LATER).expiresAt.getTime() -
      LATER.getTime()
    assert.deepEqual([waiting(null), waiting(72 * HOUR_MS)], [HOUR_MS, 72 * HOUR_MS])
  })

  test('is never shortened, and a clock that is behind does not turn back the time of the last change', () => {
    const waiting = extendHold(IN.requires_action, new Date(START.getTime() + 1), new Date(START.getTime() - 1))
    assert.deepEqual([waiting.expiresAt, waiting.updatedAt], [end, START])
    const longer = new Date(end.getTime() + HOUR_MS)
    assert.deepEqual(extendHold(IN.requires_action, longer, LATER).expiresAt, longer)
    assert.throws(() => extendHold(IN.processing, longer, LATER))
  })
})

describe('canceling', () => {
  const cancellation = { cancelReason: 'duplicate', cancelNote: 'Pressed twice.' } as const

  test('is refused while the outcome of the payment is unknown', () => {
    const lost = applyPaymentOutcome(IN.processing, { type: 'process' }, LATER)
    assert.throws(() => cancel(lost, cancellation, { now: LATER }), { code: 'payment_outcome_unknown' })
  })

  test('is offered by a refused change of a session that can still be canceled', () => {
    for (const [status, allowed] of [
      ['requires_action', ['getHostedCheckoutSession', 'cancelHostedCheckoutSession']],
      ['completed', ['getHostedCheckoutSession']],
    ] as const) {
      const conflict = { currentState: status, currentVersion: 1, allowed }
      assert.throws(() => APPLY.pay(IN[status]), { code: 'version_conflict', facts: { conflict } })
    }
  })

  test('checks the expected version before the payment', () => {
    const lost = applyPaymentOutcome(IN.processing, { type: 'process' }, LATER)
    assert.throws(() => cancel(lost, cancellation, { now: LATER, expectedVersion: 1 }), { code: 'version_conflict' })
  })

  test('keeps the reason while pending, and drops it if the payment succeeds', () => {
    const waiting = cancel(IN.processing, cancellation, { now: LATER })
    assert.deepEqual(
      [waiting.status, waiting.cancelReason, waiting.cancelNote],
      ['cancel_pending', ...Object.values(cancellation)],
    )
    const ended = applyPaymentOutcome(waiting, { type: 'decline' }, LATER)
    assert(ended.status === 'canceled')
    assert.deepEqual([ended.cancelReason, ended.paymentStatus, ended.endedAt], ['duplicate', 'failed', LATER])
    const done = applyPaymentOutcome(waiting, { type: 'succeed', paymentStatus: 'succeeded', orderId: 'ord_1' }, LATER)
    assert.deepEqual([done.status, 'cancelReason' in done], ['completed', false])
  })
})

test('a free session completes at once', () => {
  const done = completeFree(IN.open, { orderId: 'ord_1', acceptedDocuments: [] }, { now: LATER })
  assert.deepEqual([done.status, done.paymentStatus, done.endedAt, done.version], ['completed', 'succeeded', LATER, 2])
})

test('a late payment is recorded and the session stays ended', () => {
  const after = recordLatePayment(IN.expired, 'succeeded', LATER)
  assert.deepEqual([after.status, after.paymentStatus, after.version], ['expired', 'succeeded', 2])
  assert.throws(() => recordLatePayment(IN.open, 'succeeded', LATER))
})

describe('the exit URL', () => {
  test('is the return URL after success or while paying, with our query parameters', () => {
    assert.equal(exitUrl(IN.completed), 'https://shop.example/return?from=us&status=completed&sessionId=cks_1')
    assert.equal(new URL(exitUrl(IN.processing)).pathname, '/return')
  })

  test('is the cancel URL otherwise', () => {
    for (const status of ['open', 'canceled', 'expired'] as const) {
      assert.equal(exitUrl(IN[status]), `https://shop.example/cart?sessionId=cks_1&status=${status}`)
    }
  })
})
