import type { OperatorAfterSales } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironmentOf } from '../../environment.ts'
import { translate, translateElements } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { Empty } from '../../ui/notice.tsx'
import { OrderLink } from '../../ui/order-link.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { TextLines } from '../orders/order-customer.tsx'
import { ACTORS } from '../orders/order-history.tsx'
import { detailsOf } from '../orders/order-items.tsx'
import { Thumbnail } from '../products/picture.tsx'
import { RequestActions } from './request-actions.tsx'
import '../orders/orders.css'

const back = { to: '/returns', title: translate('Returns') }

/** One return request: status, items and actions. */
export function RequestPage({ params }: PageProps) {
  const afterSalesId = params.afterSalesId ?? ''
  const { data, error, reload } = useCall(afterSalesId, () => call('getAfterSales', { params: { afterSalesId } }))
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { request, orderNumber } = data
  return (
    <Page
      title={translate('{kind} for {orderNumber}', { kind: sentenceCase(request.kind), orderNumber })}
      back={back}
      actions={<RequestActions afterSales={data} onDone={reload} />}
    >
      <Section title={translate('Overview')} actions={<AuditLink subject={request.id} />}>
        <DescriptionList items={factsOf(data)} />
      </Section>
      <Section title={translate('Items')}>
        {request.description && <p>“{request.description}”</p>}
        <Items afterSales={data} />
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
      <Section title={translate('Timeline')}>
        <Timeline entries={request.timeline.map((entry) => ({ ...entry, actor: ACTORS[entry.actor] }))} />
      </Section>
    </Page>
  )
}

function factsOf({ request, orderNumber, inspection, refunded, declineReason }: OperatorAfterSales) {
  const { deadlines } = request
  return [
    [translate('Status'), <Status key="s" value={request.status} />],
    [translate('Order'), <OrderLink order={{ id: request.orderId, number: orderNumber }} />],
    [translate('Reason'), sentenceCase(request.reasonCode)],
    [translate('Requested'), <DateTime key="a" at={request.createdAt} />],
    ...(deadlines.decideBy ? [[translate('Decide by'), <DateTime key="d" at={deadlines.decideBy} />] as const] : []),
    ...(deadlines.returnBy ? [[translate('Return by'), <DateTime key="r" at={deadlines.returnBy} />] as const] : []),
    [
      refunded ? translate('Refunded') : translate('Estimated refund'),
      <Amount key="m" {...(refunded ?? request.refundEstimate)} />,
    ],
    ...(inspection
      ? [
          [
            translate('Inspection'),
            inspection.accepted ? acceptedText(inspection.restocks) : translate('Rejected'),
          ] as const,
        ]
      : []),
    ...(request.instructions ? [[translate('Instructions to customer'), request.instructions] as const] : []),
    ...(request.returnAddress
      ? [[translate('Return address'), <TextLines key="t" lines={request.returnAddress.split('\n')} />] as const]
      : []),
    ...(declineReason ? [[translate('Decline reason'), declineReason] as const] : []),
  ] as const
}

const acceptedText = (restocks: boolean) =>
  restocks ? translate('Accepted, restocked') : translate('Accepted, not restocked')

/** The items, by their names in the order, and what replaces them. */
function Items({ afterSales: { request, replacements = [] } }: { readonly afterSales: OperatorAfterSales }) {
  const { orderId } = request
  const { data } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  useEnvironmentOf(data?.environment)
  if (request.lines.length === 0)
    return <Empty title={translate('No items')} hint={translate('This request lists no items.')} />
  const bought = new Map(data?.order.lines.map((line) => [line.id, line]))
  const replacementOf = new Map(replacements.map((each) => [each.lineId, each]))
  return (
    <ul class="order-items">
      {request.lines.flatMap(({ lineId, quantity, condition }) => {
        const line = bought.get(lineId)
        const replacement = replacementOf.get(lineId)
        return [
          <li key={lineId}>
            <Thumbnail url={line?.image?.url} />
            <div>
              <span>
                {quantity} × {line?.name ?? lineId}
                {condition && `, ${sentenceCase(condition)}`}
              </span>
              {line && <span class="small">{detailsOf(line)}</span>}
            </div>
          </li>,
          ...(replacement
            ? [<ReplacementItem key={`${lineId} replacement`} quantity={quantity} replacement={replacement} />]
            : []),
        ]
      })}
    </ul>
  )
}

type Replacement = NonNullable<OperatorAfterSales['replacements']>[number]

/** What the customer gets instead, with both prices: an exchange moves no money. */
function ReplacementItem({ quantity, replacement }: { readonly quantity: number; readonly replacement: Replacement }) {
  const { productId, name, image, price, paid } = replacement
  return (
    <li>
      <Thumbnail url={image?.url} />
      <div>
        <span>
          {translateElements('In exchange for {quantity} × {item}', {
            quantity,
            item: <Link to={`/products/${productId}`}>{name}</Link>,
          })}
        </span>
        <span class="small">{detailsOf(replacement)}</span>
        {price && price.amount !== paid.amount && (
          <span class="small">
            {translateElements('Costs {price} now, {paid} was paid. The exchange charges and refunds nothing.', {
              price: <Amount {...price} />,
              paid: <Amount {...paid} />,
            })}
          </span>
        )}
      </div>
    </li>
  )
}
