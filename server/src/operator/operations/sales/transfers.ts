import type { InputOf } from '@vitrine/contract'
import type { OperatorStatement, OperatorTransfer, operatorOperations } from '@vitrine/contract/operator'
import { deadlinesOf, enqueueRestMail, givenIbans, type TransferTerms } from '../../../features/checkout/index.ts'
import {
  bookStatement,
  type CsvHints,
  insertTransferReturn,
  listTransfers as list,
  lockTransfer,
  type Match,
  type MatchedStatement,
  matchStatement,
  type Payments,
  readStatement,
  refuseOtherPlan,
  type StatementPlace,
  type Transfer,
  type UploadedStatement,
} from '../../../features/payments/index.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

/** Dependencies of the operations on bank transfers. */
export interface TransferOperationDeps {
  readonly cursorSecret: Secret
  readonly payments: Payments
  readonly transfer: TransferTerms
}

/** POST /operator/v1/bank-statements/preview */
function previewBankStatement(deps: TransferOperationDeps): OperatorHandler<Rows['previewBankStatement']> {
  return async ({ query }, { reader, now, upload }) => {
    const uploaded = await readStatement(upload, hintsOf(query))
    const matched = await matchStatement(reader, uploaded.statement.lines, placeOf(deps, query, now))
    return presentStatement(uploaded, matched, 0)
  }
}

/** POST /operator/v1/bank-statements */
function bookBankStatement(deps: TransferOperationDeps): OperatorHandler<Rows['bookBankStatement']> {
  return async ({ query }, { database, reader, ids, now, upload, auditIn }) => {
    const uploaded = await readStatement(upload, hintsOf(query))
    const place = placeOf(deps, query, now)
    const matched = await matchStatement(reader, uploaded.statement.lines, place)
    refuseOtherPlan(matched, query.plan)
    // Refused if the operator may no longer book: the upload may have taken minutes, and payments have transactions of their own.
    await database.transaction(async () => null)
    const booked = await bookStatement(deps.payments, matched, place, (tx, line, { before, match }) => {
      const { bookedOn, amount, currency } = line
      if (match.kind === 'underpaid') enqueueRestMail(tx, before.id, { ids, now })
      auditIn(tx, {
        subject: { type: 'payment', id: before.id },
        before: { status: before.status },
        after: { match: match.kind, bookedOn, amount: wireMoney(amount, currency) },
      })
    })
    const subject = { type: 'bank_statement', id: ids.next('imp') }
    const after = { environment: place.environment, lines: matched.lines.length, booked }
    await database.transaction(async (tx) => auditIn(tx, { subject, before: null, after }))
    return presentStatement(uploaded, matched, booked)
  }
}

/** GET /operator/v1/transfers */
function listTransfers({ cursorSecret }: TransferOperationDeps): OperatorHandler<Rows['listTransfers']> {
  return async ({ query }, { reader }) => {
    const { environment = 'live', view = 'waiting' } = query
    const paging = pagingOf<string>(cursorSecret, ['transfers', environment, view], query)
    const found = await list(reader, { environment, view, afterId: paging.after, limit: paging.limit })
    const deadlines = await deadlinesOf(
      reader,
      found.map(({ subjectId }) => subjectId),
    )
    return paging.page(
      found,
      ({ id }) => id,
      (transfer) => presentTransfer(transfer, deadlines),
    )
  }
}

/** POST /operator/v1/transfers/{paymentId}/return */
const returnTransfer: OperatorHandler<Rows['returnTransfer']> = async ({ params, body }, { tx, now, audit }) => {
  const { paymentId } = params
  const before = (await lockTransfer(tx, paymentId)) ?? refuse('not_found')
  const { surplus, currency } = before
  if (surplus !== BigInt(body.amount) || surplus <= 0n)
    refuse('state_conflict', { conflict: { currentState: surplus > 0n ? 'surplus_changed' : 'no_surplus' } })
  insertTransferReturn(tx, paymentId, surplus, now)
  audit({
    subject: { type: 'payment', id: paymentId },
    before: { surplus: wireMoney(surplus, currency) },
    after: { surplus: wireMoney(0n, currency) },
  })
  return presentTransfer({ ...before, surplus: 0n }, await deadlinesOf(tx, [before.subjectId]))
}

export function transferOperations(deps: TransferOperationDeps) {
  return {
    previewBankStatement: previewBankStatement(deps),
    bookBankStatement: bookBankStatement(deps),
    listTransfers: listTransfers(deps),
    returnTransfer,
  }
}

type Reading = InputOf<Rows['previewBankStatement']>['query']

function placeOf({ transfer }: TransferOperationDeps, { environment = 'live' }: Reading, now: Date): StatementPlace {
  const ibansOf: StatementPlace['ibansOf'] = (reader: Reader, charges) =>
    givenIbans(reader, environment, charges, transfer)
  return { environment, now, ibansOf }
}

function hintsOf({ environment: _, decimal, dates, currency, currencyColumn, ...roles }: Reading): CsvHints {
  const columns = { ...roles, ...(currencyColumn !== undefined && { currency: currencyColumn }) }
  const { date, amount, purpose, payer, account, bankId, sign } = columns
  const given = { date, amount, purpose, payer, account, bankId, sign, currency: columns.currency }
  return {
    columns: Object.fromEntries(Object.entries(given).filter(([, header]) => header !== undefined)),
    ...(decimal && { decimal }),
    ...(dates && { dates }),
    ...(currency && { currency }),
  }
}

function presentStatement(
  { statement, csv }: UploadedStatement,
  { lines, matches, plan }: MatchedStatement,
  booked: number,
): OperatorStatement {
  return {
    plan,
    ...(csv && {
      csv: {
        headers: csv.headers.slice(0, 200).map((header) => header.slice(0, 500)),
        columns: Object.entries(csv.mapping.columns).map(([role, header]) => ({
          role: role as keyof typeof csv.mapping.columns,
          header,
        })),
        decimal: csv.mapping.decimal,
        dates: csv.mapping.dates,
        currency: csv.mapping.currency,
      },
    }),
    lines: lines.map(({ position, bookedOn, amount, currency, payer, purpose }, index) => ({
      position,
      bookedOn,
      amount: wireMoney(amount, currency),
      payer,
      purpose,
      ...presentMatch(matches[index]!),
    })),
    unreadable: [...statement.unreadable],
    others: statement.others,
    booked,
  }
}

function presentMatch({ kind, charge, received, difference, candidates }: Match) {
  const paymentOf = ({ id, reference, amount, currency }: NonNullable<Match['charge']>) => ({
    id,
    reference,
    amount: wireMoney(amount, currency),
  })
  return {
    match: kind,
    ...(charge && { payment: paymentOf(charge), received: wireMoney(received, charge.currency) }),
    ...(charge && difference > 0n && { difference: wireMoney(difference, charge.currency) }),
    candidates: candidates.map(paymentOf),
  }
}

function presentTransfer(transfer: Transfer, deadlines: ReadonlyMap<string, Date>): OperatorTransfer {
  const { id, subjectId, reference, state, amount, received, surplus, currency, createdAt } = transfer
  const until = deadlines.get(subjectId)
  return {
    paymentId: id,
    sessionId: subjectId,
    reference,
    status: state,
    amount: wireMoney(amount, currency),
    received: wireMoney(received, currency),
    surplus: wireMoney(surplus, currency),
    createdAt: createdAt.toISOString(),
    ...(until && { until: until.toISOString() }),
  }
}
