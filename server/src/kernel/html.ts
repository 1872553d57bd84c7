/** Text that is HTML. Only {@link html} creates it, so that everything else in a page is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template. `null`, `undefined` and `false` are omitted; a list is joined. */
type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * An HTML template. Every value is escaped unless it is `Html`. Put attribute values in double quotes.
 *
 * @example
 * html`<p class="${name}">${text}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((text, each, index) => text + textOf(values[index - 1]) + each))
}

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object') return value.map(textOf).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
}
