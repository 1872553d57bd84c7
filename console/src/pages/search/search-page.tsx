import type { OperatorSearchInsight } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import { locale, translate } from '../../language.ts'
import { Link, navigate, useQueryParameter } from '../../router.tsx'
import { LineChart, type Point } from '../../ui/chart.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Count, formatNumber } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { editorPath } from './paths.ts'

type QueryCount = OperatorSearchInsight['top'][number]
type DayCount = OperatorSearchInsight['days'][number]

const DAY_MS = 86_400_000
const percent = new Intl.NumberFormat(locale, { style: 'percent' })
const dayOf = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })

const queryColumn: Column<QueryCount> = {
  title: translate('Query'),
  wide: true,
  show: ({ query }) => <Link to={editorPath({ q: query })}>{query}</Link>,
}
const searchesColumn: Column<QueryCount> = {
  title: translate('Searches'),
  numeric: true,
  show: ({ searches }) => <Count value={searches} />,
}

const topColumns: readonly Column<QueryCount>[] = [
  queryColumn,
  searchesColumn,
  { title: translate('Without results'), numeric: true, show: ({ foundNothing }) => <Count value={foundNothing} /> },
  { title: translate('Corrected'), numeric: true, show: ({ corrected }) => <Count value={corrected} /> },
  { title: translate('Edited'), numeric: true, show: ({ edited }) => <Count value={edited} /> },
]
const emptyColumns: readonly Column<QueryCount>[] = [
  queryColumn,
  {
    ...searchesColumn,
    title: translate('Without results'),
    show: ({ foundNothing }) => <Count value={foundNothing} />,
  },
  {
    title: translate('Actions'),
    buttons: true,
    show: ({ query }) => (
      <div class="actions">
        <Allowed by="saveSearchRule">
          <button type="button" onClick={() => navigate(editorPath({ q: query, add: 'synonym' }))}>
            {translate('Add synonym')}
            <span class="hidden"> {translate('for {query}', { query })}</span>
          </button>
          <button type="button" onClick={() => navigate(editorPath({ q: query, add: 'redirect' }))}>
            {translate('Add redirect')}
            <span class="hidden"> {translate('for {query}', { query })}</span>
          </button>
        </Allowed>
      </div>
    ),
  },
]
const correctedColumns: readonly Column<QueryCount>[] = [
  queryColumn,
  { title: translate('Corrected to'), text: true, show: ({ correctedTo }) => correctedTo ?? '' },
  { ...searchesColumn, title: translate('Corrected'), show: ({ corrected }) => <Count value={corrected} /> },
]

/** The search statistics, with links to the editor of each result. */
export function SearchPage() {
  const [from, setFrom] = useQueryParameter('from')
  const [to, setTo] = useQueryParameter('to')
  const { data, error, loading, reload } = useCall(`${from} ${to}`, () =>
    call('getSearchInsight', { query: { ...(from && { from }), ...(to && { to }) } }),
  )
  return (
    <Page
      title={translate('Search')}
      lead={translate(
        'What shoppers search for, and what they find. A query is listed once it has been searched three times.',
      )}
      actions={
        <>
          <Link to="/search/rules" class="button">
            {translate('Rules')}
          </Link>
          <Link to="/search/synonyms" class="button">
            {translate('Synonyms')}
          </Link>
        </>
      }
    >
      <QueryForm />
      <div class="filters">
        <DayFilter label={translate('From')} value={from || (data?.from ?? '')} onChange={setFrom} />
        <DayFilter label={translate('Until')} value={to || (data?.to ?? '')} onChange={setTo} />
      </div>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div class={loading ? 'insight loading' : 'insight'} aria-busy={loading}>
        {data && <Insight insight={data} />}
      </div>
    </Page>
  )
}

/** Opens the editor for a query. */
export function QueryForm({ q = '' }: { readonly q?: string }) {
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('q') ?? '').trim()
        if (typed) navigate(editorPath({ q: typed }))
      }}
    >
      <label class="search field">
        <span>{translate('Query')}</span>
        <input type="search" name="q" defaultValue={q} maxLength={200} required />
      </label>
      <button type="submit" class={q ? '' : 'primary'}>
        {q ? translate('Show result') : translate('Edit result')}
      </button>
    </form>
  )
}

interface DayFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}

function DayFilter({ label, value, onChange }: DayFilterProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}

function Insight({ insight }: { readonly insight: OperatorSearchInsight }) {
  const { days, top, foundNothing, corrected } = insight
  const sum = (count: (day: DayCount) => number) => days.reduce((total, day) => total + count(day), 0)
  const searches = sum((day) => day.searches)
  if (searches === 0)
    return (
      <Empty title={translate('No searches in this period')} hint={translate('They appear here within a minute.')} />
    )
  const share = (count: number) => `${formatNumber(count)} (${percent.format(count / searches)})`
  return (
    <>
      <div class="cards">
        <Metric title={translate('Searches')} value={formatNumber(searches)} />
        <Metric title={translate('Without results')} value={share(sum((day) => day.foundNothing))} />
        <Metric title={translate('Corrected')} value={share(sum((day) => day.corrected))} />
        <Metric title={translate('With a rule')} value={share(sum((day) => day.edited))} />
      </div>
      <Section title={translate('By day (UTC)')}>
        <LineChart
          title={translate('Searches')}
          points={pointsOf(insight)}
          text={formatNumber}
          comparedTitle={translate('Without results')}
        />
      </Section>
      <Queries title={translate('Queries without results')} items={foundNothing} columns={emptyColumns} />
      <Queries title={translate('Top queries')} items={top} columns={topColumns} />
      <Queries title={translate('Corrected queries')} items={corrected} columns={correctedColumns} />
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

interface QueriesProps {
  readonly title: string
  readonly items: readonly QueryCount[]
  readonly columns: readonly Column<QueryCount>[]
}

function Queries({ title, items, columns }: QueriesProps) {
  return (
    <Section title={title}>
      {items.length === 0 && <p class="small">{translate('No query was searched three times.')}</p>}
      <Table caption={title} items={items} columns={columns} keyOf={({ query }) => query} />
    </Section>
  )
}

/** One point for every day, including days without searches. */
function pointsOf({ from, to, days }: OperatorSearchInsight): Point[] {
  const points: Point[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10)
    const { searches = 0, foundNothing = 0 } = days.find((each) => each.day === date) ?? {}
    points.push({ label: dayOf.format(at), value: searches, compared: foundNothing })
  }
  return points
}
