import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ChargesByReference, confirms, isBookable, matchLines, type TransferCharge } from './match.ts'
import { fingerprintsOf, type StatementLine } from './statement.ts'

const IBAN = 'DE02120300000000202051'
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const charge = (reference: string, more: Partial<TransferCharge> = {}): TransferCharge => ({
  id: `pay_${reference}`,
  reference,
  amount: 1000n,
  currency: 'EUR',
  received: 0n,
  state: 'waiting',
  iban: IBAN,
  ...more,
})
const line = (purpose: string, more: Partial<StatementLine> = {}): StatementLine => ({
  position: 1,
  account: IBAN,
  bookedOn: '2026-11-30',
  amount: 1000n,
  currency: 'EUR',
  payer: 'Ada',
  purpose,
  bankId: '',
  ...more,
})
const byReference = (...charges: readonly TransferCharge[]): ChargesByReference =>
  new Map(charges.map((each) => [each.reference, each]))
const kindsOf = (lines: readonly StatementLine[], charges: ChargesByReference, booked: readonly string[] = []) =>
  matchLines(lines, fingerprintsOf(lines), { charges, booked: new Set(booked) }).map(({ kind }) => kind)

const REFERENCE = '8Q2E9RTV30'

describe('a line', () => {
  test('is matched by reference in any case, with spaces and punctuation, within other words, and with O for 0', () => {
    for (const purpose of [REFERENCE, '8q2e 9rtv-30', `Bestellung${REFERENCE}vom Montag`, 'Ref. 8Q2E9\nRTV3O danke']) {
      assert.deepEqual(kindsOf([line(purpose)], byReference(charge(REFERENCE))), ['exact'], purpose)
    }
  })

  test('confirms a payment with the full amount or more; with less, the payment waits for the rest', () => {
    const [under, exact, duplicate] = matchLines(
      [line(REFERENCE, { amount: 400n }), line(REFERENCE, { amount: 600n }), line(REFERENCE, { amount: 600n })],
      ['1', '2', '3'],
      { charges: byReference(charge(REFERENCE)), booked: new Set() },
    )
    assert.deepEqual([under?.kind, under?.difference], ['underpaid', 600n])
    assert.deepEqual([exact?.kind, exact?.received], ['exact', 1000n])
    assert.deepEqual([duplicate?.kind, duplicate?.difference], ['duplicate', 600n])
    const lines = [line(REFERENCE, { amount: 1250n })]
    const [over] = matchLines(lines, ['1'], { charges: byReference(charge(REFERENCE)), booked: new Set() })
    assert.deepEqual([over?.kind, over?.difference], ['overpaid', 250n])
  })

  test('is late for a payment that has ended, and is the money of a payment that was confirmed before', () => {
    assert.deepEqual(kindsOf([line(REFERENCE)], byReference(charge(REFERENCE, { state: 'ended' }))), ['late'])
    const paid = byReference(charge(REFERENCE, { state: 'paid' }))
    assert.deepEqual(kindsOf([line(REFERENCE), line(REFERENCE)], paid), ['confirmed', 'duplicate'])
  })

  test('in another currency, on another account, or naming two payments is not booked', () => {
    const charges = byReference(charge(REFERENCE), charge('9999999999'))
    const lines = [
      line(REFERENCE, { currency: 'USD' }),
      line(REFERENCE, { account: 'GB33BUKB20201555555555' }),
      line(`${REFERENCE} 9999999999`),
    ]
    assert.deepEqual(kindsOf(lines, charges), ['other_currency', 'other_account', 'ambiguous'])
  })

  test('without a reference is unknown, and shows the payments that wait for its amount', () => {
    const charges = byReference(charge(REFERENCE), charge('9999999999', { amount: 5n }))
    const [match] = matchLines([line('Danke!')], ['1'], { charges, booked: new Set() })
    assert.equal(match?.kind, 'unknown')
    assert.deepEqual(
      match.candidates.map(({ reference }) => reference),
      [REFERENCE],
    )
  })
})

const references = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 10, maxLength: 10 }), {
    minLength: 1,
    maxLength: 4,
  })
  .filter((all) => new Set(all).size === all.length)
const states = fc.constantFrom('waiting', 'paid', 'ended') as fc.Arbitrary<TransferCharge['state']>

describe('for any statement and payments', () => {
  const arbitrary = references.chain((names) =>
    fc.record({
      charges: fc.tuple(
        ...names.map((name) =>
          fc.record({ amount: fc.bigInt(1n, 50n), received: fc.bigInt(0n, 40n), state: states }).map((facts) =>
            // A waiting payment has not received its full amount.
            charge(
              name,
              facts.state === 'waiting' && facts.received >= facts.amount ? { ...facts, received: 0n } : facts,
            ),
          ),
        ),
      ),
      lines: fc.array(
        fc
          .record({
            name: fc.constantFrom('', ...names),
            amount: fc.bigInt(1n, 60n),
            day: fc.integer({ min: 1, max: 3 }),
          })
          .map(({ name, amount, day }) => line(name, { amount, bookedOn: `2026-11-0${day}` })),
        { maxLength: 12 },
      ),
    }),
  )

  test('each payment is confirmed at most once, exactly when its full amount is received, and every booked amount counts once', () => {
    fc.assert(
      fc.property(arbitrary, ({ charges, lines }) => {
        const matches = matchLines(lines, fingerprintsOf(lines), {
          charges: byReference(...charges),
          booked: new Set(),
        })
        for (const each of charges) {
          const mine = matches.flatMap((match, index) =>
            match.charge?.id === each.id ? [{ match, line: lines[index]! }] : [],
          )
          const booked = mine.filter(({ match }) => isBookable(match))
          const total = booked.reduce((sum, { line: { amount } }) => sum + amount, each.received)
          const confirmed = booked.filter(({ match }) => confirms(match)).length
          assert.equal(confirmed, each.state === 'waiting' && total >= each.amount ? 1 : 0)
          assert.equal(booked.at(-1)?.match.received ?? each.received, total)
          const back = booked.reduce((sum, { match }) => sum + (match.kind === 'underpaid' ? 0n : match.difference), 0n)
          if (each.state === 'waiting') assert.equal(back, total > each.amount ? total - each.amount : 0n)
        }
      }),
    )
  })

  test('a line that was booked is never booked again, also from an overlapping statement', () => {
    fc.assert(
      fc.property(arbitrary, fc.nat(12), ({ charges, lines }, cut) => {
        const earlier = lines.slice(0, cut)
        const again = kindsOf(lines, byReference(...charges), fingerprintsOf(earlier))
        assert.ok(again.slice(0, earlier.length).every((kind) => kind === 'booked'))
        assert.equal(new Set(fingerprintsOf(lines)).size, lines.length)
      }),
    )
  })
})
