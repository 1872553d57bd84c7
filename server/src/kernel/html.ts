/** Text that is HTML already. Only {@link html} makes it, so whatever else is put into a page is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a page. `null`, `undefined` and `false` show nothing; a list shows its members one after another. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * A template of HTML. Every value is escaped, unless it is HTML itself. Values of attributes stand in double quotes.
 *
 * @example
 * html`<p class="${name}">${text}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((text, each, index) => text + shown(values[index - 1]) + each))
}

function shown(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object') return value.map(shown).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
}
