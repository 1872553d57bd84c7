import type { OperatorSystem } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { locale, translate } from '../../language.ts'
import { Link } from '../../router.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, formatNumber } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

const REFRESH_MS = 15_000
/** Operations shown before "Show all". */
const REQUESTS_SHOWN = 6

/** The state of the server: webhook deliveries, jobs, response times and errors. */
export function SystemPage() {
  const environment = useEnvironment()
  const { data, error, reload } = useCall(environment, () => call('getSystem', { query: { environment } }))
  useEffect(() => {
    const timer = setInterval(reload, REFRESH_MS)
    return () => clearInterval(timer)
  }, [environment])
  return (
    <Page
      title={translate('System')}
      lead={translate(
        'The state of the server. Webhook deliveries cover the last 14 days (UTC). Updates every 15 seconds.',
      )}
      actions={<Link to="/design">{translate('Design of the console')}</Link>}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && <Queues system={data} />}
      {data && <Proxies system={data} />}
      {data && <Requests system={data} />}
    </Page>
  )
}

function Queues({ system: { queues, deliveries } }: { readonly system: OperatorSystem }) {
  return (
    <>
      <Section title={translate('Background work')}>
        <DescriptionList
          items={[
            [translate('Jobs due'), <Count key="d" value={queues.jobsDue} />],
            [translate('Failed jobs'), <Count key="f" value={queues.jobsDead} />],
            [
              translate('Oldest due job'),
              queues.oldestJobDueAt ? <DateTime key="o" at={queues.oldestJobDueAt} /> : translate('None'),
            ],
          ]}
        />
      </Section>
      <Section title={translate('Webhook deliveries')} actions={<Link to="/webhooks">{translate('Endpoints')}</Link>}>
        <DescriptionList
          items={[
            ...Object.entries(deliveries).map(([status, count]) => {
              return [sentenceCase(status), formatNumber(count)] as const
            }),
            [
              translate('Oldest pending delivery'),
              queues.oldestDeliveryDueAt ? <DateTime key="w" at={queues.oldestDeliveryDueAt} /> : translate('None'),
            ],
          ]}
        />
      </Section>
    </>
  )
}

function Proxies({ system: { proxies } }: { readonly system: OperatorSystem }) {
  const advice = adviceOn(proxies)
  const unknown = proxies.unknownOperators
  return (
    <Section title={translate('Proxies since the server started')}>
      {advice && <Notice kind="bad">{advice}</Notice>}
      {unknown > 0 && (
        <Notice kind="bad">
          {translate(
            'Operators reach the console through a proxy that is not in OPERATOR_PROXIES or does not send X-Forwarded-For: they share its address.',
          )}
        </Notice>
      )}
      <DescriptionList
        items={[
          [translate('Trusted proxies'), <Count key="t" value={proxies.trusted} />],
          [translate('Requests as configured'), <Count key="a" value={proxies.asConfigured} />],
          [translate('Requests through fewer proxies'), <Count key="f" value={proxies.tooFew} />],
          [translate('Requests that name more proxies'), <Count key="m" value={proxies.tooMany} />],
          [translate('Operators with an unknown address'), <Count key="u" value={unknown} />],
        ]}
      />
    </Section>
  )
}

/** There is no advice for a minority of requests: clients may forge the header, and probes come without a proxy. */
function adviceOn({ asConfigured, tooFew, tooMany }: OperatorSystem['proxies']): string | null {
  const all = asConfigured + tooFew + tooMany
  if (tooFew * 2 > all)
    return translate(
      'Most requests came through fewer proxies than TRUSTED_PROXIES. Lower it: clients can choose their address.',
    )
  if (tooMany * 2 > all)
    return translate(
      'Most requests name more proxies than TRUSTED_PROXIES. Raise it: clients share the address of a proxy.',
    )
  return null
}

const requestColumns: readonly Column<OperatorSystem['requests'][number]>[] = [
  { title: translate('Operation'), wide: true, show: ({ operation }) => <code>{operation}</code> },
  { title: translate('Responses'), numeric: true, show: ({ answers }) => <Count value={answers} /> },
  {
    title: translate('Average'),
    numeric: true,
    show: ({ meanMs }) => translate('{time} ms', { time: formatNumber(Math.round(meanMs * 10) / 10) }),
  },
  { title: translate('Over 100 ms'), numeric: true, show: ({ slowShare }) => percent.format(slowShare) },
  { title: translate('Errors'), numeric: true, show: ({ errors }) => <Count value={errors} /> },
]

type ErrorCount = readonly [code: string, count: number]
const errorColumns: readonly Column<ErrorCount>[] = [
  { title: translate('Error code'), wide: true, show: ([code]) => <code>{code}</code> },
  { title: translate('Count'), numeric: true, show: ([, count]) => <Count value={count} /> },
]

function Requests({ system: { requests, errors } }: { readonly system: OperatorSystem }) {
  const [showsAll, setShowsAll] = useState(false)
  if (requests.length === 0) return null
  const shown = showsAll ? requests : requests.slice(0, REQUESTS_SHOWN)
  const codes = Object.entries(errors).toSorted(([, one], [, other]) => other - one)
  return (
    <Section title={translate('API requests since the server started')}>
      <Table
        caption={translate('Operations')}
        items={shown}
        columns={requestColumns}
        keyOf={({ operation }) => operation}
      />
      {requests.length > REQUESTS_SHOWN && (
        <div class="actions">
          <button type="button" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? translate('Show fewer') : translate('Show all {count}', { count: requests.length })}
          </button>
        </div>
      )}
      <Table caption={translate('Errors by code')} items={codes} columns={errorColumns} keyOf={([code]) => code} />
    </Section>
  )
}
