import type { Dashboard } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
import { BarChart, type Point } from '../../ui/chart.tsx'
import { locale } from '../../ui/format/locale.ts'
import { humanize } from '../../ui/format/text.ts'
import { Count, DateTime, formatAmount, formatNumber } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { EnvironmentFilter, useEnvironment } from '../../ui/list/environment-filter.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'

const DAY_MS = 86_400_000
const REFRESH_MS = 15_000
/** Operations shown before "Show all". */
const REQUESTS_SHOWN = 6
const dayOf = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** Sales, pending work and errors of the marketplace. */
export function DashboardPage() {
  const environment = useEnvironment()
  const { data, error, reload } = useCall(environment, () => call('getDashboard', { query: { environment } }))
  useEffect(() => {
    const timer = setInterval(reload, REFRESH_MS)
    return () => clearInterval(timer)
  }, [environment])
  return (
    <Page title="Dashboard" lead="Last 14 days (UTC). Updates every 15 seconds." actions={<EnvironmentFilter />}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && <Metrics dashboard={data} />}
    </Page>
  )
}

function Metrics({ dashboard }: { readonly dashboard: Dashboard }) {
  const { checkouts, queues, deliveries } = dashboard
  const orders = dashboard.days.reduce((sum, day) => sum + day.orders, 0)
  const currencies = [...new Set(dashboard.days.map(({ currency }) => currency))]
  const conversion = checkouts.begun === 0 ? null : Math.round((100 * checkouts.completed) / checkouts.begun)
  return (
    <>
      {checkouts.unknown > 0 && (
        <Notice kind="bad">
          <p>
            Unresolved payments: <Count value={checkouts.unknown} />. Each is being checked with its payment provider.
          </p>
        </Notice>
      )}
      <div class="cards">
        <Metric title="Orders" value={formatNumber(orders)} />
        {currencies.map((currency) => (
          <Metric key={currency} title={`Charged (${currency})`} value={totalText(dashboard, currency)} />
        ))}
        <Metric title="Checkout conversion" value={conversion === null ? '–' : `${conversion}%`} />
        <Metric title="Failed webhook deliveries" value={formatNumber(deliveries.dead ?? 0)} />
        <Metric title="Pending jobs" value={formatNumber(queues.jobsDue)} />
      </div>
      {orders === 0 ? (
        <Empty title="No orders in the last 14 days" hint="Orders appear here once a shopper pays.">
          <Link to="/installations" class="button">
            View installations
          </Link>
        </Empty>
      ) : (
        <Section title="By day">
          <BarChart title="Orders" points={pointsOf(dashboard, (day) => day.orders)} text={String} />
          {currencies.map((currency) => (
            <BarChart
              key={currency}
              title={`Charged (${currency})`}
              points={pointsOf(dashboard, (day) => (day.currency === currency ? day.charged.amount : 0))}
              text={(amount) => formatAmount({ amount, currency })}
            />
          ))}
        </Section>
      )}
      <NeedsAttention dashboard={dashboard} />
      <Requests dashboard={dashboard} />
    </>
  )
}

function Metric({ title, value }: { readonly title: string; readonly value: string }) {
  return (
    <div class="card metric">
      <p class="small">{title}</p>
      <strong>{value}</strong>
    </div>
  )
}

function totalText({ days }: Dashboard, currency: string): string {
  const amount = days.filter((day) => day.currency === currency).reduce((sum, { charged }) => sum + charged.amount, 0)
  return formatAmount({ amount, currency })
}

/** One point for every day, including days without orders. */
function pointsOf({ since, now, days }: Dashboard, metricOf: (day: Dashboard['days'][number]) => number): Point[] {
  const points: Point[] = []
  for (let at = Date.parse(since); at <= Date.parse(now); at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10)
    const value = days.filter(({ day }) => day === date).reduce((sum, day) => sum + metricOf(day), 0)
    points.push({ label: dayOf.format(at), value })
  }
  return points
}

const requestColumns: readonly Column<Dashboard['requests'][number]>[] = [
  { title: 'Operation', wide: true, show: ({ operation }) => <code>{operation}</code> },
  { title: 'Responses', numeric: true, show: ({ answers }) => <Count value={answers} /> },
  { title: 'Average', numeric: true, show: ({ meanMs }) => `${meanMs.toFixed(1)} ms` },
  { title: 'Over 100 ms', numeric: true, show: ({ slowShare }) => `${(100 * slowShare).toFixed(1)}%` },
  { title: 'Errors', numeric: true, show: ({ errors }) => <Count value={errors} /> },
]

type ErrorCount = readonly [code: string, count: number]
const errorColumns: readonly Column<ErrorCount>[] = [
  { title: 'Error code', wide: true, show: ([code]) => <code>{code}</code> },
  { title: 'Count', numeric: true, show: ([, count]) => <Count value={count} /> },
]

function Requests({ dashboard: { requests, errors } }: { readonly dashboard: Dashboard }) {
  const [showsAll, setShowsAll] = useState(false)
  if (requests.length === 0) return null
  const shown = showsAll ? requests : requests.slice(0, REQUESTS_SHOWN)
  const codes = Object.entries(errors).toSorted(([, one], [, other]) => other - one)
  return (
    <Section title="API requests since the server started">
      <Table caption="Operations" items={shown} columns={requestColumns} keyOf={({ operation }) => operation} />
      {requests.length > REQUESTS_SHOWN && (
        <div class="actions">
          <button type="button" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : `Show all ${requests.length}`}
          </button>
        </div>
      )}
      <Table caption="Errors by code" items={codes} columns={errorColumns} keyOf={([code]) => code} />
    </Section>
  )
}

function NeedsAttention({ dashboard: { queues, deliveries, openOrders } }: { readonly dashboard: Dashboard }) {
  const states = [
    ...Object.entries(openOrders).map(([state, count]) => [`Orders: ${humanize(state)}`, count] as const),
    ...Object.entries(deliveries).map(([state, count]) => [`Webhook deliveries: ${humanize(state)}`, count] as const),
    ['Failed jobs', queues.jobsDead] as const,
  ]
  return (
    <Section title="Needs attention">
      <dl class="description-list">
        {states.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Count value={count} />
            </dd>
          </div>
        ))}
        {queues.oldestDeliveryDueAt && (
          <div>
            <dt>Oldest pending delivery</dt>
            <dd>
              <DateTime at={queues.oldestDeliveryDueAt} />
            </dd>
          </div>
        )}
      </dl>
    </Section>
  )
}
