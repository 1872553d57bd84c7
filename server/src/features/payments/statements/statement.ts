import { createHash } from 'node:crypto'
import { refuse } from '../../../kernel/refusal.ts'

/** Money that arrived on an account, as the bank reports it. */
export interface StatementLine {
  /** Where it is in the file: the line of a CSV file, the number of the entry of an XML file. */
  readonly position: number
  /** IBAN or other number of the account; `null` where the file has none. */
  readonly account: string | null
  /** `2026-11-30`. */
  readonly bookedOn: string
  /** Minor units, above zero. */
  readonly amount: bigint
  readonly currency: string
  readonly payer: string
  /** What the payer wrote. */
  readonly purpose: string
  /** The bank's own reference; empty if it has none. */
  readonly bankId: string
}

/** Lines of a file that cannot be read, with the reason as one sentence. */
export interface UnreadableLine {
  readonly position: number
  readonly problem: string
}

/** A bank statement, as read from a file. */
export interface Statement {
  readonly lines: readonly StatementLine[]
  readonly unreadable: readonly UnreadableLine[]
  /** Lines that are no received money: payments made, reversals, entries that are not booked yet. */
  readonly others: number
}

/** Lines beyond are refused: a year of a busy account is several files. */
export const STATEMENT_LINES_MAX = 10_000

/** Refuses a file that is no statement. */
export function refuseFile(message: string, field = ''): never {
  refuse('file_unreadable', { faults: [{ field, code: 'unreadable', message }] })
}

/** A text for comparison: capital letters and digits alone. */
export function compact(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}

/**
 * What identifies each line, whichever file it is in: equal lines of a day are told apart by their number. So a line that two
 * overlapping statements contain is the same, and a shopper who pays twice on one day has two.
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
