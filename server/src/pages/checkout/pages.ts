import {
  type CheckoutPageDeps,
  findPageSession,
  holdOf,
  isTransferOffered,
  type PageAccess,
  type PageSession,
} from '../../features/checkout/index.ts'
import { findOrderById, orderLinkOf, storesOf } from '../../features/orders/index.ts'
import { intentOf, type Payments, receivedOf, transferAccount } from '../../features/payments/index.ts'
import type { CheckVatIds } from '../../features/pricing/index.ts'
import { type LoadDocumentsToAccept, readTimeZone } from '../../features/storefront/index.ts'
import { COUNTRIES } from '../../kernel/countries.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import type { PageReadContext, PageResponse } from '../toolkit/index.ts'
import { type AddressStep, countriesFor, errorsOfAddress, valuesOf } from './address-form.ts'
import { completedPage } from './completed-view.ts'
import { type CurrentStep, openSessionPage } from './open-view.ts'
import { ABANDONED } from './payment-view.ts'
import { endedPage, requiresActionPage, waitPage } from './state-views.ts'
import { type Editing, stepOf } from './step.ts'
import { texts } from './texts.ts'
import { transferPage } from './transfer-view.ts'
import { type CheckoutView, viewOf } from './view.ts'

/** Dependencies of the checkout pages. */
export interface CheckoutPagesDeps {
  readonly checkout: CheckoutPageDeps
  readonly payments: Payments
  readonly documentsToAccept: LoadDocumentsToAccept
  /** Base of relative image URLs. */
  readonly publicUrl: string
  /** Looks up VAT numbers, before the transaction that saves their address. */
  readonly checkVatIds: CheckVatIds
}

/** The step and the country that the URL can select. */
export interface EditQuery {
  readonly edit?: Editing | undefined
  readonly country?: string | undefined
}

/** Load the session of a page. Refusals: `not_found`. */
export async function loadSession(
  { checkout }: CheckoutPagesDeps,
  reader: Reader,
  access: PageAccess,
  now: Date,
): Promise<PageSession> {
  return (await findPageSession(checkout, reader, access, now)) ?? refuse('not_found')
}

export async function loadView(
  deps: CheckoutPagesDeps,
  access: PageAccess,
  context: PageReadContext,
): Promise<CheckoutView> {
  const page = await loadSession(deps, context.reader, access, context.now)
  return viewOf(page, { access, publicUrl: deps.publicUrl }, context)
}

/** The page of a session, by its status. */
export async function pageFor(
  deps: CheckoutPagesDeps,
  view: CheckoutView,
  reader: Reader,
  query: EditQuery = {},
): Promise<PageResponse> {
  const { session, chargeId, environment, currency, stores } = view.page
  switch (session.status) {
    case 'open':
      return openSessionPage(view, { current: await currentStep(deps, view, reader, query) })
    case 'processing':
    case 'cancel_pending':
      return waitPage(view)
    case 'requires_action': {
      const charge = chargeId === null ? null : await intentOf(reader, chargeId)
      if (!charge) return waitPage(view)
      if (charge.nextActionUrl !== null) {
        return requiresActionPage(view, charge.nextActionUrl, deps.payments.isHosted(charge.provider))
      }
      const paid = { environment, currency, storeIds: stores.map(({ id }) => id), at: charge.createdAt }
      const { transfer } = deps.checkout
      const hold = holdOf({ expiresAt: new Date(session.expiresAt) }, charge, transfer)
      const [instructions, received, timeZone] = await Promise.all([
        transferAccount(reader, paid, transfer),
        receivedOf(reader, charge.id),
        readTimeZone(reader, paid.storeIds),
      ])
      return transferPage(view, charge, { hold, instructions, received, timeZone })
    }
    case 'completed':
      return completed(view, reader)
    case 'canceled':
    case 'expired': {
      const received = chargeId === null ? 0n : await receivedOf(reader, chargeId)
      return endedPage(view, { hasReceived: received > 0n })
    }
  }
}

async function completed(view: CheckoutView, reader: Reader): Promise<PageResponse> {
  const order = await findOrderById(reader, view.page.session.orderId ?? refuse('not_found'))
  const [link, timeZone] = await Promise.all([
    orderLinkOf(reader, order, view.now),
    readTimeZone(reader, storesOf(order)),
  ])
  return completedPage(view, order, { orderUrl: link?.url ?? null, timeZone })
}

/** The current page with a notice, after the session changed in the meantime; `null` for other refusals. */
export async function conflictPage(
  deps: CheckoutPagesDeps,
  { code }: Refusal,
  access: PageAccess,
  context: PageReadContext,
): Promise<PageResponse | null> {
  if (code !== 'version_conflict' && code !== 'session_expired' && code !== 'cart_incomplete') return null
  const view = await loadView(deps, access, context)
  if (view.page.session.status !== 'open') return { kind: 'redirect', to: view.at() }
  const current = await currentStep(deps, view, context.reader, {})
  return openSessionPage(view, { current, notice: texts[view.language].changed, status: 409 })
}

/** The address form again, with the submitted values and their errors. */
export async function addressErrorPage(
  deps: CheckoutPagesDeps,
  kind: AddressStep['kind'],
  refusal: Refusal,
  { query, form }: { readonly query: PageAccess; readonly form: Readonly<Record<string, string>> },
  context: PageReadContext,
): Promise<PageResponse | null> {
  const view = await loadView(deps, query, context)
  const errors = errorsOfAddress(refusal, form, view.language)
  if (!errors || view.page.session.status !== 'open') return conflictPage(deps, refusal, query, context)
  const country = COUNTRIES.includes(form.countryCode ?? '') ? form.countryCode! : view.page.country
  return openSessionPage(view, {
    current: { step: 'address', address: { kind, country, values: form, errors } },
    status: 400,
  })
}

async function currentStep(
  deps: CheckoutPagesDeps,
  view: CheckoutView,
  reader: Reader,
  { edit, country }: EditQuery,
): Promise<CurrentStep> {
  const step = stepOf(view.page, edit)
  if (step === 'payment') return paymentStep(deps, view, reader)
  return step === 'shipping' ? { step } : { step, address: addressStep(view.page, edit, country) }
}

/** The payment step with methods, documents to accept, and why the last attempt failed. */
export async function paymentStep(
  { payments, checkout, documentsToAccept }: CheckoutPagesDeps,
  { page, locale, now }: CheckoutView,
  reader: Reader,
): Promise<CurrentStep & { readonly step: 'payment' }> {
  const { environment, currency, chargeId, stores, session } = page
  const storeIds = stores.map(({ id }) => id)
  const configured = payments.methodsFor(environment, currency, storeIds)
  const transfer = configured.find(({ kind }) => kind === 'manual')
  const [documents, charge, takesTransfer] = await Promise.all([
    documentsToAccept(reader, 'buying', { now, languages: [locale], storeIds }),
    chargeId === null ? null : intentOf(reader, chargeId),
    transfer &&
      isTransferOffered(
        reader,
        { sessionId: session.id, provider: transfer.provider, environment, currency, storeIds, at: now },
        checkout.transfer,
      ),
  ])
  const methods = configured.filter((method) => method !== transfer || takesTransfer)
  const failureCode = charge?.status === 'canceled' ? ABANDONED : (charge?.failureCode ?? null)
  return { step: 'payment', offered: { methods, documents, failureCode } }
}

/** The address to enter, the country whose form it has, and known values. */
function addressStep(page: PageSession, edit: Editing | undefined, country: string | undefined) {
  const kind = addressKindOf(page, edit)
  const known = kind === 'shipping' ? page.shippingAddress : page.billingAddress
  const email = kind === 'billing' ? undefined : page.contact?.email
  const offered = countriesFor(page, kind)
  const requested = country !== undefined && offered.includes(country) ? country : undefined
  const chosen = requested ?? known?.countryCode ?? page.shippingAddress?.countryCode ?? defaultCountry(page)
  const values = valuesOf(known, email)
  // Region and postal code are not valid in another country.
  const { region: _, postalCode: __, ...elsewhere } = values
  return { kind, country: chosen, values: known?.countryCode === chosen ? values : elsewhere } as const
}

/** If nothing is shipped: the email address, then the billing address if tax depends on it. */
function addressKindOf(page: PageSession, edit: Editing | undefined): AddressStep['kind'] {
  if (page.requiresShipping) return edit === 'billing' && page.shippingAddress ? 'billing' : 'shipping'
  if (!page.contact?.email || edit === 'address') return 'contact'
  return 'billing'
}

function defaultCountry({ country, countries }: PageSession): string {
  return countries.includes(country) ? country : (countries[0] ?? country)
}
