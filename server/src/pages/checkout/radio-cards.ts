import { type Html, html } from '../toolkit/index.ts'

interface RadioCard {
  readonly value: string
  readonly label: string
  readonly hint?: string | undefined
  /** Shown at the end of the line, such as a price. */
  readonly aside?: string | undefined
}

/** Radio buttons as a list of cards. Default: the first. */
export function radioCards(
  name: string,
  legend: Html | string,
  offered: readonly RadioCard[],
  selected: string | undefined,
): Html {
  const checked = offered.some(({ value }) => value === selected) ? selected : offered[0]?.value
  return html`<fieldset class="choices"><legend>${legend}</legend>
${offered.map(({ value, label, hint, aside }, index) => {
  const id = `${name}-${index}`
  return html`<div class="choice"><input type="radio" id="${id}" name="${name}" value="${value}"${value === checked && html` checked`}${
    hint && html` aria-describedby="${id}-hint"`
  }>
<label for="${id}"><span>${label}</span>${aside && html` <span class="amount">${aside}</span>`}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>
`
})}
</fieldset>`
}
