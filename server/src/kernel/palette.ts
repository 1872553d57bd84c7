/** The theme colors that a palette is derived from, as `#rrggbb`. */
interface ThemeColors {
  readonly primaryColor: string
  readonly backgroundColor: string
  readonly textColor: string
}

/** The colors of a page or a mail. */
export interface Palette {
  readonly paper: string
  readonly card: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly edge: string
  readonly accent: string
  readonly accentStrong: string
  readonly onAccent: string
  readonly accentWash: string
}

/** WCAG 2.2, 1.4.3, with room for rounding. */
const TEXT_MIN = 4.6
/** WCAG 2.2, 1.4.11 */
const EDGE_MIN = 3.1
/** The minimum luminance of the background in light mode. */
const LIGHT_MIN = 0.7
const BLACK = '#000000'
const WHITE = '#ffffff'

/** The palettes for light and dark, with readable text whatever colors a store has chosen. */
export function palettesOf(theme: ThemeColors): { readonly light: Palette; readonly dark: Palette } {
  const { primaryColor, backgroundColor, textColor } = theme
  const paper = luminance(backgroundColor) >= LIGHT_MIN ? backgroundColor : mix(WHITE, primaryColor, 0.05)
  const light = paletteOn({ paper, card: mix(paper, WHITE, 0.75), ink: textColor, toward: BLACK }, primaryColor)
  const night = { paper: mix('#131313', primaryColor, 0.03), card: mix('#1c1c1c', primaryColor, 0.04) }
  return { light, dark: paletteOn({ ...night, ink: mix(WHITE, primaryColor, 0.06), toward: WHITE }, primaryColor) }
}

interface Ground {
  readonly paper: string
  readonly card: string
  readonly ink: string
  /** The color that others are mixed with until they are readable. */
  readonly toward: string
}

function paletteOn({ paper, card, ink: wanted, toward }: Ground, primary: string): Palette {
  const first = readable(primary, [paper, card], TEXT_MIN, toward)
  const accentWash = mix(card, first, 0.08)
  const grounds = [paper, card, accentWash]
  const accent = readable(first, grounds, TEXT_MIN, toward)
  const ink = readable(wanted, grounds, 2 * TEXT_MIN, toward)
  return {
    paper,
    card,
    ink,
    soft: readable(mix(ink, card, 0.3), grounds, TEXT_MIN + 1, toward),
    line: mix(card, ink, 0.14),
    edge: readable(mix(card, ink, 0.4), grounds, EDGE_MIN, toward),
    accent,
    accentStrong: mix(accent, toward, 0.25),
    onAccent: contrast(WHITE, accent) >= contrast('#101010', accent) ? WHITE : '#101010',
    accentWash,
  }
}

/** The contrast of two colors, from 1 to 21. @see WCAG 2.2, "contrast ratio" */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

const STEPS = 40

/** The color, mixed with as little of `toward` as the minimum contrast to all grounds needs. */
function readable(color: string, grounds: readonly string[], min: number, toward: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, toward, step / STEPS)
    if (grounds.every((ground) => contrast(mixed, ground) >= min)) return mixed
  }
  return toward
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @param share of the other color, from 0 to 1 */
function mix(color: string, other: string, share: number): string {
  const others = channelsOf(other)
  const mixed = channelsOf(color).map((channel, index) => Math.round(channel * (1 - share) + others[index]! * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}
