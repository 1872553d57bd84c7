import type { Dashboard } from '@vitrine/contract/operator'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
import { inWords } from '../../ui/format/text.ts'
import { amountText, Count, countText, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { EnvironmentFilter, useEnvironment } from '../../ui/list/environment-filter.tsx'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { BarChart, type Point } from './chart.tsx'

const DAY_MS = 86_400_000
const AGAIN_MS = 15_000
/** Operations shown before "Show all". */
const REQUESTS_SHOWN = 6
const dayOf = new Intl.DateTimeFormat(navigator.language, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** Sales, pending work and errors of the marketplace. */
export function DashboardPage() {
  const environment = useEnvironment()
  const { answer, error, reload } = useCall(environment, () => call('getDashboard', { query: { environment } }))
  useEffect(() => {
    const again = setInterval(reload, AGAIN_MS)
    return () => clearInterval(again)
  }, [environment])
  return (
    <Page title="Dashboard" lead="Last 14 days (UTC). Updates every 15 seconds." actions={<EnvironmentFilter />}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {answer && <Figures figures={answer} />}
    </Page>
  )
}

function Figures({ figures }: { readonly figures: Dashboard }) {
  const { checkouts, queues, deliveries } = figures
  const orders = figures.days.reduce((sum, day) => sum + day.orders, 0)
  const currencies = [...new Set(figures.days.map(({ currency }) => currency))]
  const share = checkouts.begun === 0 ? null : Math.round((100 * checkouts.completed) / checkouts.begun)
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
        <Figure title="Orders" value={countText(orders)} />
        {currencies.map((currency) => (
          <Figure key={currency} title={`Charged (${currency})`} value={totalText(figures, currency)} />
        ))}
        <Figure title="Checkout conversion" value={share === null ? '–' : `${share} %`} />
        <Figure title="Failed webhook deliveries" value={countText(deliveries.dead ?? 0)} />
        <Figure title="Pending jobs" value={countText(queues.jobsDue)} />
      </div>
      {orders === 0 ? (
        <Empty title="No orders in the last 14 days" hint="Orders appear here once a shopper pays.">
          <Link to="/installations" class="button">
            View installations
          </Link>
        </Empty>
      ) : (
        <Section title="By day">
          <BarChart title="Orders" points={pointsOf(figures, (day) => day.orders)} text={String} />
          {currencies.map((currency) => (
            <BarChart
              key={currency}
              title={`Charged (${currency})`}
              points={pointsOf(figures, (day) => (day.currency === currency ? day.charged.amount : 0))}
              text={(amount) => amountText({ amount, currency })}
            />
          ))}
        </Section>
      )}
      <Waiting figures={figures} />
      <Requests figures={figures} />
    </>
  )
}

function Figure({ title, value }: { readonly title: string; readonly value: string }) {
  return (
    <div class="card figure-card">
      <p class="small">{title}</p>
      <strong>{value}</strong>
    </div>
  )
}

function totalText({ days }: Dashboard, currency: string): string {
  const amount = days.filter((day) => day.currency === currency).reduce((sum, { charged }) => sum + charged.amount, 0)
  return amountText({ amount, currency })
}

/** One point for every day, including days without orders. */
function pointsOf({ since, now, days }: Dashboard, figureOf: (day: Dashboard['days'][number]) => number): Point[] {
  const points: Point[] = []
  for (let at = Date.parse(since); at <= Date.parse(now); at += DAY_MS) {
    const wanted = new Date(at).toISOString().slice(0, 10)
    const value = days.filter(({ day }) => day === wanted).reduce((sum, day) => sum + figureOf(day), 0)
    points.push({ label: dayOf.format(at), value })
  }
  return points
}

const requestColumns: readonly Column<Dashboard['requests'][number]>[] = [
  { title: 'Operation', wide: true, show: ({ operation }) => <code>{operation}</code> },
  { title: 'Responses', figure: true, show: ({ answers }) => <Count value={answers} /> },
  { title: 'Average', figure: true, show: ({ meanMs }) => `${meanMs.toFixed(1)} ms` },
  { title: 'Over 100 ms', figure: true, show: ({ slowShare }) => `${(100 * slowShare).toFixed(1)} %` },
  { title: 'Errors', figure: true, show: ({ errors }) => <Count value={errors} /> },
]

type ErrorCount = readonly [code: string, count: number]
const errorColumns: readonly Column<ErrorCount>[] = [
  { title: 'Error code', wide: true, show: ([code]) => <code>{code}</code> },
  { title: 'Count', figure: true, show: ([, count]) => <Count value={count} /> },
]

function Requests({ figures: { requests, errors } }: { readonly figures: Dashboard }) {
  const [isWhole, setIsWhole] = useState(false)
  if (requests.length === 0) return null
  const shown = isWhole ? requests : requests.slice(0, REQUESTS_SHOWN)
  const codes = Object.entries(errors).toSorted(([, one], [, other]) => other - one)
  return (
    <Section title="API requests since the server started">
      <Table caption="Operations" items={shown} columns={requestColumns} keyOf={({ operation }) => operation} />
      {requests.length > REQUESTS_SHOWN && (
        <div class="actions">
          <button type="button" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${requests.length}`}
          </button>
        </div>
      )}
      <Table caption="Errors by code" items={codes} columns={errorColumns} keyOf={([code]) => code} />
    </Section>
  )
}

function Waiting({ figures: { queues, deliveries, openOrders } }: { readonly figures: Dashboard }) {
  const states = [
    ...Object.entries(openOrders).map(([state, count]) => [`Orders: ${inWords(state)}`, count] as const),
    ...Object.entries(deliveries).map(([state, count]) => [`Webhook deliveries: ${inWords(state)}`, count] as const),
    ['Failed jobs', queues.jobsDead] as const,
  ]
  return (
    <Section title="Needs attention">
      <dl class="facts">
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
              <When at={queues.oldestDeliveryDueAt} />
            </dd>
          </div>
        )}
      </dl>
    </Section>
  )
}
