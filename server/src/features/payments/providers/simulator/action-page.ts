import { formatMoney } from '../../../../kernel/format-money.ts'
import { html } from '../../../../kernel/html.ts'
import { type Language, matchLanguage } from '../../../../kernel/languages/languages.ts'
import type { BankRecord } from './bank.ts'

/** The style of the hosted pages, copied: like a bank's page, this one is served elsewhere. */
const STYLE = `:root{color-scheme:light dark;--paper:#f6f4ef;--card:#fffefb;--ink:#1d1b18;--soft:#57524a;--line:#e2dcd0;--edge:#857e72;--accent:#17594a;--on:#fff;--wash:#e9f1ed}
@media (prefers-color-scheme:dark){:root{--paper:#151412;--card:#1e1c19;--ink:#f0ece4;--soft:#bdb6aa;--line:#35312b;--edge:#857d71;--accent:#8fd3bd;--on:#0d221b;--wash:#1d2c27}}
*{box-sizing:border-box}
body{margin:0;padding:2.5rem 1rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 system-ui,sans-serif}
main{max-width:28rem;margin:0 auto;padding:2rem 1.75rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0 0 .75rem;font:600 1.875rem/1.2 Charter,Georgia,serif}
p{margin:0 0 1rem}
.note{padding:.75rem 1rem;background:var(--wash);border:1px solid var(--accent);border-radius:.625rem}
.amount{margin:0 0 1.5rem;padding:.75rem 0;border:solid var(--line);border-width:1px 0;font-size:1.375rem;font-weight:600}
.question{color:var(--soft)}
button{display:block;width:100%;min-height:3.125rem;margin:.75rem 0 0;font:inherit;font-weight:600;color:var(--ink);background:none;border:1px solid var(--edge);border-radius:.625rem;cursor:pointer}
button[value=approve]{color:var(--on);background:var(--accent);border-color:var(--accent)}
:focus-visible{outline:.1875rem solid var(--accent);outline-offset:.1875rem}`

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

/** The language of the page for a browser, by default English. */
export function languageOf(languages: readonly string[]): Language {
  return matchLanguage(languages) ?? 'en'
}

/** The bank's page on which a shopper approves a payment. */
export function actionPage({ amount, currency }: Pick<BankRecord, 'amount' | 'currency'>, language: Language): string {
  const { title, simulated, question, approve, decline } = TEXTS[language]
  const main = html`<h1>${title}</h1>
<p class="note">${simulated}</p>
<p class="question">${question}</p>
<p class="amount">${formatMoney(language, BigInt(amount), currency)}</p>
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
