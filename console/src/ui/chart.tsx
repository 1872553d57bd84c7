/** One bar: a label and a value. */
export interface Point {
  readonly label: string
  readonly value: number
}

const WIDTH = 640
const HEIGHT = 160
const GAP = 0.25

export interface ChartProps {
  readonly title: string
  readonly points: readonly Point[]
  readonly text: (value: number) => string
}

/** A bar chart, with a table of the same values for screen readers. */
export function BarChart({ title, points, text }: ChartProps) {
  const max = Math.max(1, ...points.map(({ value }) => value))
  const step = WIDTH / Math.max(1, points.length)
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
        {points.map(({ label, value }, index) => {
          const height = (value / max) * HEIGHT
          return (
            <rect key={label} x={(index + GAP / 2) * step} y={HEIGHT - height} width={step * (1 - GAP)} height={height}>
              <title>{`${label}: ${text(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="ends small" aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>Peak: {text(max)}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
      <table class="hidden">
        <caption>{title}</caption>
        <tbody>
          {points.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{text(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
