import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { Steps } from './request-actions.tsx'

const back = { to: '/returns', title: 'Returns' }

/** One return request: status, items and actions. */
export function RequestPage({ params }: PageProps) {
  const afterSalesId = params.afterSalesId ?? ''
  const { answer, error, reload } = useCall(afterSalesId, () => call('getAfterSales', { params: { afterSalesId } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { request, orderNumber } = answer
  return (
    <Page
      title={`${asSentence(request.kind)} for ${orderNumber}`}
      back={back}
      actions={<Steps asked={answer} onDone={reload} />}
    >
      <Section title="Overview" actions={<Link to={`/audit-log?subject=${request.id}`}>Audit log</Link>}>
        <Facts facts={factsOf(answer)} />
      </Section>
      <Section title="Items">
        {request.description && <p>“{request.description}”</p>}
        <Items asked={answer} />
        {request.evidence.length > 0 && (
          <ul>
            {request.evidence.map(({ url, mediaType }) => (
              <li key={url}>
                <a href={url} rel="noreferrer noopener" target="_blank">
                  {mediaType}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Timeline">
        <Timeline entries={request.timeline} />
      </Section>
    </Page>
  )
}

function factsOf({ request, orderNumber, inspection, refunded, declineReason }: OperatorAfterSales) {
  const { deadlines } = request
  return [
    ['Status', <Status key="s" value={request.status} />],
    ['Order', <Link to={`/orders/${request.orderId}`}>{orderNumber}</Link>],
    ['Reason', asSentence(request.reasonCode)],
    ['Requested', <When key="a" at={request.createdAt} />],
    ...(deadlines.decideBy ? [['Decide by', <When key="d" at={deadlines.decideBy} />] as const] : []),
    ...(deadlines.returnBy ? [['Return by', <When key="r" at={deadlines.returnBy} />] as const] : []),
    [refunded ? 'Refunded' : 'Estimated refund', <Amount key="m" {...(refunded ?? request.refundEstimate)} />],
    ...(inspection
      ? [['Inspection', inspection.accepted ? acceptedText(inspection.restocks) : 'Rejected'] as const]
      : []),
    ...(request.instructions ? [['Instructions to customer', request.instructions] as const] : []),
    ...(declineReason ? [['Decline reason', declineReason] as const] : []),
  ] as const
}

const acceptedText = (restocks: boolean) => (restocks ? 'Accepted, restocked' : 'Accepted, not restocked')

/** The items, by their names in the order. */
function Items({ asked: { request } }: { readonly asked: OperatorAfterSales }) {
  const { orderId } = request
  const { answer } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  if (request.lines.length === 0) return <Empty title="No items" hint="This request lists no items." />
  const nameOf = new Map(answer?.order.lines.map(({ id, name }) => [id, name]))
  return (
    <ul>
      {request.lines.map(({ lineId, quantity, condition, exchangeSkuId }) => (
        <li key={lineId}>
          {quantity} × {nameOf.get(lineId) ?? lineId}
          {condition && `, ${condition}`}
          {exchangeSkuId && (
            <>
              , exchange for <code>{exchangeSkuId}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
