export interface Curve {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Chart {
  readonly title: string
  /** The label of the horizontal axis. */
  readonly below: string
  /** The unit of the vertical axis. */
  readonly unit: string
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [800, 400, 80, 48, 24, 270]
const COLORS = [
  ...['#0b62d6', '#b4470b', '#0a7d4f', '#7c4dbd', '#5c6470', '#a3185c'],
  ...['#8a6d00', '#2f8f9d', '#111827'],
]

/** Curves on logarithmic axes as SVG, readable on light and dark pages. */
export function curves({ title, below, unit }: Chart, all: readonly Curve[]): string {
  const points = all.flatMap((curve) => curve.points)
  const x = scale(
    points.map(([at]) => at),
    LEFT,
    WIDTH - RIGHT,
  )
  const y = scale(
    points.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  )
  const grid = [
    ...x.ticks.map(
      (tick) =>
        line(x.at(tick), TOP, x.at(tick), HEIGHT - BOTTOM) +
        text(x.at(tick), HEIGHT - BOTTOM + 18, tick.toLocaleString('en'), 'middle'),
    ),
    ...y.ticks.map(
      (tick) =>
        line(LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick)) +
        text(LEFT - 8, y.at(tick) + 4, `${tick.toLocaleString('en')} ${unit}`, 'end'),
    ),
  ]
  const drawn = all.map(({ name, points: own }, index) => {
    const color = COLORS[index % COLORS.length]!
    const path = own.map(([at, value]) => `${x.at(at).toFixed(1)},${y.at(value).toFixed(1)}`)
    const dots = path.map((at) => `<circle cx="${at.split(',')[0]}" cy="${at.split(',')[1]}" r="3" fill="${color}"/>`)
    const legend = `<rect x="${WIDTH - RIGHT + 16}" y="${TOP + index * 22}" width="12" height="12" fill="${color}"/>${text(WIDTH - RIGHT + 34, TOP + 10 + index * 22, name, 'start')}`
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}${legend}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<g font-family="sans-serif" font-size="12" fill="#1c2024">${grid.join('\n')}
${drawn.join('\n')}
${text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, below, 'middle')}</g>
</svg>
`
}

/** A logarithmic scale with a tick at each power of ten that it reaches. */
function scale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: high - low + 1 }, (_, power) => 10 ** (low + power)),
  }
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#d5d9de"/>`
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${content}</text>`
}
