import { type Static, Type } from 'typebox'
import { CurrencyCode, Environment, id, Money, none, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, integer, leftOut, listOf, maybeEmpty, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Payments'
const auth = { kind: 'operator', area: 'finance' } as const
const LINES_MAX = 10_000
const PaymentId = id('pay', 'The id of the payment.')
const Reference = text(20, 'The payment reference that the shopper was given.', '8Q2E9RTV3W')
const BankDate = formed('^\\d{4}-\\d\\d-\\d\\d$', 10, 'The booking date.', '2026-11-30')
const Plan = text(64, 'A digest of the bookings.', 'mJ7q0x')
const count = (description: string) => integer(0, 1_000_000, description, 3)

export const STATEMENT_MATCHES = [
  'exact',
  'overpaid',
  'underpaid',
  'confirmed',
  'duplicate',
  'late',
  'booked',
  'other_currency',
  'other_account',
  'ambiguous',
  'unknown',
] as const
const COLUMNS = ['date', 'amount', 'purpose', 'payer', 'currency', 'account', 'bankId', 'sign'] as const
export const TRANSFER_VIEWS = ['waiting', 'underpaid', 'to_return'] as const

const Header = (description: string) => Type.Optional(maybeEmpty(200, description, 'Buchungstag'))
const Decimal = oneOf(['comma', 'point'], 'The decimal separator.')
const DateOrder = oneOf(['dmy', 'mdy', 'ymd'], 'The order of day, month and year.')

/** Columns by their headers. */
const columns = {
  date: Header('The column of the date.'),
  amount: Header('The column of the amount.'),
  purpose: Header('The column of the remittance information.'),
  payer: Header('The column of the payer.'),
  currencyColumn: Header('The column of the currency.'),
  account: Header('The column of our IBAN.'),
  bankId: Header('The column of the reference of the bank.'),
  sign: Header('The column that distinguishes debits from credits.'),
}

const Payment = closed('A payment by bank transfer.', { id: PaymentId, reference: Reference, amount: Money })

export const OperatorStatement = operatorNamed(
  'OperatorStatement',
  closed('A bank statement with the payment of each line.', {
    plan: Plan,
    csv: Type.Optional(
      closed('How a CSV file was read.', {
        headers: listOf(maybeEmpty(500, 'A header.', 'Betrag'), 200, 'The headers of the file.'),
        columns: listOf(
          closed('A column.', {
            role: oneOf(COLUMNS, 'Its role.'),
            header: text(500, 'Its header.', 'Betrag'),
          }),
          COLUMNS.length,
          'The columns that were read.',
        ),
        decimal: Decimal,
        dates: DateOrder,
        currency: CurrencyCode,
      }),
    ),
    lines: listOf(
      closed('A line with an incoming payment.', {
        position: integer(1, 10_000_000, 'The line in a CSV file, or the entry in an XML file.', 7),
        bookedOn: BankDate,
        amount: Money,
        payer: maybeEmpty(500, 'The payer.', 'Ada Example'),
        purpose: maybeEmpty(500, 'The remittance information.', '8Q2E 9RTV 3W'),
        match: oneOf(
          STATEMENT_MATCHES,
          '`exact`, `overpaid`: confirms the payment. `underpaid`: is booked, and the payment waits for the rest. `confirmed`: belongs to a payment that was confirmed before. `duplicate`, `late`: belongs to a payment that is paid or has ended, and must be paid back. `booked`: was in an earlier statement. All others are not booked.',
        ),
        payment: Type.Optional(Payment),
        received: Type.Optional(Money),
        difference: Type.Optional(Money),
        candidates: listOf(Payment, 3, 'Possible payments.'),
      }),
      LINES_MAX,
      'The lines.',
    ),
    unreadable: listOf(
      closed('A line that cannot be read.', {
        position: integer(1, 10_000_000, 'The line in a CSV file, or the entry in an XML file.', 7),
        problem: text(500, 'Why.', 'The line has no amount: abc.'),
      }),
      LINES_MAX,
      'Lines that cannot be read.',
    ),
    others: count('Lines that are not incoming payments.'),
    booked: count('Lines that were booked now.'),
  }),
)
export type OperatorStatement = Static<typeof OperatorStatement>

export const OperatorTransfer = operatorNamed(
  'OperatorTransfer',
  closed('A payment by bank transfer and its status.', {
    paymentId: PaymentId,
    sessionId: id('cks', 'The checkout session.'),
    reference: Reference,
    status: oneOf(['waiting', 'paid', 'ended'], '`waiting`: for the money. `ended`: without being paid.'),
    amount: Money,
    received: Money,
    surplus: Money,
    createdAt: Timestamp,
    until: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorTransfer = Static<typeof OperatorTransfer>

const upload = {
  method: 'POST',
  tag,
  auth,
  upload: true,
  params: none,
  body: null,
  data: OperatorStatement,
  meta: null,
} as const
const reading = {
  environment: Type.Optional(Environment),
  ...columns,
  decimal: Type.Optional(Decimal),
  dates: Type.Optional(DateOrder),
  currency: Type.Optional(CurrencyCode),
}

export const transferRows = {
  previewBankStatement: operatorOperation({
    ...upload,
    path: '/operator/v1/bank-statements/preview',
    summary: 'Preview a bank statement.',
    description:
      'The body is a CAMT.053 or CSV file. Finds the payment of each line, and changes nothing. Columns of a CSV file are guessed where the query does not name them.',
    unaudited: true,
    query: closed('How to read the file.', reading),
    refusals: ['file_unreadable'],
  }),
  bookBankStatement: operatorOperation({
    ...upload,
    path: '/operator/v1/bank-statements',
    summary: 'Book a bank statement.',
    description:
      'The body is the file that was previewed. Confirms payments that are paid, and records the rest. A line that was booked before is not booked again. Refused with `version_conflict` if the preview has changed.',
    query: closed('How to read the file, and the plan of its preview.', { ...reading, plan: Plan }),
    refusals: ['file_unreadable', 'version_conflict'],
  }),
  listTransfers: operatorOperation({
    method: 'GET',
    path: '/operator/v1/transfers',
    tag,
    summary: 'List bank transfers, oldest first.',
    description: 'Those that wait for the money, those that were paid in part, and those with a surplus to pay back.',
    auth,
    query: closed('Page and view.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      environment: Type.Optional(Environment),
      view: Type.Optional(oneOf(TRANSFER_VIEWS, 'The view; `waiting` by default.')),
    }),
    data: pageOf(OperatorTransfer, 'Transfers.'),
    refusals: ['invalid_cursor'],
  }),
  returnTransfer: operatorOperation({
    method: 'POST',
    path: '/operator/v1/transfers/{paymentId}/return',
    tag,
    summary: 'Record that a surplus was paid back.',
    description: 'For money that arrived late, twice or in excess. Moves no money.',
    auth,
    params: closed('The payment.', { paymentId: PaymentId }),
    body: closed('The surplus the caller has seen.', {
      amount: integer(1, Number.MAX_SAFE_INTEGER, 'Minor units.', 500),
    }),
    data: OperatorTransfer,
    refusals: ['not_found', 'state_conflict'],
  }),
}
