import { useState } from 'preact/hooks'

/** A value of one day. */
export interface Point {
  readonly label: string
  readonly value: number
  /** The value it is compared with: of the previous period, or a part of the value. */
  readonly compared?: number
}

interface ChartProps {
  readonly title: string
  readonly points: readonly Point[]
  /** Formats a value: an amount, a count or a rate. */
  readonly text: (value: number) => string
  /** Formats a value on the axis; absent: as `text`. */
  readonly axis?: (value: number) => string
  /** The title of the dashed line; absent if there is none. */
  readonly comparedTitle?: string
}

const WIDTH = 1000
const HEIGHT = 100
/** Labels below the line: a phone has room for three. */
const DAYS_SHOWN = 3
/** Steps between lines of the grid: 1, 2 or 5 times a power of ten. */
const ROUND = [1, 2, 5, 10]
/** Beyond this share of the width, the tip is on the left of the line. */
const TIP_TURNS = 0.6

/** A line chart of values by day, with a dashed line for comparison. The mouse and the arrow keys read each day. */
export function LineChart({ title, points, text, axis = text, comparedTitle }: ChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const { top, ticks } = scaleOf(points)
  const last = points.length - 1
  const x = (index: number) => (last <= 0 ? 0.5 : index / last)
  const line = (values: readonly number[]) =>
    values.map((value, index) => `${x(index) * WIDTH} ${(1 - value / top) * HEIGHT}`).join('L')
  const current = line(points.map(({ value }) => value))
  const read = at ?? last
  const shown = at === null ? undefined : points[at]

  function onKey(event: KeyboardEvent): void {
    const next = { ArrowLeft: read - 1, ArrowRight: read + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setAt(Math.min(last, Math.max(0, next)))
  }

  return (
    <figure>
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, read)}
        aria-valuetext={points[read] && spoken(points[read], text, comparedTitle)}
        onKeyDown={onKey}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setAt(last)}
        onBlur={() => setAt(null)}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect()
          setAt(Math.min(last, Math.max(0, Math.round(((event.clientX - left) / width) * last))))
        }}
        onPointerLeave={() => setAt(null)}
      >
        {ticks.map((tick) => (
          <div key={tick} class="grid" style={{ top: percent(1 - tick / top) }}>
            <span>{axis(tick)}</span>
          </div>
        ))}
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
          <path class="area" d={`M${x(0) * WIDTH} ${HEIGHT}L${current}L${x(last) * WIDTH} ${HEIGHT}Z`} />
          {comparedTitle && <path class="compared" d={`M${line(points.map(({ compared = 0 }) => compared))}`} />}
          <path d={`M${current}`} />
        </svg>
        {daysShown(points).map((index) => (
          <span key={index} class="day" style={placeOf(x(index))}>
            {points[index]?.label}
          </span>
        ))}
        {shown && (
          <>
            <div class="cursor" style={{ left: percent(x(read)) }} />
            <div class="dot" style={{ left: percent(x(read)), top: percent(1 - shown.value / top) }} />
            <div class="tip" style={tipPlace(x(read))}>
              {shown.label}
              <strong>{text(shown.value)}</strong>
              {comparedTitle && `${comparedTitle}: ${text(shown.compared ?? 0)}`}
            </div>
          </>
        )}
      </div>
      <figcaption class="legend">
        <span>{title}</span>
        {comparedTitle && <span class="compared">{comparedTitle}</span>}
      </figcaption>
    </figure>
  )
}

const percent = (share: number) => `${share * 100}%`

function spoken({ label, value, compared = 0 }: Point, text: ChartProps['text'], comparedTitle?: string): string {
  return `${label}: ${text(value)}.${comparedTitle ? ` ${comparedTitle}: ${text(compared)}.` : ''}`
}

/** The top of the scale and the values of its lines: at most four, at round numbers. */
function scaleOf(points: readonly Point[]): { readonly top: number; readonly ticks: readonly number[] } {
  const max = Math.max(...points.flatMap(({ value, compared = 0 }) => [value, compared]), 0)
  if (max === 0) return { top: 1, ticks: [] }
  const power = 10 ** Math.floor(Math.log10(max / 3))
  const step = power * (ROUND.find((each) => power * each * 3 >= max) ?? 10)
  const count = Math.ceil(max / step)
  return { top: step * count, ticks: Array.from({ length: count }, (_, index) => step * (index + 1)) }
}

/** The indexes of the labeled days: evenly spread, including the first and the last. */
function daysShown(points: readonly Point[]): readonly number[] {
  if (points.length <= DAYS_SHOWN) return points.map((_, index) => index)
  return Array.from({ length: DAYS_SHOWN }, (_, index) => Math.round((index * (points.length - 1)) / (DAYS_SHOWN - 1)))
}

/** Centers a label below its day, but within the chart at both ends. */
function placeOf(share: number) {
  if (share === 1) return { right: '0' }
  return share === 0 ? { left: '0' } : { left: percent(share), translate: '-50%' }
}

function tipPlace(share: number) {
  return share > TIP_TURNS
    ? { right: `calc(${percent(1 - share)} + 0.75rem)` }
    : { left: `calc(${percent(share)} + 0.75rem)` }
}
