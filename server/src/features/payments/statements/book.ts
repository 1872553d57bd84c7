import { createHash } from 'node:crypto'
import type { Environment } from '../../../kernel/environment.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { type Intent, transferReference } from '../intents/intent.ts'
import type { Payments } from '../payments.ts'
import { confirms, isBookable, type Match, matchLines, matchOn } from './match.ts'
import {
  bookedAmong,
  insertReceipt,
  receivedOf,
  type Transfer,
  transferCandidates,
  transferState,
  transfersNamedIn,
} from './receipts.ts'
import { fingerprintsOf, type StatementLine } from './statement.ts'

/** The environment and time in which a statement is booked. */
export interface StatementPlace {
  readonly environment: Environment
  readonly now: Date
  /** Load the IBANs that were shown to the shoppers of these charges, keyed by charge id. `null` if the account has none. */
  ibansOf(reader: Reader, charges: readonly Transfer[]): Promise<ReadonlyMap<string, string | null>>
}

/** The lines of a statement with their matches. */
export interface MatchedStatement {
  readonly lines: readonly StatementLine[]
  readonly fingerprints: readonly string[]
  readonly matches: readonly Match[]
  /** A digest of the lines to book. Booking is refused if it has changed since it was shown. */
  readonly plan: string
}

/** Find the payment of each line. Changes nothing. */
export async function matchStatement(
  reader: Reader,
  lines: readonly StatementLine[],
  { environment, now, ibansOf }: StatementPlace,
): Promise<MatchedStatement> {
  const fingerprints = fingerprintsOf(lines)
  const [named, booked] = await Promise.all([
    transfersNamedIn(reader, lines, { environment, now }),
    bookedAmong(reader, environment, fingerprints),
  ])
  const amounts = [...new Set(lines.map(({ amount }) => amount))]
  const transfers = await transferCandidates(reader, named, { environment, now, amounts })
  const isNamed = new Set(named)
  const ibans = await ibansOf(
    reader,
    transfers.filter(({ id }) => isNamed.has(id)),
  )
  const charges = new Map(transfers.map((each) => [each.reference, { ...each, iban: ibans.get(each.id) ?? null }]))
  const matches = matchLines(lines, fingerprints, { charges, booked })
  return { lines, fingerprints, matches, plan: planOf(fingerprints, matches) }
}

function planOf(fingerprints: readonly string[], matches: readonly Match[]): string {
  const steps = matches.map(({ kind, charge, difference }, index) => [
    fingerprints[index],
    kind,
    charge?.id,
    String(difference),
  ])
  return createHash('sha256').update(JSON.stringify(steps)).digest('base64url')
}

/** A booked line: the charge before it, and the match that was booked. */
interface BookedLine {
  readonly before: Intent
  readonly match: Match
}

/**
 * Book the lines of a matched statement, each in its own transaction: lines that a crash leaves out are booked the next time. A line
 * is matched again under the lock of its charge, so that concurrent bookings of a charge are added up.
 *
 * @param onBooked called in the transaction of each line
 * @returns the number of booked lines
 */
export async function bookStatement(
  payments: Payments,
  { lines, fingerprints, matches }: MatchedStatement,
  { now }: Pick<StatementPlace, 'now'>,
  onBooked: (tx: Transaction, line: StatementLine, booked: BookedLine) => void,
): Promise<number> {
  let booked = 0
  for (const [index, match] of matches.entries()) {
    if (!isBookable(match) || !match.charge) continue
    const line = lines[index]!
    const fingerprint = fingerprints[index]!
    const { id, iban } = match.charge
    const isBooked = await payments.bookTransfer(id, async (tx, before) => {
      const [received, known] = await Promise.all([
        receivedOf(tx, id),
        bookedAmong(tx, before.environment, [fingerprint]),
      ])
      if (known.size > 0) return { isBooked: false, isPaid: false }
      const { amount, currency } = before
      const state = transferState(before)
      const charge = { id, reference: transferReference(before), amount, currency, received, state, iban }
      const decided = matchOn(charge, line)
      insertReceipt(tx, line, { charge: before, fingerprint, now })
      onBooked(tx, line, { before, match: decided })
      return { isBooked: true, isPaid: confirms(decided) }
    })
    if (isBooked) booked += 1
  }
  return booked
}

/** Refuse a plan that differs from the one that was shown. Refusals: `version_conflict`. */
export function refuseOtherPlan({ plan }: MatchedStatement, expected: string): void {
  if (plan !== expected) refuse('version_conflict', { conflict: { currentState: 'changed' } })
}
