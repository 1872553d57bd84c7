import type { PageSession } from '../../features/checkout/index.ts'
import { type Html, html, quietForm, type ShownPage } from '../toolkit/index.ts'
import { type AddressFormParts, addressForm } from './address-form.ts'
import { type PaymentChoices, paymentForm, type Typed } from './payment-view.ts'
import { delivery, shippingForm } from './shipping-view.ts'
import { hasShippingChoice, STEPS, type Step } from './step.ts'
import { summary } from './summary-view.ts'
import { texts } from './texts.ts'
import { linesOf, type Shown } from './view.ts'

/** What the current step shows. */
export type Current =
  | { readonly step: 'address'; readonly address: AddressFormParts }
  | { readonly step: 'shipping' }
  | { readonly step: 'payment'; readonly offered: PaymentChoices; readonly typed?: Typed }

export interface OpenPage {
  readonly current: Current
  /** Said above everything else: that something has changed. */
  readonly notice?: string | undefined
  readonly status?: ShownPage['status']
}

/** A checkout that is open: the steps with the current one, and beside it what is bought. */
export function openPage(shown: Shown, { current, notice, status = 200 }: OpenPage): ShownPage {
  const { page, language } = shown
  const words = texts[language]
  const main = html`<h1>${words.title} <span class="lead">${words.at} ${page.installationName}</span></h1>
${progress(shown, current.step)}
${notice && html`<p class="note" role="status">${notice}</p>`}
<div class="split">
${summary(shown)}
<div class="now" id="step">
${current.step !== 'address' && given(shown, current.step)}
${stepOfPage(shown, current)}
${wayOut(shown)}
</div>
</div>`
  return pageOf(shown, words.title, main, { status, hasErrors: hasErrors(current) })
}

/** A page of this checkout, whichever state it is in: its pictures, its language, and where its forms may lead. */
export function pageOf(
  { page, language, picture }: Shown,
  title: string,
  main: Html,
  more: Pick<ShownPage, 'status' | 'hasErrors' | 'refreshSeconds' | 'width'> = {},
): ShownPage {
  const images = page.session.snapshot.lines.flatMap(({ image }) => (image ? [picture(image.url)] : []))
  const { returnUrl, cancelUrl } = page.session
  return { kind: 'page', title, main, language, images, formTargets: [returnUrl, cancelUrl], width: 'broad', ...more }
}

function stepOfPage(shown: Shown, current: Current): Html {
  switch (current.step) {
    case 'address':
      return addressForm(shown, current.address)
    case 'shipping':
      return shippingForm(shown)
    case 'payment':
      return paymentForm(shown, current.offered, current.typed)
  }
}

function hasErrors(current: Current): boolean {
  const errors =
    current.step === 'address' ? current.address.errors : current.step === 'payment' && current.typed?.errors
  return errors !== undefined && errors !== false
}

function progress({ language, page }: Shown, now: Step): Html {
  const words = texts[language]
  const steps = STEPS.filter((step) => step !== 'shipping' || now === 'address' || hasShippingChoice(page))
  return html`<nav class="steps" aria-label="${words.steps}"><ol>
${steps.map((step) => html`<li${step === now && html` aria-current="step"`}>${words[step]}</li>`)}
</ol></nav>`
}

/** What was said in the steps before, each with the way back to it. */
function given(shown: Shown, step: Step): Html {
  const { page, language, at } = shown
  const words = texts[language]
  const change = (edit: string, what: string) =>
    html`<a href="${at('', { edit })}">${words.change}<span class="unseen"> (${what})</span></a>`
  const { contact, shippingAddress, billingAddress } = page
  const shipping = page.selectedShipping.flatMap(({ optionId }) =>
    page.shippingOptions.filter(({ id }) => id === optionId),
  )
  return html`<dl class="given">
${shippingAddress && html`<div><dt>${words.shipTo}</dt><dd>${broken(linesOf(shown, shippingAddress))}<br>${contact?.email}</dd><dd>${change('address', words.shipTo)}</dd></div>`}
<div><dt>${words.billTo}</dt><dd>${billingAddress ? broken(linesOf(shown, billingAddress)) : words.billSame}</dd><dd>${change('billing', words.billTo)}</dd></div>
${
  step === 'payment' &&
  shipping.length > 0 &&
  html`<div><dt>${words.shippedBy}</dt><dd>${broken(shipping.map((option) => shippedBy(shown, option)))}</dd><dd>${
    hasShippingChoice(page) && change('shipping', words.shippedBy)
  }</dd></div>`
}
</dl>`
}

/** With the store that sends, where there are several. */
function shippedBy(shown: Shown, option: PageSession['shippingOptions'][number]): string {
  const { stores } = shown.page
  const store = stores.length > 1 ? stores.find(({ id }) => id === option.storeId)?.name : undefined
  return `${store ? `${store}: ` : ''}${option.name} · ${delivery(shown, option)}`
}

function broken(lines: readonly string[]): Html {
  return html`${lines.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}`
}

/** The way back to the shop, which gives up what was held. */
export function wayOut(shown: Shown): Html {
  const { page, language, formToken, at } = shown
  return html`<div class="out">${quietForm({
    action: at('/cancel'),
    formToken,
    submit: `${texts[language].cancel} ${page.installationName}`,
  })}</div>`
}
