import type { operatorOperations } from '@vitrine/contract/operator'
import {
  type AfterSales,
  afterSalesEnded,
  afterSalesIn,
  afterSalesUnderWay,
  approveAfterSales as approve,
  completeAfterSales as complete,
  declineAfterSales as decline,
  type EndedPosition,
  findAfterSales,
  type InspectionResult,
  inspectAfterSales as inspect,
  markInTransit,
  markReceived,
  type Replacement,
  replacementsOf,
  resolveAfterSales as resolve,
  reviewAfterSales as review,
  usualApproval,
  withdrawAfterSales as withdraw,
} from '../../../features/after-sales/index.ts'
import { carriageOf } from '../../../features/fulfillment/index.ts'
import { findOrderById, lineOf, type Order, type QueuePosition } from '../../../features/orders/index.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler, OperatorReadContext, OperatorWriteContext } from '../../door/handler.ts'
import { pagingOf } from '../../door/paging.ts'
import { presentOperatorAfterSales } from './order-views.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/after-sales */
function listAfterSales(cursorSecret: Secret): OperatorHandler<Rows['listAfterSales']> {
  return async ({ query }, { reader, operator, language }) => {
    const { status, environment = null } = query
    if (query.closed) return listEnded(cursorSecret, query, { reader, operator, language })
    const paging = pagingOf<QueuePosition>(cursorSecret, ['after-sales', status, environment], query)
    const page = { ...paging, environment, storeId: operator.store?.id ?? null }
    const found = await (status ? afterSalesIn(reader, status, page) : afterSalesUnderWay(reader, page))
    return paging.page(
      await withOrders(reader, found),
      ({ request: { createdAt, id } }) => ({ createdAt: createdAt.toISOString(), id }),
      ({ order, request }) => presentOperatorAfterSales(order, request, language),
    )
  }
}

type ListQuery = Parameters<OperatorHandler<Rows['listAfterSales']>>[0]['query']

/** The requests that have ended, the last one first. */
async function listEnded(
  cursorSecret: Secret,
  query: ListQuery,
  { reader, operator, language }: Pick<OperatorReadContext, 'reader' | 'operator' | 'language'>,
) {
  const { environment = null } = query
  const paging = pagingOf<EndedPosition>(cursorSecret, ['after-sales', 'ended', environment], query)
  const found = await afterSalesEnded(reader, { ...paging, environment, storeId: operator.store?.id ?? null })
  return paging.page(
    await withOrders(reader, found),
    ({ request: { updatedAt, id } }) => ({ updatedAt: updatedAt.toISOString(), id }),
    ({ order, request }) => presentOperatorAfterSales(order, request, language),
  )
}

interface Listed {
  readonly order: Order
  readonly request: AfterSales
}

function withOrders(reader: Reader, found: readonly AfterSales[]): Promise<readonly Listed[]> {
  return Promise.all(found.map(async (request) => ({ order: await findOrderById(reader, request.orderId), request })))
}

/** GET /operator/v1/after-sales/{afterSalesId} */
const getAfterSales: OperatorHandler<Rows['getAfterSales']> = async ({ params }, { reader, now, language }) => {
  const request = (await findAfterSales(reader, params.afterSalesId)) ?? refuse('not_found')
  const order = await findOrderById(reader, request.orderId)
  const replacements = await replacementsOf(reader, order, request.lines)
  const shown = {
    ...presentOperatorAfterSales(order, request, language),
    ...(request.kind === 'exchange' && {
      replacements: replacements.map((each) => presentReplacement(order, each)),
    }),
  }
  if (!shown.allowed.includes('approve')) return shown
  const { instructions, returnAddress, returnBy } = await usualApproval(reader, { order, request }, now)
  return {
    ...shown,
    usual: {
      ...(instructions !== null && { instructions }),
      ...(returnAddress !== null && { returnAddress }),
      ...(returnBy !== null && { returnBy: returnBy.toISOString() }),
    },
  }
}

function presentReplacement(order: Order, { lineId, sku }: Replacement) {
  const { productId, code, productName: name, optionLabels, image, price } = sku
  return {
    lineId,
    productId,
    code,
    name,
    optionLabels: [...optionLabels],
    ...(image !== null && { image }),
    ...(price !== null && { price: wireMoney(price, order.currency) }),
    paid: wireMoney(lineOf(order, lineId).unitPrice, order.currency),
  }
}

/** POST /operator/v1/after-sales/{afterSalesId}/review */
const reviewAfterSales: OperatorHandler<Rows['reviewAfterSales']> = ({ params }, context) => {
  return applyStep(params.afterSalesId, context, (id) => review(context.tx, id, context))
}

/** POST /operator/v1/after-sales/{afterSalesId}/approve */
const approveAfterSales: OperatorHandler<Rows['approveAfterSales']> = ({ params, body }, context) => {
  const { instructions, returnAddress, returnBy } = body
  const words = { instructions, returnAddress, returnBy: returnBy === undefined ? undefined : new Date(returnBy) }
  return applyStep(params.afterSalesId, context, (id) => approve(context.tx, id, words, context), body)
}

/** POST /operator/v1/after-sales/{afterSalesId}/decline */
const declineAfterSales: OperatorHandler<Rows['declineAfterSales']> = ({ params, body }, context) => {
  return applyStep(params.afterSalesId, context, (id) => decline(context.tx, id, body.declineReason, context), body)
}

/** POST /operator/v1/after-sales/{afterSalesId}/in-transit */
const markAfterSalesInTransit: OperatorHandler<Rows['markAfterSalesInTransit']> = ({ params }, context) => {
  return applyStep(params.afterSalesId, context, (id) => markInTransit(context.tx, id, context))
}

/** POST /operator/v1/after-sales/{afterSalesId}/received */
const markAfterSalesReceived: OperatorHandler<Rows['markAfterSalesReceived']> = ({ params }, context) => {
  return applyStep(params.afterSalesId, context, (id) => markReceived(context.tx, id, context))
}

/** POST /operator/v1/after-sales/{afterSalesId}/inspect */
const inspectAfterSales: OperatorHandler<Rows['inspectAfterSales']> = ({ params, body }, context) => {
  const findings = findingsOf(body)
  return applyStep(params.afterSalesId, context, (id) => inspect(context.tx, id, findings, context), body)
}

/** POST /operator/v1/after-sales/{afterSalesId}/resolve */
const resolveAfterSales: OperatorHandler<Rows['resolveAfterSales']> = ({ params, body }, context) => {
  const amount = body.amount === undefined ? undefined : BigInt(body.amount)
  return applyStep(params.afterSalesId, context, (id) => resolve(context.tx, id, { ...body, amount }, context), body)
}

/** POST /operator/v1/after-sales/{afterSalesId}/complete */
const completeAfterSales: OperatorHandler<Rows['completeAfterSales']> = ({ params, body }, context) => {
  return applyStep(params.afterSalesId, context, (id) => complete(context.tx, id, carriageOf(body), context), body)
}

/** POST /operator/v1/after-sales/{afterSalesId}/withdraw */
const withdrawAfterSales: OperatorHandler<Rows['withdrawAfterSales']> = ({ params }, context) => {
  return applyStep(params.afterSalesId, context, (id) => withdraw(context.tx, id, 'operator', context))
}

export function afterSalesOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return {
    listAfterSales: listAfterSales(cursorSecret),
    getAfterSales,
    reviewAfterSales,
    approveAfterSales,
    declineAfterSales,
    markAfterSalesInTransit,
    markAfterSalesReceived,
    inspectAfterSales,
    resolveAfterSales,
    completeAfterSales,
    withdrawAfterSales,
  }
}

interface FindingsBody {
  readonly accepted: boolean
  readonly restocks?: boolean
  readonly declineReason?: string
}

/** Goods are either accepted, or sent back with a reason. */
function findingsOf({ accepted, restocks, declineReason }: FindingsBody): InspectionResult {
  if (accepted && declineReason === undefined) return { accepted, restocks }
  if (!accepted && declineReason !== undefined && restocks !== true) return { accepted, declineReason }
  const [field, message] =
    accepted || declineReason !== undefined
      ? [accepted ? 'declineReason' : 'restocks', 'Goods that are sent back need a reason; accepted goods need none.']
      : ['declineReason', 'Give the reason, which is shown to the shopper.']
  refuseField(field, 'not_possible', message)
}

/** Applies a step to a request, and records its state before and after with the given texts. */
async function applyStep(
  id: string,
  { tx, language, audit }: OperatorWriteContext,
  step: (id: string) => Promise<{ readonly order: Order; readonly request: AfterSales }>,
  details: Readonly<Record<string, unknown>> = {},
) {
  const before = (await findAfterSales(tx, id)) ?? refuse('not_found')
  const { order, request } = await step(id)
  audit({
    subject: { type: 'after_sales', id },
    before: { status: before.status },
    after: { status: request.status, orderId: order.id, ...details },
  })
  return presentOperatorAfterSales(order, request, language)
}
