import { isIban } from '../bank-account.ts'
import { compact, type StatementLine } from './statement.ts'

/** A charge that is paid by bank transfer, with the money booked on it so far. */
export interface TransferCharge {
  readonly id: string
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  readonly received: bigint
  /** `paid` includes payments that an operator has confirmed. `ended`: without money, because it was canceled, expired or never paid. */
  readonly state: 'waiting' | 'paid' | 'ended'
  /** The IBAN that was shown to the shopper. `null` if the account has none. */
  readonly iban: string | null
}

/**
 * The result of matching a line:
 *
 * - `exact`, `overpaid`: confirms the payment, alone or with earlier lines. The surplus has to be returned.
 * - `underpaid`: is booked, and the payment waits for the rest.
 * - `confirmed`: the money of a payment that an operator confirmed earlier.
 * - `duplicate`: the payment is paid already. `late`: the payment has ended. The money has to be returned.
 * - `booked`: the line was booked from an earlier statement.
 * - The others are not booked: another currency or account than the shopper's, several references, no known reference.
 */
export type MatchKind =
  | 'exact'
  | 'overpaid'
  | 'underpaid'
  | 'confirmed'
  | 'duplicate'
  | 'late'
  | 'booked'
  | 'other_currency'
  | 'other_account'
  | 'ambiguous'
  | 'unknown'

export interface Match {
  readonly kind: MatchKind
  readonly charge: TransferCharge | null
  /** The money received for the charge, including this line. */
  readonly received: bigint
  /** The missing amount if `underpaid`; the amount to return if `overpaid`, `duplicate` or `late`. */
  readonly difference: bigint
  /** Possible charges: for an ambiguous line those that it names, for an unknown line those that wait for its amount. */
  readonly candidates: readonly TransferCharge[]
}

const BOOKED_KINDS: readonly MatchKind[] = ['exact', 'overpaid', 'underpaid', 'confirmed', 'duplicate', 'late']

/** Whether the line is to be booked on its charge. */
export function isBookable({ kind }: Match): boolean {
  return BOOKED_KINDS.includes(kind)
}

/** Whether the line confirms its payment. */
export function confirms({ kind }: Match): boolean {
  return kind === 'exact' || kind === 'overpaid'
}

const CANDIDATES_MAX = 3

/** Charges, keyed by reference. */
export type ChargesByReference = ReadonlyMap<string, TransferCharge>

/** Compact a text, and read letters that no reference has as the digits they look like. */
function legible(text: string): string {
  return compact(text).replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** Every text of this length in a line that may be a reference. */
export function textsIn(
  { purpose, bankId }: Pick<StatementLine, 'purpose' | 'bankId'>,
  length: number,
): readonly string[] {
  return [legible(purpose), legible(bankId)].flatMap((text) =>
    Array.from({ length: Math.max(text.length - length + 1, 0) }, (_, at) => text.slice(at, at + length)),
  )
}

/** Find the charges whose references are in a line, with any characters around them and punctuation in them. */
function namedIn(line: StatementLine, charges: ChargesByReference): readonly TransferCharge[] {
  const [first] = charges.keys()
  if (first === undefined) return []
  const found = textsIn(line, first.length).flatMap((text) => charges.get(text) ?? [])
  return [...new Map(found.map((charge) => [charge.id, charge])).values()]
}

/** Match a line with the charge that it names. */
export function matchOn(charge: TransferCharge, line: Pick<StatementLine, 'amount' | 'currency' | 'account'>): Match {
  const { amount, currency, account } = line
  const received = charge.received + amount
  const match = (kind: MatchKind, difference = 0n): Match => ({ kind, charge, received, difference, candidates: [] })
  if (currency !== charge.currency) return { ...match('other_currency'), received: charge.received }
  if (account !== null && isIban(account) && charge.iban !== null && account !== charge.iban)
    return { ...match('other_account'), received: charge.received }
  if (charge.state === 'ended') return match('late', amount)
  const tooMuch = received - charge.amount
  if (charge.state === 'paid') {
    if (tooMuch <= 0n) return match('confirmed')
    return match('duplicate', tooMuch < amount ? tooMuch : amount)
  }
  if (tooMuch < 0n) return match('underpaid', -tooMuch)
  return tooMuch === 0n ? match('exact') : match('overpaid', tooMuch)
}

/** Match the lines of a statement in order, each after the lines before it. `booked` has the fingerprints of booked lines. */
export function matchLines(
  lines: readonly StatementLine[],
  fingerprints: readonly string[],
  { charges, booked }: { readonly charges: ChargesByReference; readonly booked: ReadonlySet<string> },
): readonly Match[] {
  const current = new Map(charges)
  return lines.map((line, index) => {
    const named = namedIn(line, current)
    const [charge = null] = named
    const none = { charge: null, received: 0n, difference: 0n, candidates: [] }
    if (booked.has(fingerprints[index]!)) return { ...none, kind: 'booked', charge: named.length === 1 ? charge : null }
    if (named.length > 1) return { ...none, kind: 'ambiguous', candidates: named.slice(0, CANDIDATES_MAX) }
    if (charge === null) return { ...none, kind: 'unknown', candidates: waitingFor(line, current) }
    const match = matchOn(charge, line)
    if (isBookable(match)) current.set(charge.reference, after(match, charge))
    return match
  })
}

/** The charge once a line is booked on it. */
function after(match: Match, charge: TransferCharge): TransferCharge {
  return { ...charge, received: match.received, state: confirms(match) ? 'paid' : charge.state }
}

function waitingFor(line: StatementLine, charges: ChargesByReference): readonly TransferCharge[] {
  return [...charges.values()]
    .filter(
      ({ state, amount, received, currency }) =>
        state === 'waiting' && currency === line.currency && amount - received === line.amount,
    )
    .slice(0, CANDIDATES_MAX)
}
