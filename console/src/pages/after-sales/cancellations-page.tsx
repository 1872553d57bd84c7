import { CANCELLATION_STATUSES } from '@vitrine/contract'
import type { OperatorCancellation } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link, useParameter } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Select, TextField } from '../../ui/form/form.tsx'
import { inWords } from '../../ui/format/text.ts'
import { Amount, Status, When } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'

/** What shoppers want to cancel that only a person can decide. */
export function CancellationsPage() {
  const [status, setStatus] = useParameter('status')
  const [deciding, setDeciding] = useState<OperatorCancellation | null>(null)
  const [round, setRound] = useState(0)
  return (
    <>
      <ListPage
        key={round}
        title="Cancellations"
        lead="What shoppers want to cancel and only a person can decide: goods that are being prepared, and what stores decide by hand."
        searchable={false}
        filters={
          <Select
            name="status"
            label="State"
            value={status || 'requested'}
            onChange={(value) => setStatus(value === 'requested' ? '' : value)}
            options={CANCELLATION_STATUSES.map((each) => [each, each === 'requested' ? 'to decide' : each])}
          />
        }
        load={({ cursor }) => {
          const known = CANCELLATION_STATUSES.find((each) => each === status)
          return call('listCancellations', { query: { cursor, status: known } })
        }}
        columns={columnsFor(setDeciding)}
        keyOf={({ cancellation }) => cancellation.id}
        empty={{ title: 'Nothing is to be decided', hint: 'What can be canceled by the rules is canceled by itself.' }}
      />
      {deciding && (
        <Decide
          asked={deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            setDeciding(null)
            setRound(round + 1)
          }}
        />
      )}
    </>
  )
}

function columnsFor(decide: (asked: OperatorCancellation) => void): readonly Column<OperatorCancellation>[] {
  return [
    {
      title: 'Order',
      show: ({ orderNumber, cancellation }) => <Link to={`/orders/${cancellation.orderId}`}>{orderNumber}</Link>,
    },
    { title: 'State', show: ({ cancellation }) => <Status value={cancellation.status} /> },
    { title: 'Asked', show: ({ cancellation }) => <When at={cancellation.createdAt} /> },
    { title: 'What', show: ({ cancellation }) => (cancellation.scope === 'partial' ? 'part' : 'all') },
    { title: 'Why', show: ({ cancellation }) => inWords(cancellation.reason) },
    { title: 'Said', wide: true, show: ({ note, cancellation }) => note ?? cancellation.declineReason ?? '' },
    { title: 'Money', figure: true, show: ({ cancellation }) => <Amount {...cancellation.refund.amount} /> },
    {
      title: 'Do',
      acts: true,
      show: (asked) =>
        asked.cancellation.status === 'requested' && (
          <button type="button" onClick={() => decide(asked)}>
            Decide
          </button>
        ),
    },
  ]
}

interface DecideProps {
  readonly asked: OperatorCancellation
  readonly onDone: () => void
  readonly onClose: () => void
}

function Decide({ asked: { cancellation, orderNumber }, onDone, onClose }: DecideProps) {
  const [verdict, setVerdict] = useState('approve')
  const params = { cancellationId: cancellation.id }
  return (
    <Dialog title={`Cancellation of ${orderNumber}`} onClose={onClose}>
      <Form
        submit={verdict === 'approve' ? 'Approve' : 'Decline'}
        danger={verdict === 'approve'}
        cancel={onClose}
        onSubmit={async (fields) => {
          const declineReason = String(fields.get('declineReason') ?? '')
          if (verdict === 'approve') await call('approveCancellation', { params, body: {} })
          else await call('declineCancellation', { params, body: { declineReason } })
          onDone()
        }}
      >
        <Select
          name="verdict"
          label="Decision"
          value={verdict}
          onChange={setVerdict}
          options={[
            ['approve', 'Approve: it is done at once'],
            ['decline', 'Decline'],
          ]}
        />
        {verdict === 'decline' && (
          <TextField name="declineReason" label="Why not" hint="The shopper is shown this." rows={3} required />
        )}
      </Form>
    </Dialog>
  )
}
