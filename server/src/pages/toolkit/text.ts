import type { Money } from '@vitrine/contract'
import { formatMoney } from '../../kernel/format-money.ts'
import { type Html, html } from '../../kernel/html.ts'

/** An amount in the locale: 38,88 € or €38.88. */
export function money({ locale }: { readonly locale: string }, { amount, currency }: Money): string {
  return formatMoney(locale, BigInt(amount), currency)
}

/** Lines of text, separated by line breaks. */
export function lineBreaks(lines: readonly (Html | string)[]): Html {
  return html`${lines.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}`
}
