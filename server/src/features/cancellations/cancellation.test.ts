import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../../test/support/refuses.ts'
import { transition } from '../../kernel/state-machine.ts'
import {
  approveCancellation,
  CANCELLATION_COMMANDS,
  type Cancellation,
  type CancellationCommand,
  type CancellationStatus,
  cancellationMachine,
  completeCancellation,
  declineCancellation,
  requestCancellation,
} from './cancellation.ts'

const BEGIN = new Date('2026-05-04T12:00:00.000Z')
const now = new Date('2026-05-04T13:00:00.000Z')

const requested = requestCancellation({
  id: 'can_1',
  orderId: 'ord_1',
  scope: 'partial',
  reason: 'customer_request',
  note: null,
  lines: [{ lineId: 'oli_1', quantity: 1 }],
  refundAmount: 1000n,
  refundByStore: null,
  policyVersions: { store_1: 3 },
  now: BEGIN,
})
const approved = approveCancellation(requested, { refundAmount: 900n, refundByStore: null, now: BEGIN })
const IN: Readonly<Record<CancellationStatus, Cancellation>> = {
  requested,
  approved,
  declined: declineCancellation(requested, { declineReason: 'It has left.', now: BEGIN }),
  completed: completeCancellation(approved, BEGIN),
}
const DECISIONS: Readonly<Record<CancellationCommand, (each: Cancellation) => Cancellation>> = {
  approve: (each) => approveCancellation(each, { refundAmount: 900n, refundByStore: null, now }),
  decline: (each) => declineCancellation(each, { declineReason: 'It has left.', now }),
  complete: (each) => completeCancellation(each, now),
}

describe('a cancellation', () => {
  /** The result of each command in each state; `!` if refused. */
  // biome-ignore format: a table is read by its columns
  const TABLE: Readonly<Record<CancellationCommand, readonly [requested: string, approved: string, declined: string, completed: string]>> = {
    //         requested    approved      declined  completed
    approve:  ['approved',  '!',          '!',      '!'],
    decline:  ['declined',  '!',          '!',      '!'],
    complete: ['!',         'completed',  '!',      '!'],
  }
  const STATES = ['requested', 'approved', 'declined', 'completed'] as const

  test('has a row for each command and a cell for each state', () => {
    assert.deepEqual(Object.keys(TABLE).sort(), [...CANCELLATION_COMMANDS].sort())
    assert.deepEqual([...STATES].sort(), [...cancellationMachine.states].sort())
  })

  for (const command of CANCELLATION_COMMANDS) {
    for (const [index, status] of STATES.entries()) {
      const cell = TABLE[command][index]!
      test(`${command} when ${status}: ${cell}`, async () => {
        const before = IN[status]
        const step = transition(cancellationMachine, status, command)
        assert.equal(step.moved ? step.to : '!', cell)
        if (cell !== '!') {
          const after = DECISIONS[command](before)
          assert.deepEqual([after.status, after.version, after.updatedAt], [cell, before.version + 1, now])
          return
        }
        const { facts } = await refuses('version_conflict', () => DECISIONS[command](before))
        assert.deepEqual(facts.conflict, {
          currentState: status,
          currentVersion: before.version,
          allowed: Object.keys(cancellationMachine.transitions[status]),
        })
      })
    }
  }

  test('refunds the amount computed at the approval, not the estimate of the request', () => {
    assert.deepEqual([requested.refundAmount, approved.refundAmount], [1000n, 900n])
  })

  test('the time of the last update never goes back, even if the decision has an earlier time', () => {
    const after = declineCancellation(IN.requested, { declineReason: 'No.', now: new Date(BEGIN.getTime() - 1) })
    assert.deepEqual(after.updatedAt, BEGIN)
  })
})
