import { type Html, html } from '../toolkit/index.ts'

/** One of several, of which one is taken. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string | undefined
  /** What it costs, at the end of its line. */
  readonly aside?: string | undefined
}

/** Radio buttons as a list of cards. The first is taken where nothing was. */
export function choices(
  name: string,
  legend: Html | string,
  offered: readonly Choice[],
  taken: string | undefined,
): Html {
  const known = offered.some(({ value }) => value === taken) ? taken : offered[0]?.value
  return html`<fieldset class="choices"><legend>${legend}</legend>
${offered.map(({ value, label, hint, aside }, index) => {
  const id = `${name}-${index}`
  return html`<div class="choice"><input type="radio" id="${id}" name="${name}" value="${value}"${value === known && html` checked`}${
    hint && html` aria-describedby="${id}-hint"`
  }>
<label for="${id}"><span>${label}</span>${aside && html` <span class="amount">${aside}</span>`}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>
`
})}
</fieldset>`
}
