import { type Tone, tones } from './tones.ts'

/** A piece of SVG. Pictures are 800 by 800 units, light falls from the upper left. */
export type Piece = string
export type Point = readonly [x: number, y: number]

export const SIZE = 800
/** The height at which things stand. */
export const GROUND = 640

/** A number as SVG reads it, to a tenth: the eye sees no more, and the same input gives the same bytes everywhere. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function at([x, y]: Point): string {
  return `${n(x)} ${n(y)}`
}

/** The colour of a tone, or the colour itself. */
export function colour(tone: Tone | `#${string}`): `#${string}` {
  return tone.startsWith('#') ? (tone as `#${string}`) : tones[tone as Tone].hex
}

/** Between two colours: 0 is the first, 1 the second. */
export function mix(from: Tone | `#${string}`, to: Tone | `#${string}`, share: number): `#${string}` {
  const [a, b] = [channels(colour(from)), channels(colour(to))]
  const mixed = a.map((value, index) => Math.round(value + (b[index]! - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export function lighter(tone: Tone | `#${string}`, share: number): `#${string}` {
  return mix(tone, '#ffffff', share)
}

/** Shade is a deep blue-brown, never black: shadows stay warm. */
export function darker(tone: Tone | `#${string}`, share: number): `#${string}` {
  return mix(tone, '#2b2530', share)
}

function channels(hex: `#${string}`): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
}

/** Numbers in 0…1 that look random and are the same on every machine. @see https://en.wikipedia.org/wiki/Xorshift */
export function scatter(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 0x1_0000_0000
  }
}

export function path(d: string, fill: string, more = ''): Piece {
  return `<path d="${d}" fill="${fill}"${more && ` ${more}`}/>`
}

export function line(d: string, stroke: string, width: number, more = ''): Piece {
  return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round"${more && ` ${more}`}/>`
}

export function ellipse(cx: number, cy: number, rx: number, ry: number, fill: string, more = ''): Piece {
  return `<ellipse cx="${n(cx)}" cy="${n(cy)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}"${more && ` ${more}`}/>`
}

/** A filled shape with volume: its colour, then the light that falls across it. */
export function solid(d: string, tone: Tone | `#${string}`, light: 'round' | 'flat' = 'round'): Piece {
  return path(d, colour(tone)) + path(d, `url(#${light})`)
}

export function rounded(x: number, y: number, width: number, height: number, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2)
  return `M${n(x + r)} ${n(y)}h${n(width - 2 * r)}q${n(r)} 0 ${n(r)} ${n(r)}v${n(height - 2 * r)}q0 ${n(r)} ${n(-r)} ${n(r)}h${n(2 * r - width)}q${n(-r)} 0 ${n(-r)} ${n(-r)}v${n(2 * r - height)}q0 ${n(-r)} ${n(r)} ${n(-r)}z`
}

export function polygon(points: readonly Point[]): string {
  return `M${points.map(at).join('L')}z`
}

/** A smooth curve through points, without its first move. @see https://en.wikipedia.org/wiki/Centripetal_Catmull–Rom_spline */
export function through(points: readonly Point[]): string {
  const curves: string[] = []
  for (let index = 0; index < points.length - 1; index++) {
    const [p1, p2] = [points[index]!, points[index + 1]!]
    const p0 = points[index - 1] ?? p1
    const p3 = points[index + 2] ?? p2
    const first: Point = [p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6]
    const second: Point = [p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6]
    curves.push(`C${at(first)} ${at(second)} ${at(p2)}`)
  }
  return curves.join('')
}

export function curve(points: readonly Point[]): string {
  return `M${at(points[0]!)}${through(points)}`
}

export function closedCurve(points: readonly Point[]): string {
  return `${curve([...points, points[0]!])}z`
}

/** What lies inside a shape. The name must be its own within the picture. */
export function inside(name: string, d: string, content: Piece): Piece {
  return `<clipPath id="${name}"><path d="${d}"/></clipPath><g clip-path="url(#${name})">${content}</g>`
}

/** The soft shadow under a thing of that half-width. */
export function shadow(cx: number, halfWidth: number, y = GROUND): Piece {
  return ellipse(cx + halfWidth * 0.1, y, halfWidth * 1.3, Math.max(18, halfWidth * 0.19), 'url(#shadow)')
}

/** A vessel thrown on the wheel. Heights grow upwards from the foot, in units; widths are half-widths. */
export interface Turned {
  readonly cx?: number
  readonly foot?: number
  /** From the foot upwards. The last point is the rim. */
  readonly profile: readonly (readonly [height: number, halfWidth: number])[]
  readonly tone: Tone | `#${string}`
  /** A second glaze, dipped from above: the share of the height that it covers. */
  readonly dip?: { readonly tone: Tone | `#${string}`; readonly share: number }
  readonly speckled?: boolean
  /** Horizontal stripes: heights as shares, with a thickness. */
  readonly bands?: { readonly tone: Tone | `#${string}`; readonly at: readonly number[]; readonly width: number }
  /** How round the openings look: 0 is seen from the side. */
  readonly tilt?: number
  /** What is seen inside, or `false` where the top is closed. */
  readonly inner?: Tone | `#${string}` | false
  readonly name?: string
}

/** Draws a thrown vessel: body, glazes, speckles, light, then the rim and a look inside. */
export function turned(vessel: Turned): Piece {
  const { cx = SIZE / 2, foot = GROUND, profile, tone, tilt = 0.17, name = 'body' } = vessel
  const [first, rim] = [profile[0]!, profile.at(-1)!]
  const left = profile.map(([height, half]): Point => [cx - half, foot - height])
  const right = left.map(([x, y]): Point => [2 * cx - x, y])
  const bottom = `A${n(first[1])} ${n(first[1] * tilt * 0.9)} 0 0 0 ${at(right[0]!)}`
  const body = `${curve(left.toReversed())}${bottom}${through(right)}A${n(rim[1])} ${n(rim[1] * tilt)} 0 0 1 ${at(left.at(-1)!)}z`
  const top = foot - rim[0]
  const widest = Math.max(...profile.map(([, half]) => half))

  const marks: Piece[] = []
  if (vessel.dip) marks.push(dipped(cx, widest, top, rim[0], vessel.dip))
  for (const share of vessel.bands?.at ?? []) {
    const y = foot - rim[0] * share
    const sag = widest * tilt
    const d = `M${n(cx - widest - 20)} ${n(y - sag)}Q${n(cx)} ${n(y + sag)} ${n(cx + widest + 20)} ${n(y - sag)}`
    marks.push(line(d, colour(vessel.bands!.tone), vessel.bands!.width))
  }
  if (vessel.speckled) marks.push(speckles(cx, widest, top, rim[0]))

  const opening = vessel.inner ?? mix(vessel.dip?.tone ?? tone, 'walnut', 0.42)
  return [
    path(body, colour(tone)),
    marks.length > 0 ? inside(name, body, marks.join('')) : '',
    path(body, 'url(#round)'),
    opening === false ? '' : openTop(cx, top, rim[1], tilt, vessel.dip?.tone ?? tone, opening),
  ].join('')
}

/** A rim with thickness, and the far wall seen through it. */
export function openTop(
  cx: number,
  y: number,
  half: number,
  tilt: number,
  rim: Tone | `#${string}`,
  inner: Tone | `#${string}`,
): Piece {
  const lip = Math.max(3, Math.min(8, half * 0.05))
  return (
    ellipse(cx, y, half, half * tilt, lighter(rim, 0.28)) +
    ellipse(cx, y + lip * 0.2, half - lip, half * tilt - lip * 0.62, colour(inner)) +
    ellipse(cx, y + lip * 0.2, half - lip, half * tilt - lip * 0.62, 'url(#hollow)')
  )
}

/** The edge of a dipped glaze runs a little, as glaze does. */
function dipped(
  cx: number,
  widest: number,
  top: number,
  height: number,
  dip: { readonly tone: Tone | `#${string}`; readonly share: number },
): Piece {
  const edge = top + height * dip.share
  const waves = [0, 8, -3, 10, 2, 9, -2].map(
    (drop, index): Point => [cx - widest - 20 + ((2 * widest + 40) * index) / 6, edge + drop],
  )
  const d = `M${n(cx - widest - 20)} ${n(top - 60)}L${at(waves[0]!)}${through(waves)}L${n(cx + widest + 20)} ${n(top - 60)}z`
  return path(d, colour(dip.tone))
}

function speckles(cx: number, widest: number, top: number, height: number): Piece {
  const random = scatter(Math.round(widest * 7 + height))
  return Array.from({ length: 34 }, () => {
    const x = cx + (random() * 2 - 1) * widest
    const y = top + random() * height
    return ellipse(x, y, 1.6 + random() * 2.2, 1.4 + random() * 1.6, '#4a3a30', 'opacity=".32"')
  }).join('')
}

/** What stands behind the things of a store: an arch, hills, or a sun. */
export type Backdrop = 'arch' | 'hills' | 'disc'

const BACKDROPS: Record<Backdrop, (tint: `#${string}`) => Piece> = {
  arch: (tint) =>
    path('M190 640V360a210 210 0 0 1 420 0V640z', lighter(tint, 0.55)) +
    path('M0 640H800V800H0z', mix(tint, '#d9cdbd', 0.35)),
  hills: (tint) =>
    ellipse(590, 235, 74, 74, lighter(tint, 0.6)) +
    path('M0 520Q140 400 280 470T560 430T800 480V800H0z', mix(tint, '#c9d2cc', 0.4)) +
    path('M0 600Q200 540 420 590T800 570V800H0z', mix(tint, '#bccabf', 0.42)),
  disc: (tint) =>
    ellipse(400, 390, 262, 262, lighter(tint, 0.5)) + path('M0 640H800V800H0z', mix(tint, '#d8d3c8', 0.38)),
}

/** The light, the same in every picture, so that several may stand in one document. */
const LIGHT = [
  '<linearGradient id="round"><stop stop-color="#fff" stop-opacity=".06"/><stop offset=".24" stop-color="#fff" stop-opacity=".26"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#2b2530" stop-opacity=".26"/></linearGradient>',
  '<linearGradient id="flat" x2="1" y2="1"><stop stop-color="#fff" stop-opacity=".2"/><stop offset=".55" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#2b2530" stop-opacity=".14"/></linearGradient>',
  '<linearGradient id="hollow" x2="0" y2="1"><stop stop-color="#2b2530" stop-opacity=".3"/><stop offset="1" stop-color="#2b2530" stop-opacity="0"/></linearGradient>',
  '<radialGradient id="shadow"><stop stop-color="#2b2530" stop-opacity=".34"/><stop offset=".6" stop-color="#2b2530" stop-opacity=".13"/><stop offset="1" stop-color="#2b2530" stop-opacity="0"/></radialGradient>',
].join('')

/** A pale thing would vanish on its own ground: it gets that of a deeper neighbour. */
function groundOf(tone: Tone | `#${string}`): Tone | `#${string}` {
  if (tone === 'snow' || tone === 'mist') return 'slate'
  return tone === 'oat' || tone === 'sand' ? 'oak' : tone
}

/** Brings a thing nearer: larger, and still standing on the ground. */
export function nearer(thing: Piece, scale: number): Piece {
  const [x, y] = [(SIZE / 2) * (1 - scale), GROUND * (1 - scale)]
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${scale})">${thing}</g>`
}

/** A whole picture: a pale ground that answers the thing's colour, what stands behind it, and the thing. */
export function framed(thing: Piece, tone: Tone | `#${string}`, backdrop: Backdrop): string {
  const tint = mix(lighter(groundOf(tone), 0.8), '#f3ede3', 0.45)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}"><defs>${LIGHT}</defs><rect width="${SIZE}" height="${SIZE}" fill="${tint}"/>${BACKDROPS[backdrop](tint)}${thing}</svg>`
}
