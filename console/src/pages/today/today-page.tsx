import type { OperatorSales } from '@vitrine/contract/operator'
import { useContext, useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { locale, translate, translateCount } from '../../language.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { LineChart } from '../../ui/chart.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Select } from '../../ui/form/form.tsx'
import { Amount, formatNumber } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Work } from '../../work.ts'
import { changeOf } from './change.ts'
import { currenciesOf, type Figure, figuresOf, pointsOf, sumsOf } from './figures.ts'
import { NextLaunchSteps } from './launch-list.tsx'
import { WorkList } from './work-list.tsx'

const REFRESH_MS = 60_000
const RANGES = ['7', '30', '90'] as const
const RANGE_DEFAULT = '30'
const percentChange = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero' })
const today = new Intl.DateTimeFormat(locale, { weekday: 'long', month: 'long', day: 'numeric' })

/** The open tasks, the next launch steps and the sales. */
export function TodayPage() {
  const environment = useEnvironment()
  const work = useContext(Work)
  const [selected, setRange] = useQueryParameter('days')
  const days = RANGES.find((each) => each === selected) ?? RANGE_DEFAULT
  const { data, error, loading, reload } = useCall(`${environment} ${days}`, () =>
    call('getSales', { query: { environment, days: Number(days) } }),
  )
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [environment, days])
  return (
    <Page title={translate('Today')} lead={today.format(new Date())}>
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <Section title={translate('To do')}>
        {work?.error ? <ErrorNotice error={work.error} retry={work.reload} /> : null}
        {work?.data && <WorkList work={work.data} />}
        {!work?.data && !work?.error && <Loading />}
      </Section>
      <NextLaunchSteps />
      <Section
        title={translate('Sales')}
        actions={
          <Segments
            label={translate('Period')}
            value={days}
            onChange={(value) => setRange(value === RANGE_DEFAULT ? '' : value)}
            options={RANGES.map((each) => [each, translate('{days} days', { days: each })])}
          />
        }
      >
        <div aria-busy={loading} class={salesClass(data, loading)}>
          {data ? <Sales sales={data} days={days} /> : <Loading />}
        </div>
      </Section>
      {data && (data.products.length > 0 || data.lowStock.length > 0) && (
        <div class="halves">
          {data.products.length > 0 && <TopProducts sales={data} days={days} />}
          {data.lowStock.length > 0 && <LowStock sales={data} />}
        </div>
      )}
    </Page>
  )
}

/** Reserves the height of the chart, unless there is nothing to draw. */
function salesClass(sales: OperatorSales | null, loading: boolean): string {
  const isEmpty = sales !== null && currenciesOf(sales).length === 0
  return ['stacked', !isEmpty && 'sales', loading && 'loading'].filter(Boolean).join(' ')
}

interface SalesProps {
  readonly sales: OperatorSales
  readonly days: string
}

function Sales({ sales, days }: SalesProps) {
  const [shown, setShown] = useState(0)
  const [chosen, setCurrency] = useState<string | null>(null)
  const currencies = currenciesOf(sales)
  const currency = currencies.find((each) => each === chosen) ?? currencies[0]
  if (currency === undefined) {
    return (
      <Empty
        title={translate('No orders in the last {days} days', { days })}
        hint={translate(
          'Orders appear here once a shopper pays. The other environment may have some: switch between Live and Test above.',
        )}
      >
        <Allowed by="listReadinessProofs">
          <Link to="/readiness" class="button">
            {translate('Check readiness')}
          </Link>
        </Allowed>
      </Empty>
    )
  }
  const figures = figuresOf(currency)
  const figure = figures[shown] as Figure
  return (
    <>
      {currencies.length > 1 && (
        <div class="filters">
          <Select
            name="currency"
            label={translate('Currency')}
            value={currency}
            onChange={setCurrency}
            options={currencies.map((each) => [each, each])}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser. */}
      <div class="figures" role="group" aria-label={translate('Figure of the chart')}>
        {figures.map((each, index) => (
          <FigureButton
            key={each.title}
            figure={each}
            value={each.valueOf(sumsOf(sales.current, currency))}
            before={each.valueOf(sumsOf(sales.before, currency))}
            isShown={index === shown}
            onShow={() => setShown(index)}
          />
        ))}
      </div>
      <LineChart
        title={figure.title}
        points={pointsOf(sales, figure, currency)}
        text={figure.text}
        axis={figure.axis}
        comparedTitle={translate('Previous {days} days', { days })}
      />
    </>
  )
}

interface FigureButtonProps {
  readonly figure: Figure
  readonly value: number
  readonly before: number
  readonly isShown: boolean
  readonly onShow: () => void
}

function FigureButton({ figure, value, before, isShown, onShow }: FigureButtonProps) {
  const change = changeOf(value, before)
  return (
    <button type="button" class="figure" aria-pressed={isShown} onClick={onShow}>
      <span class="small">{figure.title}</span>
      <strong>{figure.text(value)}</strong>
      {change === null ? (
        <span class="delta">{before < 0 ? translate('Not comparable') : translate('No earlier data')}</span>
      ) : (
        <span class={`delta ${change > 0 ? 'up' : change < 0 ? 'down' : ''}`}>
          {percentChange.format(change / 100)}{' '}
          <span class="hidden">{translate('compared with the previous period')}</span>
        </span>
      )}
    </button>
  )
}

function TopProducts({ sales, days }: SalesProps) {
  return (
    <Section title={translate('Top products')}>
      <ol class="ranking" aria-label={translate('Top products of the last {days} days', { days })}>
        {sales.products.map(({ productId, name, units, total }) => (
          <li key={productId ?? name}>
            <div>
              {productId ? <Link to={`/products/${productId}`}>{name}</Link> : <strong>{name}</strong>}
              <span class="small">{translateCount(units, { one: '{count} unit', other: '{count} units' })}</span>
            </div>
            <Amount {...total} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

function LowStock({ sales }: { readonly sales: OperatorSales }) {
  return (
    <div id="low-stock">
      <Section title={translate('Low stock')}>
        <ul class="ranking">
          {sales.lowStock.map(({ skuId, productId, name, code, available }) => (
            <li key={skuId}>
              <div>
                <Link to={`/products/${productId}`}>{name}</Link>
                <span class="small">{code}</span>
              </div>
              {available > 0
                ? translate('{available} left', { available: formatNumber(available) })
                : translate('Sold out')}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
