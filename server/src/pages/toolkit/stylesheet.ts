import { createHash } from 'node:crypto'
import { checkoutStyle } from './checkout-style.ts'

/**
 * The stylesheet of all pages; the theme of a store replaces its variables. System fonts on a 1.2 scale, 60 characters per line,
 * 0.25 rem steps. Both palettes have contrasts of at least 7:1 for text and 3:1 for meaningful edges (WCAG 2.2, 1.4.6, 1.4.11).
 */
const css = `
:root {
  color-scheme: light dark;
  --paper: #f6f4ef; --card: #fffefb; --ink: #1d1b18; --soft: #57524a; --line: #e2dcd0; --edge: #857e72;
  --accent: #17594a; --accent-strong: #0f4236; --on-accent: #ffffff; --accent-wash: #e9f1ed;
  --bad: #93261a; --bad-wash: #fcf0ed; --good: #17594a; --shadow: 0 1px 2px #1d1b180d, 0 12px 32px -12px #1d1b1824;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
  --radius: .625rem; --radius-card: 1rem; --serif: var(--serif-family);
  --serif-family: "Iowan Old Style", "Charter", "Palatino Linotype", "URW Palladio L", P052, Georgia, "Noto Serif", serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151412; --card: #1e1c19; --ink: #f0ece4; --soft: #bdb6aa; --line: #35312b; --edge: #857d71;
    --accent: #8fd3bd; --accent-strong: #b4e4d4; --on-accent: #0d221b; --accent-wash: #1d2c27;
    --bad: #ffb0a3; --bad-wash: #35201c; --good: #8fd3bd; --shadow: 0 1px 2px #0006, 0 12px 32px -12px #000a;
  }
}
[hidden] { display: none !important; }
*, *::before, *::after { box-sizing: border-box; }
html { font-size: 100%; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; align-items: center;
  padding: 0 1.25rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 var(--sans); overflow-wrap: anywhere; text-rendering: optimizeLegibility;
}
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem .75rem; background: var(--card); border-radius: .375rem; }
.skip:focus { top: 1rem; }
header, main, footer { width: 100%; max-width: 28rem; }
.wide > :is(header, main, footer) { max-width: 44rem; }
.broad > :is(header, main, footer) { max-width: 64rem; }
header { padding: 2.5rem 0 1.5rem; }
.name { font: 600 1.1875rem/1.2 var(--serif); letter-spacing: .005em; color: var(--ink); text-decoration: none; }
.name::before {
  content: ""; display: inline-block; width: .625rem; height: .625rem; margin-right: .5rem;
  border: .1875rem solid var(--accent); border-radius: 50%;
}
.name img { width: 2.5rem; height: 2.5rem; object-fit: contain; border-radius: .375rem; }
.with-logo { display: inline-flex; align-items: center; gap: .75rem; }
.with-logo::before { display: none; }
.stores { margin: .25rem 0 0; font-size: .9375rem; color: var(--soft); }
main {
  padding: 2rem 1.75rem 2.25rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius-card);
  box-shadow: var(--shadow);
}
main:focus { outline: none; }
h1 { margin: 0 0 .75rem; font: 600 1.875rem/1.2 var(--serif); letter-spacing: -.012em; text-wrap: balance; }
h2 { margin: 2rem 0 .5rem; font: 600 1.25rem/1.3 var(--serif); letter-spacing: -.005em; text-wrap: balance; }
h3 { margin: 1.5rem 0 .375rem; font: 600 1.0625rem/1.4 var(--sans); }
p, ul, ol, dl { margin: 0 0 1rem; max-width: 60ch; text-wrap: pretty; }
ul, ol { padding-left: 1.25rem; }
li + li { margin-top: .375rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .75rem; }
main > :last-child, main > article > :last-child, form > :last-child { margin-bottom: 0; }
.lead { color: var(--soft); }
.person {
  margin: 0 0 1rem; padding: .75rem .875rem; font-weight: 600; background: var(--accent-wash); border-radius: var(--radius);
}
.device { margin: 0 0 1.5rem; }
.device .person { margin: 0 0 .75rem; }
.device :is(form, .actions) { margin: 0; }
.small { font-size: .9375rem; line-height: 1.5; color: var(--soft); }
code, .figure { font-family: var(--mono); font-size: .9em; }
hr { margin: 1.75rem 0; border: 0; border-top: 1px solid var(--line); }
a { color: var(--accent); text-decoration-thickness: .0625em; text-underline-offset: .2em; }
a:hover { color: var(--accent-strong); text-decoration-thickness: .125em; }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .1875rem; border-radius: .25rem; }
form { margin: 1.5rem 0 0; }
.field { margin: 0 0 1.375rem; }
.pair { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr)); }
label { display: block; margin-bottom: .375rem; font-weight: 600; }
.optional { font-size: .875rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
.hint { margin: -.125rem 0 .5rem; font-size: .9375rem; line-height: 1.45; color: var(--soft); }
.error { margin: 0 0 .5rem; font-size: .9375rem; line-height: 1.45; font-weight: 600; color: var(--bad); }
.wrong { padding-left: .875rem; border-left: .25rem solid var(--bad); }
input, select, textarea {
  width: 100%; min-height: 3rem; padding: .625rem .875rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--edge); border-radius: var(--radius); appearance: none;
}
input:hover, select:hover, textarea:hover { border-color: var(--ink); }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; border-color: var(--accent); border-radius: var(--radius); }
.wrong :is(input, textarea) { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.tick { display: grid; grid-template-columns: 1.75rem 1fr; column-gap: .5rem; align-items: start; }
.tick > :not(input, label) { grid-column: 2; }
.tick label { margin: 0; font-weight: 400; padding-top: .125rem; }
.tick input {
  width: 1.5rem; min-height: 1.5rem; height: 1.5rem; padding: 0; margin: .125rem 0 0; appearance: auto; accent-color: var(--accent);
}
button, .button {
  display: inline-flex; align-items: center; justify-content: center; width: 100%; min-height: 3.125rem; padding: .6875rem 1.5rem;
  font: 600 1.0625rem/1.3 var(--sans); text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent);
  border: 1px solid transparent; border-radius: var(--radius); cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-strong); color: var(--on-accent); }
button.quiet, .button.quiet { color: var(--ink); background: transparent; border-color: var(--edge); }
button.quiet:hover, .button.quiet:hover { background: var(--accent-wash); border-color: var(--ink); }
button.danger { color: var(--card); background: var(--bad); }
button.danger:hover { color: var(--card); background: color-mix(in srgb, var(--bad) 82%, var(--ink)); }
.button.quiet.danger { color: var(--bad); border-color: var(--bad); }
.button.quiet.danger:hover { color: var(--bad); background: var(--bad-wash); border-color: var(--bad); }
button:focus-visible, .button:focus-visible { border-radius: var(--radius); }
.actions { display: flex; flex-direction: column; gap: .75rem; margin: 1.75rem 0 0; }
form + .actions { margin-top: .75rem; }
.summary, .note { margin: 0 0 1.5rem; padding: 1rem 1.125rem; border-radius: var(--radius); border: 1px solid; }
.summary { color: var(--bad); background: var(--bad-wash); border-color: var(--bad); }
.note { background: var(--accent-wash); border-color: var(--accent); }
.summary h2 { margin: 0 0 .375rem; font: 600 1.0625rem/1.4 var(--sans); letter-spacing: 0; }
.summary ul { margin: 0; padding: 0; list-style: none; }
.summary a { color: inherit; }
.shops { padding: 0; list-style: none; }
.shops li { display: flex; gap: .875rem; align-items: center; min-height: 3rem; padding: .5rem 0; border-top: 1px solid var(--line); font-weight: 600; }
.shops img { width: 3rem; height: 3rem; object-fit: contain; border-radius: .375rem; }
.mark { display: block; width: 3rem; height: 3rem; margin: 0 0 1.25rem; color: var(--good); }
footer { margin-top: auto; padding: 2rem 0 2.25rem; font-size: .9375rem; color: var(--soft); }
footer nav + nav { margin-top: .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
footer nav ul { max-width: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
footer li + li { margin: 0; }
footer a, footer [aria-current] { display: inline-block; padding: .25rem 0; }
footer a { color: inherit; }
footer [aria-current] { color: var(--ink); font-weight: 600; }
@media (max-width: 26rem) {
  body { padding: 0 min(.75rem, 3vw); }
  header { padding: 1.5rem .5rem 1rem; }
  main { padding: 1.5rem min(1.25rem, 5vw) 1.75rem; }
  button, .button { padding-inline: min(1.5rem, 6vw); }
  footer { padding: 1.5rem .5rem 1.75rem; }
  h1 { font-size: 1.625rem; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button, input, a { transition: background-color .12s, border-color .12s, color .12s; }
}
@media (forced-colors: active) { button, .button { border-color: ButtonText; } }
@media print { header, footer, form { display: none; } main { border: 0; box-shadow: none; } }
`

/** Served under a hash of its content, so it is cached permanently. */
const body = Buffer.from(`${css}${checkoutStyle}`.replaceAll(/\n\s*/g, '\n').trim())

export const stylesheet = {
  path: `/assets/${createHash('sha256').update(body).digest('hex').slice(0, 16)}.css`,
  body,
  headers: {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  },
} as const
