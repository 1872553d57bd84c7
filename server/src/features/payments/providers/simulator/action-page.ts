import { html } from '../../../../kernel/html.ts'
import type { BankRecord } from './bank.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
button{font:inherit;padding:.6rem 1.2rem;margin:0 .6rem .6rem 0;border:1px solid #555;border-radius:.4rem;background:#fff;color:inherit}
button[value=approve]{background:#0a5c36;border-color:#0a5c36;color:#fff}
@media (prefers-color-scheme:dark){body{background:#161616;color:#eee}button{background:#222}}`

/** The bank's page on which a shopper approves a payment. */
export function actionPage({ amount, currency }: Pick<BankRecord, 'amount' | 'currency'>): string {
  const main = html`<h1>Your bank asks</h1>
<p>This is the simulator: no money is real here.</p>
<p>Do you approve a payment of <strong>${amount} ${currency}</strong>, in the smallest unit of the currency?</p>
<form method="post">
<button type="submit" name="answer" value="approve">Approve</button>
<button type="submit" name="answer" value="decline">Decline</button>
</form>`
  return pageOf('Your bank asks', main.text)
}

export function closedPage(text: string): string {
  return pageOf('Simulator', html`<h1>Simulator</h1>\n<p>${text}</p>`.text)
}

function pageOf(title: string, main: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><main>${main}</main></body></html>`
}
