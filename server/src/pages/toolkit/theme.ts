import { createHash } from 'node:crypto'
import type { Seller } from '../../features/storefront/index.ts'
import { type Palette, palettesOf } from '../../kernel/palette.ts'

type Theme = NonNullable<Seller['theme']>

/** The style of a store: it overrides the variables of the stylesheet. */
export interface ThemeStyle {
  /** Contains nothing that has to be escaped in HTML. */
  readonly css: string
  /** The source expression that allows only this style. @see CSP Level 3, 2.3.1 */
  readonly source: string
  /** The background, for the `theme-color` of the browser. */
  readonly paper: { readonly light: string; readonly dark: string }
}

/** With a larger radius, text fields look like buttons. */
const RADIUS_MAX = 20

const FONTS: Readonly<Record<Theme['font'], string>> = {
  sans: 'var(--sans)',
  serif: 'var(--serif-family)',
  mono: 'var(--mono)',
}

/** The style of a theme, with readable colors. It contains only numbers and names that are defined here. */
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
