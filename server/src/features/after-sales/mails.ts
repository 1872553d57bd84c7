import { formatDate } from '../../kernel/format-date.ts'
import type { EditableMail } from '../../platform/mail/index.ts'
import {
  type Carriage,
  composeSample,
  goodsRow,
  lineOf,
  lineRows,
  type MailContext,
  type MailSample,
  ORDER_PLACEHOLDERS,
  type OrderMail,
  parcelDetails,
  type RepeatableMail,
  SAMPLE_CARRIAGE,
} from '../orders/index.ts'
import type { AfterSales } from './after-sales.ts'
import type { Replacement } from './exchange.ts'
import { type AfterSalesMailKind, afterSalesMailTexts, afterSalesMailWords } from './mail-texts.ts'

type RequestNotification = 'requested' | 'approved' | 'declined' | 'received' | 'expired'

/** Returned goods have `orders.goods_received`, because `orders.received` is the mail about a new order. */
const KINDS: Readonly<Record<RequestNotification, AfterSalesMailKind>> = {
  requested: 'orders.requested',
  approved: 'orders.approved',
  declined: 'orders.declined',
  received: 'orders.goods_received',
  expired: 'orders.expired',
}

/** The mails a change of a request sends to its shopper. `before` is `null` for a new request. */
export function mailsOfRequest(before: AfterSales | null, request: AfterSales): readonly OrderMail[] {
  if (request.declineReason !== null && before?.declineReason == null) return [requestMail('declined', request)]
  if (request.approval !== null && before?.approval == null) return [requestMail('approved', request)]
  if (before === null) return [requestMail('requested', request)]
  if (request.status === before.status) return []
  return request.status === 'received' || request.status === 'expired' ? [requestMail(request.status, request)] : []
}

/** The approval mails of requests that wait for the goods. They can be sent again, because the shopper still has to act. */
export function repeatableRequestMails(requests: readonly AfterSales[]): readonly RepeatableMail[] {
  return requests
    .filter(({ status }) => status === 'awaiting_return')
    .map((request) => {
      return { reference: request.id, at: request.updatedAt, mail: requestMail('approved', request) }
    })
}

/** The mails about requests whose words an operator can edit. */
export const editableAfterSalesMails: readonly EditableMail<MailSample>[] = (
  Object.keys(afterSalesMailWords) as AfterSalesMailKind[]
).map((kind) => ({
  kind,
  isOfStores: true,
  words: afterSalesMailWords[kind],
  placeholders: [...ORDER_PLACEHOLDERS, 'request.kind'],
  sample: (sample) => composeSample(sampleMail(kind, sample), sample),
}))

const DAY_MS = 86_400_000

function sampleMail(kind: AfterSalesMailKind, { language, now }: MailSample): OrderMail {
  const { instructions, returnAddress, declineReason } = afterSalesMailTexts[language].sample
  const request = {
    kind: 'return',
    lines: [{ lineId: 'oli_1', quantity: 1 }],
    decideBy: new Date(now.getTime() + 7 * DAY_MS),
    approval: { instructions, returnAddress, returnBy: new Date(now.getTime() + 30 * DAY_MS) },
    declineReason,
  } as const
  switch (kind) {
    case 'orders.requested':
      return requestMail('requested', request)
    case 'orders.approved':
      return requestMail('approved', request)
    case 'orders.declined':
      return requestMail('declined', request)
    case 'orders.goods_received':
      return requestMail('received', request)
    case 'orders.expired':
      return requestMail('expired', request)
    case 'orders.sent':
      return shippedMail({ ...request, kind: 'exchange' }, SAMPLE_CARRIAGE, [])
  }
}

/** The members of a request that its mails show. */
type MailedRequest = Pick<AfterSales, 'kind' | 'lines' | 'decideBy' | 'declineReason' | 'approval'>

/** The mail about the shipment of an exchange or a repair, which names what was sent: the replacements, or the repaired goods. */
export function shippedMail(
  request: MailedRequest,
  carriage: Carriage,
  replacements: readonly Replacement[],
): OrderMail {
  const replaced = new Map(replacements.map(({ lineId, sku }) => [lineId, { ...sku, name: sku.productName }]))
  return {
    kind: 'orders.sent',
    words: afterSalesMailWords['orders.sent'],
    content(context) {
      const { heading } = afterSalesMailTexts[context.language]
      return {
        values: valuesOf(request, context),
        ...parcelDetails(context, carriage, {
          heading,
          rows: request.lines.map(({ lineId, quantity }) => {
            return goodsRow(quantity, replaced.get(lineId) ?? lineOf(context.order, lineId))
          }),
        }),
      }
    },
  }
}

function requestMail(notification: RequestNotification, request: MailedRequest): OrderMail {
  const kind = KINDS[notification]
  return {
    kind,
    words: afterSalesMailWords[kind],
    content: (context) => ({
      values: valuesOf(request, context),
      details: detailsOf(notification, request, context),
      lists: [
        ...(notification === 'approved' ? sendTo(request, context) : []),
        { heading: afterSalesMailTexts[context.language].heading, rows: lineRows(context, request.lines) },
      ],
    }),
  }
}

/** The return address, as on a label. */
function sendTo({ approval }: MailedRequest, { language }: MailContext) {
  const address = approval?.returnAddress ?? null
  if (address === null) return []
  const rows = address.split('\n').map((label) => ({ label }))
  return [{ heading: afterSalesMailTexts[language].sendTo, rows }]
}

function valuesOf({ kind }: MailedRequest, { language }: MailContext): Readonly<Record<string, string>> {
  return { 'request.kind': afterSalesMailTexts[language].kinds[kind] }
}

function detailsOf(notification: RequestNotification, request: MailedRequest, context: MailContext): readonly string[] {
  const texts = afterSalesMailTexts[context.language]
  if (notification === 'requested')
    return [texts.decideBy(formatDate(context.locale, request.decideBy, context.timeZone))]
  if (notification === 'received' || notification === 'expired') return []
  if (notification === 'declined') return request.declineReason === null ? [] : [request.declineReason]
  const { instructions = null, returnBy = null } = request.approval ?? {}
  return [
    ...(instructions === null ? [] : [instructions]),
    ...(returnBy === null ? [] : [texts.returnBy(formatDate(context.locale, returnBy, context.timeZone))]),
  ]
}
