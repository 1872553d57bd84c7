import { createHash } from 'node:crypto'
import type { Seller } from '../../features/storefront/index.ts'
import { type Palette, palettesOf } from '../../kernel/palette.ts'

type Theme = NonNullable<Seller['theme']>

/** The style of a store: it overrides the variables of the stylesheet. */
export interface ThemeStyle {
  /** Nothing in it is escaped in HTML. */
  readonly css: string
  /** The source that the policy of the page allows: this style, and no other. @see CSP Level 3, 2.3.1 */
  readonly source: string
  /** The background, for the frame of the browser. */
  readonly paper: { readonly light: string; readonly dark: string }
}

/** Wider ones make a button of a text field. */
const RADIUS_MAX = 20

const FONTS: Readonly<Record<Theme['font'], string>> = {
  sans: 'var(--sans)',
  serif: 'var(--serif-family)',
  mono: 'var(--mono)',
}

/** The style of a theme, with readable colors. It contains nothing but numbers and names from here. */
export function themeStyle(theme: Theme): ThemeStyle {
  const { light, dark } = palettesOf(theme)
  const radius = Math.min(theme.cornerRadius, RADIUS_MAX)
  const shape = `--serif:${FONTS[theme.font]};--radius:${radius}px;--radius-card:${Math.round(radius * 1.5)}px`
  const css = `:root{${variables(light)};${shape}}@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`
  const source = `'sha256-${createHash('sha256').update(css).digest('base64')}'`
  return { css, source, paper: { light: light.paper, dark: dark.paper } }
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${color}`)
    .join(';')
}
