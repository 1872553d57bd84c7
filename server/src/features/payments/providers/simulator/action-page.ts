import { formatMoney } from '../../../../kernel/format-money.ts'
import { html } from '../../../../kernel/html.ts'
import { type Language, matchLanguage } from '../../../../kernel/languages/languages.ts'
import type { BankRecord } from './bank.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
button{font:inherit;padding:.6rem 1.2rem;margin:0 .6rem .6rem 0;border:1px solid #555;border-radius:.4rem;background:#fff;color:inherit}
button[value=approve]{background:#0a5c36;border-color:#0a5c36;color:#fff}
@media (prefers-color-scheme:dark){body{background:#161616;color:#eee}button{background:#222}}`

const TEXTS = {
  en: {
    title: 'Confirm your payment',
    simulated: 'This is a simulation of your bank. No real money is moved.',
    question: 'Do you approve this payment?',
    approve: 'Approve',
    decline: 'Decline',
    closed: 'Simulator',
    unknown: 'This payment does not exist.',
    done: 'You can close this page.',
  },
  de: {
    title: 'Zahlung bestätigen',
    simulated: 'Dies ist eine Simulation deiner Bank. Es fließt kein echtes Geld.',
    question: 'Möchtest du diese Zahlung freigeben?',
    approve: 'Freigeben',
    decline: 'Ablehnen',
    closed: 'Simulator',
    unknown: 'Diese Zahlung gibt es nicht.',
    done: 'Du kannst diese Seite schließen.',
  },
} as const satisfies Readonly<Record<Language, unknown>>

/** The language of a shopper's browser, else English. */
export function languageOf(languages: readonly string[]): Language {
  return matchLanguage(languages) ?? 'en'
}

/** The bank's page on which a shopper approves a payment. */
export function actionPage({ amount, currency }: Pick<BankRecord, 'amount' | 'currency'>, language: Language): string {
  const { title, simulated, question, approve, decline } = TEXTS[language]
  const main = html`<h1>${title}</h1>
<p>${simulated}</p>
<p>${question} <strong>${formatMoney(language, BigInt(amount), currency)}</strong></p>
<form method="post">
<button type="submit" name="answer" value="approve">${approve}</button>
<button type="submit" name="answer" value="decline">${decline}</button>
</form>`
  return pageOf(title, main.text, language)
}

export function closedPage(reason: 'unknown' | 'done', language: Language): string {
  const { closed, [reason]: text } = TEXTS[language]
  return pageOf(closed, html`<h1>${closed}</h1>\n<p>${text}</p>`.text, language)
}

function pageOf(title: string, main: string, language: Language): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><main>${main}</main></body></html>`
}
