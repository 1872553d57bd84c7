import { CANCELLATION_STATUSES } from '@vitrine/contract'
import type { OperatorCancellation } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate, translateElements } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Form, Select, TextField } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { OrderLink } from '../../ui/order-link.tsx'
import { unitNames } from '../orders/order-items.tsx'

/** Cancellation requests that an operator must decide. */
export function CancellationsPage() {
  const environment = useEnvironment()
  const [status, setStatus] = useQueryParameter('status')
  const [deciding, setDeciding] = useState<OperatorCancellation | null>(null)
  const [round, setRound] = useState(0)
  // Also after Cancel: an attempt whose answer was lost may have decided it.
  const close = () => {
    setDeciding(null)
    setRound(round + 1)
  }
  return (
    <>
      <ListPage
        key={round}
        title={translate('Cancellations')}
        lead={translate(
          'Cancellation requests that need a decision: orders that are already being prepared, and stores that approve manually.',
        )}
        searchable={false}
        filters={
          <Select
            name="status"
            label={translate('Status')}
            value={status || 'requested'}
            onChange={(value) => setStatus(value === 'requested' ? '' : value)}
            options={CANCELLATION_STATUSES.map((each) => [
              each,
              each === 'requested' ? translate('Needs decision') : sentenceCase(each),
            ])}
          />
        }
        load={({ cursor }) => {
          const selected = CANCELLATION_STATUSES.find((each) => each === status)
          return call('listCancellations', { query: { cursor, status: selected, environment } })
        }}
        columns={columnsFor(setDeciding)}
        keyOf={({ cancellation }) => cancellation.id}
        empty={{
          title: translate('No cancellations to review'),
          hint: translate('Cancellations that meet the policy are approved automatically.'),
        }}
      />
      {deciding && <Decide requested={deciding} onClose={close} onDone={close} />}
    </>
  )
}

function columnsFor(decide: (requested: OperatorCancellation) => void): readonly Column<OperatorCancellation>[] {
  return [
    {
      title: translate('Order'),
      show: ({ orderNumber, cancellation }) => <OrderLink order={{ id: cancellation.orderId, number: orderNumber }} />,
    },
    { title: translate('Status'), show: ({ cancellation }) => <Status value={cancellation.status} /> },
    { title: translate('Requested'), show: ({ cancellation }) => <DateTime at={cancellation.createdAt} /> },
    {
      title: translate('Scope'),
      show: ({ cancellation }) => (cancellation.scope === 'partial' ? translate('Partial') : translate('Full')),
    },
    { title: translate('Reason'), show: ({ cancellation }) => sentenceCase(cancellation.reason) },
    {
      title: translate('Note'),
      wide: true,
      show: ({ note, cancellation }) => note ?? cancellation.declineReason ?? '',
    },
    {
      title: translate('Refund'),
      numeric: true,
      show: ({ cancellation }) => <Amount {...cancellation.refund.amount} />,
    },
    {
      title: translate('Actions'),
      buttons: true,
      show: (requested) =>
        requested.cancellation.status === 'requested' && (
          <Allowed by="approveCancellation">
            <button type="button" onClick={() => decide(requested)}>
              {translate('Review')}
            </button>
          </Allowed>
        ),
    },
  ]
}

interface DecideProps {
  readonly requested: OperatorCancellation
  readonly onDone: () => void
  readonly onClose: () => void
}

function Decide({ requested: { cancellation, orderNumber }, onDone, onClose }: DecideProps) {
  const [decision, setDecision] = useState('approve')
  const params = { cancellationId: cancellation.id }
  const { orderId, lines } = cancellation
  const { data, error, reload } = useCall(orderId, () => call('getOrder', { params: { orderId } }))
  return (
    <Dialog title={translate('Cancellation for {orderNumber}', { orderNumber })} onClose={onClose}>
      <Form
        submit={decision === 'approve' ? translate('Approve') : translate('Decline')}
        danger={decision === 'approve'}
        cancel={onClose}
        onSubmit={async (fields) => {
          const declineReason = String(fields.get('declineReason') ?? '')
          if (decision === 'approve') await call('approveCancellation', { params, body: {} })
          else await call('declineCancellation', { params, body: { declineReason } })
          onDone()
        }}
      >
        {error ? (
          <ErrorNotice error={error} retry={reload} />
        ) : (
          <p aria-busy={!data}>{data && unitNames(data.order, lines)}</p>
        )}
        <Select
          name="decision"
          label={translate('Decision')}
          value={decision}
          onChange={setDecision}
          options={[
            ['approve', translate('Approve and cancel now')],
            ['decline', translate('Decline')],
          ]}
        />
        {decision === 'approve' && (
          <p>
            {translateElements(
              'Refunds {amount} to the payment the customer used. The items are not shipped; the policy of the store decides whether they go back to stock.',
              { amount: <Amount {...cancellation.refund.amount} /> },
            )}
          </p>
        )}
        {decision === 'decline' && (
          <TextField
            name="declineReason"
            label={translate('Reason')}
            hint={translate('Shown to the customer.')}
            rows={3}
            required
          />
        )}
      </Form>
    </Dialog>
  )
}
