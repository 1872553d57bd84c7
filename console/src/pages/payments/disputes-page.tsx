import { DISPUTE_VIEWS, type OperatorListedDispute } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { OrderLink } from '../../ui/order-link.tsx'
import { reasonName } from './payment-names.ts'

type View = (typeof DISPUTE_VIEWS)[number]

const TITLES: Readonly<Record<View, string>> = {
  open: translate('To respond to'),
  under_review: translate('Under review'),
  decided: translate('Decided'),
}

const EMPTY: Readonly<Record<View, { readonly title: string; readonly hint: string }>> = {
  open: {
    title: translate('No disputes to respond to'),
    hint: translate('Payments that a buyer disputes with their bank appear here, with the deadline to respond.'),
  },
  under_review: {
    title: translate('No disputes under review'),
    hint: translate('Disputes that you have responded to appear here until the bank decides.'),
  },
  decided: { title: translate('No decided disputes'), hint: translate('Disputes that were won or lost appear here.') },
}

const columns: readonly Column<OperatorListedDispute>[] = [
  { title: translate('Reason'), show: ({ dispute }) => reasonName(dispute.reason) },
  { title: translate('Order'), show: OrderLink },
  { title: translate('Status'), show: ({ dispute }) => <Status value={dispute.status} /> },
  {
    title: translate('Respond by'),
    show: ({ dispute }) => (dispute.respondBy ? <DateTime at={dispute.respondBy} /> : '–'),
  },
  { title: translate('Opened'), show: ({ dispute }) => <DateTime at={dispute.openedAt} /> },
  { title: translate('Amount'), numeric: true, show: ({ dispute }) => <Amount {...dispute.amount} /> },
]

/** Disputed payments, the nearest deadline first. */
export function DisputesPage() {
  const [selected, setView] = useQueryParameter('view')
  const environment = useEnvironment()
  const view = DISPUTE_VIEWS.find((each) => each === selected) ?? 'open'
  return (
    <ListPage
      title={translate('Disputes')}
      lead={translate('Payments that buyers dispute with their bank. Open one to see where to respond.')}
      searchable={false}
      filters={
        <Select
          name="view"
          label={translate('Status')}
          value={view}
          onChange={(value) => setView(value === 'open' ? '' : value)}
          options={DISPUTE_VIEWS.map((each) => [each, TITLES[each]])}
        />
      }
      load={({ cursor }) => call('listDisputes', { query: { cursor, view, environment } })}
      columns={columns}
      keyOf={({ dispute }) => dispute.reference}
      to={({ paymentId }) => `/payments/${paymentId}`}
      empty={EMPTY[view]}
    />
  )
}
