import { listUnsettledPayments, type PaymentHistory, paymentHistory, requestReconciliation } from '@vitrine/server'
import { CommandError, UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'

export interface PaymentListOptions {
  readonly environment: string
  readonly waiting?: boolean
}

const LISTED_MAX = 200

/** `vitrine payment list`: payments that have not come to an end, the longest untouched first. */
export async function listPaymentsCommand({ environment, waiting }: PaymentListOptions, output: Output): Promise<void> {
  if (environment !== 'test' && environment !== 'live') {
    throw new UsageError(`--environment is test or live, not "${environment}".`)
  }
  const which = waiting ? 'waiting' : 'unknown'
  const found = await inHouse(output, ({ database }) =>
    listUnsettledPayments(database.reader, { environment, which, limit: LISTED_MAX }),
  )
  const head = ['ID', 'STATUS', 'FOR', 'SUBJECT', 'AMOUNT', 'PROVIDER', 'ATTEMPTS', 'LAST MOVED']
  const lines = found.map(({ intent, attempts }) => [
    intent.id,
    `${intent.status} (${intent.step})`,
    intent.purpose,
    intent.subjectId,
    `${intent.amount} ${intent.currency}`,
    intent.provider,
    String(attempts.length),
    intent.updatedAt.toISOString(),
  ])
  output.result(found.map(shown), found.length > 0 ? columns([head, ...lines]) : [`No payment is ${which}.`])
}

/** `vitrine payment show ID`: what is known of a payment, with each call to its provider. */
export async function showPaymentCommand(id: string, output: Output): Promise<void> {
  const found = await inHouse(output, ({ database }) => paymentHistory(database.reader, id))
  if (!found) throw new CommandError(`There is no payment ${id}.`)
  const { intent, attempts } = found
  const due = intent.dueAt ? `, looked at again at ${intent.dueAt.toISOString()}` : ''
  const head = ['#', 'SENT', 'WHAT', 'STEP', 'ANSWER', 'DETAIL']
  const rows = attempts.map((each) => [
    String(each.number),
    each.sentAt.toISOString(),
    each.action,
    each.step,
    each.answer ?? 'none is known',
    each.detail ?? '',
  ])
  output.result(shown(found), [
    `${intent.id} is ${intent.status}: ${intent.kind} of ${intent.amount} ${intent.currency} (minor units) for ${intent.purpose} ${intent.subjectId}.`,
    `At ${intent.provider}, step ${intent.step}, reference ${intent.providerReference ?? 'not known'}${due}.`,
    ...(rows.length > 0 ? columns([head, ...rows]) : ['Nothing was sent yet.']),
  ])
}

/** `vitrine payment look ID`: lets a worker ask the provider at once what became of a payment. */
export async function lookAtPaymentCommand(id: string, output: Output): Promise<void> {
  const intent = await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) => requestReconciliation(tx, id, { ids, now: now() })),
  )
  if (!intent) throw new CommandError(`There is no payment ${id}.`)
  const told = intent.endedAt
    ? `${id} has ended: ${intent.status}. There is nothing to look up.`
    : `A worker asks ${intent.provider} at once: vitrine payment show ${id}`
  output.result({ id, status: intent.status, ended: intent.endedAt !== null }, [told])
}

function shown({ intent, attempts }: PaymentHistory) {
  const { id, kind, purpose, subjectId, environment, provider, currency, status, step, providerReference } = intent
  const { amount, dueAt, updatedAt, endedAt } = intent
  const facts = { id, kind, purpose, subjectId, environment, provider, currency, status, step, providerReference }
  return { ...facts, amount: Number(amount), dueAt, updatedAt, endedAt, attempts }
}
