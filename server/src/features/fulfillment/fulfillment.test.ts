import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Refusal, type RefusalFacts } from '../../kernel/refusal.ts'
import {
  corrected,
  delivered,
  dispatched,
  FULFILLMENT_STATUSES,
  type FulfillmentIntent,
  type FulfillmentStatus,
  failed,
  fulfillmentMachine,
  type LineUnits,
  lost,
  nextPart,
  type PendingIntent,
  sentAgain,
  split,
  stopped,
} from './fulfillment.ts'
import { carriageOf, noteOf, shipmentOf } from './shipment.ts'

const BEFORE = new Date('2026-05-04T12:00:00.000Z')
const NOW = new Date('2026-05-05T12:00:00.000Z')
const shipment = { reference: 'P-1', carrier: 'DHL', trackingNumber: '00340', trackingUrl: 'https://dhl.example/00340' }
const other = { carrier: 'UPS', trackingNumber: '1Z', trackingUrl: null }

const facts = {
  id: 'ful_1',
  orderId: 'ord_1',
  storeId: 'store_1',
  environment: 'test',
  method: 'manual',
  part: 1,
  lines: [
    { lineId: 'oli_1', quantity: 3 },
    { lineId: 'oli_2', quantity: 1 },
  ],
  version: 4,
  createdAt: BEFORE,
  updatedAt: BEFORE,
} as const
const pending: PendingIntent = { ...facts, status: 'pending', waitingFor: null }

function intentIn(status: FulfillmentStatus): FulfillmentIntent {
  if (status === 'pending') return pending
  if (status === 'stopped') return { ...facts, status }
  const isThere = status === 'confirmed' || status === 'reconciled'
  return { ...facts, status, shipment, dispatchedAt: BEFORE, note: null, deliveredAt: isThere ? BEFORE : null }
}

/** Asserts a refusal by the code of its fault, or by its own code if it has no fault, and returns its facts. */
function faults(code: string, work: () => unknown): RefusalFacts & { readonly message: string } {
  try {
    work()
  } catch (error) {
    assert(error instanceof Refusal, `${error}`)
    const [fault] = error.facts.faults ?? []
    assert.equal(fault?.code ?? error.code, code)
    return { ...error.facts, message: fault?.message ?? '' }
  }
  assert.fail(`not refused, expected ${code}`)
}

const commands: Readonly<Record<string, (intent: FulfillmentIntent) => FulfillmentIntent>> = {
  dispatch: (intent) => dispatched(intent, shipment, NOW),
  stop: (intent) => stopped(intent, NOW),
  correct: (intent) => corrected(intent, other, NOW),
  deliver: (intent) => delivered(intent, NOW),
  fail: (intent) => failed(intent, 'It came back.', NOW),
  lose: (intent) => lost(intent, 'No scan for a week.', NOW),
  resend: (intent) => sentAgain(intent, other, NOW),
}

// biome-ignore format: a table is read by its columns
const table: Readonly<Record<FulfillmentStatus, readonly (FulfillmentStatus | '!')[]>> = {
  //            dispatch      stop       correct       deliver       fail      lose       resend
  pending:    [ 'dispatched', 'stopped', '!',          '!',          '!',      '!',       '!'          ],
  dispatched: [ '!',          '!',       'dispatched', 'confirmed',  'failed', 'unknown', '!'          ],
  unknown:    [ '!',          '!',       'unknown',    'reconciled', 'failed', '!',       '!'          ],
  failed:     [ '!',          '!',       'failed',     '!',          '!',      '!',       'dispatched' ],
  confirmed:  [ '!',          '!',       '!',          '!',          '!',      '!',       '!'          ],
  reconciled: [ '!',          '!',       '!',          '!',          '!',      '!',       '!'          ],
  stopped:    [ '!',          '!',       '!',          '!',          '!',      '!',       '!'          ],
}

describe('a fulfillment intent', () => {
  test('has an outcome for each state and command', () => {
    assert.deepEqual(Object.keys(table), [...FULFILLMENT_STATUSES])
    assert.deepEqual([...fulfillmentMachine.states].sort(), [...FULFILLMENT_STATUSES].sort())
    for (const row of Object.values(table)) assert.equal(row.length, Object.keys(commands).length)
  })

  for (const [status, row] of Object.entries(table) as [FulfillmentStatus, (typeof table)[FulfillmentStatus]][]) {
    for (const [index, outcome] of row.entries()) {
      const [name, command] = Object.entries(commands)[index]!
      test(`${status}: ${name} → ${outcome}`, () => {
        const intent = intentIn(status)
        if (outcome === '!') {
          assert.equal(faults('state_conflict', () => command(intent)).conflict?.currentState, status)
          return
        }
        const changed = command(intent)
        assert.equal(changed.status, outcome)
        assert.deepEqual([changed.version, changed.updatedAt], [5, NOW])
        assert.deepEqual(changed.lines, intent.lines)
      })
    }
  }

  test('follows its state machine', () => {
    const drawn = Object.values(fulfillmentMachine.transitions).flatMap((ways) => Object.values(ways))
    assert.deepEqual(
      drawn.sort(),
      Object.values(table)
        .flat()
        .filter((each) => each !== '!')
        .sort(),
    )
  })

  test('that is sent again has a new carrier and no reason', () => {
    const gone = failed(intentIn('dispatched'), 'It came back.', NOW)
    assert.equal(gone.note, 'It came back.')
    const again = sentAgain(gone, other, NOW)
    assert.deepEqual([again.note, again.shipment], [null, { reference: 'P-1', ...other }])
  })
})

describe('a split', () => {
  const context = { id: 'ful_2', part: 2, now: NOW }

  test('takes the requested units and leaves the rest', () => {
    const { taken, left } = split(pending, [{ lineId: 'oli_1', quantity: 2 }], context)
    assert.deepEqual([taken.id, taken.part, taken.version], ['ful_2', 2, 1])
    assert.deepEqual(taken.lines, [{ lineId: 'oli_1', quantity: 2 }])
    assert.deepEqual([left?.id, left?.part, left?.version], ['ful_1', 1, 5])
    assert.deepEqual(left?.lines, [
      { lineId: 'oli_1', quantity: 1 },
      { lineId: 'oli_2', quantity: 1 },
    ])
  })

  test('of everything is the intent itself', () => {
    assert.deepEqual(split(pending, pending.lines, context), { taken: pending, left: null })
  })

  test('takes no more than is pending, also with a duplicate line', () => {
    const twice = [
      { lineId: 'oli_1', quantity: 2 },
      { lineId: 'oli_1', quantity: 2 },
    ]
    assert.match(
      faults('too_many', () => split(pending, twice, context)).message,
      /^Line oli_1 has 3 units left, not 4\.$/,
    )
    faults('too_many', () => split(pending, [{ lineId: 'oli_9', quantity: 1 }], context))
  })

  test('takes at least one whole unit', () => {
    faults('invalid', () => split(pending, [], context))
    for (const quantity of [0, -1, 0.5, Number.NaN]) {
      faults('invalid', () => split(pending, [{ lineId: 'oli_1', quantity }], context))
    }
  })

  test('neither adds nor loses units', () => {
    const lines = fc.uniqueArray(
      fc.record({ lineId: fc.constantFrom('a', 'b', 'c', 'd'), quantity: fc.integer({ min: 1, max: 9 }) }),
      {
        selector: ({ lineId }) => lineId,
        minLength: 1,
      },
    )
    const sumOf = (parts: readonly (readonly LineUnits[])[]) => {
      const sums = Map.groupBy(parts.flat(), ({ lineId }) => lineId)
      return [...sums].map(([lineId, each]) => [lineId, each.reduce((sum, { quantity }) => sum + quantity, 0)]).sort()
    }
    fc.assert(
      fc.property(lines, lines, (owed, requested) => {
        const intent = { ...pending, lines: owed }
        const fits = requested.every(
          (unit) => unit.quantity <= (owed.find(({ lineId }) => lineId === unit.lineId)?.quantity ?? 0),
        )
        if (!fits) return void faults('too_many', () => split(intent, requested, context))
        const { taken, left } = split(intent, requested, context)
        assert.deepEqual(sumOf([taken.lines]), sumOf([requested]))
        assert.deepEqual(sumOf([taken.lines, left?.lines ?? []]), sumOf([owed]))
      }),
      { numRuns: 1000 },
    )
  })
})

test('parts are numbered per store and method', () => {
  const intents: FulfillmentIntent[] = [pending, { ...pending, part: 3 }, { ...pending, storeId: 'store_2', part: 7 }]
  assert.equal(nextPart(intents, pending), 4)
  assert.equal(nextPart(intents, { storeId: 'store_1', method: 'digital' }), 1)
})

describe('a shipment', () => {
  test('is trimmed, with its URL normalized', () => {
    const draft = {
      reference: ' P-1 ',
      carrier: ' DHL',
      trackingNumber: '00340 ',
      trackingUrl: 'HTTPS://DHL.example/00340',
    }
    assert.deepEqual(shipmentOf(draft), shipment)
  })

  test('requires only a reference', () => {
    assert.deepEqual(shipmentOf({ reference: 'P-1' }), {
      reference: 'P-1',
      carrier: null,
      trackingNumber: null,
      trackingUrl: null,
    })
  })

  test('is refused if it cannot be displayed', () => {
    faults('invalid', () => shipmentOf({ reference: '  ' }))
    faults('invalid', () => shipmentOf({ reference: 'x'.repeat(101) }))
    for (const carrier of ['', 'DHL\nExpress', 'x'.repeat(101)]) faults('invalid', () => carriageOf({ carrier }))
    faults('invalid', () => carriageOf({ trackingNumber: '00\u0000340' }))
    for (const trackingUrl of [
      '00340',
      'javascript:alert(1)',
      'ftp://dhl.example/1',
      'https://me:secret@dhl.example/',
    ]) {
      faults('invalid', () => carriageOf({ trackingUrl }))
    }
    faults('invalid', () => carriageOf({ trackingUrl: `https://dhl.example/${'x'.repeat(2048)}` }))
  })
})

test('a reason is not blank', () => {
  assert.equal(noteOf(' It came back. '), 'It came back.')
  faults('invalid', () => noteOf(' '))
  faults('invalid', () => noteOf('x'.repeat(501)))
})
