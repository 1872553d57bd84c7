import { type OperatorTransfer, TRANSFER_VIEWS } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Select } from '../../ui/form/form.tsx'
import { Amount, DateTime, formatAmount, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { askThen } from '../../ui/question.tsx'

type View = (typeof TRANSFER_VIEWS)[number]

const TITLES: Readonly<Record<View, string>> = {
  waiting: translate('Waiting for money'),
  underpaid: translate('Received in part'),
  to_return: translate('To be paid back'),
}

const EMPTY: Readonly<Record<View, { readonly title: string; readonly hint: string }>> = {
  waiting: {
    title: translate('No expected transfers'),
    hint: translate('Checkouts to be paid by bank transfer appear here.'),
  },
  underpaid: {
    title: translate('No partial payments'),
    hint: translate('Transfers that were received only in part appear here.'),
  },
  to_return: {
    title: translate('Nothing to pay back'),
    hint: translate('Late, duplicate and excess payments appear here.'),
  },
}

const columns: readonly Column<OperatorTransfer>[] = [
  { title: translate('Reference'), show: ({ reference }) => <code>{reference}</code> },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Started'), show: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: translate('Amount'), numeric: true, show: ({ amount }) => <Amount {...amount} /> },
  { title: translate('Received'), numeric: true, show: ({ received }) => <Amount {...received} /> },
]
const deadline: Column<OperatorTransfer> = {
  title: translate('Reserved until'),
  show: ({ until }) => (until ? <DateTime at={until} /> : ''),
}

/** Payments by bank transfer: awaited, received in part, or to be paid back. */
export function TransfersPage() {
  const [selected, setView] = useQueryParameter('view')
  const [round, setRound] = useState(0)
  const environment = useEnvironment()
  const view = TRANSFER_VIEWS.find((each) => each === selected) ?? 'waiting'
  const surplus: readonly Column<OperatorTransfer>[] = [
    { title: translate('To be paid back'), numeric: true, show: (item) => <Amount {...item.surplus} /> },
    {
      title: translate('Actions'),
      buttons: true,
      show: (item) => <ReturnButton item={item} onDone={() => setRound((before) => before + 1)} />,
    },
  ]
  return (
    <ListPage
      key={round}
      title={translate('Bank transfers')}
      lead={translate(
        'Shoppers enter the reference in their transfer. Upload a bank statement to confirm incoming payments.',
      )}
      searchable={false}
      actions={
        <Allowed by="bookBankStatement">
          <Link class="button primary" to={`/transfers/statement?environment=${environment}`}>
            {translate('Upload bank statement')}
          </Link>
        </Allowed>
      }
      filters={
        <Select
          name="view"
          label={translate('Status')}
          value={view}
          onChange={(value) => setView(value === 'waiting' ? '' : value)}
          options={TRANSFER_VIEWS.map((each) => [each, TITLES[each]])}
        />
      }
      load={({ cursor }) => call('listTransfers', { query: { cursor, view, environment } })}
      columns={[...columns, ...(view === 'to_return' ? surplus : [deadline])]}
      keyOf={({ paymentId }) => paymentId}
      to={({ paymentId }) => `/payments/${paymentId}`}
      empty={EMPTY[view]}
    />
  )
}

function ReturnButton({ item, onDone }: { readonly item: OperatorTransfer; readonly onDone: () => void }) {
  const { actionError, busy, run } = useAction(onDone)
  const { paymentId, surplus } = item
  const question = translate('Confirm that {surplus} was paid back to the payer?', { surplus: formatAmount(surplus) })
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <Allowed by="returnTransfer">
        <button
          type="button"
          disabled={busy}
          onClick={() =>
            askThen(
              {
                title: question,
                consequences: translate('It is removed from the list of money to be paid back.'),
                action: translate('Confirm'),
              },
              () => run(() => call('returnTransfer', { params: { paymentId }, body: { amount: surplus.amount } })),
            )
          }
        >
          {translate('Mark as paid back')}
        </button>
      </Allowed>
    </>
  )
}
