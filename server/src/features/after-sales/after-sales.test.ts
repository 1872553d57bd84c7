import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../../test/support/refuses.ts'
import { transition } from '../../kernel/state-machine.ts'
import type { AfterSalesKind } from '../orders/policy/policy.ts'
import {
  AFTER_SALES_COMMANDS,
  type AfterSales,
  type AfterSalesAction,
  type AfterSalesCommand,
  type AfterSalesStatus,
  afterSalesActionsOf,
  approve,
  complete,
  decline,
  expire,
  goodsDispatched,
  goodsReceived,
  inspect,
  isUnderWay,
  machineOf,
  requestAfterSales,
  resolve,
  review,
  withdraw,
} from './after-sales.ts'

const BEGIN = new Date('2026-05-04T12:00:00.000Z')
const context = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'operator' } as const
const RETURN_BY = new Date('2026-05-19T12:00:00.000Z')

function requestOf(kind: AfterSalesKind): AfterSales {
  const input = {
    id: 'asr_1',
    orderId: 'ord_1',
    kind,
    reasonCode: 'defective',
    lines: [{ lineId: 'oli_1', quantity: 1 }],
    description: null,
    evidence: [],
    refundEstimate: 1000n,
    refundByStore: null,
    policyVersions: { store_1: 0 },
    decideBy: RETURN_BY,
  } as const
  return requestAfterSales(input, { now: BEGIN, actor: 'installation' })
}

const approval = (kind: AfterSalesKind) => ({
  instructions: null,
  returnAddress: null,
  returnBy: kind === 'refund_only' ? null : RETURN_BY,
})
const refund = { refundAmount: 1000n, refundByStore: null }
const accepted = { accepted: true, restocks: true, declineReason: null }

/** A request in a state, reached by commands. A request with returned goods passes through `approved`. */
function inState(kind: AfterSalesKind, status: AfterSalesStatus): AfterSales {
  const requested = requestOf(kind)
  const underReview = review(requested, context)
  const approved = approve(underReview, approval(kind), context)
  if (kind === 'refund_only') {
    const ways: Partial<Record<AfterSalesStatus, () => AfterSales>> = {
      requested: () => requested,
      under_review: () => underReview,
      approved: () => approved,
      declined: () => decline(underReview, 'No.', context),
      resolving: () => resolve(approved, refund, context),
      completed: () => complete(resolve(approved, refund, context), context),
      withdrawn: () => withdraw(requested, context),
    }
    return ways[status]!()
  }
  const received = () => goodsReceived(goodsDispatched(approved, context), context)
  const inspecting = () => inspect(received(), accepted, context)
  const ways: Record<AfterSalesStatus, () => AfterSales> = {
    requested: () => requested,
    under_review: () => underReview,
    approved: () => ({ ...approved, status: 'approved' }),
    declined: () => decline(underReview, 'No.', context),
    awaiting_return: () => approved,
    in_transit: () => goodsDispatched(approved, context),
    received,
    inspecting,
    resolving: () => resolve(inspecting(), refund, context),
    completed: () => complete(resolve(inspecting(), refund, context), context),
    withdrawn: () => withdraw(requested, context),
    expired: () => expire(approved, context),
  }
  return ways[status]()
}

/** The decision function of each command. `await_return` has none, because it is part of the approval. */
const DECISIONS: Readonly<Partial<Record<AfterSalesCommand, (each: AfterSales) => AfterSales>>> = {
  review: (each) => review(each, context),
  approve: (each) => approve(each, approval(each.kind), context),
  decline: (each) => decline(each, 'No.', context),
  dispatch: (each) => goodsDispatched(each, context),
  receive: (each) => goodsReceived(each, context),
  inspect: (each) => inspect(each, accepted, context),
  resolve: (each) => resolve(each, refund, context),
  complete: (each) => complete(each, context),
  withdraw: (each) => withdraw(each, context),
  expire: (each) => expire(each, context),
}

type Table = Readonly<Record<AfterSalesCommand, Readonly<Partial<Record<AfterSalesStatus, AfterSalesStatus>>>>>
/** The result of each command in each state. Missing: refused. */
// biome-ignore format: a table is read by its columns
const REFUND_ONLY: Table = {
  review:       { requested: 'under_review' },
  approve:      { under_review: 'approved' },
  decline:      { under_review: 'declined' },
  await_return: {},
  dispatch:     {},
  receive:      {},
  inspect:      {},
  resolve:      { approved: 'resolving' },
  complete:     { resolving: 'completed' },
  withdraw:     { requested: 'withdrawn', under_review: 'withdrawn', approved: 'withdrawn' },
  expire:       {},
}
// biome-ignore format: a table is read by its columns
const RETURNING: Table = {
  review:       { requested: 'under_review' },
  approve:      { under_review: 'approved' },
  decline:      { under_review: 'declined', inspecting: 'declined' },
  await_return: { approved: 'awaiting_return' },
  dispatch:     { awaiting_return: 'in_transit' },
  receive:      { in_transit: 'received', expired: 'received' },
  inspect:      { received: 'inspecting' },
  resolve:      { inspecting: 'resolving' },
  complete:     { resolving: 'completed' },
  withdraw:     { requested: 'withdrawn', under_review: 'withdrawn', approved: 'withdrawn', awaiting_return: 'withdrawn' },
  expire:       { awaiting_return: 'expired' },
}
const TABLES: Readonly<Record<AfterSalesKind, Table>> = {
  refund_only: REFUND_ONLY,
  return: RETURNING,
  exchange: RETURNING,
  repair: RETURNING,
}
const REFUND_ONLY_STATES = 7
const RETURNING_STATES = 12

for (const kind of Object.keys(TABLES) as AfterSalesKind[]) {
  describe(`a request of kind ${kind}`, () => {
    const { states } = machineOf(kind)

    test('has all its states and commands in the table', () => {
      assert.equal(states.length, kind === 'refund_only' ? REFUND_ONLY_STATES : RETURNING_STATES)
      assert.deepEqual(Object.keys(TABLES[kind]).sort(), [...AFTER_SALES_COMMANDS].sort())
    })

    for (const command of AFTER_SALES_COMMANDS) {
      for (const status of states) {
        const to = TABLES[kind][command][status]
        test(`${command} when ${status}: ${to ?? '!'}`, async () => {
          const step = transition(machineOf(kind), status, command)
          assert.equal(step.moved ? step.to : undefined, to)
          const decide = DECISIONS[command]
          if (!decide) return
          const before = inState(kind, status)
          assert.equal(before.status, status)
          if (to === undefined) {
            const { facts } = await refuses('version_conflict', () => decide(before))
            assert.deepEqual([facts.conflict?.currentState, facts.conflict?.currentVersion], [status, before.version])
            return
          }
          // An approval moves on to `awaiting_return`.
          const rests = command === 'approve' && kind !== 'refund_only' ? 'awaiting_return' : to
          const after = decide(before)
          assert.equal(after.status, rests)
          assert(after.version > before.version)
          assert.equal(after.timeline.at(-1)?.code, rests)
        })
      }
    }
  })
}

describe('an after-sales request', () => {
  test('blocks its lines while it is open', () => {
    const underWay = machineOf('return').states.filter((status) => isUnderWay({ kind: 'return', status }))
    assert.deepEqual(underWay, [
      'requested',
      'under_review',
      'approved',
      'awaiting_return',
      'in_transit',
      'received',
      'inspecting',
      'resolving',
    ])
  })

  test('is declined with a reason by a failed inspection', () => {
    const found = { accepted: false, restocks: false, declineReason: 'They were worn.' }
    const declined = inspect(inState('return', 'received'), found, context)
    assert.deepEqual(
      [declined.status, declined.declineReason, declined.inspection],
      ['declined', 'They were worn.', { accepted: false, restocks: false }],
    )
  })

  test('has a timeline of steps and actors, oldest first', () => {
    const { timeline } = inState('return', 'completed')
    assert.deepEqual(
      timeline.map(({ code, actor }) => `${code} by ${actor}`),
      [
        'requested by installation',
        'under_review by operator',
        'approved by operator',
        'awaiting_return by operator',
        'in_transit by operator',
        'received by operator',
        'inspecting by operator',
        'resolving by operator',
        'completed by operator',
      ],
    )
  })
})

const ACTIONS: Readonly<
  Record<'refund_only' | 'return', Partial<Record<AfterSalesStatus, readonly AfterSalesAction[]>>>
> = {
  refund_only: {
    requested: ['review', 'approve', 'decline', 'withdraw'],
    under_review: ['approve', 'decline', 'withdraw'],
    approved: ['resolve', 'withdraw'],
    resolving: [],
    completed: [],
    declined: [],
    withdrawn: [],
  },
  return: {
    requested: ['review', 'approve', 'decline', 'withdraw'],
    under_review: ['approve', 'decline', 'withdraw'],
    awaiting_return: ['mark_in_transit', 'mark_received', 'withdraw'],
    in_transit: ['mark_received'],
    received: ['inspect'],
    inspecting: ['decline', 'resolve'],
    resolving: [],
    completed: [],
    declined: [],
    withdrawn: [],
    expired: ['mark_received'],
  },
}

describe('what an operator can do with a request', () => {
  for (const [kind, byStatus] of Object.entries(ACTIONS)) {
    for (const [status, steps] of Object.entries(byStatus)) {
      test(`${kind} that is ${status}: ${steps.join(', ') || 'nothing'}`, () => {
        const request = { kind: kind as AfterSalesKind, status: status as AfterSalesStatus, refundAmount: null }
        assert.deepEqual(afterSalesActionsOf(request), steps)
      })
    }
  }

  test('an exchange or a repair is completed by an operator, unless it is refunded; a refund or a return by its refund', () => {
    const kinds: readonly AfterSalesKind[] = ['refund_only', 'return', 'exchange', 'repair']
    const manualWith = (refundAmount: bigint) =>
      kinds.filter((kind) => afterSalesActionsOf({ kind, status: 'resolving', refundAmount }).includes('complete'))
    assert.deepEqual([manualWith(0n), manualWith(1n)], [['exchange', 'repair'], []])
  })
})
