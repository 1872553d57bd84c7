import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { inWords } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { Steps } from './request-actions.tsx'

const back = { to: '/after-sales', title: 'After the sale' }

/** One request: what is asked for, where it stands, and the next steps. */
export function RequestPage({ params }: PageProps) {
  const afterSalesId = params.afterSalesId ?? ''
  const { answer, error, reload } = useCall(afterSalesId, () => call('getAfterSales', { params: { afterSalesId } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const { request, orderNumber } = answer
  return (
    <Page
      title={`${sentenceOf(request.kind)} of ${orderNumber}`}
      back={back}
      actions={<Steps asked={answer} onDone={reload} />}
    >
      <Section title="Standing" actions={<Link to={`/audit-log?subject=${request.id}`}>Who changed it</Link>}>
        <Facts facts={factsOf(answer)} />
      </Section>
      <Section title="What is asked for">
        {request.description && <p>“{request.description}”</p>}
        <Goods asked={answer} />
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
      <Section title="What happened">
        <Timeline entries={request.timeline} />
      </Section>
    </Page>
  )
}

function factsOf({ request, orderNumber, inspection, refunded, declineReason }: OperatorAfterSales) {
  const { deadlines } = request
  return [
    ['State', <Status key="s" value={request.status} />],
    ['Order', <Link to={`/orders/${request.orderId}`}>{orderNumber}</Link>],
    ['Because', inWords(request.reasonCode)],
    ['Asked', <When key="a" at={request.createdAt} />],
    ...(deadlines.decideBy ? [['Decide by', <When key="d" at={deadlines.decideBy} />] as const] : []),
    ...(deadlines.returnBy ? [['Return by', <When key="r" at={deadlines.returnBy} />] as const] : []),
    [refunded ? 'Given back' : 'Would give back', <Amount key="m" {...(refunded ?? request.refundEstimate)} />],
    ...(inspection ? [['Found', inspection.accepted ? kept(inspection.restocks) : 'not kept'] as const] : []),
    ...(request.instructions ? [['The buyer was told', request.instructions] as const] : []),
    ...(declineReason ? [['Declined, because', declineReason] as const] : []),
  ] as const
}

const kept = (restocks: boolean) => (restocks ? 'kept, back on the shelf' : 'kept, not to be sold again')

/** The goods, by the names that the order has for them. */
function Goods({ asked: { request } }: { readonly asked: OperatorAfterSales }) {
  const { orderId } = request
  const { answer } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  if (request.lines.length === 0) return <Empty title="Nothing" hint="No unit is named." />
  const nameOf = new Map(answer?.order.lines.map(({ id, name }) => [id, name]))
  return (
    <ul>
      {request.lines.map(({ lineId, quantity, condition, exchangeSkuId }) => (
        <li key={lineId}>
          {quantity} × {nameOf.get(lineId) ?? lineId}
          {condition && `, ${condition}`}
          {exchangeSkuId && (
            <>
              , for <code>{exchangeSkuId}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function sentenceOf(kind: string): string {
  const words = inWords(kind)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
