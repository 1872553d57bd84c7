import type { OperatorStatement, STATEMENT_MATCHES } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { formatDay } from '../../ui/format/day.ts'
import { Amount, formatAmount } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'

type Line = OperatorStatement['lines'][number]
type MatchKind = (typeof STATEMENT_MATCHES)[number]
type Tone = 'good' | 'bad' | 'waiting' | 'plain'

const MATCHES: Readonly<Record<MatchKind, { readonly title: string; readonly tone: Tone }>> = {
  exact: { title: translate('Paid'), tone: 'good' },
  overpaid: { title: translate('Overpaid'), tone: 'waiting' },
  underpaid: { title: translate('Underpaid'), tone: 'waiting' },
  confirmed: { title: translate('Already confirmed'), tone: 'good' },
  duplicate: { title: translate('Paid twice'), tone: 'bad' },
  late: { title: translate('Too late'), tone: 'bad' },
  booked: { title: translate('Already booked'), tone: 'plain' },
  other_currency: { title: translate('Other currency'), tone: 'bad' },
  other_account: { title: translate('Other account'), tone: 'bad' },
  ambiguous: { title: translate('Several payments'), tone: 'bad' },
  unknown: { title: translate('No reference'), tone: 'plain' },
}

const BOOKABLE: readonly MatchKind[] = ['exact', 'overpaid', 'underpaid', 'confirmed', 'duplicate', 'late']

export function isBookable({ match }: Line): boolean {
  return BOOKABLE.includes(match)
}

/** Whether a line has no payment reference, as most lines of a statement. */
export function isUnmatched({ match, candidates }: Line): boolean {
  return match === 'unknown' && candidates.length === 0
}

const columns: readonly Column<Line>[] = [
  { title: translate('Date'), show: ({ bookedOn }) => <span class="amount">{formatDay(bookedOn)}</span> },
  {
    title: translate('Payer'),
    text: true,
    show: ({ payer, purpose }) => (
      <>
        {payer || translate('Unknown')}
        <br />
        <span class="small">{purpose}</span>
      </>
    ),
  },
  {
    title: translate('Result'),
    show: ({ match }) => <span class={`status ${MATCHES[match].tone}`}>{MATCHES[match].title}</span>,
  },
  { title: translate('Payment'), show: (line) => <PaymentOf line={line} /> },
  { title: translate('Amount'), numeric: true, show: ({ amount }) => <Amount {...amount} /> },
]

/** Lines of a statement with their payments. */
export function LineTable({ caption, lines }: { readonly caption: string; readonly lines: readonly Line[] }) {
  return (
    <Table
      caption={caption}
      items={lines.map((line, index) => ({ ...line, index }))}
      columns={columns}
      keyOf={({ index }) => String(index)}
    />
  )
}

function PaymentOf({ line }: { readonly line: Line }) {
  const { payment, candidates } = line
  if (payment) {
    return (
      <>
        <Link to={`/payments/${payment.id}`}>{payment.reference}</Link>
        <br />
        <span class="small">{noteOf(line)}</span>
      </>
    )
  }
  if (candidates.length === 0) return null
  return (
    <span class="small">
      {translate('Possibly')}{' '}
      {candidates.map(({ id, reference }, index) => (
        <>
          {index > 0 && ', '}
          <Link key={id} to={`/payments/${id}`}>
            {reference}
          </Link>
        </>
      ))}
    </span>
  )
}

function noteOf({ match, payment, difference }: Line): string {
  const due = payment ? translate('of {amount}', { amount: formatAmount(payment.amount) }) : ''
  if (!difference) return due
  return match === 'underpaid'
    ? translate('{difference} missing', { difference: formatAmount(difference) })
    : translate('{difference} to pay back', { difference: formatAmount(difference) })
}
