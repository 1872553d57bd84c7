/** Styles of the checkout pages only. Uses the palette of all pages. */
export const checkoutStyle = `
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.split { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.75rem; }
.split .now { min-width: 0; scroll-margin-top: 1.5rem; }
.now h2 { margin-bottom: 1rem; }
.now h2 + form { margin-top: 0; }
.now button { flex-wrap: wrap; gap: 0 .625rem; }
.now > :first-child { margin-top: 0; }
.now > :last-child, .bought details > :last-child { margin-bottom: 0; }
h1 .lead { font: 400 1.0625rem/1.4 var(--sans); letter-spacing: 0; }
.steps ol { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: 0 0 1.75rem; padding: 0; list-style: none; counter-reset: step; max-width: none; }
.steps li { margin: 0; color: var(--soft); counter-increment: step; }
.steps li::before {
  content: counter(step); display: inline-flex; align-items: center; justify-content: center; width: 1.625rem; height: 1.625rem;
  margin-right: .5rem; font-size: .875rem; border: 1px solid var(--edge); border-radius: 50%;
}
.steps [aria-current] { color: var(--ink); font-weight: 600; }
.steps [aria-current]::before { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.bought { padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: var(--radius-card); }
.bought > details:first-child summary { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; justify-content: space-between; cursor: pointer; list-style: none; border-radius: .25rem; }
.bought summary::-webkit-details-marker { display: none; }
.bought summary h2 { margin: 0; font: 600 1.0625rem/1.4 var(--sans); letter-spacing: 0; }
.bought summary h2::after {
  content: ""; display: inline-block; width: .4375rem; height: .4375rem; margin: 0 0 .1875rem .625rem;
  border: solid var(--soft); border-width: 0 .125rem .125rem 0; transform: rotate(45deg);
}
.bought [open] summary h2::after { margin-bottom: 0; transform: rotate(-135deg); }
.bought [open] summary .amount { visibility: hidden; }
.bought h3 { margin: 1.25rem 0 0; font-size: .9375rem; }
.amount { white-space: nowrap; font-variant-numeric: tabular-nums; }
.lines { margin: 1rem 0 0; padding: 0; list-style: none; max-width: none; }
.lines li { display: flex; flex-wrap: wrap; gap: .125rem .875rem; margin: 0; padding: .625rem 0; }
.lines li > div:not(.amount) { flex: 1 1 6rem; min-width: 0; }
.lines li > .amount { margin-left: auto; }
.lines img, .no-picture {
  width: 3.5rem; height: 3.5rem; object-fit: cover; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.no-picture { display: block; }
.lines span { display: block; }
.lines .thing { line-height: 1.35; }
.lines .small { font-size: .875rem; }
.lines .amount { text-align: right; }
.lines .amount .small { display: inline; white-space: nowrap; }
.totals { margin: 1rem 0 0; padding-top: .875rem; border-top: 1px solid var(--line); max-width: none; font-variant-numeric: tabular-nums; }
.totals > div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .1875rem 0; }
.totals dt { flex: 1 1 6rem; font-weight: 400; }
.totals dd { margin: 0 0 0 auto; text-align: right; white-space: nowrap; }
.totals dd .small { white-space: normal; }
.totals .off { color: var(--good); }
.totals .sum { margin-top: .5rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: 1.1875rem; }
.totals .sum dt, .totals .sum dd { font-weight: 600; }
.bought .totals + .small { margin: .25rem 0 0; }
.given { margin: 0 0 1.75rem; border: 1px solid var(--line); border-radius: var(--radius); max-width: none; }
.given > div { display: grid; grid-template-columns: 10rem minmax(0, 1fr) auto; gap: .25rem 1rem; padding: .75rem 1rem; }
.given > div + div { border-top: 1px solid var(--line); }
.given dt { font-weight: 400; color: var(--soft); }
.given dd { margin: 0; }
.facts { margin: 1.5rem 0; max-width: none; }
.facts > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: .25rem 1rem; padding: .625rem 0; border-top: 1px solid var(--line); }
.facts > div:last-child { border-bottom: 1px solid var(--line); }
.facts dt { font-weight: 400; color: var(--soft); }
.facts dd { margin: 0; font-weight: 600; }
.facts dd.figure { font-size: 1.0625rem; letter-spacing: .04em; user-select: all; }
.facts dd p { margin: 0; font-weight: 400; }
.facts .plain { font-weight: 400; }
.copied { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; justify-content: space-between; }
.copied button { width: auto; min-height: 2.25rem; padding: .25rem .75rem; font-size: .9375rem; }
.code { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; margin: 1.5rem 0 0; }
.code svg { border-radius: .5rem; border: 1px solid var(--line); }
.code figcaption { flex: 1 1 10rem; }
.promo { margin: 1rem 0 0; padding-top: .5rem; border-top: 1px solid var(--line); }
.promo summary { cursor: pointer; color: var(--accent); text-decoration: underline; text-underline-offset: .2em; padding: .5rem 0; }
.promo form, .promo .actions { margin: .5rem 0 0; }
.promo button { width: auto; min-height: 2.75rem; color: var(--ink); background: transparent; border-color: var(--edge); }
.promo button:hover { background: var(--accent-wash); }
.next { margin: 1.5rem 0; }
.offer { margin-top: 1.75rem; padding: 1.125rem; background: var(--accent-wash); border-radius: var(--radius); }
.offer h2 { margin: 0 0 .25rem; }
.offer p { margin: 0 0 .75rem; }
.offer form, .offer .actions { margin: 0; }
.choices { min-width: 0; margin: 0 0 1.5rem; padding: 0; border: 0; }
.choices legend { padding: 0; margin-bottom: .5rem; font-weight: 600; }
.choice {
  display: grid; grid-template-columns: 1.5rem minmax(0, 1fr); column-gap: .75rem; align-items: start; position: relative;
  padding: .8125rem 1rem; border: 1px solid var(--edge);
}
.choice:first-of-type { border-radius: var(--radius) var(--radius) 0 0; }
.choice:last-of-type { border-radius: 0 0 var(--radius) var(--radius); }
.choice:only-of-type { border-radius: var(--radius); }
.choice + .choice { margin-top: -1px; }
.choice:has(:checked) { z-index: 1; background: var(--accent-wash); border-color: var(--accent); }
.choice:has(:focus-visible) { z-index: 2; outline: .1875rem solid var(--accent); outline-offset: .125rem; }
.choice input { position: relative; z-index: 1; width: 1.25rem; min-height: 1.25rem; height: 1.25rem; margin: .1875rem 0 0; padding: 0; appearance: auto; accent-color: var(--accent); outline: none; }
.choice label { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; margin: 0; font-weight: 600; }
.choice label::before { content: ""; position: absolute; inset: 0; cursor: pointer; }
.choices:not(:has([value="simulator"]:checked)) + .rehearsal { display: none; }
.choice .hint { grid-column: 2; margin: .125rem 0 0; }
select {
  padding-right: 2.5rem; text-overflow: ellipsis;
  background-image: linear-gradient(45deg, transparent 50%, currentColor 50%), linear-gradient(135deg, currentColor 50%, transparent 50%);
  background-position: right 1.3125rem center, right 1rem center; background-size: .3125rem .3125rem; background-repeat: no-repeat;
}
.country { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: end; margin: 0 0 1.5rem; }
.country .field { margin: 0; }
.country button { width: auto; min-height: 3rem; margin-left: .75rem; padding: .5rem 1rem; font-size: 1rem; }
.out { margin-top: 2rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.out form, .out .actions { margin: 0; }
.out button { border-color: transparent; color: var(--soft); font-weight: 400; font-size: 1rem; text-decoration: underline; text-underline-offset: .2em; min-height: 2.75rem; }
.summary p { margin: 0; color: inherit; }
.busy {
  display: block; width: 2.5rem; height: 2.5rem; margin: .25rem 0 1.25rem; border: .25rem solid var(--line); border-top-color: var(--accent);
  border-radius: 50%;
}
@media (prefers-reduced-motion: no-preference) { .busy { animation: turn 1s linear infinite; } }
@keyframes turn { to { transform: rotate(1turn); } }
@media (max-width: 26rem) {
  .steps ol { gap: .5rem 1rem; margin-bottom: 1.25rem; }
  .steps li { font-size: .9375rem; }
  .steps li::before { width: 1.5rem; height: 1.5rem; margin-right: .375rem; }
  .bought { padding: min(1rem, 4vw); }
  .given > div { display: flex; flex-wrap: wrap; justify-content: space-between; }
  .given dd:first-of-type { order: 1; flex-basis: 100%; }
  .facts > div { grid-template-columns: minmax(0, 1fr); }
  .country { grid-template-columns: minmax(0, 1fr); }
  .country button { width: 100%; margin: .75rem 0 0; }
}
@media (min-width: 56rem) {
  .split { grid-template-columns: minmax(0, 1fr) 22rem; gap: 3rem; align-items: start; }
  .split > .now { grid-column: 1; grid-row: 1; }
  .split > .bought { grid-column: 2; grid-row: 1; }
  .broad main { padding: 2.25rem 2.5rem 2.5rem; }
}
@media (min-width: 45rem) {
  .bought > details:first-child::details-content { content-visibility: visible; block-size: auto; }
  .bought > details:first-child summary { cursor: default; }
  @supports selector(::details-content) {
    .bought > details:first-child summary { pointer-events: none; }
    .bought summary .amount, .bought summary h2::after { display: none; }
  }
}
`
