import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { transition } from '../../kernel/state-machine.ts'
import {
  asOf,
  beginSession,
  canceled,
  completedForNothing,
  expired,
  noted,
  overdue,
  paying,
  SESSION_COMMANDS,
  type Session,
  type SessionCommand,
  type SessionStatus,
  sessionMachine,
  told,
  wayBack,
  withQuote,
} from './session.ts'

const BEGIN = new Date('2026-03-14T09:00:00Z')
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
  now: BEGIN,
})

/** A session in each of its states. */
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
  completed: { ...opened, status: 'completed', paymentStatus: 'succeeded', orderId: 'ord_1', endedAt: BEGIN },
  canceled: { ...opened, status: 'canceled', cancelReason: null, cancelNote: null, endedAt: BEGIN },
  expired: { ...opened, status: 'expired', endedAt: BEGIN },
}

/** What each command does to a session, by the functions that do it. */
const DOING: Readonly<Record<SessionCommand, (session: Session) => Session>> = {
  complete_quote: (session) => {
    const { contact, shippingAddress, billingAddress } = session
    return withQuote(session, { quoteId: 'quo_2', contact, shippingAddress, billingAddress }, { now: LATER })
  },
  pay: (session) => paying(session, { chargeId: 'pay_1', acceptedDocuments: [] }, { now: LATER }),
  require_action: (session) => told(session, { news: 'require_action', waitsForTransfer: false }, LATER),
  process: (session) => told(session, { news: 'process' }, LATER),
  succeed: (session) => told(session, { news: 'succeed', orderId: 'ord_1' }, LATER),
  decline: (session) => told(session, { news: 'decline' }, LATER),
  cancel: (session) => canceled(session, { cancelReason: null, cancelNote: null }, { now: LATER }),
  expire: (session) => {
    const due = overdue(session, session.expiresAt)
    if (!due) throw new TypeError('not due')
    return expired(due)
  },
}

describe('a checkout session, in each state and at each command', () => {
  // What begins with ! is refused with that code; ! alone is asked by nobody, because whoever could has looked before.
  // biome-ignore format: a table is read by its columns
  const TABLE: Readonly<Record<SessionCommand, Readonly<Record<SessionStatus, string>>>> = {
    complete_quote: { open: 'open', requires_action: '!version_conflict', processing: '!version_conflict', cancel_pending: '!version_conflict', completed: '!version_conflict', canceled: '!version_conflict', expired: '!session_expired' },
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
          const after = DOING[command](before)
          assert.deepEqual([after.status, step.to, after.version], [outcome, outcome, before.version + 1])
          return
        }
        assert(!step.moved)
        assert.throws(
          () => DOING[command](before),
          (error) =>
            outcome === '!' ? !(error instanceof Refusal) : error instanceof Refusal && `!${error.code}` === outcome,
        )
      })
    }
  }

  test('has a cell for each pair', () => {
    assert.deepEqual(Object.keys(TABLE), SESSION_COMMANDS)
    for (const cells of Object.values(TABLE)) assert.deepEqual(Object.keys(cells), sessionMachine.states)
  })
})

describe('time', () => {
  const end = new Date(BEGIN.getTime() + HOUR_MS)
  const before = new Date(end.getTime() - 1)

  test('ends an open session after an hour, worker or no worker, at the moment that it was over', () => {
    assert.equal(asOf(IN.open, before).status, 'open')
    const over = asOf(IN.open, new Date(end.getTime() + HOUR_MS))
    assert.deepEqual([over.status, over.version, over.updatedAt], ['expired', 2, end])
  })

  test('never ends a session whose payment nobody knows the outcome of', () => {
    for (const status of ['processing', 'cancel_pending'] as const) assert.equal(asOf(IN[status], end), IN[status])
  })

  test('is given anew to a shopper who has to do something, and by the week to a transfer', () => {
    const waiting = (waitsForTransfer: boolean) =>
      told(IN.processing, { news: 'require_action', waitsForTransfer }, LATER).expiresAt.getTime() - LATER.getTime()
    assert.deepEqual([waiting(false), waiting(true)], [HOUR_MS, 7 * 24 * HOUR_MS])
  })
})

describe('canceling', () => {
  const why = { cancelReason: 'duplicate', cancelNote: 'Pressed twice.' } as const

  test('is refused while the outcome of the payment is unknown', () => {
    const lost = told(IN.processing, { news: 'process' }, LATER)
    assert.throws(() => canceled(lost, why, { now: LATER }), { code: 'payment_outcome_unknown' })
  })

  test('is refused for a version that the caller has not seen, before the payment is looked at', () => {
    const lost = told(IN.processing, { news: 'process' }, LATER)
    assert.throws(() => canceled(lost, why, { now: LATER, expectedVersion: 1 }), { code: 'version_conflict' })
  })

  test('keeps the reason while it waits, and drops it where the money has come after all', () => {
    const waiting = canceled(IN.processing, why, { now: LATER })
    assert.deepEqual(
      [waiting.status, waiting.cancelReason, waiting.cancelNote],
      ['cancel_pending', ...Object.values(why)],
    )
    const ended = told(waiting, { news: 'decline' }, LATER)
    assert(ended.status === 'canceled')
    assert.deepEqual([ended.cancelReason, ended.paymentStatus, ended.endedAt], ['duplicate', 'failed', LATER])
    const done = told(waiting, { news: 'succeed', orderId: 'ord_1' }, LATER)
    assert.deepEqual([done.status, 'cancelReason' in done], ['completed', false])
  })
})

test('a session that is paid for nothing is complete at once', () => {
  const done = completedForNothing(IN.open, { orderId: 'ord_1', acceptedDocuments: [] }, { now: LATER })
  assert.deepEqual([done.status, done.paymentStatus, done.endedAt, done.version], ['completed', 'succeeded', LATER, 2])
})

test('what becomes of a payment after the end is written down, and the end stays', () => {
  const after = noted(IN.expired, 'succeeded', LATER)
  assert.deepEqual([after.status, after.paymentStatus, after.version], ['expired', 'succeeded', 2])
  assert.throws(() => noted(IN.open, 'succeeded', LATER))
})

describe('the way back', () => {
  test('leads to the return URL once something came of it, with our names over what was there', () => {
    assert.equal(wayBack(IN.completed), 'https://shop.example/return?from=us&status=completed&sessionId=cks_1')
    assert.equal(new URL(wayBack(IN.processing)).pathname, '/return')
  })

  test('leads to the cancel URL otherwise', () => {
    for (const status of ['open', 'canceled', 'expired'] as const) {
      assert.equal(wayBack(IN[status]), `https://shop.example/cart?sessionId=cks_1&status=${status}`)
    }
  })
})
