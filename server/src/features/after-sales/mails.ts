import {
  type Carriage,
  formatMailDate,
  lineRows,
  type MailContext,
  type OrderMail,
  type OrderMailContent,
  parcelDetails,
} from '../orders/index.ts'
import type { AfterSales } from './after-sales.ts'
import { afterSalesMailTexts } from './mail-texts.ts'

type RequestNotification = 'requested' | 'approved' | 'declined'

/** The mails a change of a request sends to its shopper. `before` is `null` for a new request. */
export function mailsOfRequest(before: AfterSales | null, request: AfterSales): readonly OrderMail[] {
  if (request.declineReason !== null && before?.declineReason == null) return [requestMail('declined', request)]
  if (request.approval !== null && before?.approval == null) return [requestMail('approved', request)]
  return before === null ? [requestMail('requested', request)] : []
}

/** The mail that says that the goods of an exchange or a repair have shipped. */
export function shippedMail(request: AfterSales, carriage: Carriage): OrderMail {
  return {
    kind: 'orders.sent',
    content(context) {
      const { kinds, heading, sent } = afterSalesMailTexts[context.language]
      return {
        title: sent.title(context.order.number),
        paragraphs: [sent.opening(kinds[request.kind], carriage.carrier)],
        ...parcelDetails(context, carriage, { heading, rows: lineRows(context, request.lines) }),
      }
    },
  }
}

function requestMail(notification: RequestNotification, request: AfterSales): OrderMail {
  return { kind: `orders.${notification}`, content: (context) => requestContent(notification, request, context) }
}

function requestContent(
  notification: RequestNotification,
  request: AfterSales,
  context: MailContext,
): OrderMailContent {
  const texts = afterSalesMailTexts[context.language]
  const { title, opening } = texts[notification]
  return {
    title: title(context.order.number),
    paragraphs: [opening(texts.kinds[request.kind]), ...detailsOf(notification, request, context)],
    lists: [{ heading: texts.heading, rows: lineRows(context, request.lines) }],
  }
}

function detailsOf(notification: RequestNotification, request: AfterSales, context: MailContext): readonly string[] {
  const { requested, approved } = afterSalesMailTexts[context.language]
  if (notification === 'requested') return [requested.decideBy(formatMailDate(context, request.decideBy))]
  if (notification === 'declined') return request.declineReason === null ? [] : [request.declineReason]
  const { instructions = null, returnBy = null } = request.approval ?? {}
  return [
    ...(instructions === null ? [] : [instructions]),
    ...(returnBy === null ? [] : [approved.returnBy(formatMailDate(context, returnBy))]),
  ]
}
