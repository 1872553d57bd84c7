import type { OperatorDispute } from '@vitrine/contract/operator'
import { translate, translateElements } from '../../language.ts'
import { Amount, DateTime, Status } from '../../ui/format/values.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { reasonName } from './payment-names.ts'

/** The disputes of a payment, each open one with the deadline and the link to respond. */
export function Disputes({ disputes }: { readonly disputes: readonly OperatorDispute[] }) {
  if (disputes.length === 0) return null
  const open = disputes.filter(({ status }) => status === 'open')
  return (
    <Section title={translate('Disputes')}>
      {open.map(({ reference, respondBy, url }) => (
        <Notice key={reference}>
          <p>
            {translate('The buyer has disputed this payment with their bank.')}{' '}
            {respondBy
              ? translateElements('Respond at the payment provider by {time}; without a response the money is lost.', {
                  time: <DateTime at={respondBy} />,
                })
              : translate('Respond at the payment provider; without a response the money is lost.')}{' '}
            {url && <a href={url}>{translate('Respond to the dispute')}</a>}
          </p>
        </Notice>
      ))}
      <Table caption={translate('Disputes')} items={disputes} columns={columns} keyOf={({ reference }) => reference} />
    </Section>
  )
}

const columns: readonly Column<OperatorDispute>[] = [
  { title: translate('Reason'), show: ({ reason }) => reasonName(reason) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Opened'), show: ({ openedAt }) => <DateTime at={openedAt} /> },
  {
    title: translate('Provider reference'),
    wide: true,
    show: ({ reference, url }) => (url ? <a href={url}>{reference}</a> : <code>{reference}</code>),
  },
  { title: translate('Amount'), numeric: true, show: ({ amount }) => <Amount {...amount} /> },
]
