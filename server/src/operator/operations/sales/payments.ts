import type { OperatorPayment, OperatorPaymentHistory, operatorOperations } from '@vitrine/contract/operator'
import { ordersOfSessions, type PlacedOrder } from '../../../features/orders/index.ts'
import {
  type Attempt,
  amountTaken,
  capturesAt,
  disputesOf,
  listDisputes as findDisputes,
  type Intent,
  intentOf,
  isPlaced,
  type ListedDispute,
  listPayments as list,
  listUnsettledPayments,
  type Payments,
  paymentHistory,
  refundsOfCharge,
} from '../../../features/payments/index.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler, OperatorOwnContext } from '../../door/handler.ts'
import { type Paging, pagingOf } from '../../door/paging.ts'
import { presentDispute } from './order-views.ts'

type Rows = typeof operatorOperations

/** Dependencies of the payment operations. */
export interface PaymentOperationDeps {
  readonly cursorSecret: Secret
  readonly payments: Payments
}

/** The last position of a page. */
interface Position {
  readonly id: string
  /** RFC 3339. */
  readonly updatedAt: string
}

/** GET /operator/v1/payments */
function listPayments({ cursorSecret, payments }: PaymentOperationDeps): OperatorHandler<Rows['listPayments']> {
  return async ({ query }, { reader }) => {
    const { environment = 'live', view = 'unknown' } = query
    const paging = pagingOf<Position>(cursorSecret, ['payments', environment, view], query)
    const found = await foundBy(reader, { environment, view }, paging)
    const orders = await ordersOf(reader, found)
    return paging.page(
      found,
      ({ id, updatedAt }) => ({ id, updatedAt: updatedAt.toISOString() }),
      (intent) => presentPayment(intent, payments, orders.get(chargeIdOf(intent))),
    )
  }
}

type Asked = Required<Pick<Parameters<OperatorHandler<Rows['listPayments']>>[0]['query'], 'environment' | 'view'>>

async function foundBy(
  reader: Reader,
  { environment, view }: Asked,
  { after, limit }: Paging<Position>,
): Promise<readonly Intent[]> {
  if (view === 'unknown' || view === 'waiting') {
    const from = after && { after: { id: after.id, updatedAt: new Date(after.updatedAt) } }
    const unsettled = await listUnsettledPayments(reader, { environment, which: view, limit, ...from })
    return unsettled.map(({ intent }) => intent)
  }
  return list(reader, { environment, status: view === 'all' ? null : view, afterId: after?.id ?? null, limit })
}

/** GET /operator/v1/payments/{paymentId} */
function getPayment(payments: Payments): OperatorHandler<Rows['getPayment']> {
  return async ({ params: { paymentId } }, { reader }) => {
    const { intent, attempts } = (await paymentHistory(reader, paymentId)) ?? refuse('not_found')
    const [orders, refunds, disputes] = await Promise.all([
      ordersOf(reader, [intent]),
      refundsOfCharge(reader, intent.id),
      disputesOf(reader, intent.id),
    ])
    const order = orders.get(chargeIdOf(intent))
    return {
      payment: presentPayment(intent, payments, order),
      ...(order && { orderId: order.id }),
      attempts: attempts.map(presentAttempt),
      refunds: refunds.map((refund) => presentPayment(refund, payments, order)),
      disputes: disputes.map(presentDispute),
    }
  }
}

/** GET /operator/v1/disputes */
function listDisputes({ cursorSecret }: PaymentOperationDeps): OperatorHandler<Rows['listDisputes']> {
  return async ({ query }, { reader }) => {
    const { environment = 'live', view = 'open' } = query
    const paging = pagingOf<Pick<ListedDispute, 'place' | 'reference'>>(
      cursorSecret,
      ['disputes', environment, view],
      query,
    )
    const found = await findDisputes(reader, { environment, view, after: paging.after, limit: paging.limit })
    const charges = await Promise.all(found.map(({ chargeId }) => intentOf(reader, chargeId)))
    const orders = await ordersOf(
      reader,
      charges.filter((charge) => charge !== null),
    )
    return paging.page(
      found,
      ({ place, reference }) => ({ place, reference }),
      (dispute) => {
        const order = orders.get(dispute.chargeId)
        return { paymentId: dispute.chargeId, ...(order && { order }), dispute: presentDispute(dispute) }
      },
    )
  }
}

/** POST /operator/v1/payments/{paymentId}/reconcile */
function reconcilePayment(payments: Payments): OperatorHandler<Rows['reconcilePayment']> {
  return async ({ params: { paymentId } }, { reader, database, auditIn }) => {
    const before = (await intentOf(reader, paymentId)) ?? refuse('not_found')
    const after = await payments.reconcileNow(paymentId)
    // The payment update commits on its own, as it would in a worker, so the audit entry has a separate transaction.
    const change = { subject: subjectOf(after), before: auditedFields(before), after: auditedFields(after) }
    await database.transaction(async (tx) => auditIn(tx, change))
    return presentedPayment(reader, after, payments)
  }
}

/** POST /operator/v1/payments/{paymentId}/confirm */
function confirmPayment(payments: Payments): OperatorHandler<Rows['confirmPayment']> {
  return async ({ params: { paymentId }, body: { outcome } }, { reader, auditIn }) => {
    const found = (await intentOf(reader, paymentId)) ?? refuse('not_found')
    const allowed = payments.stepsOf(found)
    if (!allowed.includes(outcome === 'returned' ? 'reverse' : 'confirm')) {
      refuse('state_conflict', { conflict: { currentState: found.status, allowed: [...allowed] } })
    }
    const after = await payments.confirmManual(paymentId, {
      isDone: outcome === 'done',
      isReturned: outcome === 'returned',
      onSettled: (tx, before, settled) =>
        auditIn(tx, {
          subject: subjectOf(settled),
          before: auditedFields(before),
          after: { ...auditedFields(settled), outcome },
        }),
    })
    return presentedPayment(reader, after, payments)
  }
}

/** POST /operator/v1/payments/{paymentId}/capture */
function capturePayment(payments: Payments): OperatorHandler<Rows['capturePayment']> {
  return async ({ params: { paymentId }, body: { amount } }, context) => {
    const after = await captureAudited(payments, paymentId, amount === undefined ? null : BigInt(amount), context)
    return presentedPayment(context.reader, after, payments)
  }
}

/** POST /operator/v1/payments/{paymentId}/release */
function releasePayment(payments: Payments): OperatorHandler<Rows['releasePayment']> {
  return async ({ params: { paymentId } }, { reader, database, auditIn }) => {
    const before = (await intentOf(reader, paymentId)) ?? refuse('not_found')
    const after = await payments.release(paymentId)
    const change = { subject: subjectOf(after), before: auditedFields(before), after: auditedFields(after) }
    await database.transaction(async (tx) => auditIn(tx, change))
    return presentedPayment(reader, after, payments)
  }
}

/** Captures an authorization, all of it or a part, and records that. Refusals: those of `Payments.capture`. */
export async function captureAudited(
  payments: Payments,
  paymentId: string,
  amount: bigint | null,
  { reader, database, auditIn }: Pick<OperatorOwnContext, 'reader' | 'database' | 'auditIn'>,
): Promise<Intent> {
  const before = (await intentOf(reader, paymentId)) ?? refuse('not_found')
  const after = await payments.capture(paymentId, amount)
  const captured = { ...auditedFields(after), captured: Number(amountTaken(after)) }
  // The capture has its own transactions, as a worker would have.
  await database.transaction(async (tx) =>
    auditIn(tx, { subject: subjectOf(after), before: auditedFields(before), after: captured }),
  )
  return after
}

export function paymentOperations(deps: PaymentOperationDeps) {
  const { payments } = deps
  return {
    listPayments: listPayments(deps),
    getPayment: getPayment(payments),
    listDisputes: listDisputes(deps),
    reconcilePayment: reconcilePayment(payments),
    confirmPayment: confirmPayment(payments),
    capturePayment: capturePayment(payments),
    releasePayment: releasePayment(payments),
  }
}

const chargeIdOf = ({ id, chargeId }: Intent) => chargeId ?? id

/** The orders of payments, and of the charges that refunds belong to, by charge. */
async function ordersOf(reader: Reader, intents: readonly Intent[]): Promise<ReadonlyMap<string, PlacedOrder>> {
  const known = new Map(intents.map((intent) => [intent.id, intent]))
  const chargeIds = [...new Set(intents.map(chargeIdOf))]
  const charges = await Promise.all(chargeIds.map((id) => known.get(id) ?? intentOf(reader, id)))
  const found = charges.filter((charge) => charge !== null)
  const bySession = await ordersOfSessions(
    reader,
    found.map(({ subjectId }) => subjectId),
  )
  return new Map(
    found.flatMap(({ id, subjectId }) => {
      const order = bySession.get(subjectId)
      return order ? [[id, order] as const] : []
    }),
  )
}

const subjectOf = ({ id }: Intent) => ({ type: 'payment', id })

function auditedFields({ status, step, lookups }: Intent) {
  return { status, step, looks: lookups }
}

async function presentedPayment(reader: Reader, intent: Intent, payments: Payments): Promise<OperatorPayment> {
  const orders = await ordersOf(reader, [intent])
  return presentPayment(intent, payments, orders.get(chargeIdOf(intent)))
}

function presentPayment(intent: Intent, payments: Payments, order: PlacedOrder | undefined): OperatorPayment {
  const { id, kind, purpose, subjectId, environment, installationId, provider, status, step, lookups } = intent
  return {
    id,
    kind,
    purpose,
    subjectId,
    environment,
    installationId,
    ...(order && { order }),
    provider,
    amount: wireMoney(intent.amount, intent.currency),
    ...(intent.captureAmount !== null && { captured: wireMoney(intent.captureAmount, intent.currency) }),
    status,
    step,
    refundAsked: wireMoney(intent.refundRequested, intent.currency),
    ...(intent.chargeId !== null && { chargeId: intent.chargeId }),
    ...(intent.providerReference !== null && { providerReference: intent.providerReference }),
    ...(intent.failureCode !== null && { failureCode: intent.failureCode }),
    looks: lookups,
    ...(intent.dueAt && { dueAt: intent.dueAt.toISOString() }),
    ...deadlinesOf(intent),
    allowed: [...payments.stepsOf(intent)],
    createdAt: intent.createdAt.toISOString(),
    updatedAt: intent.updatedAt.toISOString(),
    ...(intent.endedAt && { endedAt: intent.endedAt.toISOString() }),
  }
}

function deadlinesOf(intent: Intent) {
  const at = capturesAt(intent)
  return {
    ...(isPlaced(intent) && intent.expiresAt && { expiresAt: intent.expiresAt.toISOString() }),
    ...(at && { capturesAt: at.toISOString() }),
  }
}

function presentAttempt(attempt: Attempt): OperatorPaymentHistory['attempts'][number] {
  const { number, action, step, sentAt, answeredAt, answer, detail } = attempt
  return {
    number,
    action,
    step,
    sentAt: sentAt.toISOString(),
    ...(answeredAt && { answeredAt: answeredAt.toISOString() }),
    ...(answer !== null && { answer }),
    ...(detail !== null && detail !== '' && { detail }),
  }
}
