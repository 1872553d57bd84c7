import { createHash } from 'node:crypto'
import { refuse } from '../../../kernel/refusal.ts'

/** An incoming payment on an account, as the bank reports it. */
export interface StatementLine {
  /** Its place in the file: the line number in a CSV file, the number of the entry in an XML file. */
  readonly position: number
  /** IBAN or other number of the account; `null` where the file has none. */
  readonly account: string | null
  /** `2026-11-30`. */
  readonly bookedOn: string
  /** Minor units, above zero. */
  readonly amount: bigint
  readonly currency: string
  readonly payer: string
  /** The text of the payer, with the references that the bank adds. */
  readonly purpose: string
  /** The bank's own reference; empty if it has none. */
  readonly bankId: string
}

/** A line of a file that cannot be read, with the reason as one sentence. */
export interface UnreadableLine {
  readonly position: number
  readonly problem: string
}

/** A bank statement, as read from a file. */
export interface Statement {
  readonly lines: readonly StatementLine[]
  readonly unreadable: readonly UnreadableLine[]
  /** The number of other lines: outgoing payments, reversals, entries that are not booked yet. */
  readonly others: number
}

/** The number of lines that a file may have. A year of a busy account takes several files. */
export const STATEMENT_LINES_MAX = 10_000

/** Refuse a file that is no statement. */
export function refuseFile(message: string, field = ''): never {
  refuse('file_unreadable', { faults: [{ field, code: 'unreadable', message }] })
}

/** Reduce a text to uppercase letters and digits, for comparison. */
export function compact(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}

/**
 * A fingerprint of each line, the same in every file that contains it. Equal lines of a day are numbered. So a line in two overlapping
 * statements has one fingerprint, and two equal payments on one day have two.
 */
export function fingerprintsOf(lines: readonly StatementLine[]): readonly string[] {
  const seen = new Map<string, number>()
  return lines.map(({ account, bookedOn, amount, currency, payer, purpose, bankId }) => {
    const facts = [account ?? '', bookedOn, String(amount), currency, compact(payer), compact(purpose), compact(bankId)]
    const key = JSON.stringify(facts)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return createHash('sha256').update(`${key} ${count}`).digest('hex')
  })
}
