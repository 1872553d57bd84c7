import type { Address } from '@vitrine/contract'
import type { PageSession } from '../../features/checkout/index.ts'
import { type Html, type HtmlPage, html, lineBreaks, secondaryForm } from '../toolkit/index.ts'
import { type AddressStep, addressForm } from './address-form.ts'
import { codeForm } from './code-view.ts'
import { intendedEmail } from './email-typo.ts'
import { type PaymentChoices, paymentForm, type Typed } from './payment-view.ts'
import { deliveryTime, shippingForm } from './shipping-view.ts'
import { hasShippingChoice, STEPS, type Step, stepOf } from './step.ts'
import { summary } from './summary-view.ts'
import { texts } from './texts.ts'
import { type CheckoutView, linesOf, stepUrl } from './view.ts'

export type CurrentStep =
  | { readonly step: 'address'; readonly address: AddressStep }
  | { readonly step: 'shipping' }
  | {
      readonly step: 'payment'
      readonly offered: PaymentChoices
      readonly typed?: Typed
      /** A code that was not applied. */
      readonly code?: Typed
    }

interface OpenPage {
  readonly current: CurrentStep
  /** Shown above the steps. */
  readonly notice?: string | undefined
  readonly status?: HtmlPage['status']
}

/** The page of an open session: steps, current step and order summary. */
export function openSessionPage(view: CheckoutView, { current, notice, status = 200 }: OpenPage): HtmlPage {
  const { page } = view
  const words = texts[view.language]
  const main = html`<h1>${words.title}</h1>
${progress(view, current.step)}
${notice && html`<p class="note" role="status">${notice}</p>`}
<div class="split">
${current.step === 'payment' ? summary(view, true, codeForm(view, current.code?.values, current.code?.errors)) : summary(view, false)}
<div class="now" id="step">
${current.step !== 'address' && completedSteps(view, current.step)}
${stepOfPage(view, current)}
${current.step !== stepOf(page, undefined) && html`<div class="actions"><a class="button quiet" href="${stepUrl(view)}">${words.unchanged}</a></div>`}
${cancelForm(view)}
</div>
</div>`
  return pageOf(view, words.title, main, {
    status,
    hasErrors: hasErrors(current),
    hasScript: current.step === 'address',
  })
}

/** A page of a session, with the images and form targets that its content security policy allows. */
export function pageOf(
  { page, language, picture }: CheckoutView,
  title: string,
  main: Html,
  more: Pick<HtmlPage, 'status' | 'hasErrors' | 'hasScript' | 'refresh' | 'width'> = {},
): HtmlPage {
  const images = page.session.snapshot.lines.flatMap(({ image }) => (image ? [picture(image.url)] : []))
  const { returnUrl, cancelUrl } = page.session
  const stores = page.stores.map(({ id }) => id)
  const formTargets = [returnUrl, cancelUrl]
  return { kind: 'page', title, main, language, images, stores, formTargets, width: 'broad', ...more }
}

function stepOfPage(view: CheckoutView, current: CurrentStep): Html {
  switch (current.step) {
    case 'address':
      return addressForm(view, current.address)
    case 'shipping':
      return shippingForm(view)
    case 'payment':
      return paymentForm(view, current.offered, current.typed)
  }
}

function hasErrors(current: CurrentStep): boolean {
  const errors =
    current.step === 'address'
      ? current.address.errors
      : current.step === 'payment' && (current.typed ?? current.code)?.errors
  return errors !== undefined && errors !== false
}

function progress({ language, page }: CheckoutView, now: Step): Html {
  const words = texts[language]
  const mayChoose = page.requiresShipping && now === 'address'
  const steps = STEPS.filter((step) => step !== 'shipping' || mayChoose || hasShippingChoice(page))
  return html`<nav class="steps" aria-label="${words.steps}"><ol>
${steps.map((step) => html`<li${step === now && html` aria-current="step"`}>${step === 'address' && !page.requiresShipping ? words.contact : words[step]}</li>`)}
</ol></nav>`
}

/** The entries of earlier steps, with links to change them. */
function completedSteps(view: CheckoutView, step: Step): Html {
  const { page, language, at } = view
  const words = texts[language]
  const change = (edit: string, what: string) =>
    html`<a href="${at('', { edit })}">${words.change}<span class="unseen"> (${what})</span></a>`
  const { contact, requiresShipping } = page
  const shippingAddress = requiresShipping ? page.shippingAddress : null
  const billingAddress = page.billingAddress ?? (requiresShipping ? null : page.shippingAddress)
  const shipping = page.selectedShipping.flatMap(({ optionId }) =>
    page.shippingOptions.filter(({ id }) => id === optionId),
  )
  const written = (address: Address) =>
    lineBreaks([...linesOf(view, address), ...(address.vatId === undefined ? [] : [`${words.vatId} ${address.vatId}`])])
  const meant = intendedEmail(contact?.email ?? '')
  return html`${page.isVatIdRefused && html`<p class="note">${words.vatIdRefused}</p>`}
${meant !== null && html`<p class="note">${words.meant} <strong>${meant}</strong>? ${change('address', words.contact)}</p>`}
<dl class="given">
${shippingAddress && html`<div><dt>${words.shipTo}</dt><dd>${written(shippingAddress)}<br>${contact?.email}</dd><dd>${change('address', words.shipTo)}</dd></div>`}
${!requiresShipping && html`<div><dt>${words.contact}</dt><dd>${contact?.email}</dd><dd>${change('address', words.contact)}</dd></div>`}
<div><dt>${words.billTo}</dt><dd>${billingAddress ? written(billingAddress) : requiresShipping ? words.billSame : words.billNone}</dd><dd>${change('billing', words.billTo)}</dd></div>
${
  step === 'payment' &&
  shipping.length > 0 &&
  html`<div><dt>${words.shippingMethod}</dt><dd>${lineBreaks(shipping.map((option) => shippingText(view, option)))}</dd><dd>${
    hasShippingChoice(page) && change('shipping', words.shippingMethod)
  }</dd></div>`
}
</dl>`
}

/** The option's name and delivery time, with the store if there are several. */
function shippingText(view: CheckoutView, option: PageSession['shippingOptions'][number]): string {
  const { stores } = view.page
  const store = stores.length > 1 ? stores.find(({ id }) => id === option.storeId)?.name : undefined
  return `${store ? `${store}: ` : ''}${option.name} · ${deliveryTime(view, option)}`
}

/** The button that cancels the session and returns to the shop. */
export function cancelForm({ language, formToken, at }: CheckoutView): Html {
  return html`<div class="out">${secondaryForm({
    action: at('/cancel'),
    formToken,
    submit: texts[language].cancel,
  })}</div>`
}
